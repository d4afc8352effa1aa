"""Values of analyzers that are more than one number, in the shapes of Deequ's metrics (Deequ, `metrics/`).

Each knows by `pick` which of its numbers a check means; a name that it does not have is a NoSuchValueError.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.config.words import unknown
from airflow_metorikku.errors import MetorikkuError

if TYPE_CHECKING:
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


Distribution = Histogram
