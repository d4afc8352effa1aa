"""Checks of how the values of a column are spread: `field` says what of the distribution the assertion is on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.base import Pick
from airflow_metorikku.config.records.analyzers.distributions import (
    MOST_BINS,
    Buckets,
    Histogram,
    HistogramBinned,
    Intervals,
    KLLSketch,
    check_bins,
    check_max_bins,
    check_sketch,
)
from airflow_metorikku.config.records.checks.base import ColumnCheck, needs_assertion


@dataclass(frozen=True, kw_only=True)
class HistogramCheck(ColumnCheck):
    """A check on how often the values of a column occur."""

    max_bins: int = key(
        "Values told one by one, the most frequent first; 1 to 1000.", default=MOST_BINS
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        needs_assertion(self, "<= 10")
        check_max_bins(self.max_bins)

    def analyzer(self) -> Histogram:
        """How often each value occurs."""
        return Histogram(column=self.column, max_bins=self.max_bins, where_=self.where_)


@dataclass(frozen=True, kw_only=True)
class HasNumberOfDistinctValues(HistogramCheck):
    """Number of different values; null is one of them."""

    def pick(self) -> Pick:
        """Values, those beyond `maxBins` too."""
        return Pick("bins")


@dataclass(frozen=True, kw_only=True)
class HasHistogramValues(HistogramCheck):
    """How often one value occurs, as a share of the rows or as a count. `NullValue` is null; a text of that name is written `'NullValue'`, in quotes."""

    value: str = key("The value, as text.", name="key")
    field: Literal["ratio", "absolute", "count"] = key(
        "What the assertion is on: the share of the rows, or their number.", default="ratio"
    )

    def pick(self) -> Pick:
        """The value's share or count."""
        return Pick(self.field, self.value)

    def subject(self) -> str:
        """The column, the value, and what of it."""
        return f"{self.column}, {self.value}, {self.field}"

    def id_parts(self) -> tuple[str, ...]:
        """As the subject."""
        return self.column, self.value, self.field


@dataclass(frozen=True, kw_only=True)
class BinnedCheck(Intervals, ColumnCheck):
    """A check on rows in intervals of numbers."""

    def __post_init__(self) -> None:
        super().__post_init__()
        needs_assertion(self, ">= 10")
        check_bins(self.bin_count, self.edges, overflow=self.include_overflow_bins)

    def analyzer(self) -> HistogramBinned:
        """Rows in each interval."""
        return HistogramBinned(
            column=self.column,
            bin_count=self.bin_count,
            edges=self.edges,
            include_overflow_bins=self.include_overflow_bins,
            where_=self.where_,
        )


@dataclass(frozen=True, kw_only=True)
class HasHistogramBinnedValues(BinnedCheck):
    """Rows in one interval of numbers: each holds its lower bound, the last one also its upper."""

    bin: int = key("Which interval, from 0.")
    field: Literal["frequency", "absolute", "count", "ratio"] = key(
        "What the assertion is on: the number of rows, or their share.", default="frequency"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bin < 0:
            raise ValueError(f"bin: got {self.bin}, expected 0 or more")

    def pick(self) -> Pick:
        """The interval's count or share."""
        return Pick(self.field, self.bin)

    def subject(self) -> str:
        """The column, the interval, and what of it."""
        return f"{self.column}, bin {self.bin}, {self.field}"

    def id_parts(self) -> tuple[str, ...]:
        """As the subject."""
        return self.column, str(self.bin), self.field


@dataclass(frozen=True, kw_only=True)
class HasHistogramBinnedBins(BinnedCheck):
    """Number of intervals: fewer than `binCount` only where all numbers are the same, or there are none."""

    def pick(self) -> Pick:
        """The number of intervals."""
        return Pick("bins")


@dataclass(frozen=True, kw_only=True)
class KllSketchSatisfies(Buckets, ColumnCheck):
    """Rows in one of equally wide buckets from the least number to the greatest; or the fullest bucket, or a percentile."""

    bucket: int = key(
        "Which bucket, or which of the percentiles (0 is the first), from 0.", default=0
    )
    field: Literal["count", "low", "high", "argmax", "percentile"] = key(
        "What the assertion is on: of the bucket its rows or its bounds; the number of the fullest bucket; or a percentile.",
        default="count",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        needs_assertion(self, ">= 10")
        check_sketch(self.sketch_size, self.shrinking_factor, self.number_of_buckets)
        if self.bucket < 0:
            raise ValueError(f"bucket: got {self.bucket}, expected 0 or more")

    def analyzer(self) -> KLLSketch:
        """Rows in each bucket."""
        return KLLSketch(
            column=self.column,
            sketch_size=self.sketch_size,
            shrinking_factor=self.shrinking_factor,
            number_of_buckets=self.number_of_buckets,
            where_=self.where_,
        )

    def pick(self) -> Pick:
        """What of which bucket."""
        return Pick(self.field, self.bucket)

    def subject(self) -> str:
        """The column, the bucket, and what of it."""
        return f"{self.column}, bucket {self.bucket}, {self.field}"

    def id_parts(self) -> tuple[str, ...]:
        """As the subject."""
        return self.column, str(self.bucket), self.field
