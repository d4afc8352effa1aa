"""The `periodic` of a job file: a round of the job again and again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

from airflow_metorikku.config.fields import key

# Scala's names of units, which Metorikku takes; Python's clock knows nothing below a microsecond.
_UNITS: dict[str, tuple[str, ...]] = {
    "days": ("d", "day"),
    "hours": ("h", "hr", "hour"),
    "minutes": ("m", "min", "minute"),
    "seconds": ("s", "sec", "second"),
    "milliseconds": ("ms", "milli", "millisecond"),
}
_BY_NAME = {
    name + plural: unit for unit, names in _UNITS.items() for name in names for plural in ("", "s")
}
_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]+)\s*")
_EXPECTED = "expected a number above 0 and a unit, as '20 minutes', '90s', '1 hour'"


@dataclass(frozen=True, kw_only=True)
class Periodic:
    """Run again and again: the schedule of the job's DAG where that has no other; `metorikku run` goes on by it."""

    trigger_duration: str = key(
        "From the start of one round to that of the next, as `20 minutes`, `90s`, `1 hour`."
    )

    def __post_init__(self) -> None:
        if "${" not in self.trigger_duration:
            self.duration  # noqa: B018 - reads it

    @property
    def duration(self) -> timedelta:
        """The time between rounds; raises ValueError for a text that is none."""
        got = f"triggerDuration: got {self.trigger_duration!r}, {_EXPECTED}"
        match = _DURATION.fullmatch(self.trigger_duration)
        unit = _BY_NAME.get(match[2].lower()) if match else None
        if match is None or unit is None:
            raise ValueError(got)
        try:
            duration = timedelta(**{unit: float(match[1])})
        except OverflowError:
            raise ValueError(got) from None
        if not duration:
            raise ValueError(got)
        return duration
