"""A column against bounds of the user's, exactly: a bound meets the column's own type, never another that may round or overflow."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import (
    ByteType,
    DataType,
    DateType,
    DecimalType,
    IntegerType,
    LongType,
    ShortType,
    TimestampNTZType,
    TimestampType,
)

from airflow_metorikku.config.moments import Moment

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column

    from airflow_metorikku.config.assertion import Assertion, Bound
    from airflow_metorikku.spark.quality.columns import FoundColumn

_BITS: dict[type[DataType], int] = {ByteType: 8, ShortType: 16, IntegerType: 32, LongType: 64}
_EXACT = Context(prec=400)
MOMENTS = (DateType, TimestampType, TimestampNTZType)


def too_low(found: FoundColumn, assertion: Assertion) -> Column | None:
    """Values that alone keep the smallest of all from an assertion, null for null; None where no value does, as of `<= 5`."""
    bound = assertion.bound
    told: dict[str, Callable[[], Column]] = {
        ">=": lambda: ~at_least(found, bound),
        ">": lambda: ~at_least(found, bound, included=False),
        "==": lambda: ~at_least(found, bound),
        "!=": lambda: at_least(found, bound) & at_most(found, bound),
        "between": lambda: ~at_least(found, bound),
    }
    return told[assertion.operator]() if assertion.operator in told else None


def too_high(found: FoundColumn, assertion: Assertion) -> Column | None:
    """Values that alone keep the largest of all from an assertion, null for null; None where no value does, as of `>= 5`."""
    bound = assertion.bound if assertion.upper is None else assertion.upper
    told: dict[str, Callable[[], Column]] = {
        "<=": lambda: ~at_most(found, bound),
        "<": lambda: ~at_most(found, bound, included=False),
        "==": lambda: ~at_most(found, bound),
        "!=": lambda: at_least(found, bound) & at_most(found, bound),
        "between": lambda: ~at_most(found, bound),
    }
    return told[assertion.operator]() if assertion.operator in told else None


def at_least(found: FoundColumn, bound: Bound, *, included: bool = True) -> Column:
    """Whether a value is not below a bound, or above one that is not included; null for null."""
    grid = _grid(found.type)
    if grid is None or isinstance(bound, Moment):
        value, limit = _pair(found, bound)
        return value >= limit if included else value > limit
    step, most = grid
    first = _on_grid(bound, step, ROUND_CEILING if included else ROUND_FLOOR)
    first = first if included else first + step
    return _compared(found, first, -most - step, most, lambda value, limit: value >= limit)


def at_most(found: FoundColumn, bound: Bound, *, included: bool = True) -> Column:
    """Whether a value is not above a bound, or below one that is not included; null for null."""
    grid = _grid(found.type)
    if grid is None or isinstance(bound, Moment):
        value, limit = _pair(found, bound)
        return value <= limit if included else value < limit
    step, most = grid
    last = _on_grid(bound, step, ROUND_FLOOR if included else ROUND_CEILING)
    last = last if included else last - step
    return ~_compared(found, last + step, -most - step, most, lambda value, limit: value >= limit)


def _compared(
    found: FoundColumn,
    first: Decimal,
    least: Decimal,
    most: Decimal,
    compare: Callable[[Column, Column], Column],
) -> Column:
    """Whether a value is `first` or more; what no value of the type reaches, or all do, is known without looking."""
    if first > most or first <= least:
        return F.when(found.column.isNotNull(), F.lit(first <= least))
    return compare(found.column, F.lit(f"{first:f}").cast(found.type))


def _on_grid(bound: Decimal, step: Decimal, rounding: str) -> Decimal:
    """The next number that the type has."""
    return bound.quantize(step, rounding=rounding, context=_EXACT)


def _grid(kind: DataType) -> tuple[Decimal, Decimal] | None:
    """Distance between numbers of a type, and the largest; None for those that float."""
    if isinstance(kind, DecimalType):
        step = Decimal(1).scaleb(-kind.scale)
        return step, step * (10**kind.precision - 1)
    bits = _BITS.get(type(kind))
    return (Decimal(1), Decimal(2 ** (bits - 1) - 1)) if bits else None


def _pair(found: FoundColumn, bound: Bound) -> tuple[Column, Column]:
    if not isinstance(bound, Moment):
        return found.column.cast("double"), F.lit(float(bound))
    if isinstance(found.type, TimestampType):
        return found.column, F.timestamp_micros(F.lit(bound.micros))
    # A date is its midnight, a time without a zone is one of UTC: neither asks the session's zone.
    text = str(Moment(bound.micros)).removesuffix("Z").replace("T", " ")
    return found.column.cast("timestamp_ntz"), F.lit(text).cast("timestamp_ntz")
