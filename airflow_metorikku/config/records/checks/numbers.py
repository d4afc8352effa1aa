"""Checks of the numbers in a column."""

from __future__ import annotations

from dataclasses import dataclass

from airflow_metorikku.config.records.analyzers.numbers import Maximum, Mean, Minimum, Sum
from airflow_metorikku.config.records.checks.base import ColumnCheck


@dataclass(frozen=True, kw_only=True)
class HasMin(ColumnCheck):
    """Smallest value of a numeric column; nulls are skipped."""

    def analyzer(self) -> Minimum:
        """Smallest value."""
        return Minimum(column=self.column, where_=self.where_)


@dataclass(frozen=True, kw_only=True)
class HasMax(ColumnCheck):
    """Largest value of a numeric column; nulls are skipped."""

    def analyzer(self) -> Maximum:
        """Largest value."""
        return Maximum(column=self.column, where_=self.where_)


@dataclass(frozen=True, kw_only=True)
class HasMean(ColumnCheck):
    """Mean of a numeric column; nulls are skipped, sums are exact at any size."""

    def analyzer(self) -> Mean:
        """Mean."""
        return Mean(column=self.column, where_=self.where_)


@dataclass(frozen=True, kw_only=True)
class HasSum(ColumnCheck):
    """Sum of a numeric column; nulls are skipped, sums of whole numbers and decimals are exact."""

    def analyzer(self) -> Sum:
        """Sum."""
        return Sum(column=self.column, where_=self.where_)
