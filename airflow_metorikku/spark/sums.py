"""Sums that are exact however many rows there are: no wrapping at 64 bits, no null beyond 38 digits, no rounding of whole numbers.

A whole number is summed in slices of its bits, and so are the digits of a decimal that fit one; a wide decimal is
in two slices of its digits. Each slice's sum fits its type for 2^40 rows, and Python puts them together. Floating
point sums as Spark does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F
from pyspark.sql.types import (
    ByteType,
    DataType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
)

from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.spark.aggregates import Aggregate, Cell, Key
from airflow_metorikku.spark.jvm import unscaled

if TYPE_CHECKING:
    from pyspark.sql import Column

Number = Decimal | float
_EXACT = Context(prec=120)
_LONG_DIGITS = 18
"""Decimals up to here are whole numbers of 64 bits within Spark, which sum ten times as fast as decimals."""
_PLAIN_DIGITS = 28
"""Decimals up to here sum in 38 digits for 10^10 rows."""
_WHOLE = (ByteType, ShortType, IntegerType, LongType)
_SLICES: dict[type[DataType], tuple[int, ...]] = {LongType: (42, 21, 0), IntegerType: (16, 0)}
"""First bit of each slice; shorter types are one slice."""
_FLOATING = (FloatType, DoubleType)


class TooWideError(MetorikkuError):
    """A sum that no type of Spark holds."""


@dataclass(frozen=True, kw_only=True)
class Sum:
    """Aggregates, and how their values make the sum: None when every value is null."""

    aggregates: tuple[Aggregate, ...]
    of: Callable[[Mapping[Key, Any]], Number | None]


def is_whole(kind: DataType) -> bool:
    """Whether a column of this type holds whole numbers only, by the type alone."""
    return isinstance(kind, _WHOLE)


def is_summable(kind: DataType) -> bool:
    """Whether `exact_sum` takes a column of this type."""
    return isinstance(kind, (*_WHOLE, *_FLOATING, DecimalType))


def exact_sum(value: Column, kind: DataType, key: Key, *, absolute: bool = False) -> Sum:
    """Sum of a numeric column, or of its absolute values; `key` tells one column (and condition) from another."""
    key = ("sum", absolute, *key)
    if isinstance(kind, _FLOATING):
        return _one(value, key, fields=1, absolute=absolute)
    if isinstance(kind, DecimalType):
        if kind.precision <= _LONG_DIGITS:
            return _sum_of_digits(value, kind, key, absolute=absolute)
        if absolute and kind.precision > _PLAIN_DIGITS:
            return _absolute_wide_sum(value, kind, key)
        return _decimal_sum(value, kind, key, absolute=absolute)
    return _whole_sum(_cell(value, key), kind, key, absolute=absolute)


def _one(value: Column, key: Key, *, fields: int, absolute: bool) -> Sum:
    aggregate = Aggregate(
        key=key,
        cell=_cell(value, key),
        shape=("sum", absolute),
        of=lambda value: F.sum(F.abs(value) if absolute else value),
        fields=fields,
    )
    return Sum(aggregates=(aggregate,), of=lambda values: values[key])


def _cell(value: Column, key: Key) -> Cell:
    """The value that is summed: `key` is that of the sum, whose first two parts say how."""
    return Cell(key=key[2:], column=value)


def _whole_sum(cell: Cell, kind: DataType, key: Key, *, absolute: bool) -> Sum:
    """By slices of bits: 22, 21 and 21 of 64, 16 and 16 of 32; the first one carries the sign."""
    shifts = _SLICES.get(type(kind), (0,))

    def slice_of(number: int) -> Aggregate:
        shift = shifts[number]
        bits = shifts[number - 1] - shift if number else None
        return Aggregate(
            key=(*key, shift),
            cell=cell,
            shape=("sum of bits", shift, bits, absolute),
            of=lambda value: _sum_of_bits(value, shift, bits, absolute=absolute),
        )

    aggregates = [slice_of(number) for number in range(len(shifts))]

    def of(values: Mapping[Key, Any]) -> Decimal | None:
        slices = [values[aggregate.key] for aggregate in aggregates]
        if slices[0] is None:
            return None
        return Decimal(sum(part << shift for part, shift in zip(slices, shifts, strict=True)))

    return Sum(aggregates=tuple(aggregates), of=of)


def _sum_of_bits(value: Column, shift: int, bits: int | None, *, absolute: bool) -> Column:
    """Of so many bits above the first ones; of all of them where `bits` is None."""
    wide = value.cast("bigint")
    part = F.shiftright(wide, shift) if shift else wide
    if bits is not None:
        part = part.bitwiseAND(F.lit((1 << bits) - 1).cast("bigint"))
    if absolute:
        # The smallest number of a type has no positive counterpart in it, each of its slices has.
        part = F.when(value < 0, -part).otherwise(part)
    return F.sum(part)


def _sum_of_digits(value: Column, kind: DecimalType, key: Key, *, absolute: bool) -> Sum:
    cell = Cell(key=("digits", *key[2:]), column=unscaled(value.cast(kind)))
    digits = _whole_sum(cell, LongType(), key, absolute=absolute)

    def of(values: Mapping[Key, Any]) -> Decimal | None:
        total = digits.of(values)
        return None if total is None else Decimal(total).scaleb(-kind.scale, _EXACT)

    return Sum(aggregates=digits.aggregates, of=of)


def _decimal_sum(value: Column, kind: DecimalType, key: Key, *, absolute: bool = False) -> Sum:
    if kind.precision <= _PLAIN_DIGITS:
        return _one(value, key, fields=2, absolute=absolute)
    if kind.scale >= _PLAIN_DIGITS:
        return _checked_sum(value, key)
    # value = high * unit + low; both slices fit 38 digits for 10^9 rows.
    unit = Decimal(10) ** (_PLAIN_DIGITS - kind.scale)
    divisor = F.lit(unit).cast(f"decimal({_PLAIN_DIGITS - kind.scale + 1},0)")
    cell = _cell(value, key)
    low = Aggregate(
        key=(*key, "low"),
        cell=cell,
        shape=("sum below", unit),
        of=lambda value: F.sum(value % divisor),
        fields=2,
    )
    high = Aggregate(
        key=(*key, "high"),
        cell=cell,
        shape=("sum above", unit),
        of=lambda value: F.sum(F.call_function("div", value, divisor)),
    )

    def of(values: Mapping[Key, Any]) -> Decimal | None:
        if values[low.key] is None:
            return None
        return _EXACT.add(_EXACT.multiply(Decimal(values[high.key]), unit), values[low.key])

    return Sum(aggregates=(low, high), of=of)


def _absolute_wide_sum(value: Column, kind: DecimalType, key: Key) -> Sum:
    """Of each sign by itself: Spark rounds `abs` and `-` to 34 digits."""
    positive = _decimal_sum(F.when(value >= 0, value), kind, (*key, "positive"))
    negative = _decimal_sum(F.when(value < 0, value), kind, (*key, "negative"))

    def of(values: Mapping[Key, Any]) -> Decimal | None:
        above, below = positive.of(values), negative.of(values)
        if above is None and below is None:
            return None
        return _EXACT.subtract(Decimal(above or 0), Decimal(below or 0))

    return Sum(aggregates=(*positive.aggregates, *negative.aggregates), of=of)


def _checked_sum(value: Column, key: Key) -> Sum:
    """Of decimals with hardly a digit before the point: a sum that Spark cannot hold is an error, never null."""
    cell = _cell(value, key)
    total = Aggregate(
        key=(*key, "total"), cell=cell, shape=("sum or null",), of=F.try_sum, fields=2
    )
    count = Aggregate(key=(*key, "count"), cell=cell, shape=("count",), of=F.count)

    def of(values: Mapping[Key, Any]) -> Decimal | None:
        if values[total.key] is None and values[count.key]:
            raise TooWideError(
                "the sum has more digits than a decimal of Spark; cast the column to fewer decimal places"
            )
        found: Decimal | None = values[total.key]
        return found

    return Sum(aggregates=(total, count), of=of)
