"""Rules as conditions on a row: one condition gives the share of rows that obey, and the rows that fail."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import BooleanType, DoubleType, StringType

from airflow_metorikku.config.records.analyzers import row_rules as records
from airflow_metorikku.config.records.analyzers.rows import Compliance
from airflow_metorikku.spark.aggregates import SPARK_ERRORS
from airflow_metorikku.spark.quality.cleaned import cleaned, is_floating
from airflow_metorikku.spark.quality.comparing import MOMENTS, at_least, at_most
from airflow_metorikku.spark.quality.predicates import BadPredicateError, predicate_of
from airflow_metorikku.spark.quality.relations import text_of
from airflow_metorikku.spark.quality.subject import wrong_type
from airflow_metorikku.spark.sentences import sentence
from airflow_metorikku.spark.sums import is_summable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame

    from airflow_metorikku.config.records.flags import Nulls
    from airflow_metorikku.spark.quality.columns import Columns, FoundColumn

_COUNTED: dict[Nulls, bool | None] = {"fail": False, "pass": True, "ignore": None}


@dataclass(frozen=True, kw_only=True)
class Condition:
    """What a rule says of each row."""

    obeys: Column
    """True, false, or null for a row that nothing decides."""
    of_all: bool
    """Whether an undecided row counts, as one that does not obey; else it is left out."""
    known: Column | None = None
    """Null where the rule has nothing to judge, in a rule that decides such rows too."""
    undecided: str = ""
    """Sentence for data of which every row is undecided."""
    risky: bool = False
    """Whether it may raise on a row."""

    @property
    def fails(self) -> Column:
        """The rows that do not obey; null for those that are left out."""
        return ~F.coalesce(self.obeys, F.lit(False)) if self.of_all else ~self.obeys


def condition_of(rule: Any, frame: DataFrame, columns: Columns) -> Condition:
    """The condition of a rule; raises MetorikkuError where it asks for what is not there."""
    return _CONDITIONS[type(rule)](rule, frame, columns)


def _decided(
    decides: Column, policy: Nulls, known: Column, undecided: str, *, risky: bool = False
) -> Condition:
    """By what a null counts as: `decides` is null for it, and `known` then too."""
    obeys = F.coalesce(decides, known.isNull()) if policy == "pass" else decides
    return Condition(
        obeys=obeys,
        of_all=policy != "ignore",
        known=known if policy == "pass" else None,
        undecided=undecided,
        risky=risky,
    )


def _satisfied(rule: Compliance, frame: DataFrame, columns: Columns) -> Condition:
    for name in rule.columns:
        columns.find(name)
    predicate = predicate_of(frame, rule.predicate, "predicate")
    return _decided(
        predicate, rule.nulls, predicate, "the predicate is null in every row", risky=True
    )


def _contained(rule: records.ContainedIn, _frame: DataFrame, columns: Columns) -> Condition:
    found = cleaned(columns.find(rule.column), rule)
    text, value = text_of(found, rule.column), found.column
    return _decided(text.isin(list(rule.allowed_values)), rule.nulls, value, _all_null(rule.column))


def _all_null(*columns: str) -> str:
    return f"every value of {' or '.join(columns)} is null"


def _number(rule: Any, columns: Columns) -> tuple[FoundColumn, FoundColumn]:
    """The rule's column, and its numbers: of texts those that are some."""
    found = columns.find(rule.column)
    if isinstance(found.type, StringType):
        return found, replace(found, column=found.tried("double"), type=DoubleType())
    if not is_summable(found.type):
        raise wrong_type(rule.column, found.type, "a number; satisfies compares other types")
    return found, found


def _of_number(rule: Any, columns: Columns, holds: Callable[[FoundColumn], Column]) -> Condition:
    """What holds of the numbers in a column, by what NaN and texts that are no numbers count as."""
    found, number = _number(rule, columns)
    obeys = holds(number)
    if is_floating(number):
        obeys = F.when(F.isnan(number.column), F.lit(_COUNTED[rule.nan])).otherwise(obeys)
    left_out = {rule.nulls, *([rule.nan] if is_floating(number) else [])}
    if number is not found:
        no_number = found.column.isNotNull() & number.column.isNull()
        obeys = F.when(no_number, F.lit(_COUNTED[rule.not_numbers])).otherwise(obeys)
        left_out.add(rule.not_numbers)
    return Condition(
        obeys=F.when(found.column.isNull(), F.lit(_COUNTED[rule.nulls])).otherwise(obeys),
        of_all="ignore" not in left_out,
        known=found.column,
        undecided=_all_null(rule.column),
    )


def _within(rule: records.Within, _frame: DataFrame, columns: Columns) -> Condition:
    def holds(number: FoundColumn) -> Column:
        sides = []
        if rule.lower_bound is not None:
            sides.append(at_least(number, rule.lower_bound, included=rule.include_lower_bound))
        if rule.upper_bound is not None:
            sides.append(at_most(number, rule.upper_bound, included=rule.include_upper_bound))
        return reduce(and_, sides)

    return _of_number(rule, columns, holds)


def _non_negative(rule: records.NonNegative, _frame: DataFrame, columns: Columns) -> Condition:
    return _of_number(rule, columns, lambda number: number.column >= 0)


def _positive(rule: records.Positive, _frame: DataFrame, columns: Columns) -> Condition:
    return _of_number(rule, columns, lambda number: number.column > 0)


def _compared(rule: records.Compared, frame: DataFrame, columns: Columns) -> Condition:
    one, other = columns.find(rule.column_a), columns.find(rule.column_b)
    left, right = _alike(one, other), _alike(other, one)
    compared = {
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[rule.operator]
    try:
        frame.where(compared)
    except SPARK_ERRORS as error:
        raise BadPredicateError(
            f"{rule.column_a} {rule.operator} {rule.column_b}: {sentence(error)}"
        ) from error
    return _decided(compared, rule.nulls, compared, f"{_all_null(rule.column_a, rule.column_b)}")


def _alike(found: FoundColumn, other: FoundColumn) -> Column:
    """A text beside a number, a date or the like as one, null where it is none: without ANSI Spark does so itself, with it a row would raise."""
    if not isinstance(found.type, StringType) or isinstance(other.type, StringType):
        return found.column
    if is_summable(other.type):
        return found.tried("double")
    if isinstance(other.type, (*MOMENTS, BooleanType)):
        return found.tried(other.type.simpleString())
    return found.column


def _complete(rule: records.ColumnsComplete, _frame: DataFrame, columns: Columns) -> Condition:
    there = [cleaned(columns.find(name), rule).column.isNotNull() for name in rule.columns]
    return Condition(obeys=reduce(and_ if rule.of == "all" else or_, there), of_all=True)


_CONDITIONS: dict[type[Any], Callable[[Any, DataFrame, Columns], Condition]] = {
    Compliance: _satisfied,
    records.ContainedIn: _contained,
    records.Within: _within,
    records.NonNegative: _non_negative,
    records.Positive: _positive,
    records.Compared: _compared,
    records.ColumnsComplete: _complete,
}
RULES = tuple(_CONDITIONS)
"""Records of all rules."""
