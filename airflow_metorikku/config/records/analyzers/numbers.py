"""Analyzers of the numbers in a column. Nulls are skipped."""

from __future__ import annotations

from dataclasses import dataclass

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.base import Analyzer, ColumnAnalyzer, PairAnalyzer
from airflow_metorikku.config.records.flags import NanFlag


@dataclass(frozen=True, kw_only=True)
class NumberAnalyzer(NanFlag, ColumnAnalyzer):
    """An analyzer of the numbers in a column."""


@dataclass(frozen=True, kw_only=True)
class Minimum(NumberAnalyzer):
    """Smallest value of a column of numbers, dates or timestamps."""


@dataclass(frozen=True, kw_only=True)
class Maximum(NumberAnalyzer):
    """Largest value of a column of numbers, dates or timestamps; NaN is the largest of all, as in Spark."""


@dataclass(frozen=True, kw_only=True)
class Range(NumberAnalyzer):
    """Largest value less the smallest, exact for whole numbers and decimals."""


@dataclass(frozen=True, kw_only=True)
class Mean(NumberAnalyzer):
    """Mean, of an exact sum."""


@dataclass(frozen=True, kw_only=True)
class Sum(NumberAnalyzer):
    """Sum, exact for whole numbers and decimals."""


@dataclass(frozen=True, kw_only=True)
class StandardDeviation(NumberAnalyzer):
    """Standard deviation of the population (divided by n), as a double."""


@dataclass(frozen=True, kw_only=True)
class Variance(NumberAnalyzer):
    """Variance of the population (divided by n), as a double."""


@dataclass(frozen=True, kw_only=True)
class Skewness(NumberAnalyzer):
    """Skewness of the population; 0 where all values are the same."""


@dataclass(frozen=True, kw_only=True)
class Kurtosis(NumberAnalyzer):
    """Excess kurtosis of the population, 0 for a normal distribution; 0 where all values are the same."""


@dataclass(frozen=True, kw_only=True)
class ZerosCount(ColumnAnalyzer):
    """Number of zeros."""


@dataclass(frozen=True, kw_only=True)
class Correlation(NanFlag, PairAnalyzer):
    """Pearson's correlation of the rows in which neither column is null; NaN where one is constant."""


@dataclass(frozen=True, kw_only=True)
class RatioOfSums(NanFlag, Analyzer):
    """Sum of one column over the sum of another: infinite where that is 0, NaN where both are."""

    numerator: str = key("Column whose sum is divided.")
    denominator: str = key("Column whose sum divides.")

    def columns_analyzed(self) -> tuple[str, ...]:
        """Numerator and denominator."""
        return (self.numerator, self.denominator)
