"""Numbers of a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.quality.analyzers.subject import Subject, extreme, no_value, numeric
from airflow_metorikku.spark.quality.values import MetricValue, quotient
from airflow_metorikku.spark.sums import exact_sum

if TYPE_CHECKING:
    from airflow_metorikku.config.records.analyzers.numbers import Maximum, Mean, Minimum, Sum


def minimum(analyzer: Minimum, subject: Subject) -> Ask[MetricValue]:
    """Smallest value."""
    return extreme("min", analyzer.column, F.min, subject)


def maximum(analyzer: Maximum, subject: Subject) -> Ask[MetricValue]:
    """Largest value; NaN is the largest of all, as in Spark."""
    return extreme("max", analyzer.column, F.max, subject)


def mean(analyzer: Mean, subject: Subject) -> Ask[MetricValue]:
    """Mean, of an exact sum."""
    found = numeric(analyzer.column, subject)
    total = exact_sum(subject.only(found.column), found.type, (subject.where_text, found.path))
    count = subject.not_null(found)

    def answer(facts: Facts) -> MetricValue:
        value = total.of(facts.values)
        return (
            no_value(analyzer.column)
            if value is None
            else MetricValue(number=quotient(value, facts.values[count.key]))
        )

    return Ask(aggregates=(*total.aggregates, count), risky=subject.is_risky, answer=answer)


def sum_(analyzer: Sum, subject: Subject) -> Ask[MetricValue]:
    """Sum, exact for whole numbers and decimals."""
    found = numeric(analyzer.column, subject)
    total = exact_sum(subject.only(found.column), found.type, (subject.where_text, found.path))

    def answer(facts: Facts) -> MetricValue:
        value = total.of(facts.values)
        return no_value(analyzer.column) if value is None else MetricValue(number=value)

    return Ask(aggregates=total.aggregates, risky=subject.is_risky, answer=answer)
