"""How often the keys of some columns occur: one shuffle for each set of columns and condition, whoever asks.

Where it is enough to know that every key occurs once, or how many keys there are, a cheaper question may
answer it (`cheap_keys`); the groups themselves are made where it does not.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any, Literal

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ByteType, DataType, IntegerType, LongType, ShortType

from airflow_metorikku.spark.aggregates import Aggregate, Cell, Key, count_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airflow_metorikku.spark.quality.columns import FoundColumn

Enough = Literal["unique", "distinct", "groups"]
NULL_VALUE = "NullValue"
"""Deequ's name for null among texts."""
INTEGERS = (ByteType, ShortType, IntegerType, LongType)


@dataclass(frozen=True, kw_only=True)
class Range:
    """Aggregates of the pass over all rows that tell whether the numbers of a column lie close together."""

    least: Aggregate
    most: Aggregate
    known: Aggregate
    rows: Aggregate

    @property
    def aggregates(self) -> tuple[Aggregate, ...]:
        """All of them."""
        return self.least, self.most, self.known, self.rows


@dataclass(frozen=True, kw_only=True)
class Grouping:
    """The keys to count; the order of the columns does not matter."""

    paths: frozenset[tuple[str, ...]]
    where_text: str | None = None
    columns: tuple[Column, ...] = field(compare=False)
    types: tuple[DataType, ...] = field(compare=False)
    where: Column | None = field(default=None, compare=False)
    range: Range | None = field(default=None, compare=False)
    """Of a single column of whole numbers."""

    @property
    def scouts(self) -> tuple[Aggregate, ...]:
        """What the pass over all rows may tell of the keys."""
        return self.range.aggregates if self.range else ()

    def rows(self, frame: DataFrame) -> DataFrame:
        """The rows asked about, as columns k0, k1, ..."""
        kept = frame if self.where is None else frame.where(self.where)
        return kept.select(
            *(column.alias(f"k{number}") for number, column in enumerate(self.columns))
        )

    @property
    def names(self) -> list[str]:
        """Names of the key columns in `rows`."""
        return [f"k{number}" for number in range(len(self.columns))]


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is asked of the keys of a grouping."""

    enough: Enough = "groups"
    """`unique`: that each occurs once, where that is so; `distinct`: how many there are; `groups`: how often they occur."""
    logs: bool = False
    """Sums of n * ln(n), of which entropies are made: of the whole keys, and of each of their columns."""
    largest: int = 0
    """So many of the most frequent keys of a single column, with their texts."""

    def joined(self, other: Wanted) -> Wanted:
        """What both ask."""
        return Wanted(
            enough=self.enough if self.enough == other.enough else "groups",
            logs=self.logs or other.logs,
            largest=max(self.largest, other.largest),
        )


GROUPS = Wanted()


@dataclass(frozen=True, kw_only=True)
class KeyCounts:
    """What is known of the keys. A key of which every part is null is apart: Deequ leaves it out."""

    keys: int
    """Different keys, the all-null one included."""
    keyed_rows: int
    """Rows of which some key part is not null."""
    rows: int
    """Rows that the condition holds for."""
    single_keys: int | None
    """Keys, the all-null one left out, that occur once; None where only the number of keys was asked."""
    complete: CompleteKeys
    """Of keys without any null."""
    largest: tuple[tuple[str | None, int], ...] = ()
    """The most frequent keys, by count down, then by text, and how often each occurs."""


@dataclass(frozen=True, kw_only=True)
class CompleteKeys:
    """What is known of the keys that have no null."""

    keys: int
    rows: int
    single_keys: int | None
    """None where only the number of keys was asked."""
    log_sum: float = 0.0
    """Sum of n * ln(n) over the keys."""
    log_sums: tuple[float, ...] = ()
    """Of each column's values the sum of c * ln(n): n rows have the value, and c of them no null beside it."""


def grouping_of(
    found: Sequence[FoundColumn], where_text: str | None = None, where: Column | None = None
) -> Grouping:
    """The grouping by some columns, in the rows that the condition holds for."""
    kept = tuple({column.path: column for column in found}.values())
    grouping = Grouping(
        paths=frozenset(column.path for column in kept),
        columns=tuple(column.column for column in kept),
        types=tuple(column.type for column in kept),
        where_text=where_text,
        where=where,
    )
    if len(kept) == 1 and isinstance(kept[0].type, INTEGERS):
        return replace(grouping, range=_range(kept[0], where_text, where))
    return grouping


def _range(found: FoundColumn, where_text: str | None, where: Column | None) -> Range:
    value = found.column if where is None else F.when(where, found.column)
    key = where_text, found.path
    cell = Cell(key=key, column=value)
    return Range(
        least=Aggregate(key=("min", *key), cell=cell, shape=("min",), of=F.min),
        most=Aggregate(key=("max", *key), cell=cell, shape=("max",), of=F.max),
        known=Aggregate(key=("not null", *key), cell=cell, shape=("count",), of=F.count),
        rows=count_rows(where, where_text),
    )


