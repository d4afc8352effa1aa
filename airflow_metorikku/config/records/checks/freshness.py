"""Checks of how new the rows are."""

from __future__ import annotations

from dataclasses import dataclass

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.freshness import Freshness, Unit, check_moment
from airflow_metorikku.config.records.checks.base import ColumnCheck, needs_assertion


@dataclass(frozen=True, kw_only=True)
class HasFreshness(ColumnCheck):
    """Age of the newest row by a column of times, as `<= 24` hours; values later than now are left out, so that one wrong date in the future hides no stale feed."""

    unit: Unit = key("What the age is counted in.", default="hours")
    now: str | None = key(
        "The moment to compare with, as ISO 8601 has it (`${data_interval_end}`); default the moment of the run.",
        default=None,
    )
    zone: str = key(
        "Zone of `now` without an offset, and of dates and of timestamps without a time zone.",
        default="UTC",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        needs_assertion(self, "<= 24")
        check_moment(self.now, self.zone)

    def analyzer(self) -> Freshness:
        """Age of the newest value."""
        return Freshness(
            column=self.column, unit=self.unit, now=self.now, zone=self.zone, where_=self.where_
        )
