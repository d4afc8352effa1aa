"""Checks of the numbers in a column. Nulls are skipped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from airflow_metorikku.config.records.analyzers.numbers import (
    Correlation,
    Kurtosis,
    Maximum,
    Mean,
    Minimum,
    Range,
    Skewness,
    StandardDeviation,
    Sum,
    Variance,
    ZerosCount,
)
from airflow_metorikku.config.records.checks import base
from airflow_metorikku.config.records.checks.base import COUNT, ColumnCheck, PairCheck
from airflow_metorikku.config.records.flags import NanFlag


@dataclass(frozen=True, kw_only=True)
class NumberCheck(NanFlag, ColumnCheck):
    """A check of the numbers in a column, which must say what it expects."""

    NEEDS_ASSERTION: ClassVar[str | None] = ">= 0"


@dataclass(frozen=True, kw_only=True)
class HasMin(NumberCheck):
    """Smallest value of a column of numbers, dates or timestamps, as `>= 0` or `>= 2024-01-31`."""

    def analyzer(self) -> Minimum:
        """Smallest value."""
        return self.made_into(Minimum)


@dataclass(frozen=True, kw_only=True)
class HasMax(NumberCheck):
    """Largest value of a column of numbers, dates or timestamps; NaN is the largest number."""

    def analyzer(self) -> Maximum:
        """Largest value."""
        return self.made_into(Maximum)


@dataclass(frozen=True, kw_only=True)
class HasRange(NumberCheck):
    """Largest value less the smallest, of a column of numbers."""

    RANGE: ClassVar[base.Range | None] = COUNT

    def analyzer(self) -> Range:
        """Largest less smallest."""
        return self.made_into(Range)


@dataclass(frozen=True, kw_only=True)
class HasMean(NumberCheck):
    """Mean of a numeric column; sums are exact at any size."""

    def analyzer(self) -> Mean:
        """Mean."""
        return self.made_into(Mean)


@dataclass(frozen=True, kw_only=True)
class HasSum(NumberCheck):
    """Sum of a numeric column; sums of whole numbers and decimals are exact."""

    def analyzer(self) -> Sum:
        """Sum."""
        return self.made_into(Sum)


@dataclass(frozen=True, kw_only=True)
class HasStandardDeviation(NumberCheck):
    """Standard deviation of a numeric column, of the population (divided by n)."""

    RANGE: ClassVar[base.Range | None] = COUNT

    def analyzer(self) -> StandardDeviation:
        """Standard deviation."""
        return self.made_into(StandardDeviation)


@dataclass(frozen=True, kw_only=True)
class HasVariance(NumberCheck):
    """Variance of a numeric column, of the population (divided by n)."""

    RANGE: ClassVar[base.Range | None] = COUNT

    def analyzer(self) -> Variance:
        """Variance."""
        return self.made_into(Variance)


@dataclass(frozen=True, kw_only=True)
class HasSkewness(NumberCheck):
    """Skewness of a numeric column, of the population; 0 where all values are the same."""

    def analyzer(self) -> Skewness:
        """Skewness."""
        return self.made_into(Skewness)


@dataclass(frozen=True, kw_only=True)
class HasKurtosis(NumberCheck):
    """Excess kurtosis of a numeric column, of the population: 0 for a normal distribution, and where all values are the same."""

    def analyzer(self) -> Kurtosis:
        """Kurtosis."""
        return self.made_into(Kurtosis)


@dataclass(frozen=True, kw_only=True)
class HasZerosCount(ColumnCheck):
    """Number of zeros in a numeric column."""

    RANGE: ClassVar[base.Range | None] = COUNT
    NEEDS_ASSERTION: ClassVar[str | None] = ">= 0"

    def analyzer(self) -> ZerosCount:
        """Number of zeros."""
        return self.made_into(ZerosCount)


@dataclass(frozen=True, kw_only=True)
class HasCorrelation(NanFlag, PairCheck):
    """Pearson's correlation of two numeric columns, of the rows in which neither is null; NaN, which satisfies nothing, where one is constant."""

    NEEDS_ASSERTION: ClassVar[str | None] = ">= 0"
    RANGE: ClassVar[base.Range | None] = (-1, 1)

    def analyzer(self) -> Correlation:
        """Correlation."""
        return self.made_into(Correlation)