def group_keys(frame: DataFrame, grouping: Grouping, wanted: Wanted) -> KeyCounts:
    """Group once, then look at the groups; Spark's own errors pass through."""
    return counts_of(groups_of(frame, grouping), grouping, wanted)


def groups_of(frame: DataFrame, grouping: Grouping) -> DataFrame:
    """The different keys as k0, k1, ..., and as n how often each occurs."""
    return grouping.rows(frame).groupBy(*grouping.names).agg(F.count(F.lit(1)).alias("n"))


def counts_of(groups: DataFrame, grouping: Grouping, wanted: Wanted) -> KeyCounts:
    """What the groups of `groups_of` say."""
    looks = [_counts(groups, grouping, wanted)]
    if wanted.logs and len(grouping.names) > 1:
        looks += [_marginal(groups, grouping, name) for name in grouping.names]
    if wanted.largest:
        looks.append(_largest(groups, wanted.largest))
    # One query: Spark makes the groups once for all of its branches.
    rows = reduce(DataFrame.union, looks).collect()
    (counted,) = (row for row in rows if row["look"] == "counts")
    by_column = {
        row["look"]: row["log_sum"] or 0.0 for row in rows if row["look"] in grouping.names
    }
    log_sum = counted["log_sum"] or 0.0
    keys, keyed_rows, single_keys, all_rows, *complete = (count or 0 for count in counted["counts"])
    return KeyCounts(
        keys=keys,
        keyed_rows=keyed_rows,
        rows=all_rows,
        single_keys=single_keys,
        complete=CompleteKeys(
            keys=complete[0],
            rows=complete[1],
            single_keys=complete[2],
            log_sum=log_sum,
            log_sums=tuple(by_column.get(name, log_sum) for name in grouping.names),
        ),
        largest=_in_order(rows),
    )


def _counts(groups: DataFrame, grouping: Grouping, wanted: Wanted) -> DataFrame:
    known = [F.col(name).isNotNull() for name in grouping.names]
    some, every, n = reduce(or_, known), reduce(and_, known), F.col("n")
    counts = [
        F.count(F.lit(1)),
        F.sum(F.when(some, n)),
        F.count(F.when(some & (n == 1), F.lit(1))),
        F.sum(n),
        F.count(F.when(every, F.lit(1))),
        F.sum(F.when(every, n)),
        F.count(F.when(every & (n == 1), F.lit(1))),
    ]
    logs = F.sum(F.when(every, n * F.log(n))) if wanted.logs else F.lit(0.0)
    return _look("counts", groups.agg(F.array(*counts).alias("counts"), logs.alias("log_sum")))


def _marginal(groups: DataFrame, grouping: Grouping, name: str) -> DataFrame:
    """Of the values of one column. A filter would be pushed below the groups, and they be made twice."""
    every = reduce(and_, (F.col(other).isNotNull() for other in grouping.names))
    values = groups.groupBy(name).agg(
        F.sum("n").alias("n"), F.sum(F.when(every, F.col("n"))).alias("complete")
    )
    return _look(name, values.agg(F.sum(F.col("complete") * F.log("n")).alias("log_sum")))


def _largest(groups: DataFrame, most: int) -> DataFrame:
    named = groups.select(F.col("k0").cast("string").alias("text"), "n")
    return _look("largest", in_order(named).limit(most))


def in_order(named: DataFrame) -> DataFrame:
    """By `n` down, then by `text`, null among them by Deequ's name for it."""
    return named.orderBy(F.desc("n"), F.coalesce("text", F.lit(NULL_VALUE)))


_SHAPE: Mapping[str, str] = {
    "text": "string",
    "n": "bigint",
    "counts": "array<bigint>",
    "log_sum": "double",
}


def _look(look: str, found: DataFrame) -> DataFrame:
    """What was found, in the shape that all looks at the groups share."""
    columns = (
        F.col(name) if name in found.columns else F.lit(None).cast(kind).alias(name)
        for name, kind in _SHAPE.items()
    )
    return found.select(F.lit(look).alias("look"), *columns)


def _in_order(rows: Sequence[Any]) -> tuple[tuple[str | None, int], ...]:
    """The largest groups, since a union keeps no order."""
    found = [(row["text"], row["n"]) for row in rows if row["look"] == "largest"]
    return tuple(sorted(found, key=lambda one: (-one[1], NULL_VALUE if one[0] is None else one[0])))


def values_known(grouping: Grouping, values: Mapping[Key, Any]) -> bool:
    """Whether the pass over all rows has told the range of the grouping's column."""
    return grouping.range is not None and all(
        aggregate.key in values for aggregate in grouping.range.aggregates
    )
