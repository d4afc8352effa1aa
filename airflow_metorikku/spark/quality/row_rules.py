"""Which rows fail a check: a condition on a row, for the checks that single rows can fail (Deequ's row-level results).

A rule is true for a row that fails, false for one that passes, and null for one that it does not judge: a null
that the analyzer skips.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F
from pyspark.sql.types import IntegerType

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.analyzers import declared as of_declared
from airflow_metorikku.config.records.analyzers import keys as of_keys
from airflow_metorikku.config.records.analyzers import numbers as of_numbers
from airflow_metorikku.config.records.analyzers import rows as of_rows
from airflow_metorikku.config.records.analyzers import texts as of_texts
from airflow_metorikku.config.records.analyzers import values as of_values
from airflow_metorikku.config.records.analyzers.base import Pick
from airflow_metorikku.config.records.checks.composites import AllOf
from airflow_metorikku.results.distributions import PARTS
from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.quality.analyzers.conditions import RULES as CONDITIONS
from airflow_metorikku.spark.quality.analyzers.conditions import condition_of
from airflow_metorikku.spark.quality.analyzers.extremes import length_of
from airflow_metorikku.spark.quality.analyzers.texts import types_of
from airflow_metorikku.spark.quality.cleaned import cleaned
from airflow_metorikku.spark.quality.columns import Columns, FoundColumn
from airflow_metorikku.spark.quality.comparing import too_high, too_low
from airflow_metorikku.spark.quality.patterns import is_found
from airflow_metorikku.spark.quality.predicates import predicate_of
from airflow_metorikku.spark.quality.relations import values_hold
from airflow_metorikku.spark.quality.row_schema import rows_hold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyspark.sql import Column

    from airflow_metorikku.plan.constraints import Constraint


@dataclass(frozen=True)
class Asked:
    """A constraint's analyzer and assertion, and the data frame."""

    analyzer: Any
    assertion: Assertion
    frame: DataFrame
    columns: Columns
    pick: Pick | None

    def column(self) -> FoundColumn:
        """The analyzer's column, by its flags."""
        return cleaned(self.columns.find(self.analyzer.column), self.analyzer)

    def holds(self, text: str, key: str) -> Column:
        """A predicate, false where it is null."""
        return F.coalesce(predicate_of(self.frame, text, key), F.lit(False))


def is_of_rows(constraint: Constraint) -> bool:
    """Whether single rows can fail it, or one of those that must all hold."""
    if isinstance(constraint.options, AllOf):
        return any(map(is_of_rows, constraint.parts))
    return constraint.options.ON_ROWS and type(constraint.analyzer) in RULES


def outcome(constraint: Constraint, frame: DataFrame) -> Column | None:
    """Whether a row passes a constraint, null where it is not judged: by the rule, or by the `where`.

    None where no single row fails it, as of a sum.
    """
    analyzer = constraint.analyzer
    if not is_of_rows(constraint):
        return None
    if constraint.parts:
        return all_of(outcome(part, frame) for part in constraint.parts)
    columns, pick = Columns(frame, constraint.data_frame), constraint.options.pick()
    asked = Asked(analyzer, constraint.assertion, frame, columns, pick)
    fails = RULES[type(analyzer)](asked)
    if fails is None:
        return None
    return F.when(asked.holds(analyzer.where_, "where"), ~fails) if analyzer.where_ else ~fails


def all_of(outcomes: Iterable[Column | None]) -> Column | None:
    """Whether a row passes all that judge it; null where none does."""
    known = [one for one in outcomes if one is not None]
    return F.array_min(F.array(*known)) if known else None


def failing(constraint: Constraint, frame: DataFrame) -> Column | None:
    """Condition of the rows that fail a constraint, never null; None where no single row does."""
    passes = outcome(constraint, frame)
    return None if passes is None else ~F.coalesce(passes, F.lit(True))


def _null(asked: Asked) -> Column:
    return asked.column().column.isNull()


def _disobeying(asked: Asked) -> Column:
    return condition_of(asked.analyzer, asked.frame, asked.columns).fails


def _not_matching(asked: Asked) -> Column:
    found = is_found(asked.column().column, asked.analyzer.pattern)
    return ~found if asked.analyzer.nulls == "ignore" else ~F.coalesce(found, F.lit(False))


def _too_low(asked: Asked) -> Column | None:
    return too_low(asked.column(), asked.assertion)


def _too_high(asked: Asked) -> Column | None:
    return too_high(asked.column(), asked.assertion)


def _length(
    asked: Asked, beyond: Callable[[FoundColumn, Assertion], Column | None]
) -> Column | None:
    """Rows whose length alone keeps the assertion from holding; nulls where they are to fail."""
    found = asked.columns.find(asked.analyzer.column)
    length = length_of(asked.analyzer, found)
    wrong = beyond(replace(found, column=length, type=IntegerType()), asked.assertion)
    if asked.analyzer.null_behavior != "Fail":
        return wrong
    return length.isNull() if wrong is None else length.isNull() | wrong


def _of_other_type(asked: Asked) -> Column:
    """Rows whose value is not of the type whose share is asserted."""
    found = asked.column()
    wanted = str(asked.pick.key) if asked.pick else ""
    if wanted == "Null":
        return found.column.isNotNull()
    conditions = {
        kind: holds(found.column) for kind, holds in types_of(asked.analyzer.column, found).items()
    }
    others = [condition for kind, condition in conditions.items() if kind not in PARTS[wanted]]
    if wanted == "String":
        return reduce(or_, others)
    mine = [conditions[kind] for kind in PARTS[wanted] if kind in conditions]
    return ~reduce(or_, mine, F.lit(False)) & found.column.isNotNull()


def _repeated(asked: Asked) -> Column:
    """Rows whose key stands in another row too, among the rows that the check is about; what a null means is as the analyzer says."""
    analyzer = asked.analyzer
    # Without columns the whole row is the key.
    names = analyzer.columns_analyzed() or [quoted(name) for name in asked.columns.names]
    keys = [asked.columns.find(name).column for name in names]
    among = asked.holds(analyzer.where_, "where") if analyzer.where_ else F.lit(True)
    twice = F.count(F.lit(1)).over(Window.partitionBy(among, *keys)) > 1
    every = reduce(and_, (key.isNotNull() for key in keys))
    if getattr(analyzer, "nulls", "ignore") == "fail":
        return twice | ~every
    if analyzer.nulls_distinct is None:
        return twice & reduce(or_, (key.isNotNull() for key in keys))
    return twice & every if analyzer.nulls_distinct else twice


RULES: dict[type[Any], Callable[[Asked], Column | None]] = {
    of_rows.Completeness: _null,
    **dict.fromkeys(CONDITIONS, _disobeying),
    of_texts.PatternMatch: _not_matching,
    of_texts.MinLength: lambda asked: _length(asked, too_low),
    of_texts.MaxLength: lambda asked: _length(asked, too_high),
    of_texts.DataType: _of_other_type,
    of_numbers.Minimum: _too_low,
    of_numbers.Maximum: _too_high,
    **dict.fromkeys(
        (of_keys.Uniqueness, of_keys.UniqueValueRatio, of_keys.DuplicateRowCount), _repeated
    ),
    of_values.ColumnValues: lambda asked: ~values_hold(asked.analyzer, asked.columns),
    of_declared.RowSchema: lambda asked: ~rows_hold(asked.analyzer.columns, asked.columns),
}
