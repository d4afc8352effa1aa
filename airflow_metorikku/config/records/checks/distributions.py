"""Checks of how the values of a column are spread: `field` says what of the distribution the assertion is on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.base import Pick
from airflow_metorikku.config.records.analyzers.distributions import (
    MOST_BINS,
    Buckets,
    Histogram,
    HistogramBinned,
    Intervals,
    KLLSketch,
)
from airflow_metorikku.config.records.checks.base import COUNT, ColumnCheck, Range


@dataclass(frozen=True, kw_only=True)
class HistogramCheck(ColumnCheck):
    """A check on how often the values of a column occur."""

    RANGE: ClassVar[Range | None] = COUNT
    NEEDS_ASSERTION: ClassVar[str | None] = "<= 10"

    max_bins: int = key(
        "Values told one by one, the most frequent first; 1 to 1000.", default=MOST_BINS
    )

    def analyzer(self) -> Histogram:
        """How often each value occurs."""
        return self.made_into(Histogram)


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

    RANGE: ClassVar[Range | None] = COUNT
    NEEDS_ASSERTION: ClassVar[str | None] = ">= 10"

    def analyzer(self) -> HistogramBinned:
        """Rows in each interval."""
        return self.made_into(HistogramBinned)


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
        beyond = 2 if self.edges and self.include_overflow_bins else 0
        most = self.bin_count or len(self.edges) - 1 + beyond
        if self.bin >= most:
            raise ValueError(f"bin: got {self.bin}, expected less than {most}; the first is 0")

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

    NEEDS_ASSERTION: ClassVar[str | None] = ">= 10"

    bucket: int = key(
        "Which bucket, or which of the percentiles (0 is the first), from 0.", default=0
    )
    field: Literal["count", "low", "high", "argmax", "percentile"] = key(
        "What the assertion is on: of the bucket its rows or its bounds; the number of the fullest bucket; or a percentile.",
        default="count",
    )

    def __post_init__(self) -> None:
        Buckets.__post_init__(self)
        ColumnCheck.__post_init__(self)
        if self.bucket < 0:
            raise ValueError(f"bucket: got {self.bucket}, expected 0 or more")

    def analyzer(self) -> KLLSketch:
        """Rows in each bucket."""
        return self.made_into(KLLSketch)

    def pick(self) -> Pick:
        """What of which bucket."""
        return Pick(self.field, self.bucket)

    def subject(self) -> str:
        """The column, the bucket, and what of it."""
        return f"{self.column}, bucket {self.bucket}, {self.field}"

    def id_parts(self) -> tuple[str, ...]:
        """As the subject."""
        return self.column, str(self.bucket), self.field
