"""Numbers of a column, or of two."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from airflow_metorikku.spark.aggregates import Aggregate, Cell
from airflow_metorikku.spark.quality.central_moments import covariance, pair_of, sides_of
from airflow_metorikku.spark.quality.subject import Subject, computed, numeric
from airflow_metorikku.spark.quality.values import quotient
from airflow_metorikku.spark.sums import Sum as SumOf
from airflow_metorikku.spark.sums import exact_sum

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column

    from airflow_metorikku.config.records.analyzers import numbers as records
    from airflow_metorikku.spark.asks import Ask
    from airflow_metorikku.spark.quality.columns import FoundColumn
    from airflow_metorikku.spark.quality.values import MetricValue, Number


def _sum_of(name: str, subject: Subject, analyzer: Any) -> tuple[FoundColumn, SumOf]:
    found = numeric(name, subject, analyzer)
    key = subject.where_text, found.path
    return found, exact_sum(subject.only(found.column), found.type, key)


def mean(analyzer: records.Mean, subject: Subject) -> Ask[MetricValue]:
    """Mean, of an exact sum."""
    found, total = _sum_of(analyzer.column, subject, analyzer)
    count = subject.not_null(found)

    def value(values: Any) -> Number | None:
        whole = total.of(values)
        return None if whole is None else quotient(whole, values[count.key])

    return computed(subject, (*total.aggregates, count), value, analyzer.column)


def sum_(analyzer: records.Sum, subject: Subject) -> Ask[MetricValue]:
    """Sum, exact for whole numbers and decimals."""
    _, total = _sum_of(analyzer.column, subject, analyzer)
    return computed(subject, total.aggregates, total.of, analyzer.column)


def ratio_of_sums(analyzer: records.RatioOfSums, subject: Subject) -> Ask[MetricValue]:
    """Sum over sum: infinite over 0, NaN of 0 over 0."""
    _, upper = _sum_of(analyzer.numerator, subject, analyzer)
    _, lower = _sum_of(analyzer.denominator, subject, analyzer)

    def value(values: Any) -> Number | None:
        above, below = upper.of(values), lower.of(values)
        return None if above is None or below is None else divided(above, below)

    either = f"{analyzer.numerator} or of {analyzer.denominator}"
    return computed(subject, (*upper.aggregates, *lower.aggregates), value, either)


def divided(above: Decimal | float, below: Decimal | float) -> float:
    """As floating point divides."""
    if below != 0:
        if isinstance(above, Decimal) and isinstance(below, Decimal):
            return float(above / below)
        return float(above) / float(below)
    if above == 0 or math.isnan(above):
        return math.nan
    return math.copysign(math.inf, above) * math.copysign(1, below)


def zeros_count(analyzer: records.ZerosCount, subject: Subject) -> Ask[MetricValue]:
    """Number of zeros."""
    found = numeric(analyzer.column, subject)
    zeros = subject.count_of_values(found, lambda value: value == 0, "zeros")
    known = subject.not_null(found)

    def value(values: Any) -> int | None:
        count: int = values[zeros.key]
        return count if values[known.key] else None

    return computed(subject, (zeros, known), value, analyzer.column)


def variance(analyzer: records.Variance, subject: Subject) -> Ask[MetricValue]:
    """Variance of the population."""
    return _moment("variance", F.var_pop, 3, analyzer, subject)


def standard_deviation(analyzer: records.StandardDeviation, subject: Subject) -> Ask[MetricValue]:
    """Standard deviation of the population, from the same aggregate as the variance."""
    return _moment("variance", F.var_pop, 3, analyzer, subject, math.sqrt)


def skewness(analyzer: records.Skewness, subject: Subject) -> Ask[MetricValue]:
    """Skewness of the population."""
    return _moment("skewness", F.skewness, 4, analyzer, subject)


def kurtosis(analyzer: records.Kurtosis, subject: Subject) -> Ask[MetricValue]:
    """Excess kurtosis of the population."""
    return _moment("kurtosis", F.kurtosis, 5, analyzer, subject)


def _moment(
    name: str,
    function: Callable[[Column], Column],
    fields: int,
    analyzer: records.NumberAnalyzer,
    subject: Subject,
    of: Callable[[float], float] = float,
) -> Ask[MetricValue]:
    found = numeric(analyzer.column, subject, analyzer)
    cell = subject.cell(found)
    aggregate = Aggregate(
        key=(name, subject.where_text, found.path),
        cell=cell,
        shape=(name,),
        of=lambda value: function(value.cast("double")),
        fields=fields,
        doubles=lambda value: (value.cast("double"),),
    )
    known = subject.not_null(found)

    def value(values: Any) -> float | None:
        if not values[known.key]:
            return None
        # Spark has no skewness where all values are the same.
        got: float | None = values[aggregate.key]
        return 0.0 if got is None else of(got)

    return computed(subject, (aggregate, known), value, analyzer.column)


def correlation(analyzer: records.Correlation, subject: Subject) -> Ask[MetricValue]:
    """Pearson's correlation; NaN where a column is constant."""
    one, other = (numeric(name, subject, analyzer) for name in analyzer.columns_analyzed())
    both = one.column.isNotNull() & other.column.isNotNull()
    pairs = subject.count(both, "pairs", one.path, other.path)
    key = subject.where_text, one.path, other.path
    cells = [
        Cell(
            key=("side", side, *key),
            column=subject.only(F.when(both, found.column.cast("double"))),
        )
        for side, found in enumerate((one, other))
    ]
    together = Aggregate(
        key=("covariance", *key),
        cell=pair_of(*cells),
        shape=("covariance",),
        of=covariance,
        fields=4,
        doubles=sides_of,
    )
    alone = [
        Aggregate(
            key=("variance of", side, *key),
            cell=cell,
            shape=("variance",),
            of=F.var_pop,
            fields=3,
            doubles=lambda value: (value,),
        )
        for side, cell in enumerate(cells)
    ]

    def value(values: Any) -> float | None:
        if not values[pairs.key]:
            return None
        spread = math.sqrt(values[alone[0].key]) * math.sqrt(values[alone[1].key])
        return divided(values[together.key], spread) if spread else math.nan

    return computed(subject, (pairs, together, *alone), value, *analyzer.columns_analyzed())
