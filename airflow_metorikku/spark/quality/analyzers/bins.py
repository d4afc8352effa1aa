"""Rows in intervals of numbers: the bins of a histogram, the buckets of a sketch. NaN is in none of them."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from airflow_metorikku.results.distributions import Bin, HistogramBinned
from airflow_metorikku.spark.aggregates import count_of
from airflow_metorikku.spark.asks import Ask, Facts, Query
from airflow_metorikku.spark.quality.buckets import Intervals, number_of, sketch, spread
from airflow_metorikku.spark.quality.subject import Subject, no_value, numeric
from airflow_metorikku.spark.quality.values import MetricValue
from airflow_metorikku.spark.scanning import compute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import Column, DataFrame

    from airflow_metorikku.config.records.analyzers.distributions import (
        HistogramBinned as Binned,
    )
    from airflow_metorikku.config.records.analyzers.distributions import KLLSketch

_OVERFLOW = 2


def histogram_binned(analyzer: Binned, subject: Subject) -> Ask[MetricValue]:
    """Rows in each interval."""
    found = numeric(analyzer.column, subject)
    value = number_of(found.column, found.type)
    rows, known = subject.rows, subject.not_null(found)

    def run(frame: DataFrame) -> Intervals:
        kept = frame if subject.where is None else frame.where(subject.where)
        if analyzer.edges:
            edges = sorted(float(edge) for edge in analyzer.edges)
            return _between(kept, value, edges, overflow=analyzer.include_overflow_bins)
        count = analyzer.bin_count or 1
        inner = count - _OVERFLOW if analyzer.include_overflow_bins else count
        (counted,) = spread(kept, [value], inner)
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
    value = number_of(found.column, found.type)

    def run(frame: DataFrame) -> MetricValue:
        kept = frame if subject.where is None else frame.where(subject.where)
        (found,) = sketch(kept, [value], analyzer)
        return MetricValue(distribution=found) if found else no_value(analyzer.column)

    query = Query(
        key=("kll", subject.where_text, found.path, analyzer.sketch_size, analyzer.shrinking_factor,
             analyzer.number_of_buckets),
        run=run,
    )  # fmt: skip

    def answer(facts: Facts) -> MetricValue:
        got: MetricValue = facts.queries[query.key]
        return got

    return Ask(query=query, risky=subject.is_risky, answer=answer)


def _between(
    frame: DataFrame, value: Column, edges: Sequence[float], *, overflow: bool
) -> Intervals:
    """Rows between given edges; each interval holds its lower edge, the last one its upper too."""
    intervals = list(pairwise(edges))
    conditions = [(value >= low) & (value < high) for low, high in intervals[:-1]]
    low, high = intervals[-1]
    conditions.append((value >= low) & (value <= high))
    if overflow:
        intervals = [(-inf, edges[0]), *intervals, (edges[-1], inf)]
        conditions = [value < edges[0], *conditions, value > edges[-1]]
    counts = [
        count_of(("bin", number), F.when(condition, F.lit(1)))
        for number, condition in enumerate(conditions)
    ]
    values = compute(frame, counts)
    return [
        (*interval, values[count.key]) for interval, count in zip(intervals, counts, strict=True)
    ]
