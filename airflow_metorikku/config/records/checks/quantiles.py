"""Checks of where the numbers of a column lie. Nulls are skipped."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.quantiles import (
    FURTHEST,
    QUANTILE,
    RELATIVE_ERROR,
    ApproxCountDistinct,
    ApproxQuantile,
    ExactQuantile,
    InterquartileRange,
)
from airflow_metorikku.config.records.checks.base import COUNT, ColumnCheck, Range
from airflow_metorikku.config.records.checks.numbers import NumberCheck


@dataclass(frozen=True, kw_only=True)
class HasApproxQuantile(NumberCheck):
    """Value near a quantile of a numeric column: one that is there, of two middle ones the lower."""

    quantile: Decimal = key(QUANTILE)
    relative_error: Decimal = key(FURTHEST, default=RELATIVE_ERROR)

    def analyzer(self) -> ApproxQuantile:
        """Value near the quantile."""
        return self.made_into(ApproxQuantile)


@dataclass(frozen=True, kw_only=True)
class HasExactQuantile(NumberCheck):
    """Quantile of a numeric column, between two values in proportion; keeps a count of each different value in memory."""

    quantile: Decimal = key(QUANTILE)

    def analyzer(self) -> ExactQuantile:
        """The quantile."""
        return self.made_into(ExactQuantile)


@dataclass(frozen=True, kw_only=True)
class HasInterquartileRange(NumberCheck):
    """Exact quantile 0.75 less exact quantile 0.25 of a numeric column."""

    RANGE: ClassVar[Range | None] = COUNT

    def analyzer(self) -> InterquartileRange:
        """The range."""
        return self.made_into(InterquartileRange)


@dataclass(frozen=True, kw_only=True)
class HasApproxCountDistinct(ColumnCheck):
    """About how many different values a column of any type has, nulls apart; mostly within a tenth of the exact number."""

    RANGE: ClassVar[Range | None] = COUNT
    NEEDS_ASSERTION: ClassVar[str | None] = ">= 0"

    def analyzer(self) -> ApproxCountDistinct:
        """The number."""
        return self.made_into(ApproxCountDistinct)
