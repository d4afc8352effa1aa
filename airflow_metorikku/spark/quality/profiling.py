"""A data frame's profile (Deequ, `profiles/ColumnProfiler`), in five passes over its rows whatever the number of columns.

1. completeness, types and lengths of texts, and all that is known of numbers;
2. about how many values there are;
3. numbers in texts that all are numbers, where there are such;
4. quantiles of numbers;
5. the values of columns that have few.

Where sketches of numbers are asked for, three more: their ends, rows in buckets, and ranks. A pass is cut only where
columns have many types, about five of numbers (`scanning`), never for their number.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.records.analyzers import numbers as of_numbers
from airflow_metorikku.config.records.analyzers import quantiles as of_quantiles
from airflow_metorikku.config.records.analyzers import texts as of_texts
from airflow_metorikku.config.records.analyzers.rows import Completeness
from airflow_metorikku.results.distributions import Keyed
from airflow_metorikku.results.profiles import ColumnProfile, Numbers, Profile, ValueCount
from airflow_metorikku.spark.analysis import Analysis, analyze
from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.quality.buckets import number_of, sketch
from airflow_metorikku.spark.quality.comparing import MOMENTS
from airflow_metorikku.spark.quality.profiled_columns import (
    NUMERIC,
    ProfiledColumn,
    decided,
    profiled_columns,
    type_name,
)
from airflow_metorikku.spark.quality.value_counts import Counts, count_values
from airflow_metorikku.spark.sums import is_summable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import DataFrame

    from airflow_metorikku.config.records.analyzers.base import Analyzer
    from airflow_metorikku.config.records.analyzers.distributions import Buckets
    from airflow_metorikku.results.distributions import KLL

_NUMBERS: dict[str, type[Any]] = {
    "minimum": of_numbers.Minimum,
    "maximum": of_numbers.Maximum,
    "range": of_numbers.Range,
    "mean": of_numbers.Mean,
    "sum": of_numbers.Sum,
    "std_dev": of_numbers.StandardDeviation,
    "variance": of_numbers.Variance,
    "skewness": of_numbers.Skewness,
    "kurtosis": of_numbers.Kurtosis,
    "zeros_count": of_numbers.ZerosCount,
}
_PERCENTILES = tuple(Decimal(percent) / 100 for percent in range(1, 100))
_FIRST_QUARTER, _LAST_QUARTER = 24, 74
LONGEST_VALUE = 1000
"""Characters of the longest text of a column whose values are counted: longer ones are no categories."""


def profile_of(
    frame: DataFrame,
    *,
    name: str,
    columns: Sequence[str],
    most_values: int,
    kll: Buckets | None = None,
) -> Profile:
    """The profile, with a sketch of each column of numbers where `kll` says how; raises MetorikkuError for a column that is not there, and where the data frame cannot be read."""
    looked_at = profiled_columns(frame, name, columns)
    first = analyze(frame, name, (one for column in looked_at for one in _asked_first(column)))
    known = [_Known(column, first, most_values) for column in looked_at]
    numeric = [one for one in known if one.data_type in NUMERIC]
    second = Analysis(rows=first.rows, values={})
    sketches: dict[str, KLL | None] = {}
    if numeric and first.rows:
        numbers = frame.select(
            *(one.column.read_as(one.data_type).alias(one.column.name) for one in numeric)
        )
        second = analyze(numbers, name, (ask for one in numeric for ask in _asked_second(one)))
        sketches = _sketches(numbers, kll) if kll else {}
    few = [one for one in known if one.has_few_values] if first.rows else []
    counts = count_values(frame, [one.column for one in few])
    counted = dict(zip((one.column.name for one in few), counts, strict=True))
    return Profile(
        data_frame=name,
        rows=first.rows,
        columns=tuple(
            _profile(one, second, counted.get(one.column.name), sketches.get(one.column.name))
            for one in known
        ),
    )


def _sketches(numbers: DataFrame, kll: Buckets) -> dict[str, KLL | None]:
    values = [number_of(numbers[quoted(each.name)], each.dataType) for each in numbers.schema]
    return dict(zip(numbers.columns, sketch(numbers, values, kll), strict=True))


def _asked_first(column: ProfiledColumn) -> Iterator[Analyzer]:
    if column.problem:
        return
    name = column.name
    yield Completeness(column=name)
    if column.can_be_counted:
        yield of_quantiles.ApproxCountDistinct(column=name)
    if column.is_text:
        yield of_texts.DataType(column=name)
        yield of_texts.MinLength(column=name)
        yield of_texts.MaxLength(column=name)
    elif is_summable(column.type):
        yield from (record(column=name) for record in _NUMBERS.values())
    elif isinstance(column.type, MOMENTS):
        yield of_numbers.Minimum(column=name)
        yield of_numbers.Maximum(column=name)


def _asked_second(known: _Known) -> Iterator[Analyzer]:
    name = known.column.name
    if known.column.is_text:
        yield from (record(column=name) for record in _NUMBERS.values())
    yield of_quantiles.ApproxQuantiles(column=name, quantiles=_PERCENTILES)
    if known.has_few_values:
        yield of_quantiles.InterquartileRange(column=name)


@dataclass(frozen=True)
class _Known:
    """What the first analysis tells of a column."""

    column: ProfiledColumn
    first: Analysis
    most_values: int

    def number(self, record: type[Any]) -> Any:
        return self.first.value(record(column=self.column.name)).number

    @cached_property
    def _decided(self) -> tuple[str, tuple[str, ...]]:
        if not self.column.is_text:
            return type_name(self.column.type), ()
        types = self.first.value(of_texts.DataType(column=self.column.name))
        return decided(types.distribution)

    @property
    def data_type(self) -> str:
        return self._decided[0]

    @property
    def types(self) -> tuple[str, ...]:
        return self._decided[1]

    @property
    def distinct(self) -> int | None:
        """About how many values there are; none where all are null."""
        if not self.first.rows or self.column.problem or not self.column.can_be_counted:
            return None
        return int(self.number(of_quantiles.ApproxCountDistinct) or 0)

    @property
    def has_few_values(self) -> bool:
        """Whether its values are counted."""
        longest = self.number(of_texts.MaxLength) if self.column.is_text else None
        return (
            self.column.has_single_values
            and self.distinct is not None
            and self.distinct <= self.most_values
            and (longest or 0) <= LONGEST_VALUE
        )


def _profile(
    known: _Known, second: Analysis, counts: Counts | None, kll: KLL | None
) -> ColumnProfile:
    column, rows = known.column, known.first.rows
    share = known.number(Completeness)
    is_moment = isinstance(column.type, MOMENTS)
    why_not = (*known.first.why_not((column.name,)), *second.why_not((column.name,)))
    return ColumnProfile(
        column=column.name,
        type=column.type.simpleString(),
        data_type=known.data_type,
        inferred=column.is_text,
        types=known.types,
        completeness=share,
        nulls=None if share is None else rows - round(share * rows),
        approximate_distinct=known.distinct,
        histogram=None if counts is None else _histogram(counts, rows),
        min_length=known.number(of_texts.MinLength),
        max_length=known.number(of_texts.MaxLength),
        earliest=_text(known.number(of_numbers.Minimum)) if is_moment else None,
        latest=_text(known.number(of_numbers.Maximum)) if is_moment else None,
        numbers=_numbers(known, second, kll) if known.data_type in NUMERIC else None,
        remarks=tuple(dict.fromkeys([*([column.problem] if column.problem else []), *why_not])),
    )


def _text(moment: Any) -> str | None:
    return None if moment is None else str(moment)


def _histogram(counts: Counts, rows: int) -> tuple[ValueCount, ...]:
    """By count down, then by text; null stands where its count has it."""
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0] is None, one[0] or ""))
    return tuple(ValueCount(value=value, count=n, ratio=n / rows) for value, n in ordered)


def _numbers(known: _Known, second: Analysis, kll: KLL | None) -> Numbers:
    name = known.column.name
    analysis = second if known.column.is_text else known.first
    found: dict[str, Any] = {
        key: analysis.value(record(column=name)).number for key, record in _NUMBERS.items()
    }
    quantiles = second.value(of_quantiles.ApproxQuantiles(column=name, quantiles=_PERCENTILES))
    near = quantiles.distribution
    percentiles = tuple(near.values.values()) if isinstance(near, Keyed) else ()
    middle: Any = second.value(of_quantiles.InterquartileRange(column=name)).number
    if middle is None and percentiles:
        middle = percentiles[_LAST_QUARTER] - percentiles[_FIRST_QUARTER]
    return Numbers(**found, interquartile_range=middle, percentiles=percentiles, kll=kll)
