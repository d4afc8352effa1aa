"""The analyzer of how new the rows are, by a column of times. "Now" can be given, and the zone of what has none is always told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.moments import Moment
from airflow_metorikku.config.records.analyzers.base import ColumnAnalyzer
from airflow_metorikku.config.records.analyzers.recent import check_zone

if TYPE_CHECKING:
    from datetime import datetime

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
            Moment.from_text(self.now).in_zone("UTC")
        except ValueError as error:
            raise ValueError(f"now: {error}") from None

    def moment(self, default: datetime) -> datetime:
        """`now` with its zone, else the default."""
        if self.now is None:
            return default
        return Moment.from_text(self.now).in_zone(self.zone)
