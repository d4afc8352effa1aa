"""Which rows fail a check: a condition on a row, for the checks that single rows can fail (Deequ's row-level results).

A rule is true for a row that fails, false for one that passes, and null for one that it does not judge: a null
that the analyzer skips.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.analyzers import declared as of_declared
from airflow_metorikku.config.records.analyzers import keys as of_keys
from airflow_metorikku.config.records.analyzers import numbers as of_numbers
from airflow_metorikku.config.records.analyzers import rows as of_rows
from airflow_metorikku.config.records.analyzers import values as of_values
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.predicates import predicate_of
from airflow_metorikku.spark.quality.relations import values_hold
from airflow_metorikku.spark.quality.row_schema import rows_hold

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


def is_of_rows(constraint: Constraint) -> bool:
    """Whether single rows can fail it."""
    return type(constraint.analyzer) in RULES


def outcome(constraint: Constraint, frame: DataFrame) -> Column | None:
    """Whether a row passes a constraint, null where it is not judged: by the rule, or by the `where`.

    None where no single row fails it, as of a sum.
    """
    analyzer = constraint.analyzer
    rule = RULES.get(type(analyzer)) if constraint.options.ON_ROWS else None
    if rule is None:
        return None
    asked = Asked(analyzer, constraint.assertion, frame, Columns(frame, constraint.data_frame))
    fails = rule(asked)
    if fails is None:
        return None
    return F.when(asked.holds(analyzer.where_, "where"), ~fails) if analyzer.where_ else ~fails


def failing(constraint: Constraint, frame: DataFrame) -> Column | None:
    """Condition of the rows that fail a constraint, never null; None where no single row does."""
    passes = outcome(constraint, frame)
    return None if passes is None else ~F.coalesce(passes, F.lit(True))


def _null(asked: Asked) -> Column:
    return asked.column().isNull()


def _not_contained(asked: Asked) -> Column:
    column = asked.column()
    return column.isNotNull() & ~column.cast("string").isin(list(asked.analyzer.allowed_values))


def _not_satisfied(asked: Asked) -> Column:
    return ~asked.holds(asked.analyzer.predicate, "predicate")


def _not_matching(asked: Asked) -> Column:
    found = F.regexp_extract(asked.column(), asked.analyzer.pattern, 0) != F.lit("")
    return ~found if asked.analyzer.nulls == "ignore" else ~F.coalesce(found, F.lit(False))


def _too_low(asked: Asked) -> Column | None:
    return too_low(asked.column(), asked.assertion)


def _too_high(asked: Asked) -> Column | None:
    return too_high(asked.column(), asked.assertion)


def too_low(value: Column, assertion: Assertion) -> Column | None:
    """Values that alone keep the smallest of all from an assertion; None where no value does, as of `<= 5`.

    Deequ asserts on each value, so that of a smallest value that must be 10 every other row fails.
    """
    bound = F.lit(assertion.bound)
    compare: dict[str, Callable[[], Column]] = {
        ">=": lambda: value < bound,
        ">": lambda: value <= bound,
        "==": lambda: value < bound,
        "!=": lambda: value == bound,
        "between": lambda: value < bound,
    }
    return compare[assertion.operator]() if assertion.operator in compare else None


def too_high(value: Column, assertion: Assertion) -> Column | None:
    """Values that alone keep the largest of all from an assertion; None where no value does, as of `>= 5`."""
    bound = F.lit(assertion.bound)
    compare: dict[str, Callable[[], Column]] = {
        "<=": lambda: value > bound,
        "<": lambda: value >= bound,
        "==": lambda: value > bound,
        "!=": lambda: value == bound,
        "between": lambda: value > F.lit(assertion.upper),
    }
    return compare[assertion.operator]() if assertion.operator in compare else None


def _repeated(asked: Asked) -> Column:
    """Rows whose key stands in another row too, among the rows that the check is about."""
    keys = [asked.columns.find(name).column for name in asked.analyzer.columns_analyzed()]
    some_part = reduce(or_, (key.isNotNull() for key in keys))
    where = asked.analyzer.where_
    among = asked.holds(where, "where") if where else F.lit(True)
    return some_part & (F.count(F.lit(1)).over(Window.partitionBy(among, *keys)) > 1)


RULES: dict[type[Any], Callable[[Asked], Column | None]] = {
    of_rows.Completeness: _null,
    of_rows.ContainedIn: _not_contained,
    of_rows.Compliance: _not_satisfied,
    of_rows.PatternMatch: _not_matching,
    of_numbers.Minimum: _too_low,
    of_numbers.Maximum: _too_high,
    of_keys.Uniqueness: _repeated,
    of_values.ColumnValues: lambda asked: ~values_hold(asked.analyzer, asked.columns),
    of_declared.RowSchema: lambda asked: ~rows_hold(asked.analyzer.columns, asked.columns),
}
