"""Constraints to results: what is asked, and what a value means against its assertion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.assertion import NotComparableError
from airflow_metorikku.config.records.checks.anomaly import Anomaly
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.results.anomalies import TooFewValuesError, judge_newest
from airflow_metorikku.results.records import ConstraintResult, ConstraintStatus, How, Level
from airflow_metorikku.spark.quality.analyzers import ANALYZERS
from airflow_metorikku.spark.quality.analyzers.keys import content_with, expects_unique
from airflow_metorikku.spark.quality.predicates import predicate_of
from airflow_metorikku.spark.quality.subject import Subject
from airflow_metorikku.spark.quality.values import (
    MetricValue,
    as_number,
    as_text,
    as_value,
    no_data,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame

    from airflow_metorikku.config.records.analyzers.base import Analyzer
    from airflow_metorikku.plan.constraints import Constraint
    from airflow_metorikku.results.anomalies import Point
    from airflow_metorikku.spark.asks import Ask, Facts
    from airflow_metorikku.spark.quality.columns import Columns


def ask(constraint: Constraint, frame: DataFrame, columns: Columns) -> Ask[MetricValue]:
    """What the constraint needs of the data frame; raises MetorikkuError where it asks for what is not there."""
    analyzer = constraint.analyzer
    asked = ask_analyzer(analyzer, frame, columns)
    return (
        content_with("unique", asked) if expects_unique(analyzer, constraint.assertion) else asked
    )


def ask_analyzer(analyzer: Analyzer, frame: DataFrame, columns: Columns) -> Ask[MetricValue]:
    """What an analyzer needs of the data frame; raises MetorikkuError where it asks for what is not there."""
    text = analyzer.where_
    where = None
    if text:
        # Spark analyses it, and many constraints may share it.
        where = columns.conditions.get(text)
        if where is None:
            where = columns.conditions[text] = predicate_of(frame, text, "where")
    return ANALYZERS[type(analyzer)](
        analyzer, Subject(frame=frame, columns=columns, where_text=text, where=where)
    )


def value_of(
    constraint: Constraint, asked: Ask[MetricValue] | str, facts: Facts
) -> MetricValue | str:
    """What the constraint's analyzer gave; a sentence where it could not be evaluated."""
    if isinstance(asked, str):
        return asked
    try:
        return answer_of(constraint.analyzer, asked, facts)
    except MetorikkuError as error:
        return str(error)


def answer_of(analyzer: Analyzer, asked: Ask[MetricValue], facts: Facts) -> MetricValue:
    """What an analyzer gives; of no rows that is no data, whatever it would say. Raises MetorikkuError."""
    if not facts.rows and not analyzer.OF_NO_ROWS:
        return no_data("the data frame has no rows")
    return asked.answer(facts)


Past = Callable[["Constraint"], "Sequence[Point]"]
"""The values of an anomaly check's metric before this run's, oldest first; may raise MetorikkuError."""


def judge(
    constraint: Constraint, given: MetricValue | str, how: How, past: Past | None = None
) -> ConstraintResult:
    """The result of one constraint, from what its analyzer gave; an anomaly check's, against what `past` tells."""
    try:
        value = given if isinstance(given, str) else given.picked(constraint.options.pick())
    except MetorikkuError as error:
        value = str(error)
    if isinstance(value, str):
        return broken(constraint, value)
    if value.none == "no data":
        return _no_data(constraint, value.why, how)
    if isinstance(constraint.options, Anomaly):
        return _judge_anomaly(constraint, constraint.options, value, how, past)
    if value.number is None:
        return _result(
            constraint,
            "passed",
            None,
            f"{value.why}, so nothing contradicts {constraint.assertion}",
            how,
        )
    # An exact number is compared exactly; a float as the number that its text shows.
    try:
        holds = constraint.assertion.holds(value.number)
    except NotComparableError as error:
        return broken(constraint, str(error))
    message = f"value {as_text(value.number)}, expected {constraint.assertion}"
    number = as_value(value.number)
    counted = value.counted and {
        "rows": value.counted[1],
        "failing": value.counted[1] - value.counted[0],
    }
    return _result(
        constraint, "passed" if holds else "failed", number, message, how, **(counted or {})
    )


def _judge_anomaly(
    constraint: Constraint, check: Anomaly, value: MetricValue, how: How, past: Past | None
) -> ConstraintResult:
    if value.distribution is not None:
        return broken(constraint, f"{type(check.metric).__name__} gives more than one number")
    if value.number is None:
        return _no_data(constraint, value.why, how)
    number = as_number(value.number)
    try:
        history = [one.value for one in past(constraint) if one.value is not None] if past else []
        found = judge_newest(check.strategy, history, float(number))
    except TooFewValuesError as error:
        # The first runs have no effect, unless the check itself says what they mean.
        first = replace(constraint, empty_data=check.empty_data or "pass")
        return replace(_no_data(first, str(error), how), value=number)
    except MetorikkuError as error:
        return broken(constraint, str(error))
    values = "1 value" if len(history) == 1 else f"{len(history) or 'no'} values"
    message = f"{constraint.expected}, a history of {values}"
    if found:
        return _result(constraint, "failed", number, f"{found.detail}; expected {message}", how)
    return _result(constraint, "passed", number, f"value {as_text(value.number)}, {message}", how)


def broken(constraint: Constraint, reason: str) -> ConstraintResult:
    """A constraint that could not be evaluated: a failure at its own level, with the reason."""
    return _result(constraint, "error", None, f"could not be evaluated: {reason}", "none")


def _no_data(constraint: Constraint, why: str, how: How) -> ConstraintResult:
    level: Level = "warning" if constraint.empty_data == "warn" else constraint.level
    message = f"no data: {why}; expected {constraint.expected}"
    return _result(
        constraint,
        "no_data",
        None,
        message,
        how,
        level=level,
        counts=constraint.empty_data != "pass",
    )


def _result(
    constraint: Constraint,
    status: ConstraintStatus,
    value: float | str | None,
    message: str,
    how: How,
    **other: Any,
) -> ConstraintResult:
    hint = constraint.options.own_hint()
    if hint and status != "passed":
        message = f"{message}; {hint}"
    return ConstraintResult(
        **{
            "id": constraint.id,
            "data_frame": constraint.data_frame,
            "check": constraint.check,
            "constraint": constraint.text,
            "level": constraint.level,
            "status": status,
            "value": value,
            "message": message,
            "how": how,
        }
        | other
    )
