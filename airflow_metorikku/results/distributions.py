"""Values of analyzers that are more than one number, in the shapes of Deequ's metrics (Deequ, `metrics/`).

Each knows by `pick` which of its numbers a check means; a name that it does not have is a NoSuchValueError.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from airflow_metorikku.config.words import unknown
from airflow_metorikku.errors import MetorikkuError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airflow_metorikku.config.records.analyzers.base import Pick

Number = int | float
T = TypeVar("T")
_PERCENTS = 100


class NoSuchValueError(MetorikkuError):
    """A distribution has no such value, bin or bucket."""


class NothingToPickError(NoSuchValueError):
    """A distribution of no data."""


@dataclass(frozen=True, kw_only=True)
class Histogram:
    """How often each value occurs: `values` by count down, then by name; `bins` counts also those left out of them."""

    bins: int
    values: dict[str, tuple[Number, float]]
    """By value: absolute (a count, or a sum), and its ratio."""
    tail_count: int | None = None

    def pick(self, pick: Pick) -> Number:
        """`bins`, or `absolute` (`count`) or `ratio` of a value."""
        if pick.field in ("bins", "numberOfBins"):
            return self.bins
        if pick.key is None:
            raise NoSuchValueError(f"{pick.field}: which value's? give key")
        found = self.values.get(str(pick.key))
        if found is None:
            raise NoSuchValueError(unknown("value", str(pick.key), list(self.values)))
        return found[1] if pick.field == "ratio" else found[0]


@dataclass(frozen=True, kw_only=True)
class Bin:
    """One interval of numbers, `start` included, `end` only in the last one; an infinity is never included."""

    start: float
    end: float
    frequency: int
    ratio: float
    """Of all rows asked about, nulls among them."""


@dataclass(frozen=True, kw_only=True)
class HistogramBinned:
    """How many rows are in each interval; those with NaN, or outside of given edges, are in none."""

    bins: tuple[Bin, ...]
    null_count: int

    def pick(self, pick: Pick) -> Number:
        """`bins`, `nullCount`, or of a bin by its number from 0 `frequency` (`absolute`, `count`), `ratio`, `start` or `end`."""
        if pick.field in ("bins", "numberOfBins"):
            return len(self.bins)
        if pick.field == "nullCount":
            return self.null_count
        found = _numbered("bin", self.bins, pick)
        of_bin: dict[str, Number] = {
            "ratio": found.ratio,
            "start": found.start,
            "end": found.end,
        }
        return of_bin.get(pick.field, found.frequency)


@dataclass(frozen=True, kw_only=True)
class Bucket:
    """One of equally wide buckets, `low` included, `high` only in the last one."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, kw_only=True)
class KLL:
    """How many rows are in each bucket, and a sketch of the numbers: an item of `data[level]` stands for 2^level of them."""

    buckets: tuple[Bucket, ...]
    shrinking_factor: float
    sketch_size: int
    data: tuple[tuple[float, ...], ...]

    def pick(self, pick: Pick) -> Number:
        """`argmax`, `percentile` by its number from 0, or of a bucket by its number from 0 `low`, `high` or `count`."""
        if pick.field == "argmax":
            return max(range(len(self.buckets)), key=lambda i: (self.buckets[i].count, -i))
        if pick.field == "percentile":
            return _numbered("percentile", self.percentiles(), pick)
        found = _numbered("bucket", self.buckets, pick)
        of_bucket: dict[str, Number] = {"low": found.low, "high": found.high}
        return of_bucket.get(pick.field, found.count)

    def percentiles(self) -> tuple[float, ...]:
        """The smallest numbers below or at which 1, 2, ... 100 percent of the numbers lie, by the sketch."""
        weighted = sorted(
            (item, 2**level) for level, items in enumerate(self.data) for item in items
        )
        total = sum(weight for _, weight in weighted)
        found: list[float] = []
        passed = 0
        for item, weight in weighted:
            passed += weight
            while len(found) < _PERCENTS and passed * _PERCENTS >= total * (len(found) + 1):
                found.append(item)
        return tuple(found)


def _numbered(noun: str, those: Sequence[T], pick: Pick) -> T:
    number = pick.key
    if not isinstance(number, int):
        raise NoSuchValueError(f"{pick.field}: which {noun}'s? give its number, from 0")
    if not 0 <= number < len(those):
        raise NoSuchValueError(
            f"there is no {noun} {number}; there are {len(those)}, numbered from 0"
        )
    return those[number]


PARTS: dict[str, tuple[str, ...]] = {
    "Integral": ("Integral",),
    "Fractional": ("Fractional",),
    "Numeric": ("Integral", "Fractional"),
    "Boolean": ("Boolean",),
    "String": ("String",),
    "Null": ("Unknown",),
}
"""The types of values that a name of hasDataType stands for."""


@dataclass(frozen=True, kw_only=True)
class DataTypes(Histogram):
    """How many values could be read as each type; nulls are `Unknown`."""

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> DataTypes:
        """From the counts of some types; the others have none."""
        whole = sum(counts.values())
        names = ("Boolean", "Fractional", "Integral", "Unknown", "String")
        values: dict[str, tuple[Number, float]] = {
            name: (counts.get(name, 0), counts.get(name, 0) / whole) for name in names
        }
        return cls(bins=len(names), values=values, tail_count=0)

    def pick(self, pick: Pick) -> Number:
        """`share` of a type: among the values that are not null, of `Null` among all; else as any histogram."""
        if pick.field != "share":
            return super().pick(pick)
        wanted = str(pick.key)
        count = sum(self.values[name][0] for name in PARTS[wanted])
        whole = sum(absolute for absolute, _ in self.values.values())
        known = whole if wanted == "Null" else whole - self.values["Unknown"][0]
        if not known:
            raise NothingToPickError("every value is null, so none is of a type")
        return count / known


@dataclass(frozen=True, kw_only=True)
class Keyed:
    """Several numbers by name, as the quantiles of a column by `0.25`."""

    values: dict[str, Number]

    def pick(self, pick: Pick) -> Number:
        """The number of a key."""
        if pick.key is None:
            raise NoSuchValueError("which value? give key")
        found = self.values.get(str(pick.key))
        if found is None:
            raise NoSuchValueError(unknown("value", str(pick.key), list(self.values)))
        return found


Distribution = Histogram | HistogramBinned | KLL | Keyed
