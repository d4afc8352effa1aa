"""Smallest and largest values, of numbers, dates and timestamps."""

from __future__ import annotations

from decimal import Context, Decimal
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F
from pyspark.sql.types import DateType, StringType, TimestampNTZType, TimestampType

from airflow_metorikku.config.moments import Moment
from airflow_metorikku.spark.aggregates import Aggregate, Cell
from airflow_metorikku.spark.quality.cleaned import cleaned
from airflow_metorikku.spark.quality.comparing import MOMENTS
from airflow_metorikku.spark.quality.subject import (
    Subject,
    computed,
    numeric,
    wrong_type,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column
    from pyspark.sql.types import DataType

    from airflow_metorikku.config.records.analyzers.numbers import Maximum, Minimum, Range
    from airflow_metorikku.config.records.analyzers.texts import MaxLength, MinLength
    from airflow_metorikku.spark.asks import Ask
    from airflow_metorikku.spark.quality.columns import FoundColumn
    from airflow_metorikku.spark.quality.values import MetricValue, Number

_EXACT = Context(prec=120)
_LARGEST = 1.7976931348623157e308
"""The largest double, which Deequ takes for the length of a null that is to fail."""


def minimum(analyzer: Minimum, subject: Subject) -> Ask[MetricValue]:
    """Smallest value."""
    return _extreme("min", F.min, analyzer, subject)


def maximum(analyzer: Maximum, subject: Subject) -> Ask[MetricValue]:
    """Largest value; NaN is the largest of all, as in Spark."""
    return _extreme("max", F.max, analyzer, subject)


def range_(analyzer: Range, subject: Subject) -> Ask[MetricValue]:
    """Largest value less the smallest."""
    found = numeric(analyzer.column, subject, analyzer)
    low = _aggregate("min", F.min, found, subject)
    high = _aggregate("max", F.max, found, subject)

    def value(values: Any) -> Number | None:
        smallest, largest = values[low.key], values[high.key]
        if smallest is None:
            return None
        if isinstance(smallest, Decimal):
            return _EXACT.subtract(largest, smallest)
        difference: int | float = largest - smallest
        return difference

    return computed(subject, (low, high), value, analyzer.column)


def min_length(analyzer: MinLength, subject: Subject) -> Ask[MetricValue]:
    """Characters of the shortest text."""
    return _length("min", F.min, analyzer, subject, failing=-_LARGEST)


def max_length(analyzer: MaxLength, subject: Subject) -> Ask[MetricValue]:
    """Characters of the longest text."""
    return _length("max", F.max, analyzer, subject, failing=_LARGEST)


def length_of(analyzer: MinLength | MaxLength, found: FoundColumn) -> Column:
    """Characters of a text, by what null is; raises WrongTypeError for what is no text."""
    if not isinstance(found.type, StringType):
        raise wrong_type(
            analyzer.column, found.type, "a column of texts; cast it in the step's SQL"
        )
    length = F.length(cleaned(found, analyzer).column)
    return F.coalesce(length, F.lit(0)) if analyzer.null_behavior == "EmptyString" else length


def _length(
    name: str,
    function: Callable[[Column], Column],
    analyzer: MinLength | MaxLength,
    subject: Subject,
    *,
    failing: float,
) -> Ask[MetricValue]:
    found = subject.columns.find(analyzer.column)
    length = length_of(analyzer, found)
    path = cleaned(found, analyzer).path
    asked = subject.where_text, path, analyzer.null_behavior
    extreme = Aggregate(
        key=(f"{name} length", *asked),
        cell=Cell(key=("length", *asked), column=subject.only(length)),
        shape=(name,),
        of=function,
    )
    if analyzer.null_behavior != "Fail":
        return computed(subject, (extreme,), lambda values: values[extreme.key], analyzer.column)
    null = subject.count(length.isNull(), "null length", path)

    def value(values: Any) -> Number | None:
        longest: int | None = values[extreme.key]
        return failing if values[null.key] else longest

    return computed(subject, (extreme, null), value, analyzer.column)


def _extreme(
    name: str,
    function: Callable[[Column], Column],
    analyzer: Minimum | Maximum,
    subject: Subject,
) -> Ask[MetricValue]:
    found = subject.columns.find(analyzer.column)
    if not isinstance(found.type, MOMENTS):
        found = numeric(analyzer.column, subject, analyzer)
    aggregate = _aggregate(name, function, found, subject)
    moment = _MOMENTS.get(type(found.type))

    def value(values: Any) -> Any:
        got = values[aggregate.key]
        return got if got is None or moment is None else moment(got)

    return computed(subject, (aggregate,), value, analyzer.column)


def _aggregate(
    name: str, function: Callable[[Column], Column], found: FoundColumn, subject: Subject
) -> Aggregate:
    told = _TOLD.get(type(found.type))
    return Aggregate(
        key=(name, subject.where_text, found.path),
        cell=subject.cell(found),
        shape=(name, told is not None),
        of=lambda value: told(function(value)) if told else function(value),
    )


# Python's dates end with the year 9999, and its times know no zone of the session's: numbers and texts cross.
_TOLD: dict[type[DataType], Callable[[Column], Column]] = {
    DateType: F.unix_date,
    TimestampType: F.unix_micros,
    TimestampNTZType: lambda value: value.cast("string"),
}
_MOMENTS: dict[type[DataType], Callable[[Any], Moment]] = {
    DateType: Moment.of_days,
    TimestampType: Moment,
    TimestampNTZType: Moment.from_text,
}
