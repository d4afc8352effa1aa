"""Rows in intervals of numbers: the bins of a histogram, the buckets of a sketch. NaN is in none of them."""

from __future__ import annotations

from itertools import pairwise
from math import inf, isfinite
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import DoubleType, FloatType

from airflow_metorikku.results.distributions import KLL, Bin, Bucket, HistogramBinned
from airflow_metorikku.spark.aggregates import Aggregate, compute
from airflow_metorikku.spark.asks import Ask, Facts, Query
from airflow_metorikku.spark.quality.subject import Subject, no_value, numeric
from airflow_metorikku.spark.quality.values import MetricValue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import Column, DataFrame

    from airflow_metorikku.config.records.analyzers.distributions import (
        HistogramBinned as Binned,
    )
    from airflow_metorikku.config.records.analyzers.distributions import KLLSketch
    from airflow_metorikku.spark.quality.columns import FoundColumn

_OVERFLOW = 2
_ACCURACY = 10000


def histogram_binned(analyzer: Binned, subject: Subject) -> Ask[MetricValue]:
    """Rows in each interval."""
    found = numeric(analyzer.column, subject)
    value = _number(found)
    rows, known = subject.rows, subject.not_null(found)

    def run(frame: DataFrame) -> list[tuple[float, float, int]]:
        kept = frame if subject.where is None else frame.where(subject.where)
        if analyzer.edges:
            edges = sorted(float(edge) for edge in analyzer.edges)
            return _between(kept, value, edges, overflow=analyzer.include_overflow_bins)
        count = analyzer.bin_count or 1
        inner = count - _OVERFLOW if analyzer.include_overflow_bins else count
        counted = _spread(kept, value, inner)
        if counted and counted[0][0] == counted[-1][1]:
            counted = [(counted[0][0], counted[0][0], sum(rows for _, _, rows in counted))]
        if not (counted and analyzer.include_overflow_bins):
            return counted
        return [(-inf, counted[0][0], 0), *counted, (counted[-1][1], inf, 0)]

    query = Query(
        key=("bins", subject.where_text, found.path, analyzer.bin_count, analyzer.edges,
             analyzer.include_overflow_bins),
        run=run,
    )  # fmt: skip

    def answer(facts: Facts) -> MetricValue:
        whole = facts.values[rows.key]
        return MetricValue(
            distribution=HistogramBinned(
                bins=tuple(
                    Bin(start=low, end=high, frequency=n, ratio=n / whole if whole else 0.0)
                    for low, high, n in facts.queries[query.key]
                ),
                null_count=whole - facts.values[known.key],
            )
        )

    return Ask(query=query, aggregates=(rows, known), risky=subject.is_risky, answer=answer)


def kll_sketch(analyzer: KLLSketch, subject: Subject) -> Ask[MetricValue]:
    """Rows in equally wide buckets, counted exactly where Deequ estimates them, and a sketch of the percentiles."""
    found = numeric(analyzer.column, subject)
    value = _number(found)

    def run(frame: DataFrame) -> MetricValue:
        kept = frame if subject.where is None else frame.where(subject.where)
        buckets = _spread(kept, value, analyzer.number_of_buckets)
        if not buckets:
            return no_value(analyzer.column)
        count = sum(rows for _, _, rows in buckets)
        return MetricValue(
            distribution=KLL(
                buckets=tuple(Bucket(low=low, high=high, count=n) for low, high, n in buckets),
                shrinking_factor=float(analyzer.shrinking_factor),
                sketch_size=analyzer.sketch_size,
                data=_sketch(kept, value, count, analyzer.sketch_size),
            )
        )

    query = Query(
        key=("kll", subject.where_text, found.path, analyzer.sketch_size, analyzer.shrinking_factor,
             analyzer.number_of_buckets),
        run=run,
    )  # fmt: skip

    def answer(facts: Facts) -> MetricValue:
        got: MetricValue = facts.queries[query.key]
        return got

    return Ask(query=query, risky=subject.is_risky, answer=answer)


