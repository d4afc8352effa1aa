"""SQL predicates and regular expressions of the user's, tried alone before they join others in a pass."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.spark.aggregates import SPARK_ERRORS
from airflow_metorikku.spark.jvm import java_class, parse_expression
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


class BadPredicateError(MetorikkuError):
    """Spark cannot make sense of a predicate or an expression."""


def predicate_of(frame: DataFrame, text: str, key: str) -> Column:
    """The predicate as a column; raises BadPredicateError where it is no predicate over the data frame's rows."""
    try:
        # Alone `1 = 1) OR (1 = 1` is a mistake; in parentheses `a > 1 OR` is one, which without them
        # is `a > 1` under the name `OR`. The line break ends a comment.
        parse_expression(frame.sparkSession, text)
        predicate = F.expr(f"({text}\n)")
        # As a filter, because that takes nothing but a condition on single rows; and in an
        # aggregate, where some subqueries are not allowed.
        frame.where(predicate).agg(F.count(F.when(predicate, F.lit(1))))
    except SPARK_ERRORS as error:
        raise BadPredicateError(f"{key} {text!r}: {sentence(error)}") from error
    return predicate


def require_pattern(frame: DataFrame, pattern: str) -> None:
    """Raise BadPredicateError for what is no regular expression of Java's."""
    _compile(frame.sparkSession, pattern)


def of_whole_text(session: SparkSession, pattern: str) -> str:
    """The expression that finds a text only where a pattern matches all of it; raises BadPredicateError for what is none.

    A quotation or a comment that is open at the pattern's end takes all that follows for its own: then the
    group around it has no end, and Java says so.
    """
    _compile(session, pattern)  # alone: `a)|(?:b` is none, and would be one in a group
    *several, last = (f"^(?:{pattern}{end})\\z" for end in ("", "\\E", "\n", "\\E\n"))
    for whole in several:
        with suppress(BadPredicateError):
            _compile(session, whole)
            return whole
    _compile(session, last)
    return last


def _compile(session: SparkSession, pattern: str) -> None:
    try:
        java_class(session, "java.util.regex.Pattern").compile(pattern)
    except SPARK_ERRORS as error:
        raise BadPredicateError(f"pattern {pattern!r}: {sentence(error)}") from error
