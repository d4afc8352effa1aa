"""Analyzers: from what a check says to what must be computed and what its value is.

Where a `where` holds for no row, a rule that rows obey one by one has nothing against it; a minimum,
maximum, mean or sum has no data. Deequ passes both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DataType, MapType, StringType, StructType

from airflow_metorikku.config.records import checks
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.spark.aggregates import Aggregate, count_rows
from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.grouping import Grouping
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.predicates import predicate_of, require_pattern
from airflow_metorikku.spark.quality.values import MetricValue, no_data, quotient, ratio
from airflow_metorikku.spark.sums import exact_sum, is_summable

if TYPE_CHECKING:
    from collections.abc import Callable
    from decimal import Decimal

    from airflow_metorikku.spark.quality.columns import FoundColumn

NO_ROW_ASKED = MetricValue(none="no rows asked", why="no row satisfies the condition")


class WrongTypeError(MetorikkuError):
    """A check that says nothing of a column of this type."""


@dataclass(frozen=True)
class Subject:
    """The data frame, its columns, and the condition of one check."""

    frame: DataFrame
    columns: Columns
    where_text: str | None
    where: Column | None

    def only(self, column: Column) -> Column:
        """The column in the rows that the condition holds for, else null."""
        return column if self.where is None else F.when(self.where, column)

    def count(self, condition: Column, *key: object) -> Aggregate:
        """Number of rows with the condition, among those asked about."""
        return Aggregate(
            key=("count", self.where_text, *key),
            column=F.count(self.only(F.when(condition, F.lit(1)))),
        )

    @property
    def rows(self) -> Aggregate:
        """Rows asked about."""
        return count_rows(self.where, self.where_text)

    def not_null(self, found: FoundColumn) -> Aggregate:
        """Rows asked about in which a column is not null."""
        return Aggregate(
            key=("not null", self.where_text, found.path), column=F.count(self.only(found.column))
        )

    @property
    def is_risky(self) -> bool:
        """Whether SQL of the user's is in it."""
        return self.where is not None


def size(_check: checks.HasSize, subject: Subject) -> Ask[MetricValue]:
    """Number of rows; of no rows it is 0, not unknown."""
    rows = subject.rows
    return Ask(
        aggregates=(rows,),
        risky=subject.is_risky,
        answer=lambda facts: MetricValue(number=facts.values[rows.key]),
    )


def completeness(check: checks.ColumnCheck, subject: Subject) -> Ask[MetricValue]:
    """Share of rows in which the column is not null."""
    return _share(subject, subject.not_null(subject.columns.find(check.column)))


def compliance(check: checks.Satisfies, subject: Subject) -> Ask[MetricValue]:
    """Share of rows for which a predicate is true; one that is null in every row says nothing."""
    predicate = predicate_of(subject.frame, check.predicate, "predicate")
    # The sum is null where the predicate never is true or false: one aggregate tells both.
    holds = Aggregate(
        key=("holds", subject.where_text, check.predicate),
        column=F.sum(subject.only(predicate.cast("int"))),
    )
    return _share(subject, holds, risky=True, empty="the predicate is null in every row")


def contained(check: checks.IsContainedIn, subject: Subject) -> Ask[MetricValue]:
    """Share of rows whose value is null or an allowed one, compared as texts."""
    found = subject.columns.find(check.column)
    if isinstance(found.type, ArrayType | MapType | StructType):
        raise wrong_type(check.column, found.type, "a column of single values")
    text = found.column if isinstance(found.type, StringType) else found.column.cast("string")
    allowed = found.column.isNull() | text.isin(list(check.allowed_values))
    within = subject.count(allowed, "contained", found.path, check.allowed_values)
    known = subject.not_null(found)
    share = _share(subject, within)

    def answer(facts: Facts) -> MetricValue:
        if facts.values[subject.rows.key] and not facts.values[known.key]:
            return no_data(f"every value of {check.column} is null")
        return share.answer(facts)

    return Ask(aggregates=(*share.aggregates, known), risky=subject.is_risky, answer=answer)


def pattern_match(check: checks.HasPattern, subject: Subject) -> Ask[MetricValue]:
    """Share of rows in which a regular expression is found; Deequ's way, so an empty match is none."""
    found = subject.columns.find(check.column)
    if not isinstance(found.type, StringType):
        raise wrong_type(check.column, found.type, "a column of texts; cast it in the step's SQL")
    require_pattern(subject.frame, check.pattern)
    matches = F.regexp_extract(found.column, check.pattern, 0) != F.lit("")
    matching = subject.count(matches, "pattern", found.path, check.pattern)
    if check.nulls == "fail":
        return _share(subject, matching, risky=True)
    return _share(
        subject,
        matching,
        of=subject.not_null(found),
        risky=True,
        empty=f"every value of {check.column} is null",
    )


