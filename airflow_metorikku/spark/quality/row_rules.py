"""Which rows fail a check: a condition on a row, for the checks that single rows can fail."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records import checks
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.predicates import predicate_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column

    from airflow_metorikku.plan.constraints import Constraint


@dataclass(frozen=True)
class Asked:
    """A constraint's check and assertion, and the data frame."""

    check: Any
    assertion: Assertion
    frame: DataFrame
    columns: Columns

    def column(self) -> Column:
        """The check's column."""
        return self.columns.find(self.check.column).column

    def holds(self, text: str, key: str) -> Column:
        """A predicate, false where it is null."""
        return F.coalesce(predicate_of(self.frame, text, key), F.lit(False))


def failing(constraint: Constraint, frame: DataFrame) -> Column | None:
    """Condition of the rows that fail a constraint, never null; None where no single row does, as of a sum."""
    check = constraint.options
    rule = RULES.get(type(check))
    if rule is None:
        return None
    asked = Asked(check, constraint.assertion, frame, Columns(frame, constraint.data_frame))
    fails = F.coalesce(rule(asked), F.lit(False))
    return fails & asked.holds(check.where_, "where") if check.where_ else fails


def _null(asked: Asked) -> Column:
    return asked.column().isNull()


def _not_contained(asked: Asked) -> Column:
    return ~asked.column().cast("string").isin(list(asked.check.allowed_values))


def _not_satisfied(asked: Asked) -> Column:
    return ~asked.holds(asked.check.predicate, "predicate")


def _not_matching(asked: Asked) -> Column:
    found = F.regexp_extract(asked.column(), asked.check.pattern, 0) != F.lit("")
    return ~found if asked.check.nulls == "ignore" else ~F.coalesce(found, F.lit(False))


def _beyond(asked: Asked) -> Column:
    """Rows that would not satisfy the assertion on the smallest or largest value by themselves."""
    value, assertion = asked.column(), asked.assertion
    bound = F.lit(assertion.bound)
    compare: dict[str, Callable[[], Column]] = {
        ">=": lambda: value < bound,
        ">": lambda: value <= bound,
        "<=": lambda: value > bound,
        "<": lambda: value >= bound,
        "==": lambda: value != bound,
        "!=": lambda: value == bound,
        "between": lambda: (value < bound) | (value > F.lit(assertion.upper)),
    }
    return compare[assertion.operator]()


def _repeated(asked: Asked) -> Column:
    """Rows whose key stands in another row too, among the rows that the check is about."""
    keys = [asked.columns.find(name).column for name in asked.check.columns_checked()]
    some_part = reduce(or_, (key.isNotNull() for key in keys))
    where = asked.check.where_
    among = asked.holds(where, "where") if where else F.lit(True)
    return some_part & (F.count(F.lit(1)).over(Window.partitionBy(among, *keys)) > 1)


RULES: dict[type[Any], Callable[[Asked], Column]] = {
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
