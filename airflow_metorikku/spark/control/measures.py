"""The seven control types of Atum: what each computes, and its value in Atum's texts.

Sums are exact, where Atum's wrap, overflow to null or keep a narrow type; ANSI mode changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F
from pyspark.sql.types import (
    BooleanType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    StringType,
    TimestampType,
)

from airflow_metorikku.config.records.controls import CONTROL_TYPES
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.results.reconcile import NOT_MEASURED
from airflow_metorikku.results.records import ControlValue
from airflow_metorikku.spark.aggregates import ROWS, Key, count_rows
from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.control.texts import double_text, total_text
from airflow_metorikku.spark.grouping import Wanted, grouping_of
from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.quality.subject import holds_map, wrong_type
from airflow_metorikku.spark.sums import Sum, exact_sum, is_summable

if TYPE_CHECKING:
    from collections.abc import Callable
    from decimal import Decimal

    from pyspark.sql import Column, DataFrame

    from airflow_metorikku.spark.quality.columns import Columns, FoundColumn

_TEXT_NUMBER = DecimalType(38, 18)
# In keys these stand where checks have the text of their `where`, which no text with a NUL is.
_CRC, _TRUNCATED = "\0crc32", "\0truncated"
_LONG = 2.0**63
_PLAIN_SCALE = 6
"""Up to here Java writes a decimal without an exponent, whatever its value."""


class MeasureError(MetorikkuError):
    """A control that cannot be measured on this data frame."""


@dataclass(frozen=True, kw_only=True)
class ControlRequest:
    """One control to measure, for one checkpoint."""

    checkpoint: str
    name: str
    type: str
    column: str

    @property
    def is_grouped(self) -> bool:
        """Whether it costs a shuffle of its own."""
        return self.type == "distinctCount"


@dataclass(frozen=True, kw_only=True)
class MeasuredControl:
    """A control's value; `error` says why there is none; a sum of floating point depends on the order of the rows."""

    checkpoint: str
    value: ControlValue
    error: str = ""
    is_floating: bool = False


@dataclass(frozen=True)
class Text:
    """A control's value as Atum writes it."""

    text: str
    is_floating: bool = False


def ask(request: ControlRequest, _frame: DataFrame, columns: Columns) -> Ask[Text]:
    """What a control needs of the data frame; raises MetorikkuError where there is nothing to measure."""
    kind = KINDS.get(request.type)
    if kind is None:
        raise MeasureError(
            f"the control type {request.type!r} is unknown, so nothing was measured; known are {', '.join(CONTROL_TYPES)}"
        )
    return kind(request.column, columns)


def measured(request: ControlRequest, asked: Ask[Text] | str, facts: Facts) -> MeasuredControl:
    """The control's value, or N/A and why."""
    error = asked if isinstance(asked, str) else ""
    got = Text(NOT_MEASURED)
    if isinstance(asked, Ask):
        try:
            got = asked.answer(facts)
        except MetorikkuError as why:
            error = str(why)
    return MeasuredControl(
        checkpoint=request.checkpoint,
        error=error,
        is_floating=got.is_floating,
        value=ControlValue(
            name=request.name, type=request.type, column=request.column, value=got.text
        ),
    )


def _count(column: str, columns: Columns) -> Ask[Text]:
    if column != "*":
        columns.find(column)
    return Ask(aggregates=(count_rows(),), answer=lambda facts: Text(str(facts.values[ROWS])))


def _distinct_count(column: str, columns: Columns) -> Ask[Text]:
    found = (
        [columns.find(quoted(name)) for name in columns.names]
        if column == "*"
        else [columns.find(column)]
    )
    for part in found:
        if holds_map(part.type):
            raise wrong_type(
                ".".join(part.path), part.type, "a column that can be compared; maps cannot"
            )
    if not found:
        return Ask(
            aggregates=(count_rows(),),
            answer=lambda facts: Text("1" if facts.values[ROWS] else "0"),
        )
    grouping = grouping_of(found)
    return Ask(
        grouping=grouping,
        wanted=Wanted(enough="distinct"),
        aggregates=grouping.scouts,
        answer=lambda facts: Text(str(facts.keys[grouping].keys)),
    )


def _hash(column: str, columns: Columns) -> Ask[Text]:
    """CRC32 of the text of each value, summed; no text at all where every value is null."""
    found = _one_column(column, columns)
    crc = F.crc32(_as_text(found))
    # 32 bits without a sign. One long would hold the sum of 2^31 rows; two of the halves hold any.
    total = exact_sum(crc, IntegerType(), (_CRC, found.path))
    return Ask(
        aggregates=total.aggregates, answer=lambda facts: _text(total.of(facts.values), null="")
    )