def uniqueness(check: checks.IsUnique | checks.HasUniqueness, subject: Subject) -> Ask[MetricValue]:
    """Keys that occur once, per row of which some key part is not null."""
    found = [subject.columns.find(name) for name in check.columns_checked()]
    for name, key in zip(check.columns_checked(), found, strict=True):
        if holds_map(key.type):
            raise wrong_type(name, key.type, "a column that can be compared; maps cannot")
    grouping = Grouping(
        paths=frozenset(key.path for key in found),
        columns=tuple(key.column for key in found),
        where_text=subject.where_text,
        where=subject.where,
    )

    def answer(facts: Facts) -> MetricValue:
        counts = facts.keys[grouping]
        if not counts.rows:
            return NO_ROW_ASKED
        if not counts.keyed_rows:
            return no_data(f"every value of {', '.join(check.columns_checked())} is null")
        return ratio(counts.single_keys, counts.keyed_rows)

    return Ask(grouping=grouping, risky=subject.is_risky, answer=answer)


def minimum(check: checks.HasMin, subject: Subject) -> Ask[MetricValue]:
    """Smallest value."""
    return _extreme("min", check.column, F.min, subject)


def maximum(check: checks.HasMax, subject: Subject) -> Ask[MetricValue]:
    """Largest value; NaN is the largest of all, as in Spark."""
    return _extreme("max", check.column, F.max, subject)


def mean(check: checks.HasMean, subject: Subject) -> Ask[MetricValue]:
    """Mean, of an exact sum."""
    found = _numeric(check.column, subject)
    total = exact_sum(subject.only(found.column), found.type, (subject.where_text, found.path))
    count = subject.not_null(found)

    def answer(facts: Facts) -> MetricValue:
        value = total.of(facts.values)
        return (
            _no_value(check.column)
            if value is None
            else MetricValue(number=quotient(value, facts.values[count.key]))
        )

    return Ask(aggregates=(*total.aggregates, count), risky=subject.is_risky, answer=answer)


def sum_(check: checks.HasSum, subject: Subject) -> Ask[MetricValue]:
    """Sum, exact for whole numbers and decimals."""
    found = _numeric(check.column, subject)
    total = exact_sum(subject.only(found.column), found.type, (subject.where_text, found.path))

    def answer(facts: Facts) -> MetricValue:
        value = total.of(facts.values)
        return _no_value(check.column) if value is None else MetricValue(number=value)

    return Ask(aggregates=total.aggregates, risky=subject.is_risky, answer=answer)


ANALYZERS: dict[type[Any], Callable[[Any, Subject], Ask[MetricValue]]] = {
    checks.HasSize: size,
    checks.IsComplete: completeness,
    checks.HasCompleteness: completeness,
    checks.IsUnique: uniqueness,
    checks.HasUniqueness: uniqueness,
    checks.IsContainedIn: contained,
    checks.HasMin: minimum,
    checks.HasMax: maximum,
    checks.HasMean: mean,
    checks.HasSum: sum_,
    checks.Satisfies: compliance,
    checks.HasPattern: pattern_match,
}


def _share(
    subject: Subject,
    part: Aggregate,
    *,
    of: Aggregate | None = None,
    risky: bool = False,
    empty: str = "",
) -> Ask[MetricValue]:
    """`part` over the rows asked about, or over `of`."""
    rows = subject.rows
    whole = of or rows

    def answer(facts: Facts) -> MetricValue:
        if not facts.values[rows.key]:
            return NO_ROW_ASKED
        if facts.values[part.key] is None or not facts.values[whole.key]:
            return no_data(empty)
        return ratio(facts.values[part.key], facts.values[whole.key])

    aggregates = tuple(dict.fromkeys((rows, whole, part)))
    return Ask(aggregates=aggregates, risky=risky or subject.is_risky, answer=answer)


def _extreme(
    name: str, column: str, function: Callable[[Column], Column], subject: Subject
) -> Ask[MetricValue]:
    found = _numeric(column, subject)
    aggregate = Aggregate(
        key=(name, subject.where_text, found.path), column=function(subject.only(found.column))
    )

    def answer(facts: Facts) -> MetricValue:
        value: int | float | Decimal | None = facts.values[aggregate.key]
        return _no_value(column) if value is None else MetricValue(number=value)

    return Ask(aggregates=(aggregate,), risky=subject.is_risky, answer=answer)


def _numeric(name: str, subject: Subject) -> FoundColumn:
    found = subject.columns.find(name)
    if not is_summable(found.type):
        raise wrong_type(
            name,
            found.type,
            "a number; cast it in the step's SQL, or compare other types by satisfies",
        )
    return found


def _no_value(column: str) -> MetricValue:
    return no_data(f"no value of {column} that is not null")


def wrong_type(column: str, kind: DataType, expected: str) -> WrongTypeError:
    """The error for a column whose type a check or control has no use for."""
    return WrongTypeError(f"column {column!r} is {kind.simpleString()}, expected {expected}")


def holds_map(kind: DataType) -> bool:
    """Whether a map is anywhere in it: Spark 3 cannot group by one."""
    if isinstance(kind, StructType):
        return any(holds_map(field.dataType) for field in kind.fields)
    return isinstance(kind, MapType) or (
        isinstance(kind, ArrayType) and holds_map(kind.elementType)
    )
