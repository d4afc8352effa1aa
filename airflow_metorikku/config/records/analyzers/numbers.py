"""Analyzers of the numbers in a column. Nulls are skipped."""

from __future__ import annotations

from dataclasses import dataclass

from airflow_metorikku.config.records.analyzers.base import ColumnAnalyzer


@dataclass(frozen=True, kw_only=True)
class Minimum(ColumnAnalyzer):
    """Smallest value."""


@dataclass(frozen=True, kw_only=True)
class Maximum(ColumnAnalyzer):
    """Largest value; NaN is the largest of all, as in Spark."""


@dataclass(frozen=True, kw_only=True)
class Mean(ColumnAnalyzer):
    """Mean, of an exact sum."""


@dataclass(frozen=True, kw_only=True)
class Sum(ColumnAnalyzer):
    """Sum, exact for whole numbers and decimals."""
