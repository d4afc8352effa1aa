"""Analyzers of how the values of a column are spread."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.base import ColumnAnalyzer, Cost

MOST_BINS = 1000
MOST_BUCKETS = 100
SKETCH_SIZE = 2048
SHRINKING_FACTOR = Decimal("0.64")
_FEWEST_EDGES = 2
_FEWEST_WITH_OVERFLOW = 3


@dataclass(frozen=True, kw_only=True)
class Intervals:
    """Intervals of numbers."""

    bin_count: int | None = key("Number of intervals, 1 to 1000.", default=None)
    edges: tuple[Decimal, ...] = key(
        "Bounds of the intervals in any order; values outside are in none of them.", default=()
    )
    include_overflow_bins: bool = key(
        "One more interval on each side, to the infinities; of `binCount` they take two.",
        default=False,
    )


@dataclass(frozen=True, kw_only=True)
class Buckets:
    """Equally wide buckets of numbers, and the sketch beside them."""

    sketch_size: int = key("Numbers that the sketch keeps.", default=SKETCH_SIZE)
    shrinking_factor: Decimal = key("Told in the metric, as in Deequ.", default=SHRINKING_FACTOR)
    number_of_buckets: int = key("Number of buckets, 1 to 100.", default=MOST_BUCKETS)

    def __post_init__(self) -> None:
        size, factor, buckets = self.sketch_size, self.shrinking_factor, self.number_of_buckets
        if size < 1:
            raise ValueError(f"sketchSize: got {size}, expected 1 or more")
        if not 0 < factor < 1:
            raise ValueError(f"shrinkingFactor: got {factor}, expected more than 0, less than 1")
        if not 1 <= buckets <= MOST_BUCKETS:
            raise ValueError(f"numberOfBuckets: got {buckets}, expected 1 to {MOST_BUCKETS}")


@dataclass(frozen=True, kw_only=True)
class Histogram(ColumnAnalyzer):
    """How often each value occurs, null among them as `NullValue`; ratios are of the rows asked about."""

    COST: ClassVar[Cost] = "grouped"

    max_bins: int = key(
        "Values told one by one, the most frequent first; 1 to 1000.", default=MOST_BINS
    )
    sum_of: str | None = key(
        "Numeric column: instead of its rows each value counts the sum of that column.",
        default=None,
    )

    def __post_init__(self) -> None:
        if not 1 <= self.max_bins <= MOST_BINS:
            raise ValueError(f"maxBins: got {self.max_bins}, expected 1 to {MOST_BINS}")


@dataclass(frozen=True, kw_only=True)
class HistogramBinned(Intervals, ColumnAnalyzer):
    """Rows in each interval of numbers: `binCount` equally wide ones from the least to the greatest, or between given `edges`."""

    COST: ClassVar[Cost] = "query"

    def __post_init__(self) -> None:
        count, edges = self.bin_count, self.edges
        if (count is None) == (not edges):
            raise ValueError("needs binCount or edges")
        if count is not None and not 1 <= count <= MOST_BINS:
            raise ValueError(f"binCount: got {count}, expected 1 to {MOST_BINS}")
        if count is not None and self.include_overflow_bins and count < _FEWEST_WITH_OVERFLOW:
            raise ValueError(
                f"binCount: got {count}, expected {_FEWEST_WITH_OVERFLOW} or more with includeOverflowBins, "
                "which takes two of them"
            )
        if edges and not _FEWEST_EDGES <= len(edges) <= MOST_BINS + 1:
            raise ValueError(
                f"edges: got {len(edges)}, expected {_FEWEST_EDGES} to {MOST_BINS + 1}"
            )
        if len(set(edges)) != len(edges):
            raise ValueError("edges: a number stands twice")


@dataclass(frozen=True, kw_only=True)
class KLLSketch(Buckets, ColumnAnalyzer):
    """Rows in equally wide buckets from the least number to the greatest, counted exactly, and a sketch of the percentiles."""

    COST: ClassVar[Cost] = "query"

    @property
    def name(self) -> str:
        """As Deequ names it."""
        return "KLL"
