"""Rows counted, and shares of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, MapType, StringType, StructType

from airflow_metorikku.spark.aggregates import Aggregate
from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.quality.analyzers.subject import Subject, share, wrong_type
from airflow_metorikku.spark.quality.predicates import predicate_of, require_pattern
from airflow_metorikku.spark.quality.values import MetricValue, no_data

if TYPE_CHECKING:
    from airflow_metorikku.config.records.analyzers.rows import (
        Completeness,
        Compliance,
        ContainedIn,
        PatternMatch,
        Size,
    )


def size(_analyzer: Size, subject: Subject) -> Ask[MetricValue]:
    """Number of rows; of no rows it is 0, not unknown."""
    rows = subject.rows
    return Ask(
        aggregates=(rows,),
        risky=subject.is_risky,
        answer=lambda facts: MetricValue(number=facts.values[rows.key]),
    )


def completeness(analyzer: Completeness, subject: Subject) -> Ask[MetricValue]:
    """Share of rows in which the column is not null."""
    return share(subject, subject.not_null(subject.columns.find(analyzer.column)))


def compliance(analyzer: Compliance, subject: Subject) -> Ask[MetricValue]:
    """Share of rows for which a predicate is true; one that is null in every row says nothing."""
    predicate = predicate_of(subject.frame, analyzer.predicate, "predicate")
    # The sum is null where the predicate never is true or false: one aggregate tells both.
    holds = Aggregate(
        key=("holds", subject.where_text, analyzer.predicate),
        column=F.sum(subject.only(predicate.cast("int"))),
    )
    return share(subject, holds, risky=True, empty="the predicate is null in every row")


def contained(analyzer: ContainedIn, subject: Subject) -> Ask[MetricValue]:
    """Share of rows whose value is null or an allowed one, compared as texts."""
    found = subject.columns.find(analyzer.column)
    if isinstance(found.type, ArrayType | MapType | StructType):
        raise wrong_type(analyzer.column, found.type, "a column of single values")
    text = found.column if isinstance(found.type, StringType) else found.column.cast("string")
    allowed = found.column.isNull() | text.isin(list(analyzer.allowed_values))
    within = subject.count(allowed, "contained", found.path, analyzer.allowed_values)
    known = subject.not_null(found)
    shared = share(subject, within)

    def answer(facts: Facts) -> MetricValue:
        if facts.values[subject.rows.key] and not facts.values[known.key]:
            return no_data(f"every value of {analyzer.column} is null")
        return shared.answer(facts)

    return Ask(aggregates=(*shared.aggregates, known), risky=subject.is_risky, answer=answer)


def pattern_match(analyzer: PatternMatch, subject: Subject) -> Ask[MetricValue]:
    """Share of rows in which a regular expression is found; Deequ's way, so an empty match is none."""
    found = subject.columns.find(analyzer.column)
    if not isinstance(found.type, StringType):
        raise wrong_type(
            analyzer.column, found.type, "a column of texts; cast it in the step's SQL"
        )
    require_pattern(subject.frame, analyzer.pattern)
    matches = F.regexp_extract(found.column, analyzer.pattern, 0) != F.lit("")
    matching = subject.count(matches, "pattern", found.path, analyzer.pattern)
    if analyzer.nulls == "fail":
        return share(subject, matching, risky=True)
    return share(
        subject,
        matching,
        of=subject.not_null(found),
        risky=True,
        empty=f"every value of {analyzer.column} is null",
    )
