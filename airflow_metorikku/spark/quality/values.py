"""The number that an analyzer gives, and the reasons for having none."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Context, Decimal, Inexact
from typing import TYPE_CHECKING, Literal

from airflow_metorikku.config.moments import Moment
from airflow_metorikku.config.number_texts import decimal_text
from airflow_metorikku.results.distributions import Distribution, NothingToPickError

if TYPE_CHECKING:
    from airflow_metorikku.config.records.analyzers.base import Pick

_DIGITS = 38
Number = int | float | Decimal


@dataclass(frozen=True, kw_only=True)
class MetricValue:
    """A number (or a date or time), or a distribution; or none, because there were no data, or because no row was asked about."""

    number: Number | Moment | None = None
    distribution: Distribution | None = None
    none: Literal["no data", "no rows asked"] | None = None
    why: str = ""
    counted: tuple[int, int] | None = field(default=None, compare=False)
    """Of a share of rows: how many it counts, of how many."""

    def stored(self) -> int | float | Distribution | None:
        """As the history of metrics holds it; None where there is none."""
        if self.distribution is not None:
            return self.distribution
        return None if self.number is None else as_number(self.number)

    def picked(self, pick: Pick | None) -> MetricValue:
        """The number that a check means; raises NoSuchValueError where a distribution lacks it."""
        if pick is None or self.distribution is None:
            return self
        try:
            return MetricValue(number=self.distribution.pick(pick))
        except NothingToPickError as error:
            return no_data(str(error))


def no_data(why: str) -> MetricValue:
    """There is nothing to judge."""
    return MetricValue(none="no data", why=why)


def ratio(part: int, whole: int) -> MetricValue:
    """A share, as the double nearest to it."""
    return MetricValue(number=part / whole)


def share_of_columns(same: int, one: int, other: int) -> MetricValue:
    """Of two lists of columns, how many are the same: a share of the longer one, so that one column with another name is one that differs (Deequ's SchemaMatch)."""
    whole = max(one, other)
    return ratio(same, whole) if whole else no_data("neither has a column")


def share_of(part: int, whole: int) -> MetricValue:
    """A share of rows, which tells how many they are."""
    return MetricValue(number=part / whole, counted=(part, whole))


def quotient(total: Decimal | float, count: int) -> Number:
    """A mean: exact where it has at most 38 digits, else the nearest double."""
    if isinstance(total, float):
        return total / count
    context = Context(prec=_DIGITS)
    mean = context.divide(total, Decimal(count))
    return (
        float(Context(prec=_DIGITS * 2).divide(total, Decimal(count)))
        if context.flags[Inexact]
        else mean
    )


def as_result(number: Number) -> int | float:
    """As distributions and history hold it: whole numbers exactly, others as doubles."""
    if isinstance(number, Decimal):
        return int(number) if number == number.to_integral_value() else float(number)
    return number


def as_number(value: Number | Moment) -> int | float:
    """The same of dates and times too: seconds since 1970."""
    return value.epoch_seconds if isinstance(value, Moment) else as_result(value)


def as_value(value: Number | Moment) -> int | float | str:
    """As a result holds it: numbers as numbers, dates and times as ISO 8601."""
    return str(value) if isinstance(value, Moment) else as_result(value)


def as_text(number: Number | Moment) -> str:
    """For people; a double as Python writes it, so that it can be told from a count."""
    return decimal_text(number) if isinstance(number, Decimal) else str(number)