def _total(*, absolute: bool) -> Callable[[str, Columns], Ask[Text]]:
    def total(column: str, columns: Columns) -> Ask[Text]:
        found = _one_column(column, columns)
        value, kind = found.column, found.type
        if isinstance(kind, StringType):
            value, kind = _number_in_text(found), _TEXT_NUMBER
        elif isinstance(kind, TimestampType) and not absolute:
            value, kind = found.column.cast("double"), DoubleType()
        if not is_summable(kind):
            raise wrong_type(column, kind, "a number or a text")
        return _of_sum(exact_sum(value, kind, (_kind_key(found), found.path), absolute=absolute))

    return total


def _truncated_total(*, absolute: bool) -> Callable[[str, Columns], Ask[Text]]:
    def total(column: str, columns: Columns) -> Ask[Text]:
        found = _one_column(column, columns)
        key: Key = (_TRUNCATED, found.path)
        kind = found.type
        if isinstance(kind, DateType):
            # Spark has no number for a date: to Atum each is null.
            return Ask(answer=lambda _: Text("0"))
        if isinstance(kind, FloatType | DoubleType):
            return _truncated_floating(found.column.cast("double"), key, absolute=absolute)
        if isinstance(kind, StringType | DecimalType):
            number = _number_in_text(found) if isinstance(kind, StringType) else found.column
            wide = _TEXT_NUMBER if isinstance(kind, StringType) else kind
            # Toward zero, where a cast would round.
            whole = F.when(number < 0, F.ceil(number)).otherwise(F.floor(number))
            return _of_sum(
                exact_sum(
                    whole,
                    DecimalType(min(38, wide.precision - wide.scale + 1), 0),
                    key,
                    absolute=absolute,
                )
            )
        if isinstance(kind, BooleanType | TimestampType):
            return _of_sum(
                exact_sum(found.column.cast("bigint"), LongType(), key, absolute=absolute)
            )
        if not is_summable(kind):
            raise wrong_type(column, kind, "a number or a text")
        return _of_sum(exact_sum(found.column, kind, (None, found.path), absolute=absolute))

    return total


KINDS: dict[str, Callable[[str, Any], Ask[Text]]] = {
    "count": _count,
    "distinctCount": _distinct_count,
    "aggregatedTotal": _total(absolute=False),
    "absAggregatedTotal": _total(absolute=True),
    "aggregatedTruncTotal": _truncated_total(absolute=False),
    "absAggregatedTruncTotal": _truncated_total(absolute=True),
    "hashCrc32": _hash,
}


def _one_column(column: str, columns: Columns) -> FoundColumn:
    if column == "*":
        raise MeasureError("a total or hash of '*' says nothing; expected a column")
    return columns.find(column)


def _kind_key(found: FoundColumn) -> str | None:
    """None for plain numbers, whose sums checks share."""
    return None if is_summable(found.type) else f"\0{found.type.simpleString()}"


def _of_sum(total: Sum) -> Ask[Text]:
    return Ask(
        aggregates=total.aggregates, answer=lambda facts: _text(total.of(facts.values), null="0")
    )


def _text(total: Decimal | float | None, *, null: str) -> Text:
    if total is None:
        return Text(null)
    return Text(total_text(total), is_floating=isinstance(total, float))


def _number_in_text(found: FoundColumn) -> Column:
    """Texts as Atum reads them, null where they are no number; before Spark 4 this cast is known only to SQL."""
    return F.expr(f"try_cast({'.'.join(map(quoted, found.path))} AS {_TEXT_NUMBER.simpleString()})")


def _truncated_floating(value: Column, key: Key, *, absolute: bool) -> Ask[Text]:
    """Each number is truncated; those beyond 64 bits have no fraction, and sum as doubles. NaN counts as 0, as in Atum."""
    within = F.abs(value) < _LONG
    small = exact_sum(F.when(within, value.cast("bigint")), LongType(), key, absolute=absolute)
    large = exact_sum(
        F.when(~within & ~F.isnan(value), value), DoubleType(), (*key, "large"), absolute=absolute
    )

    def answer(facts: Facts) -> Text:
        whole, beyond = small.of(facts.values), large.of(facts.values)
        if beyond is None:
            return _text(whole, null="0")
        return Text(double_text(float(beyond) + float(whole or 0)), is_floating=True)

    return Ask(aggregates=(*small.aggregates, *large.aggregates), answer=answer)


def _as_text(found: FoundColumn) -> Column:
    """As Spark 3.2 casts to text: a small decimal with an exponent, which ANSI mode writes out."""
    if isinstance(found.type, DecimalType) and found.type.scale > _PLAIN_SCALE:
        return F.when(found.column.isNotNull(), F.format_string("%s", found.column))
    return found.column.cast("string")
