"""Analyzers of where the numbers of a column lie. Nulls are skipped; values are doubles."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.base import ColumnAnalyzer, Cost
from airflow_metorikku.config.records.analyzers.numbers import NumberAnalyzer

# Deequ's default.
RELATIVE_ERROR = Decimal("0.01")


def require_share(path: str, number: Decimal) -> None:
    """Raise ValueError unless a number is from 0 to 1."""
    if not 0 <= number <= 1:
        raise ValueError(f"{path}: got {number}, expected a number from 0 to 1")


QUANTILE = "Share of the values below, from 0 to 1; 0.5 is the median."
FURTHEST = "How far in ranks the answer may be from the exact one, as a share of the rows; 0 is as near as Spark can."


@dataclass(frozen=True, kw_only=True)
class ApproxQuantile(NumberAnalyzer):
    """Value near a quantile, by Spark's `percentile_approx`: always one that is there, of two middle ones the lower."""

    COST: ClassVar[Cost] = "imperative"

    quantile: Decimal = key(QUANTILE)
    relative_error: Decimal = key(FURTHEST, default=RELATIVE_ERROR)

    def __post_init__(self) -> None:
        require_share("quantile", self.quantile)
        require_share("relativeError", self.relative_error)

    @property
    def name(self) -> str:
        """Deequ's, with the quantile: `ApproxQuantile-0.5`."""
        return f"ApproxQuantile-{float(self.quantile)}"


@dataclass(frozen=True, kw_only=True)
class ApproxQuantiles(NumberAnalyzer):
    """Values near several quantiles of a column, from one sketch."""

    COST: ClassVar[Cost] = "imperative"

    quantiles: tuple[Decimal, ...] = key("Shares of the values below, each from 0 to 1.")
    relative_error: Decimal = key(FURTHEST, default=RELATIVE_ERROR)

    def __post_init__(self) -> None:
        if not self.quantiles:
            raise ValueError("quantiles: expected at least one")
        for quantile in self.quantiles:
            require_share("quantiles", quantile)
        require_share("relativeError", self.relative_error)


@dataclass(frozen=True, kw_only=True)
class ExactQuantile(NumberAnalyzer):
    """Quantile, between two values in proportion, as Spark's `percentile`. Keeps a count of each different value in memory."""

    COST: ClassVar[Cost] = "imperative"

    quantile: Decimal = key(QUANTILE)

    def __post_init__(self) -> None:
        require_share("quantile", self.quantile)


@dataclass(frozen=True, kw_only=True)
class InterquartileRange(NumberAnalyzer):
    """Exact quantile 0.75 less exact quantile 0.25."""

    COST: ClassVar[Cost] = "imperative"


@dataclass(frozen=True, kw_only=True)
class ApproxCountDistinct(ColumnAnalyzer):
    """About how many different values there are, of any type, by Spark's HyperLogLog++ with a relative deviation of 0.05."""

    COST: ClassVar[Cost] = "imperative"
