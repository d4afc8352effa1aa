"""Where the numbers of a column lie, and about how many there are. Spark has no generated code for any of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from airflow_metorikku.results.distributions import Keyed
from airflow_metorikku.spark.aggregates import Aggregate
from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.quality.subject import (
    Subject,
    computed,
    no_value,
    numeric,
)
from airflow_metorikku.spark.quality.values import MetricValue, as_result

if TYPE_CHECKING:
    from decimal import Decimal

    from airflow_metorikku.config.records.analyzers import quantiles as records

# Spark's largest accuracy: a Java int.
_MOST_ACCURATE = 2**31 - 1
# HyperLogLog++ of 512 registers, as Deequ's.
_DEVIATION = 0.05


def approx_quantile(analyzer: records.ApproxQuantile, subject: Subject) -> Ask[MetricValue]:
    """Value near a quantile."""
    sketch = _sketch(analyzer, subject, (analyzer.quantile,))

    def value(values: Any) -> Any:
        found = values[sketch.key]
        return found[0] if found else None

    return computed(subject, (sketch,), value, analyzer.column)


def approx_quantiles(analyzer: records.ApproxQuantiles, subject: Subject) -> Ask[MetricValue]:
    """Values near several quantiles."""
    sketch = _sketch(analyzer, subject, analyzer.quantiles)

    def answer(facts: Facts) -> MetricValue:
        found = facts.values[sketch.key]
        if not found:
            return no_value(analyzer.column)
        names = (str(float(quantile)) for quantile in analyzer.quantiles)
        values = {name: as_result(number) for name, number in zip(names, found, strict=True)}
        return MetricValue(distribution=Keyed(values=values))

    return Ask(aggregates=(sketch,), risky=subject.is_risky, answer=answer)


def exact_quantile(analyzer: records.ExactQuantile, subject: Subject) -> Ask[MetricValue]:
    """Quantile between two values in proportion."""
    exact = _percentiles(analyzer, subject, (analyzer.quantile,))

    def value(values: Any) -> float | None:
        found: list[float] | None = values[exact.key]
        return found[0] if found else None

    return computed(subject, (exact,), value, analyzer.column)


def interquartile_range(analyzer: records.InterquartileRange, subject: Subject) -> Ask[MetricValue]:
    """Exact quantile 0.75 less exact quantile 0.25."""
    exact = _percentiles(analyzer, subject, (0.25, 0.75))

    def value(values: Any) -> float | None:
        found: list[float] | None = values[exact.key]
        return found[1] - found[0] if found else None

    return computed(subject, (exact,), value, analyzer.column)


def approx_count_distinct(
    analyzer: records.ApproxCountDistinct, subject: Subject
) -> Ask[MetricValue]:
    """About how many different values."""
    found = subject.columns.find(analyzer.column)
    sketch = Aggregate(
        key=("about distinct", subject.where_text, found.path),
        cell=subject.cell(found),
        shape=("about distinct",),
        of=lambda value: F.approx_count_distinct(value, _DEVIATION),
        imperative=True,
    )
    known = subject.not_null(found)

    def value(values: Any) -> int | None:
        count: int = values[sketch.key]
        return count if values[known.key] else None

    return computed(subject, (sketch, known), value, analyzer.column)


def _sketch(
    analyzer: records.ApproxQuantile | records.ApproxQuantiles,
    subject: Subject,
    quantiles: tuple[Decimal, ...],
) -> Aggregate:
    found = numeric(analyzer.column, subject, analyzer)
    error = analyzer.relative_error
    accuracy = min(int(1 / error), _MOST_ACCURATE) if error else _MOST_ACCURATE
    return Aggregate(
        key=("about", subject.where_text, found.path, quantiles, accuracy),
        cell=subject.cell(found),
        shape=("about", quantiles, accuracy),
        of=lambda value: F.percentile_approx(value, [float(one) for one in quantiles], accuracy),
        imperative=True,
    )


def _percentiles(
    analyzer: records.ExactQuantile | records.InterquartileRange,
    subject: Subject,
    quantiles: tuple[Decimal | float, ...],
) -> Aggregate:
    found = numeric(analyzer.column, subject, analyzer)
    return Aggregate(
        key=("percentiles", subject.where_text, found.path, quantiles),
        cell=subject.cell(found),
        shape=("percentiles", quantiles),
        of=lambda value: F.percentile(value, F.array(*(F.lit(float(one)) for one in quantiles))),
        imperative=True,
    )
