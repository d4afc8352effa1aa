"""Columns counted and found: no row is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.spark.asks import Ask
from airflow_metorikku.spark.quality.values import MetricValue

if TYPE_CHECKING:
    from airflow_metorikku.config.records.analyzers.schema import ColumnCount, ColumnExists
    from airflow_metorikku.spark.quality.subject import Subject


def column_count(_analyzer: ColumnCount, subject: Subject) -> Ask[MetricValue]:
    """Number of columns."""
    count = len(subject.columns.names)
    return Ask(answer=lambda _: MetricValue(number=count))


def column_exists(analyzer: ColumnExists, subject: Subject) -> Ask[MetricValue]:
    """1 where the column is there, else 0."""
    there = int(subject.columns.has(analyzer.column))
    return Ask(answer=lambda _: MetricValue(number=there))
