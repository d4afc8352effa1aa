"""Aggregates over all rows of a data frame, in passes whose number does not grow with the columns.

As many as one pass bears are one aggregation. More are stacked: in each row, the values of one type that are asked
the same stand below one another, and one aggregation groups them by their places. So the plan grows with the types
and the questions, and the rows are read or computed once. Aggregates without generated code are apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from airflow_metorikku.spark.aggregates import Aggregate, named, values_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pyspark.sql import DataFrame

    from airflow_metorikku.spark.aggregates import Cell, Key

# Spark turns code generation off above spark.sql.codegen.maxFields (100) buffer fields: 110 in one
# pass cost four times as much as in two.
FIELDS_A_PASS = 90
_FIELDS_A_ROW = 40
# Past 128 groups Spark sorts the rows of aggregates that have no generated code.
_PLACES = 128
# Spark has no generated code for this. Beside the arrays it keeps their code out of that of the aggregation, which
# would be too long for Java to compile; nothing but an expression that Spark does not work out beforehand does so.
_APART = "forall(array(true), x -> x)"


def compute(frame: DataFrame, aggregates: Iterable[Aggregate]) -> dict[Key, Any]:
    """Values by key; Spark's own errors pass through."""
    distinct = list(dict.fromkeys(aggregates))
    values: dict[Key, Any] = {}
    for imperative in (False, True):
        asked = [one for one in distinct if one.imperative is imperative]
        if sum(one.fields for one in asked) > FIELDS_A_PASS:
            values |= _stacked(frame, asked, _PLACES if imperative else len(asked))
        elif asked:
            values |= values_of(asked, frame.agg(*named(asked)).collect()[0].asDict())
    return values


@dataclass(frozen=True)
class _Lane:
    """Cells of one type that are asked the same: one stack of them. Its first cell's aggregates stand for all."""

    cells: tuple[int, ...]
    """Numbers of the cells, from the first place on."""
    asked: tuple[Aggregate, ...]

    @property
    def fields(self) -> int:
        return sum(one.fields for one in self.asked)

    def cut(self, places: int) -> Iterator[_Lane]:
        """Into stacks of at most so many places."""
        for start in range(0, len(self.cells), places):
            yield _Lane(self.cells[start : start + places], self.asked)


def _stacked(frame: DataFrame, aggregates: Sequence[Aggregate], places: int) -> dict[Key, Any]:
    """In stacks of at most so many places."""
    by_cell: dict[Cell, dict[Key, Aggregate]] = {}
    keys: dict[tuple[int, Key], list[Key]] = {}
    for one in aggregates:
        by_cell.setdefault(one.cell, {}).setdefault(one.shape, one)
    numbers = {cell: number for number, cell in enumerate(by_cell)}
    for one in aggregates:
        keys.setdefault((numbers[one.cell], one.shape), []).append(one.key)
    cells = frame.select(*(cell.column.alias(f"c{number}") for cell, number in numbers.items()))
    kinds = [field.dataType.simpleString() for field in cells.schema.fields]
    values: dict[Key, Any] = {}
    lanes = list(_lanes(list(by_cell.values()), kinds))
    # A row of several values costs little more than a row of one.
    longest = max(len(lane.cells) for lane in lanes)
    beside = max(1, _FIELDS_A_ROW // sum(lane.fields for lane in lanes))
    places = min(places, -(-longest // beside))
    for one_pass in _passes(part for lane in lanes for part in lane.cut(places)):
        for cell_and_shape, value in _values(cells, one_pass):
            values |= dict.fromkeys(keys[cell_and_shape], value)
    return values


def _lanes(asked: Sequence[Mapping[Key, Aggregate]], kinds: Sequence[str]) -> Iterator[_Lane]:
    same: dict[tuple[str, frozenset[Key]], list[int]] = {}
    for number, (kind, shapes) in enumerate(zip(kinds, asked, strict=True)):
        same.setdefault((kind, frozenset(shapes)), []).append(number)
    for numbers in same.values():
        for questions in _cut(list(asked[numbers[0]].values()), FIELDS_A_PASS):
            yield _Lane(tuple(numbers), tuple(questions))


def _passes(lanes: Iterable[_Lane]) -> list[list[_Lane]]:
    """Long stacks with long ones: a pass makes as many rows of each row as its longest has places."""
    return _cut(sorted(lanes, key=lambda lane: -len(lane.cells)), FIELDS_A_PASS)


def _cut(items: Sequence[Any], most: int) -> list[list[Any]]:
    """Into lists of at most so many fields each."""
    lists: list[list[Any]] = []
    room = 0
    for item in items:
        if item.fields > room:
            lists.append([])
            room = most
        lists[-1].append(item)
        room -= item.fields
    return lists


def _values(cells: DataFrame, lanes: Sequence[_Lane]) -> Iterator[tuple[tuple[int, Key], Any]]:
    """Values by number of the cell and shape."""
    places = max(len(lane.cells) for lane in lanes)
    stacks = [
        f"array({', '.join(f'c{number}' for number in lane.cells)}) AS s{at}"
        for at, lane in enumerate(lanes)
    ]
    columns = [f"s{at}" for at in range(len(lanes))]
    rows = (
        cells.selectExpr(*stacks, f"{_APART} AS apart")
        .selectExpr(f"explode(if(apart, sequence(1, {places}), NULL)) AS place", *columns)
        .selectExpr("place", *(f"try_element_at({one}, place) AS {one}" for one in columns))
    )
    asked = [
        one.of(F.col(f"s{at}")).alias(f"s{at}a{number}")
        for at, lane in enumerate(lanes)
        for number, one in enumerate(lane.asked)
    ]
    found = {row["place"]: row for row in rows.groupBy("place").agg(*asked).collect()}
    # Without rows there are no groups; what aggregates say of nothing takes no look at the data.
    nothing = None if found else rows.limit(0).agg(*asked).collect()[0]
    for at, lane in enumerate(lanes):
        for place, cell in enumerate(lane.cells, start=1):
            row = found[place] if nothing is None else nothing
            for number, one in enumerate(lane.asked):
                yield (cell, one.shape), row[f"s{at}a{number}"]
