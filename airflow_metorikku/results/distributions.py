"""Values of analyzers that are more than one number, in the shapes of Deequ's metrics (Deequ, `metrics/`).

Each knows by `pick` which of its numbers a check means; a name that it does not have is a NoSuchValueError.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.config.words import unknown
from airflow_metorikku.errors import MetorikkuError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airflow_metorikku.config.records.analyzers.base import Pick

Number = int | float


class NoSuchValueError(MetorikkuError):
    """A distribution has no such value, bin or bucket."""


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
            raise NoSuchValueError("every value is null, so none is of a type")
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


Distribution = Histogram | Keyed
