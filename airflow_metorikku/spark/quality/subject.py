"""What analyzers are asked of, and what many of them do.

Where a `where` holds for no row, a rule that rows obey one by one has nothing against it; a minimum,
maximum, mean or sum has no data. Deequ passes both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DataType, MapType, StructType

from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.spark.aggregates import Aggregate, Cell, Key, count_of, count_rows
from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.quality.cleaned import cleaned
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.values import MetricValue, Number, no_data, share_of
from airflow_metorikku.spark.sums import is_summable

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from airflow_metorikku.config.moments import Moment
    from airflow_metorikku.spark.quality.columns import FoundColumn

_LARGE = (ArrayType, MapType, StructType)
"""What should not travel where it is enough to know that it is there."""
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

    def cell(self, found: FoundColumn) -> Cell:
        """The column in the rows asked about."""
        return Cell(key=(self.where_text, found.path), column=self.only(found.column))

    def count(self, condition: Column, *key: object) -> Aggregate:
        """Number of rows with the condition, among those asked about."""
        return count_of(("count", self.where_text, *key), self.only(F.when(condition, F.lit(1))))

    def count_of_values(
        self, found: FoundColumn, holds: Callable[[Column], Column], *key: Hashable
    ) -> Aggregate:
        """Number of values, among those asked about, for which a condition holds, which the key tells."""
        return Aggregate(
            key=("count", self.where_text, *key, found.path),
            cell=self.cell(found),
            shape=("count", *key),
            of=lambda value: F.count(F.when(holds(value), F.lit(1))),
        )

    @property
    def rows(self) -> Aggregate:
        """Rows asked about."""
        return count_rows(self.where, self.where_text)

    def not_null(self, found: FoundColumn) -> Aggregate:
        """Rows asked about in which a column is not null."""
        if isinstance(found.type, _LARGE):
            return self.count(found.column.isNotNull(), "not null", found.path)
        return Aggregate(
            key=("not null", self.where_text, found.path),
            cell=self.cell(found),
            shape=("count",),
            of=F.count,
        )

    @property
    def is_risky(self) -> bool:
        """Whether SQL of the user's is in it."""
        return self.where is not None


def share(
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
        return share_of(facts.values[part.key], facts.values[whole.key])

    aggregates = tuple(dict.fromkeys((rows, whole, part)))
    return Ask(aggregates=aggregates, risky=risky or subject.is_risky, answer=answer)


def numeric(name: str, subject: Subject, flags: Any = None) -> FoundColumn:
    """The column, of numbers, by the flag `nan` of an analyzer; raises WrongTypeError for any other."""
    found = subject.columns.find(name)
    if not is_summable(found.type):
        raise wrong_type(
            name,
            found.type,
            "a number; cast it in the step's SQL, or compare other types by satisfies",
        )
    return cleaned(found, flags)


def computed(
    subject: Subject,
    aggregates: tuple[Aggregate, ...],
    value: Callable[[Mapping[Key, Any]], Number | Moment | None],
    *columns: str,
) -> Ask[MetricValue]:
    """What `value` makes of the aggregates; no data of the columns where that is None."""

    def answer(facts: Facts) -> MetricValue:
        number = value(facts.values)
        return no_value(*columns) if number is None else MetricValue(number=number)

    return Ask(aggregates=aggregates, risky=subject.is_risky, answer=answer)


def no_value(*columns: str) -> MetricValue:
    """No value but nulls."""
    if len(columns) > 1:
        return no_data(f"no row in which none of {', '.join(columns)} is null")
    return no_data(f"no value of {columns[0]} that is not null")


def wrong_type(column: str, kind: DataType, expected: str) -> WrongTypeError:
    """The error for a column whose type a check or control has no use for."""
    return WrongTypeError(f"column {column!r} is {kind.simpleString()}, expected {expected}")


def require_single_values(found: FoundColumn, name: str) -> None:
    """Raise WrongTypeError for a column whose values are arrays, maps or structs."""
    if isinstance(found.type, ArrayType | MapType | StructType):
        raise wrong_type(name, found.type, "a column of single values")


def holds_map(kind: DataType) -> bool:
    """Whether a map is anywhere in it: Spark 3 cannot group by one."""
    if isinstance(kind, StructType):
        return any(holds_map(field.dataType) for field in kind.fields)
    return isinstance(kind, MapType) or (
        isinstance(kind, ArrayType) and holds_map(kind.elementType)
    )
