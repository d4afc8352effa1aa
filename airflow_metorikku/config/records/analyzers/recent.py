"""Analyzer of how many rows are recent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.base import ColumnAnalyzer

_NOW = re.compile(
    r"\s*(\d{4})-(\d{1,2})-(\d{1,2})[T ](\d{1,2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?\s*(Z|[+-]\d{2}:?\d{2})?\s*"
)
_EXPECTED = "expected yyyy-mm-dd hh:mm:ss, or with a zone as 2026-01-31T06:00:00+00:00"
MOST_HOURS = 24 * 366 * 100


def moment(text: str, zone: str) -> datetime:
    """An instant from its text; one without an offset is of the zone. Raises ValueError.

    Not `Moment.from_text`: as in Waimak it is what Java's `Timestamp.valueOf` takes, `2026-1-5 6:00:00` too.
    """
    match = _NOW.fullmatch(text)
    if match is None:
        raise ValueError(f"got {text!r}, {_EXPECTED}")
    *parts, fraction, offset = match.groups()
    try:
        micros = int((fraction or "0").ljust(6, "0")[:6])
        local = datetime(*map(int, parts), micros, tzinfo=ZoneInfo(zone))  # type: ignore[misc,arg-type]  # six parts, by the expression
    except ValueError as error:
        raise ValueError(f"got {text!r}: {error}; {_EXPECTED}") from None
    if offset is None:
        return local
    if offset == "Z":
        return local.replace(tzinfo=UTC)
    hours, minutes = int(offset[:3]), int(offset[0] + offset[-2:])
    return local.replace(tzinfo=UTC) - timedelta(hours=hours, minutes=minutes)


def check_zone(path: str, zone: str | None) -> None:
    """Raise ValueError unless it is a time zone's name, as `Europe/Amsterdam`."""
    try:
        if zone is not None and "${" not in zone:
            ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(
            f"{path}: got {zone!r}, expected the name of a time zone, as UTC or Europe/Amsterdam"
        ) from None


@dataclass(frozen=True, kw_only=True)
class RecentRows(ColumnAnalyzer):
    """Number of rows whose timestamp is at most so many hours before now; the bound itself is recent (Waimak, `RecentTimestampCheck`)."""

    hours: int = key("How many hours back a row is recent.", default=6)
    now: str | None = key(
        "What counts as now, as `2026-01-31 06:00:00` or with an offset. Default: the run's clock.",
        default=None,
    )
    zone: str | None = key(
        "Time zone of `now`, and of columns that have none. Default: the Spark session's.",
        default=None,
    )

    def __post_init__(self) -> None:
        if not 0 <= self.hours <= MOST_HOURS:
            raise ValueError(f"hours: expected 0 to {MOST_HOURS}, got {self.hours}")
        check_zone("zone", self.zone)
        if self.now and "${" not in self.now:
            try:
                moment(self.now, "UTC")
            except ValueError as error:
                raise ValueError(f"now: {error}") from None
