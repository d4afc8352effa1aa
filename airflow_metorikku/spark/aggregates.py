"""Aggregates over all rows of a data frame: asked for by many, computed once each, in as few passes as code generation allows."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import Column
from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Spark turns code generation off above spark.sql.codegen.maxFields (100) buffer fields: 110 in one
# pass cost four times as much as in two.
FIELDS_A_PASS = 90
SPARK_ERRORS = (PySparkException, Py4JError)
Key = tuple[Hashable, ...]


@dataclass(frozen=True, kw_only=True)
class Aggregate:
    """One aggregate. Equal keys are one computation."""

    key: Key
    column: Column = field(compare=False)
    fields: int = 1
    """Fields of its buffer: 2 for sums of decimals, else 1."""
    imperative: bool = False
    """Has no generated code, as sketches and collections; one among others turns it off for all of them."""
    inputs: tuple[Column, ...] = field(default=(), compare=False)
    """Doubles that a moment is of, null in rows that do not count: its value alone cannot be merged."""


ROWS: Key = ("rows", None)


def count_rows(where: Column | None = None, key: Hashable = None) -> Aggregate:
    """Number of rows, under the key ROWS, or of those for which `where` holds; `key` tells one `where` from another."""
    counted = F.lit(1) if where is None else F.when(where, F.lit(1))
    return Aggregate(key=("rows", key), column=F.count(counted))


def in_passes(aggregates: Iterable[Aggregate]) -> list[list[Aggregate]]:
    """The distinct aggregates, cut so that each pass keeps its generated code; imperative ones apart."""
    distinct = list(dict.fromkeys(aggregates))
    passes = _cut(one for one in distinct if not one.imperative)
    return passes + _cut(one for one in distinct if one.imperative)


def _cut(aggregates: Iterable[Aggregate]) -> list[list[Aggregate]]:
    passes: list[list[Aggregate]] = []
    room = 0
    for aggregate in aggregates:
        if aggregate.fields > room:
            passes.append([])
            room = FIELDS_A_PASS
        passes[-1].append(aggregate)
        room -= aggregate.fields
    return passes


def named(aggregates: Sequence[Aggregate]) -> list[Column]:
    """Columns under names that no data frame's column can clash with."""
    return [aggregate.column.alias(f"a{number}") for number, aggregate in enumerate(aggregates)]


def values_of(aggregates: Sequence[Aggregate], row: Mapping[str, Any]) -> dict[Key, Any]:
    """Values by key, from a row with the names that `named` gave."""
    return {aggregate.key: row[f"a{number}"] for number, aggregate in enumerate(aggregates)}


def compute(frame: DataFrame, aggregates: Iterable[Aggregate]) -> dict[Key, Any]:
    """Values by key; Spark's own errors pass through."""
    values: dict[Key, Any] = {}
    for chunk in in_passes(aggregates):
        values |= values_of(chunk, frame.agg(*named(chunk)).collect()[0].asDict())
    return values
