"""The analyzer of how new the rows are, by a column of times. "Now" can be given, and the zone of what has none is always told."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.base import ColumnAnalyzer
from airflow_metorikku.config.records.analyzers.recent import check_zone

Unit = Literal["seconds", "minutes", "hours", "days"]
SECONDS: dict[Unit, int] = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}


@dataclass(frozen=True, kw_only=True)
class Aged:
    """How an age is counted: in what, from which moment, in which zone."""

    unit: Unit = key("What the age is counted in.", default="hours")
    now: str | None = key(
        "The moment to compare with, as ISO 8601 has it (`${data_interval_end}`); default the moment of the run.",
        default=None,
    )
    zone: str = key(
        "Zone of `now` without an offset, and of dates and of timestamps without a time zone.",
        default="UTC",
    )


@dataclass(frozen=True, kw_only=True)
class Freshness(ColumnAnalyzer, Aged):
    """Age of the newest value that is not later than now, in `unit`."""

    def __post_init__(self) -> None:
        check_zone("zone", self.zone)
        if self.now is None or "${" in self.now:
            return
        try:
            datetime.fromisoformat(self.now)
        except ValueError:
            raise ValueError(
                f"now: got {self.now!r}, expected a moment as 2026-01-31T06:00:00 or 2026-01-31T06:00:00+02:00"
            ) from None

    def moment(self, default: datetime) -> datetime:
        """`now` with its zone, else the default."""
        if self.now is None:
            return default
        given = datetime.fromisoformat(self.now)
        return given if given.tzinfo else given.replace(tzinfo=ZoneInfo(self.zone))
