"""Checks of how new the rows are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from airflow_metorikku.config.records.analyzers.freshness import Aged, Freshness
from airflow_metorikku.config.records.checks.base import COUNT, ColumnCheck, Range


@dataclass(frozen=True, kw_only=True)
class HasFreshness(ColumnCheck, Aged):
    """Age of the newest row by a column of times, as `<= 24` hours; values later than now are left out, so that one wrong date in the future hides no stale feed."""

    RANGE: ClassVar[Range | None] = COUNT
    NEEDS_ASSERTION: ClassVar[str | None] = "<= 24"

    def analyzer(self) -> Freshness:
        """Age of the newest value."""
        return self.made_into(Freshness)
