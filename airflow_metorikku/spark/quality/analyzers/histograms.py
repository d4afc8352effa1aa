"""How often each value of a column occurs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import DecimalType, DoubleType, FloatType, StringType

from airflow_metorikku.results.distributions import Histogram as Found
from airflow_metorikku.spark.asks import Ask, Facts, Query
from airflow_metorikku.spark.grouping import NULL_VALUE, Wanted, grouping_of, in_order
from airflow_metorikku.spark.quality.columns import FoundColumn
from airflow_metorikku.spark.quality.subject import Subject, holds_map, numeric
from airflow_metorikku.spark.quality.values import MetricValue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import DataFrame

    from airflow_metorikku.config.records.analyzers.distributions import Histogram

_LIKE_NULL = re.compile(f"('*){NULL_VALUE}('*)")


def histogram(analyzer: Histogram, subject: Subject) -> Ask[MetricValue]:
    """How often each value occurs, or the sum of another column for each."""
    found = _groupable(subject.columns.find(analyzer.column))
    if analyzer.sum_of is not None:
        return _of_sums(analyzer, found, numeric(analyzer.sum_of, subject), subject)
    grouping = grouping_of([found], subject.where_text, subject.where)

    def answer(facts: Facts) -> MetricValue:
        counts = facts.keys[grouping]
        # Others that ask about the same groups may have wanted more of them.
        largest = counts.largest[: analyzer.max_bins]
        return MetricValue(
            distribution=Found(
                bins=counts.keys,
                values=_shares(largest, counts.rows),
                tail_count=counts.rows - sum(count for _, count in largest),
            )
        )

    return Ask(
        grouping=grouping,
        wanted=Wanted(largest=analyzer.max_bins),
        risky=subject.is_risky,
        answer=answer,
    )


def _groupable(found: FoundColumn) -> FoundColumn:
    """The column, as text where it holds a map, which Spark 3 does not group by."""
    if not holds_map(found.type):
        return found
    return FoundColumn((*found.path, "as text"), found.column.cast("string"), StringType())


def _of_sums(
    analyzer: Histogram, found: FoundColumn, summed: FoundColumn, subject: Subject
) -> Ask[MetricValue]:
    """Of a query of its own, since other questions about the groups count rows."""
    kind = summed.type
    # Wide enough that no sum of whole numbers wraps.
    scale = kind.scale if isinstance(kind, DecimalType) else 0
    value = (
        summed.column
        if isinstance(kind, FloatType | DoubleType)
        else summed.column.cast(DecimalType(38, scale))
    )

    def run(frame: DataFrame) -> Found:
        rows = frame if subject.where is None else frame.where(subject.where)
        groups = (
            rows.select(found.column.alias("k0"), value.alias("v"))
            .groupBy("k0")
            .agg(F.sum("v").alias("n"))
            .select(F.col("k0").cast("string").alias("text"), F.coalesce("n", F.lit(0)).alias("n"))
        )
        bins, total = groups.agg(F.count(F.lit(1)), F.sum("n")).collect()[0]
        largest = in_order(groups).limit(analyzer.max_bins)
        shown = [(text, _number(n)) for text, n in largest.collect()]
        return Found(
            bins=bins,
            values=_shares(shown, _number(total or 0)),
            tail_count=bins - len(shown),
        )

    query = Query(
        key=("sums", subject.where_text, found.path, summed.path, analyzer.max_bins), run=run
    )
    return Ask(
        query=query,
        risky=subject.is_risky,
        answer=lambda facts: MetricValue(distribution=facts.queries[query.key]),
    )


def _number(value: object) -> int | float:
    number = float(str(value))
    return int(str(value)) if str(value).lstrip("-").isdigit() else number


def _shares(
    largest: Iterable[tuple[str | None, int | float]], total: float
) -> dict[str, tuple[int | float, float]]:
    """By name; different values with one text, as of maps, count together."""
    values: dict[str, tuple[int | float, float]] = {}
    for text, count in largest:
        name = _name(text)
        whole = values.get(name, (0, 0.0))[0] + count
        values[name] = whole, whole / total if total else float("nan")
    return values


def _name(text: str | None) -> str:
    """A value's name: a text that reads like Deequ's name for null stands in quotes, so that null has a name of its own."""
    if text is None:
        return NULL_VALUE
    return f"'{text}'" if (like := _LIKE_NULL.fullmatch(text)) and like[1] == like[2] else text
