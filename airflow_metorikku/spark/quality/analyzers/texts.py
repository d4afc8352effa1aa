"""What is found in texts, and what types they could be read as."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.types import BooleanType, StringType

from airflow_metorikku.results.distributions import DataTypes
from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.quality.cleaned import cleaned
from airflow_metorikku.spark.quality.patterns import is_found
from airflow_metorikku.spark.quality.predicates import require_pattern
from airflow_metorikku.spark.quality.subject import (
    NO_ROW_ASKED,
    Subject,
    require_single_values,
    share,
    wrong_type,
)
from airflow_metorikku.spark.quality.values import MetricValue
from airflow_metorikku.spark.sums import is_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column

    from airflow_metorikku.config.records.analyzers.texts import DataType, PatternMatch
    from airflow_metorikku.spark.quality.columns import FoundColumn

# Of the whole text: a line break at its end makes it another one.
_INTEGRAL = r"\A[-+]? ?\d+\z"
_FRACTIONAL = r"\A[-+]? ?\d+(?:\.\d+|(?:\.\d+)?[Ee][-+]?\d+)\z"


def pattern_match(analyzer: PatternMatch, subject: Subject) -> Ask[MetricValue]:
    """Share of rows in which a regular expression is found; Deequ's way, so an empty match is none."""
    found = subject.columns.find(analyzer.column)
    if not isinstance(found.type, StringType):
        raise wrong_type(
            analyzer.column, found.type, "a column of texts; cast it in the step's SQL"
        )
    require_pattern(subject.frame, analyzer.pattern)
    found = cleaned(found, analyzer)
    matches = is_found(found.column, analyzer.pattern)
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


def data_type(analyzer: DataType, subject: Subject) -> Ask[MetricValue]:
    """How many values are of each type."""
    found = subject.columns.find(analyzer.column)
    counts = {
        kind: subject.count_of_values(found, condition, "type", kind)
        for kind, condition in types_of(analyzer.column, found).items()
    }
    rows, known = subject.rows, subject.not_null(found)

    def answer(facts: Facts) -> MetricValue:
        if not facts.values[rows.key]:
            return NO_ROW_ASKED
        of_type = {kind: facts.values[count.key] for kind, count in counts.items()}
        strings = facts.values[known.key] - sum(of_type.values())
        unknown = facts.values[rows.key] - facts.values[known.key]
        return MetricValue(
            distribution=DataTypes.of(of_type | {"Unknown": unknown, "String": strings})
        )

    return Ask(aggregates=(rows, known, *counts.values()), risky=subject.is_risky, answer=answer)


def types_of(column: str, found: FoundColumn) -> dict[str, Callable[[Column], Column]]:
    """Conditions on values of the types that are not String; what a column's own type says needs no look at its texts."""
    if is_whole(found.type):
        return {"Integral": lambda value: value.isNotNull()}
    if isinstance(found.type, BooleanType):
        return {"Boolean": lambda value: value.isNotNull()}
    require_single_values(found, column)
    return {
        "Integral": lambda value: value.cast("string").rlike(_INTEGRAL),
        "Fractional": lambda value: value.cast("string").rlike(_FRACTIONAL),
        "Boolean": lambda value: value.cast("string").isin("true", "false"),
    }
