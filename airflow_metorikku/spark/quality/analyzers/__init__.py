"""Analyzers: from their records to what must be computed and what their value is; one line in ANALYZERS each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.records.analyzers import freshness as of_freshness
from airflow_metorikku.config.records.analyzers import keys as of_keys
from airflow_metorikku.config.records.analyzers import numbers as of_numbers
from airflow_metorikku.config.records.analyzers import rows as of_rows
from airflow_metorikku.spark.quality.analyzers import freshness, keys, numbers, rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from airflow_metorikku.spark.asks import Ask
    from airflow_metorikku.spark.quality.analyzers.subject import Subject
    from airflow_metorikku.spark.quality.values import MetricValue

ANALYZERS: dict[type[Any], Callable[[Any, Subject], Ask[MetricValue]]] = {
    of_rows.Size: rows.size,
    of_rows.Completeness: rows.completeness,
    of_rows.Compliance: rows.compliance,
    of_rows.ContainedIn: rows.contained,
    of_rows.PatternMatch: rows.pattern_match,
    of_numbers.Minimum: numbers.minimum,
    of_numbers.Maximum: numbers.maximum,
    of_numbers.Mean: numbers.mean,
    of_numbers.Sum: numbers.sum_,
    of_keys.Uniqueness: keys.uniqueness,
    of_freshness.Freshness: freshness.freshness,
    of_freshness.RecentRows: freshness.recent_rows,
}