def _number(found: FoundColumn) -> Column:
    """The column as a double, NaN as null."""
    if isinstance(found.type, FloatType | DoubleType):
        value = found.column.cast("double")
        return F.when(~F.isnan(value), value)
    return found.column.cast("double")


def _between(
    frame: DataFrame, value: Column, edges: Sequence[float], *, overflow: bool
) -> list[tuple[float, float, int]]:
    """Rows between given edges; each interval holds its lower edge, the last one its upper too."""
    intervals = list(pairwise(edges))
    conditions = [(value >= low) & (value < high) for low, high in intervals[:-1]]
    low, high = intervals[-1]
    conditions.append((value >= low) & (value <= high))
    if overflow:
        intervals = [(-inf, edges[0]), *intervals, (edges[-1], inf)]
        conditions = [value < edges[0], *conditions, value > edges[-1]]
    counts = [
        Aggregate(key=("bin", number), column=F.count(F.when(condition, F.lit(1))))
        for number, condition in enumerate(conditions)
    ]
    values = compute(frame, counts)
    return [
        (*interval, values[count.key]) for interval, count in zip(intervals, counts, strict=True)
    ]


def _spread(frame: DataFrame, value: Column, count: int) -> list[tuple[float, float, int]]:
    """Rows in equally wide intervals from the least finite number to the greatest; infinities are in the first and the last. None without numbers."""
    finite = F.when(F.abs(value) < inf, value)
    least, most, any_ = frame.agg(F.min(finite), F.max(finite), F.count(value)).collect()[0]
    if not any_:
        return []
    # Without a finite number there is no line to divide.
    least, most = (-inf, inf) if least is None else (least + 0.0, most + 0.0)
    edges = _edges(least, most, count)
    number = _interval(value, least, most, count)
    counts: dict[int, int] = dict(
        frame.where(value.isNotNull())
        .groupBy(number.alias("bin"))
        .agg(F.count(F.lit(1)).alias("n"))
        .collect()
    )
    return [(low, high, counts.get(i, 0)) for i, (low, high) in enumerate(pairwise(edges))]


def _width(least: float, most: float, count: int) -> float:
    width = (most - least) / count
    return width if isfinite(width) else most / count - least / count


def _edges(least: float, most: float, count: int) -> list[float]:
    width = _width(least, most, count)
    return [least, *(least + number * width for number in range(1, count)), most]


def _interval(value: Column, least: float, most: float, count: int) -> Column:
    """Number of the interval that holds a value, by the very edges that are told: a division alone may miss by one."""
    last, width = F.lit(count - 1), _width(least, most, count)
    if not 0 < width < inf:
        return F.when(value < most, F.lit(0)).otherwise(last)
    kept = F.greatest(F.least(value, F.lit(most)), F.lit(least))
    steps = (
        (kept - least) / width if isfinite(most - least) else kept / width - F.lit(least / width)
    )
    guess = F.greatest(F.least(F.floor(steps).cast("int"), last), F.lit(0))
    below = (guess > 0) & (value < F.lit(least) + guess * F.lit(width))
    above = (guess < last) & (value >= F.lit(least) + (guess + 1) * F.lit(width))
    return F.when(below, guess - 1).when(above, guess + 1).otherwise(guess)


def _sketch(
    frame: DataFrame, value: Column, count: int, size: int
) -> tuple[tuple[float, ...], ...]:
    """At most `size` numbers at equal distances in the sorted ones, each for 2^level of them; all of them where they fit."""
    level = max(0, (count - 1) // size).bit_length()
    items = max(1, count >> level)
    shares = [(number + 0.5) / items for number in range(items)]
    found = frame.agg(F.percentile_approx(value, shares, max(_ACCURACY, size))).collect()[0][0]
    return (*(() for _ in range(level)), tuple(found))
