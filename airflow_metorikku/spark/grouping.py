"""How often the keys of some columns occur: one shuffle for each set of columns and condition, whoever asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from pyspark.sql import Column
from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, kw_only=True)
class Grouping:
    """The keys to count; the order of the columns does not matter."""

    paths: frozenset[tuple[str, ...]]
    where_text: str | None = None
    columns: tuple[Column, ...] = field(compare=False)
    where: Column | None = field(default=None, compare=False)


@dataclass(frozen=True, kw_only=True)
class KeyCounts:
    """What is known of the keys. A key of which every part is null is apart: Deequ leaves it out."""

    keys: int
    """Different keys, the all-null one included."""
    keyed_rows: int
    """Rows of which some key part is not null."""
    single_keys: int
    """Keys, the all-null one left out, that occur once."""
    rows: int
    """Rows that the condition holds for."""


def count_keys(frame: DataFrame, grouping: Grouping) -> KeyCounts:
    """Group once, then count the groups; Spark's own errors pass through."""
    return counts_of(groups_of(frame, grouping), grouping)


def groups_of(frame: DataFrame, grouping: Grouping) -> DataFrame:
    """The different keys as k0, k1, ..., and as n how often each occurs."""
    rows = frame if grouping.where is None else frame.where(grouping.where)
    keys = [column.alias(f"k{number}") for number, column in enumerate(grouping.columns)]
    return rows.select(*keys).groupBy(*key_names(grouping)).agg(F.count(F.lit(1)).alias("n"))


def key_names(grouping: Grouping) -> list[str]:
    """Names of the key columns of `groups_of`."""
    return [f"k{number}" for number in range(len(grouping.columns))]


def counts_of(groups: DataFrame, grouping: Grouping) -> KeyCounts:
    """What the groups of `groups_of` say."""
    some_part = reduce(or_, (F.col(name).isNotNull() for name in key_names(grouping)))
    counts = groups.agg(
        F.count(F.lit(1)).alias("keys"),
        F.sum(F.when(some_part, F.col("n"))).alias("keyed_rows"),
        F.count(F.when(some_part & (F.col("n") == 1), F.lit(1))).alias("single_keys"),
        F.sum("n").alias("rows"),
    ).collect()[0]
    return KeyCounts(
        keys=counts["keys"],
        keyed_rows=counts["keyed_rows"] or 0,
        single_keys=counts["single_keys"],
        rows=counts["rows"] or 0,
    )
