"""What a metric value must satisfy: `>= 0.9`, `== 3`, `between 1 and 5`, `< 2024-02-01`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from operator import eq, ge, gt, le, lt, ne
from typing import Any, ClassVar

from airflow_metorikku.config.moments import Moment
from airflow_metorikku.errors import MetorikkuError

_NOT_FINITE = ("NaN", "Infinity", "-Infinity")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_VALUE = rf"{_NUMBER}|{Moment.TEXT}"
_COMPARISON = re.compile(rf"\s*(==|!=|>=|<=|>|<|=)\s*({_VALUE})\s*")
_BETWEEN = re.compile(rf"\s*between\s+({_VALUE})\s+and\s+({_VALUE})\s*", re.IGNORECASE)
_STRICT = re.compile(
    rf"\s*(not\s+)?strictly\s+between\s+({_VALUE})\s+and\s+({_VALUE})\s*", re.IGNORECASE
)
_AMONG = re.compile(
    rf"\s*(not\s+)?in\s*\[\s*((?:{_VALUE})(?:\s*,\s*(?:{_VALUE}))*)\s*\]\s*", re.IGNORECASE
)
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
    others: tuple[Bound, ...] = ()
    """Of `in` and `not in`: what stands beside the first."""

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
        if match := _STRICT.fullmatch(text):
            return cls.inside(_bound(match[2]), _bound(match[3]), negated=bool(match[1]))
        if match := _AMONG.fullmatch(text):
            values = [_bound(one.strip()) for one in match[2].split(",")]
            return cls.among(values, negated=bool(match[1]))
        raise ValueError(f"got {text!r}, {_EXPECTED}")

    @classmethod
    def between(cls, lower: Bound, upper: Bound) -> Assertion:
        """Both bounds included; raises ValueError when nothing can lie between them."""
        _require_alike(lower, upper)
        if lower > upper:  # type: ignore[operator]  # both are of one type
            raise ValueError(
                f"nothing lies between {lower} and {upper}; expected the lower bound first"
            )
        return cls("between", lower, upper)

    @classmethod
    def inside(cls, lower: Bound, upper: Bound, *, negated: bool = False) -> Assertion:
        """Both bounds left out, as DQDL's `between`; `negated`: not so. Raises ValueError when nothing lies between them."""
        _require_alike(lower, upper)
        if lower >= upper:  # type: ignore[operator]  # both are of one type
            raise ValueError(
                f"nothing lies between {lower} and {upper}, which are left out themselves; expected the lower bound first"
            )
        return cls("not strictly between" if negated else "strictly between", lower, upper)

    @classmethod
    def among(cls, values: Sequence[Bound], *, negated: bool = False) -> Assertion:
        """One of some values; `negated`: none of them."""
        for other in values[1:]:
            _require_alike(values[0], other)
        return cls("not in" if negated else "in", values[0], others=tuple(values[1:]))

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """What values are compared with."""
        upper = () if self.upper is None else (self.upper,)
        return (self.bound, *upper, *self.others)

    def holds(self, value: float | Decimal | Moment | str) -> bool:
        """Whether a value satisfies it; a float is compared as the number that its text shows. NaN satisfies only `!=` and `not in`.

        :param value: a number, or the text of one that is not finite; or a date or time, which may be its text.
        :raises NotComparableError: a number is to be compared with a date.
        """
        given: Any = value
        if isinstance(value, str):
            given = Decimal(value) if value in _NOT_FINITE else Moment.from_text(value)
        if not isinstance(given, Decimal | Moment):
            given = Decimal(repr(given))
        if isinstance(given, Moment) != isinstance(self.bound, Moment):
            kind = "a date or time" if isinstance(given, Moment) else "a number"
            raise NotComparableError(f"the value {value} is {kind}, which {self} says nothing of")
        if isinstance(given, Decimal) and given.is_nan():
            return self.operator in ("!=", "not in")
        if self.operator in ("in", "not in"):
            return (given in self.bounds) == (self.operator == "in")
        if self.upper is not None:
            return self._within(given)
        return self.COMPARISONS[self.operator](given, self.bound)

    def tells_whole_numbers_apart(self) -> bool:
        """Whether some whole numbers satisfy it and others do not: `== 1.5` and `between 1.2 and 1.8` say nothing of a count."""
        if isinstance(self.bound, Moment):
            return True
        if self.operator in ("==", "!=", "in", "not in"):
            return any(bound == _up(bound) for bound in self.bounds)
        if self.upper is None:
            return True
        first, upper = _up(self.bound), Decimal(str(self.upper))
        if self.operator == "between":
            return first <= upper
        return (first + 1 if first == self.bound else first) < upper

    def _within(self, given: Any) -> bool:
        if self.operator == "between":
            return bool(self.bound <= given <= self.upper)
        return bool(self.bound < given < self.upper) == (self.operator == "strictly between")

    def __str__(self) -> str:
        if self.operator in ("in", "not in"):
            return f"{self.operator} [{', '.join(map(str, self.bounds))}]"
        if self.upper is not None:
            return f"{self.operator} {self.bound} and {self.upper}"
        return f"{self.operator} {self.bound}"


def assertions_of(thresholds: Mapping[str, str] | None) -> dict[str, Assertion]:
    """Read assertions; raises ValueError that names the constraint."""
    read = {}
    for name, text in (thresholds or {}).items():
        try:
            read[name] = Assertion.from_text(str(text))
        except ValueError as error:
            raise ValueError(f"thresholds: {name}: {error}") from None
    return read


def _bound(text: str) -> Bound:
    return Decimal(text) if re.fullmatch(_NUMBER, text) else Moment.from_text(text)


def _up(number: Any) -> Decimal:
    """The least whole number that is not below it; a Decimal, as its int may have a million digits."""
    return Decimal(number).to_integral_value(ROUND_CEILING)


def _require_alike(one: Bound, other: Bound) -> None:
    if isinstance(one, Moment) != isinstance(other, Moment):
        raise ValueError(f"{one} and {other} are not both numbers, nor both dates")
