"""Numbers of columns in equally wide intervals, counted, and sketches of them: several columns take as many jobs as one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F
from pyspark.sql.types import DoubleType, FloatType

from airflow_metorikku.results.distributions import KLL, Bucket
from airflow_metorikku.spark.aggregates import Aggregate, Cell
from airflow_metorikku.spark.scanning import compute

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType

    from airflow_metorikku.config.records.analyzers.distributions import Buckets

_ACCURACY = 10000
Intervals = list[tuple[float, float, int]]
"""Lower and upper edge, and rows between them."""
Level = tuple[float, ...]


def number_of(column: Column, kind: DataType) -> Column:
    """A column of numbers as a double, NaN as null."""
    if isinstance(kind, FloatType | DoubleType):
        value = column.cast("double")
        return F.when(~F.isnan(value), value)
    return column.cast("double")


def sketch(frame: DataFrame, values: Sequence[Column], asked: Buckets) -> list[KLL | None]:
    """Buckets and a sketch of each column of doubles, None of one without a number; Spark's own errors pass through."""
    found = spread(frame, values, asked.number_of_buckets)
    known = [number for number, intervals in enumerate(found) if intervals]
    counts = [sum(rows for _, _, rows in found[number]) for number in known]
    items = _items(frame, [values[number] for number in known], counts, asked.sketch_size)
    of_column = dict(zip(known, items, strict=True))
    return [
        KLL(
            buckets=tuple(Bucket(low=low, high=high, count=n) for low, high, n in intervals),
            shrinking_factor=float(asked.shrinking_factor),
            sketch_size=asked.sketch_size,
            data=of_column[number],
        )
        if intervals
        else None
        for number, intervals in enumerate(found)
    ]


def spread(frame: DataFrame, values: Sequence[Column], count: int) -> list[Intervals]:
    """Rows of each column in equally wide intervals from its least finite number to its greatest; infinities are in the first and the last. None without numbers."""
    ends = _ends(frame, values)
    lines = {number: _Line(*each, count) for number, each in enumerate(ends) if each}
    counts = _counts(frame, values, lines) if lines else {}

    def intervals(number: int, line: _Line) -> Intervals:
        edges = enumerate(pairwise(line.edges))
        return [(low, high, counts.get((number, place), 0)) for place, (low, high) in edges]

    return [
        intervals(number, lines[number]) if number in lines else [] for number in range(len(values))
    ]


def _counts(
    frame: DataFrame, values: Sequence[Column], lines: Mapping[int, _Line]
) -> dict[tuple[int, int], int]:
    """Rows by column and interval. The rule stands once for all columns: many of it would be more code than Java takes."""
    cells = [F.struct(F.lit(number).alias("c"), values[number].alias("v")) for number in lines]
    cell = cells[0] if len(cells) == 1 else F.explode(F.array(*cells))
    counted = (
        frame.select(cell.alias("cell"))
        .select("cell.*")
        .where(F.col("v").isNotNull())
        .groupBy("c", _interval(lines).alias("b"))
        .agg(F.count(F.lit(1)).alias("n"))
    )
    return {(row["c"], row["b"]): row["n"] for row in counted.collect()}


def _ends(frame: DataFrame, values: Sequence[Column]) -> list[tuple[float, float] | None]:
    """The least and the greatest finite number of each; without one there is no line to divide but that between the infinities."""

    def finite(value: Column) -> Column:
        return F.when(F.abs(value) < inf, value)

    shapes: dict[str, Callable[[Column], Column]] = {
        "least": lambda value: F.min(finite(value)),
        "most": lambda value: F.max(finite(value)),
        "count": F.count,
    }
    facts = compute(
        frame,
        (
            Aggregate(
                key=(name, number), cell=Cell(key=(number,), column=value), shape=(name,), of=of
            )
            for number, value in enumerate(values)
            for name, of in shapes.items()
        ),
    )

    def ends(number: int) -> tuple[float, float] | None:
        least: float | None = facts["least", number]
        if not facts["count", number]:
            return None
        return (-inf, inf) if least is None else (least + 0.0, facts["most", number] + 0.0)

    return [ends(number) for number in range(len(values))]


@dataclass(frozen=True)
class _Line:
    """Numbers from the least to the greatest, in so many equal parts."""

    least: float
    most: float
    count: int

    @property
    def width(self) -> float:
        width = (self.most - self.least) / self.count
        return width if isfinite(width) else self.most / self.count - self.least / self.count

    @property
    def is_divided(self) -> bool:
        """Whether there is anything between the ends that Spark can tell apart."""
        return 0 < self.width < inf

    @property
    def edges(self) -> list[float]:
        inner = (self.least + number * self.width for number in range(1, self.count))
        return [self.least, *inner, self.most]


# In the place of a column without a number, which has no row here.
_NONE = _Line(0.0, 0.0, 1)


def _interval(lines: Mapping[int, _Line]) -> Column:
    """Number of the interval of column `c` that holds `v`, by the very edges that are told: a division alone may miss by one."""
    value = F.col("v")

    def of_column(told: Callable[[_Line], float | bool]) -> Column:
        if len(lines) == 1:
            return F.lit(told(*lines.values()))
        of_numbers = [told(lines[n]) if n in lines else told(_NONE) for n in range(max(lines) + 1)]
        return F.array(*map(F.lit, of_numbers))[F.col("c")]

    last = F.lit(next(iter(lines.values())).count - 1)
    least, most = of_column(lambda line: line.least), of_column(lambda line: line.most)
    width = of_column(lambda line: line.width if line.is_divided else 1.0)
    kept = F.greatest(F.least(value, most), least)
    # The distance of two doubles may be none.
    near = of_column(lambda line: isfinite(line.most - line.least))
    steps = F.when(near, (kept - least) / width).otherwise(kept / width - least / width)
    guess = F.greatest(F.least(F.floor(steps).cast("int"), last), F.lit(0))
    below = (guess > 0) & (value < least + guess * width)
    above = (guess < last) & (value >= least + (guess + 1) * width)
    found = F.when(below, guess - 1).when(above, guess + 1).otherwise(guess)
    ends = F.when(value < most, F.lit(0)).otherwise(last)
    return F.when(of_column(lambda line: line.is_divided), found).otherwise(ends)


def _items(
    frame: DataFrame, values: Sequence[Column], counts: Sequence[int], size: int
) -> list[tuple[Level, ...]]:
    """Of each column at most `size` numbers at equal distances in the sorted ones, each for 2^level of them; all of them where they fit."""
    levels = [max(0, (count - 1) // size).bit_length() for count in counts]

    def sketch_of(number: int, value: Column, items: int) -> Aggregate:
        return Aggregate(
            key=("sketch", number),
            cell=Cell(key=(number,), column=value),
            shape=("sketch", items),
            of=lambda value: F.percentile_approx(value, _shares(items), max(_ACCURACY, size)),
            imperative=True,
        )

    asked = zip(values, counts, levels, strict=True)
    found: dict[Any, list[float]] = compute(
        frame,
        (
            sketch_of(number, value, max(1, count >> level))
            for number, (value, count, level) in enumerate(asked)
        ),
    )
    return [
        (*(() for _ in range(level)), tuple(found["sketch", number]))
        for number, level in enumerate(levels)
    ]


def _shares(items: int) -> Column:
    """Ranks in the middles of so many equal parts. Thousands of literals would cost seconds a column, one text does not."""
    text = ",".join(repr((place + 0.5) / items) for place in range(items))
    return F.split(F.lit(text), ",").cast("array<double>")
