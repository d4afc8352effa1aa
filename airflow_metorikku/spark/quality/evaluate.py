"""Constraints to results: what is asked, and what a value means against its assertion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.assertion import NotComparableError
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.results.records import ConstraintResult, ConstraintStatus, How, Level
from airflow_metorikku.spark.quality.analyzers import ANALYZERS
from airflow_metorikku.spark.quality.analyzers.subject import Subject
from airflow_metorikku.spark.quality.predicates import predicate_of
from airflow_metorikku.spark.quality.values import MetricValue, as_text, as_value, no_data

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from airflow_metorikku.config.records.analyzers.base import Analyzer
    from airflow_metorikku.plan.constraints import Constraint
    from airflow_metorikku.spark.asks import Ask, Facts
    from airflow_metorikku.spark.quality.columns import Columns


def ask(constraint: Constraint, frame: DataFrame, columns: Columns) -> Ask[MetricValue]:
    """What the constraint needs of the data frame; raises MetorikkuError where it asks for what is not there."""
    return ask_analyzer(constraint.analyzer, frame, columns)


def ask_analyzer(analyzer: Analyzer, frame: DataFrame, columns: Columns) -> Ask[MetricValue]:
    """What an analyzer needs of the data frame; raises MetorikkuError where it asks for what is not there."""
    text = analyzer.where_
    where = predicate_of(frame, text, "where") if text else None
    return ANALYZERS[type(analyzer)](
        analyzer, Subject(frame=frame, columns=columns, where_text=text, where=where)
    )


def value_of(
    constraint: Constraint, asked: Ask[MetricValue] | str, facts: Facts
) -> MetricValue | str:
    """What the constraint's analyzer gave; a sentence where it could not be evaluated."""
    if isinstance(asked, str):
        return asked
    if not facts.rows and constraint.analyzer.NEEDS_ROWS:
        return no_data("the data frame has no rows")
    try:
        return asked.answer(facts)
    except MetorikkuError as error:
        return str(error)


def judge(constraint: Constraint, given: MetricValue | str, how: How) -> ConstraintResult:
    """The result of one constraint, from what its analyzer gave."""
    try:
        value = given if isinstance(given, str) else given.picked(constraint.options.pick())
    except MetorikkuError as error:
        value = str(error)
    if isinstance(value, str):
        return broken(constraint, value)
    if value.none == "no data":
        return _no_data(constraint, value.why, how)
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
    return _result(constraint, "passed" if holds else "failed", number, message, how)


def broken(constraint: Constraint, reason: str) -> ConstraintResult:
    """A constraint that could not be evaluated: a failure at its own level, with the reason."""
    return _result(constraint, "error", None, f"could not be evaluated: {reason}", "none")


def _no_data(constraint: Constraint, why: str, how: How) -> ConstraintResult:
    level: Level = "warning" if constraint.empty_data == "warn" else constraint.level
    message = f"no data: {why}; expected {constraint.assertion}"
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
    hint = constraint.options.hint
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
