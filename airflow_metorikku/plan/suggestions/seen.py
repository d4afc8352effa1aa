"""What a rule sees of a column, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.results.profiles import ColumnProfile, Numbers

_DIGITS = 3


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A column's profile, and the rows that it is of."""

    column: ColumnProfile
    rows: int

    @property
    def numbers(self) -> Numbers:
        """Of a column of numbers; nothing is known of another's."""
        return self.column.numbers or Numbers()

    @property
    def is_complete(self) -> bool:
        """Whether there is no null."""
        return self.column.nulls == 0 and self.rows > 0

    @property
    def has_number_type(self) -> bool:
        """Whether its type in Spark is one of numbers: what compares numbers reads no texts."""
        return self.column.is_numeric and not self.column.inferred


@dataclass(frozen=True)
class Found:
    """What a rule found: the check by its name and keys, what was seen, and why."""

    check: str
    current: str
    why: str
    keys: dict[str, Any]


def exact(number: float | Decimal) -> Decimal:
    """The number that a text of it shows."""
    return number if isinstance(number, Decimal) else Decimal(repr(number))


def bound(operator: str, number: float | Decimal) -> Assertion:
    """An assertion with one bound."""
    return Assertion(operator, exact(number))


def around(low: Decimal, high: Decimal, scale: Decimal) -> Assertion:
    """Rounded outward, to some digits of what the numbers differ by."""
    if not scale:
        return Assertion("==", low)
    unit = Decimal(1).scaleb(scale.adjusted() - _DIGITS + 1)
    wide = Context(prec=400)
    return Assertion.between(
        *(
            wide.multiply(wide.divide(end, unit).to_integral_value(rounding), unit)
            for end, rounding in ((low, ROUND_FLOOR), (high, ROUND_CEILING))
        )
    )
