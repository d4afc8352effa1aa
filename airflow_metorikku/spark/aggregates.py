"""Aggregates over all rows of a data frame: asked for by many, computed once each (`scanning`)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import Column
from pyspark.sql import functions as F

SPARK_ERRORS = (PySparkException, Py4JError)
Key = tuple[Hashable, ...]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One value of each row, which aggregates are of. Equal keys are one value."""

    key: Key
    column: Column = field(compare=False)


@dataclass(frozen=True, kw_only=True)
class Aggregate:
    """One aggregate. Equal keys are one computation."""

    key: Key
    cell: Cell = field(compare=False)
    shape: Key = field(compare=False)
    """What `of` does: equal shapes ask the same of cells of one type."""
    of: Callable[[Column], Column] = field(compare=False)
    fields: int = 1
    """Fields of its buffer: 2 for sums of decimals, else 1."""
    imperative: bool = False
    """Has no generated code, as sketches and collections; one among others turns it off for all of them."""
    doubles: Callable[[Column], tuple[Column, ...]] = field(default=lambda _: (), compare=False)
    """What of the cell a moment is of: its value alone cannot be merged."""

    @property
    def column(self) -> Column:
        """Over all rows of a data frame."""
        return self.of(self.cell.column)

    @property
    def inputs(self) -> tuple[Column, ...]:
        """Doubles that a moment is of, null in rows that do not count."""
        return self.doubles(self.cell.column)


ROWS: Key = ("rows", None)


def count_rows(where: Column | None = None, key: Hashable = None) -> Aggregate:
    """Number of rows, under the key ROWS, or of those for which `where` holds; `key` tells one `where` from another."""
    counted = F.lit(1) if where is None else F.when(where, F.lit(1))
    return count_of(("rows", key), counted)


def count_of(key: Key, column: Column) -> Aggregate:
    """Number of rows in which a column is not null."""
    return Aggregate(key=key, cell=Cell(key=key, column=column), shape=("count",), of=F.count)


def named(aggregates: Sequence[Aggregate]) -> list[Column]:
    """Columns under names that no data frame's column can clash with."""
    return [aggregate.column.alias(f"a{number}") for number, aggregate in enumerate(aggregates)]


def values_of(aggregates: Sequence[Aggregate], row: Mapping[str, Any]) -> dict[Key, Any]:
    """Values by key, from a row with the names that `named` gave."""
    return {aggregate.key: row[f"a{number}"] for number, aggregate in enumerate(aggregates)}
