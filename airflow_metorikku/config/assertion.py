"""What a metric value must satisfy: `>= 0.9`, `== 3`, `between 1 and 5`, `< 2024-02-01`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from operator import eq, ge, gt, le, lt, ne
from typing import Any, ClassVar

from airflow_metorikku.config.moments import Moment
from airflow_metorikku.errors import MetorikkuError

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_VALUE = rf"{_NUMBER}|{Moment.TEXT}"
_COMPARISON = re.compile(rf"\s*(==|!=|>=|<=|>|<|=)\s*({_VALUE})\s*")
_BETWEEN = re.compile(rf"\s*between\s+({_VALUE})\s+and\s+({_VALUE})\s*", re.IGNORECASE)
_EXPECTED = (
    "expected one of == != >= > <= < and a number or a date, or 'between A and B', as in '>= 0.9'"
)
Bound = Decimal | Moment


class NotComparableError(MetorikkuError):
    """A value that an assertion says nothing of: a date against a number."""


@dataclass(frozen=True)
class Assertion:
    """A comparison with one bound, or with two; numbers are kept exactly, as Decimal, dates and times as instants."""

    operator: str
    bound: Bound
    upper: Bound | None = None

    COMPARISONS: ClassVar[dict[str, Callable[[Any, Any], bool]]] = {
        "==": eq,
        "!=": ne,
        ">=": ge,
        ">": gt,
        "<=": le,
        "<": lt,
    }

    @classmethod
    def from_text(cls, text: str) -> Assertion:
        """Read an assertion; raises ValueError with what was expected."""
        if match := _COMPARISON.fullmatch(text):
            sign = "==" if match[1] == "=" else match[1]
            return cls(sign, _bound(match[2]))
        if match := _BETWEEN.fullmatch(text):
            return cls.between(_bound(match[1]), _bound(match[2]))
        raise ValueError(f"got {text!r}, {_EXPECTED}")

    @classmethod
    def between(cls, lower: Bound, upper: Bound) -> Assertion:
        """Both bounds included; raises ValueError when nothing can lie between them."""
        if isinstance(lower, Moment) != isinstance(upper, Moment):
            raise ValueError(f"{lower} and {upper} are not both numbers, nor both dates")
        if lower > upper:  # type: ignore[operator]  # both are of one type
            raise ValueError(
                f"nothing lies between {lower} and {upper}; expected the lower bound first"
            )
        return cls("between", lower, upper)

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """What values are compared with."""
        return (self.bound,) if self.upper is None else (self.bound, self.upper)

    def holds(self, value: float | Decimal | Moment | str) -> bool:
        """Whether a value satisfies it; a float is compared as the number that its text shows. NaN satisfies only `!=`.

        :param value: a number; or a date or time, which may be its text.
        :raises NotComparableError: a number is to be compared with a date.
        """
        given: Any = Moment.from_text(value) if isinstance(value, str) else value
        if not isinstance(given, Decimal | Moment):
            given = Decimal(repr(given))
        if isinstance(given, Moment) != isinstance(self.bound, Moment):
            kind = "a date or time" if isinstance(given, Moment) else "a number"
            raise NotComparableError(f"the value {value} is {kind}, which {self} says nothing of")
        if isinstance(given, Decimal) and given.is_nan():
            return self.operator == "!="
        if self.upper is not None:
            return bool(self.bound <= given <= self.upper)
        return self.COMPARISONS[self.operator](given, self.bound)

    def __str__(self) -> str:
        if self.upper is not None:
            return f"between {self.bound} and {self.upper}"
        return f"{self.operator} {self.bound}"


def _bound(text: str) -> Bound:
    return Decimal(text) if re.fullmatch(_NUMBER, text) else Moment.from_text(text)
