"""What a metric value must satisfy: `>= 0.9`, `== 3`, `between 1 and 5`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import eq, ge, gt, le, lt, ne
from typing import Any, ClassVar

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_COMPARISON = re.compile(rf"\s*(==|!=|>=|<=|>|<|=)\s*({_NUMBER})\s*")
_BETWEEN = re.compile(rf"\s*between\s+({_NUMBER})\s+and\s+({_NUMBER})\s*", re.IGNORECASE)
_STRICT = re.compile(
    rf"\s*(not\s+)?strictly\s+between\s+({_NUMBER})\s+and\s+({_NUMBER})\s*", re.IGNORECASE
)
_AMONG = re.compile(
    rf"\s*(not\s+)?in\s*\[\s*({_NUMBER}(?:\s*,\s*{_NUMBER})*)\s*\]\s*", re.IGNORECASE
)
_EXPECTED = "expected one of == != >= > <= < and a number, or 'between A and B', as in '>= 0.9'"


@dataclass(frozen=True)
class Assertion:
    """A comparison with one bound, or with two; numbers are kept exactly, as Decimal."""

    operator: str
    bound: Decimal
    upper: Decimal | None = None
    others: tuple[Decimal, ...] = ()
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
            return cls(sign, Decimal(match[2]))
        if match := _BETWEEN.fullmatch(text):
            return cls.between(Decimal(match[1]), Decimal(match[2]))
        if match := _STRICT.fullmatch(text):
            return cls.inside(Decimal(match[2]), Decimal(match[3]), negated=bool(match[1]))
        if match := _AMONG.fullmatch(text):
            numbers = [Decimal(one.strip()) for one in match[2].split(",")]
            return cls.among(numbers, negated=bool(match[1]))
        raise ValueError(f"got {text!r}, {_EXPECTED}")

    @classmethod
    def between(cls, lower: Decimal, upper: Decimal) -> Assertion:
        """Both bounds included; raises ValueError when nothing can lie between them."""
        if lower > upper:
            raise ValueError(
                f"nothing lies between {lower} and {upper}; expected the lower bound first"
            )
        return cls("between", lower, upper)

    @classmethod
    def inside(cls, lower: Decimal, upper: Decimal, *, negated: bool = False) -> Assertion:
        """Both bounds left out, as DQDL's `between`; `negated`: not so. Raises ValueError when nothing lies between them."""
        if lower >= upper:
            raise ValueError(
                f"nothing lies between {lower} and {upper}, which are left out themselves; expected the lower bound first"
            )
        return cls("not strictly between" if negated else "strictly between", lower, upper)

    @classmethod
    def among(cls, numbers: Sequence[Decimal], *, negated: bool = False) -> Assertion:
        """One of some numbers; `negated`: none of them."""
        return cls("not in" if negated else "in", numbers[0], others=tuple(numbers[1:]))

    def holds(self, value: float | Decimal) -> bool:
        """Whether a value satisfies it; a float is compared as the number that its text shows. NaN satisfies only `!=`."""
        number = value if isinstance(value, Decimal) else Decimal(repr(value))
        if number.is_nan():
            return self.operator in ("!=", "not in")
        if self.operator in ("in", "not in"):
            return (number in (self.bound, *self.others)) == (self.operator == "in")
        if self.upper is not None:
            return self._within(number, self.upper)
        return self.COMPARISONS[self.operator](number, self.bound)

    def _within(self, number: Decimal, upper: Decimal) -> bool:
        if self.operator == "between":
            return self.bound <= number <= upper
        return (self.bound < number < upper) == (self.operator == "strictly between")

    def __str__(self) -> str:
        if self.operator in ("in", "not in"):
            return f"{self.operator} [{', '.join(map(str, (self.bound, *self.others)))}]"
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
