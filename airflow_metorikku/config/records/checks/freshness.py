"""Checks of how new the rows are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.freshness import Freshness, Unit
from airflow_metorikku.config.records.checks.base import COUNT, ColumnCheck, Range


@dataclass(frozen=True, kw_only=True)
class HasFreshness(ColumnCheck):
    """Age of the newest row by a column of times, as `<= 24` hours; values later than now are left out, so that one wrong date in the future hides no stale feed."""

    RANGE: ClassVar[Range | None] = COUNT
    NEEDS_ASSERTION: ClassVar[str | None] = "<= 24"

    unit: Unit = key("What the age is counted in.", default="hours")
    now: str | None = key(
        "The moment to compare with, as ISO 8601 has it (`${data_interval_end}`); default the moment of the run.",
        default=None,
    )
    zone: str = key(
        "Zone of `now` without an offset, and of dates and of timestamps without a time zone.",
        default="UTC",
    )

    def analyzer(self) -> Freshness:
        """Age of the newest value."""
        return self.made_into(Freshness)
