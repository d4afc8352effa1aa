"""This project's own settings among `sparkConf`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PREFIX = "spark.metorikku."
FAST_START = f"{PREFIX}fastStart"
PROFILES = ("archive", "short", "off")
PUBLISH_WAIT = f"{PREFIX}publish.waitSeconds"


def check_own_settings(conf: Mapping[str, str]) -> None:
    """Raise ValueError for one that does not exist, or has a value that it cannot have."""
    for name, value in conf.items():
        if not name.startswith(PREFIX) or "${" in value:
            continue
        check = _CHECKS.get(name)
        if check is None:
            raise ValueError(
                f"sparkConf.{name}: there is no such setting, expected one of {', '.join(_CHECKS)}"
            )
        try:
            check(value)
        except ValueError as error:
            raise ValueError(f"sparkConf.{name}: {error}") from None


def check_profile(given: str) -> None:
    """Raise ValueError unless it is a way to start."""
    if given not in PROFILES:
        raise ValueError(f"got {given!r}, expected one of {', '.join(PROFILES)}")


def seconds_to_wait(given: str) -> float:
    """How long to wait; raises ValueError."""
    try:
        seconds = float(given)
    except ValueError:
        seconds = -1
    if not seconds >= 0:
        raise ValueError(f"got {given!r}, expected a number of seconds")
    return seconds


_CHECKS: dict[str, Callable[[str], object]] = {
    FAST_START: check_profile,
    PUBLISH_WAIT: seconds_to_wait,
}
