"""What is known of the columns of a data frame: a profile, with Deequ's keys where it goes out as JSON (Deequ, `profiles/`)."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from airflow_metorikku.results.distributions import KLL

if TYPE_CHECKING:
    from collections.abc import Iterator

Number = int | float | Decimal

INTEGRAL, FRACTIONAL, BOOLEAN, STRING, UNKNOWN = (
    "Integral",
    "Fractional",
    "Boolean",
    "String",
    "Unknown",
)
MOST_VALUES = 120
"""A column with about so many values, or fewer, has its values counted (Deequ's threshold)."""
# The name that Deequ gives null among the values of a histogram.
NULL = "NullValue"


@dataclass(frozen=True, kw_only=True)
class ValueCount:
    """How often a value occurs, `ratio` of all rows. The value is its text in Spark; None for null."""

    value: str | None
    count: int
    ratio: float


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """Of the values that are numbers: exact for whole numbers and decimals where it says so nowhere else; None where there is no value."""

    minimum: Number | None = None
    maximum: Number | None = None
    range: Number | None = None
    mean: Number | None = None
    sum: Number | None = None
    std_dev: Number | None = None
    """Of the population, as the next three."""
    variance: Number | None = None
    skewness: Number | None = None
    kurtosis: Number | None = None
    zeros_count: Number | None = None
    interquartile_range: Number | None = None
    """Exact where there is a histogram, else from a sketch of ranks."""
    percentiles: tuple[float, ...] = ()
    """The 1st to the 99th; as exact as the range between quartiles."""
    kll: KLL | None = None
    """Rows in equally wide buckets, and a sketch; where it was asked for."""


@dataclass(frozen=True, kw_only=True)
class ColumnProfile:
    """One column, or one field of a struct."""

    column: str
    """Its name as a check takes it: a field of a struct is `a.b`."""
    type: str
    """Spark's name of its type, as `decimal(10,2)`."""
    data_type: str
    """`Integral`, `Fractional`, `Boolean`, `String` as in Deequ, and of other types their own name; `Unknown` of texts that are all null."""
    inferred: bool = False
    """Whether the type is read from the texts of the column."""
    types: tuple[str, ...] = ()
    """All types that its texts have, where there are several beside null."""
    completeness: float | None = None
    """Share of rows in which it is not null; None without rows."""
    nulls: int | None = None
    approximate_distinct: int | None = None
    histogram: tuple[ValueCount, ...] | None = None
    """All values, by count down, then by text, where they are few."""
    min_length: int | None = None
    max_length: int | None = None
    earliest: str | None = None
    latest: str | None = None
    """First and last date or timestamp, as ISO 8601 has them."""
    numbers: Numbers | None = None
    remarks: tuple[str, ...] = ()
    """Why something is not known, a sentence each."""

    @property
    def values(self) -> tuple[ValueCount, ...]:
        """The histogram without null; nothing where there is none."""
        return tuple(one for one in self.histogram or () if one.value is not None)

    @property
    def distinct(self) -> int | None:
        """How many different values there are beside null: exact where there is a histogram, else about."""
        return self.approximate_distinct if self.histogram is None else len(self.values)

    @property
    def is_numeric(self) -> bool:
        """Whether its values are numbers, or texts that all can be read as such."""
        return self.data_type in (INTEGRAL, FRACTIONAL)


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A data frame: how many rows, and its columns in their order."""

    data_frame: str
    rows: int
    columns: tuple[ColumnProfile, ...]

    def column(self, name: str) -> ColumnProfile:
        """The column of a name; raises KeyError with the names that there are."""
        for one in self.columns:
            if one.column == name:
                return one
        known = ", ".join(one.column for one in self.columns)
        raise KeyError(f"no column {name!r} in the profile; it has {known}")

    def to_json(self) -> str:
        """Deequ's JSON, `{"columns": [...]}`, with keys of ours beside; what is not known is left out, NaN and infinities are texts."""
        data = {
            "rows": self.rows,
            "columns": [dict(_keys(one)) for one in self.columns],
        }
        return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)


def _keys(one: ColumnProfile) -> Iterator[tuple[str, Any]]:
    numbers = one.numbers or Numbers()
    found: list[tuple[str, Any]] = [
        ("column", one.column),
        ("dataType", one.data_type),
        ("isDataTypeInferred", "true" if one.inferred else "false"),
        ("completeness", one.completeness),
        ("approximateNumDistinctValues", one.approximate_distinct),
        ("histogram", _histogram(one)),
        ("zerosCount", numbers.zeros_count),
        ("mean", numbers.mean),
        ("maximum", numbers.maximum if one.latest is None else one.latest),
        ("minimum", numbers.minimum if one.earliest is None else one.earliest),
        ("range", numbers.range),
        ("interquartileRange", numbers.interquartile_range),
        ("sum", numbers.sum),
        ("stdDev", numbers.std_dev),
        ("variance", numbers.variance),
        ("skewness", numbers.skewness),
        ("kurtosis", numbers.kurtosis),
        ("kll", _kll(numbers.kll)),
        ("approxPercentiles", list(numbers.percentiles) or None),
        ("type", one.type),
        ("minLength", one.min_length),
        ("maxLength", one.max_length),
        ("remarks", list(one.remarks) or None),
    ]
    return ((key, as_json(value)) for key, value in found if value is not None)


def _histogram(one: ColumnProfile) -> list[dict[str, Any]] | None:
    if one.histogram is None:
        return None
    return [dict(_counted(each)) for each in one.histogram]


def _kll(kll: KLL | None) -> dict[str, Any] | None:
    """With the names that Deequ's profiles have, which are not those of its repository; the numbers of the sketch are a text there."""
    if kll is None:
        return None
    return {
        "buckets": [
            {"low_value": one.low, "high_value": one.high, "count": one.count}
            for one in kll.buckets
        ],
        "sketch": {
            "parameters": {"c": kll.shrinking_factor, "k": float(kll.sketch_size)},
            "data": json.dumps(as_json([list(level) for level in kll.data]), separators=(",", ":")),
        },
    }


def _counted(one: ValueCount) -> Iterator[tuple[str, Any]]:
    """Deequ's keys; beside its name for null the mark that tells it from a text of that name."""
    yield "value", NULL if one.value is None else one.value
    yield "count", one.count
    yield "ratio", one.ratio
    if one.value is None:
        yield "isNull", True


def as_json(value: Any) -> Any:
    """A number as JSON has it: whole numbers exactly, others as doubles; what is no number there, as a text."""
    if isinstance(value, Decimal):
        value = int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, list):
        return [as_json(one) for one in value]
    if isinstance(value, dict):
        return {key: as_json(one) for key, one in value.items()}
    return value
