"""Which rows fail a check: a condition on a row, for the checks that single rows can fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pyspark.sql import Window
from pyspark.sql import functions as F

from airflow_metorikku.config.records import checks
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.predicates import predicate_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from airflow_metorikku.config.assertion import Assertion
    from airflow_metorikku.plan.constraints import Constraint

Rule = Callable[[Any, "DataFrame", Columns, "Assertion"], "Column"]


def failing(constraint: Constraint, frame: DataFrame) -> Column | None:
    """Condition of the rows that fail a constraint, never null; None where no single row does, as of a sum."""
    check = constraint.options
    rule = RULES.get(type(check))
    if rule is None:
        return None
    fails = F.coalesce(rule(check, frame, Columns(frame, constraint.data_frame), constraint.assertion), F.lit(False))
    if check.where_:
        fails &= F.coalesce(predicate_of(frame, check.where_, "where"), F.lit(False))
    return fails


def _null(check: checks.ColumnCheck, frame: DataFrame, columns: Columns, assertion: Assertion) -> Column:
    return columns.find(check.column).column.isNull()


def _not_contained(check: checks.IsContainedIn, frame: DataFrame, columns: Columns, assertion: Assertion) -> Column:
    return ~columns.find(check.column).column.cast("string").isin(list(check.allowed_values))


def _not_satisfied(check: checks.Satisfies, frame: DataFrame, columns: Columns, assertion: Assertion) -> Column:
    return ~F.coalesce(predicate_of(frame, check.predicate, "predicate"), F.lit(False))


def _not_matching(check: checks.HasPattern, frame: DataFrame, columns: Columns, assertion: Assertion) -> Column:
    text = columns.find(check.column).column
    found = F.regexp_extract(text, check.pattern, 0) != F.lit("")
    return ~found if check.nulls == "ignore" else ~F.coalesce(found, F.lit(False))


def _beyond(check: checks.ColumnCheck, frame: DataFrame, columns: Columns, assertion: Assertion) -> Column:
    """Rows that would not satisfy the assertion on the smallest or largest value by themselves."""
    value = columns.find(check.column).column
    bound = F.lit(assertion.bound)
    compare: dict[str, Callable[[], Column]] = {
        ">=": lambda: value < bound, ">": lambda: value <= bound, "<=": lambda: value > bound, "<": lambda: value >= bound,
        "==": lambda: value != bound, "!=": lambda: value == bound,
        "between": lambda: (value < bound) | (value > F.lit(assertion.upper)),
    }
    return compare[assertion.operator]()


def _repeated(
    check: checks.IsUnique | checks.HasUniqueness, frame: DataFrame, columns: Columns, assertion: Assertion,
) -> Column:
    """Rows whose key stands in another row too; within the rows that the check is about."""
    keys = [columns.find(name).column for name in check.columns_checked()]
    some_part = keys[0].isNotNull()
    for key in keys[1:]:
        some_part |= key.isNotNull()
    asked = F.lit(True)
    if check.where_:
        asked = F.coalesce(predicate_of(frame, check.where_, "where"), F.lit(False))
    return some_part & (F.count(F.lit(1)).over(Window.partitionBy(asked, *keys)) > 1)


RULES: dict[type[Any], Rule] = {
    checks.IsComplete: _null,
    checks.HasCompleteness: _null,
    checks.IsContainedIn: _not_contained,
    checks.Satisfies: _not_satisfied,
    checks.HasPattern: _not_matching,
    checks.HasMin: _beyond,
    checks.HasMax: _beyond,
    checks.IsUnique: _repeated,
    checks.HasUniqueness: _repeated,
}
