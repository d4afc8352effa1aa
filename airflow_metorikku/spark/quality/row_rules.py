"""Which rows fail a check: a condition on a row, for the checks that single rows can fail."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.analyzers import keys as of_keys
from airflow_metorikku.config.records.analyzers import numbers as of_numbers
from airflow_metorikku.config.records.analyzers import rows as of_rows
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.predicates import predicate_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column

    from airflow_metorikku.plan.constraints import Constraint


@dataclass(frozen=True)
class Asked:
    """A constraint's analyzer and assertion, and the data frame."""

    analyzer: Any
    assertion: Assertion
    frame: DataFrame
    columns: Columns

    def column(self) -> Column:
        """The analyzer's column."""
        return self.columns.find(self.analyzer.column).column

    def holds(self, text: str, key: str) -> Column:
        """A predicate, false where it is null."""
        return F.coalesce(predicate_of(self.frame, text, key), F.lit(False))


def failing(constraint: Constraint, frame: DataFrame) -> Column | None:
    """Condition of the rows that fail a constraint, never null; None where no single row does, as of a sum."""
    analyzer = constraint.analyzer
    rule = RULES.get(type(analyzer)) if constraint.options.ON_ROWS else None
    if rule is None:
        return None
    asked = Asked(analyzer, constraint.assertion, frame, Columns(frame, constraint.data_frame))
    fails = F.coalesce(rule(asked), F.lit(False))
    return fails & asked.holds(analyzer.where_, "where") if analyzer.where_ else fails


def _null(asked: Asked) -> Column:
    return asked.column().isNull()


def _not_contained(asked: Asked) -> Column:
    return ~asked.column().cast("string").isin(list(asked.analyzer.allowed_values))


def _not_satisfied(asked: Asked) -> Column:
    return ~asked.holds(asked.analyzer.predicate, "predicate")


def _not_matching(asked: Asked) -> Column:
    found = F.regexp_extract(asked.column(), asked.analyzer.pattern, 0) != F.lit("")
    return ~found if asked.analyzer.nulls == "ignore" else ~F.coalesce(found, F.lit(False))


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
    keys = [asked.columns.find(name).column for name in asked.analyzer.columns_analyzed()]
    some_part = reduce(or_, (key.isNotNull() for key in keys))
    where = asked.analyzer.where_
    among = asked.holds(where, "where") if where else F.lit(True)
    return some_part & (F.count(F.lit(1)).over(Window.partitionBy(among, *keys)) > 1)


RULES: dict[type[Any], Callable[[Asked], Column]] = {
    of_rows.Completeness: _null,
    of_rows.ContainedIn: _not_contained,
    of_rows.Compliance: _not_satisfied,
    of_rows.PatternMatch: _not_matching,
    of_numbers.Minimum: _beyond,
    of_numbers.Maximum: _beyond,
    of_keys.Uniqueness: _repeated,
}
