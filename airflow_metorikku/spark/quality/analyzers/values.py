"""Shares of rows whose value stands in a relation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.spark.quality.relations import values_hold
from airflow_metorikku.spark.quality.subject import share

if TYPE_CHECKING:
    from airflow_metorikku.config.records.analyzers.values import ColumnValues
    from airflow_metorikku.spark.asks import Ask
    from airflow_metorikku.spark.quality.subject import Subject
    from airflow_metorikku.spark.quality.values import MetricValue


def column_values(analyzer: ColumnValues, subject: Subject) -> Ask[MetricValue]:
    """Share of rows whose value stands in the relation."""
    holds = values_hold(analyzer, subject.columns)
    return share(
        subject,
        subject.count(holds, "values", analyzer.column, analyzer.instance, analyzer.texts),
        risky=True,
    )
