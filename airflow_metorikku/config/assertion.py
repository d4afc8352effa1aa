"""What a metric value must satisfy: `>= 0.9`, `== 3`, `between 1 and 5`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from operator import eq, ge, gt, le, lt, ne
from typing import Any, ClassVar

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_COMPARISON = re.compile(rf"\s*(==|!=|>=|<=|>|<|=)\s*({_NUMBER})\s*")
_BETWEEN = re.compile(rf"\s*between\s+({_NUMBER})\s+and\s+({_NUMBER})\s*", re.IGNORECASE)
_EXPECTED = "expected one of == != >= > <= < and a number, or 'between A and B', as in '>= 0.9'"


@dataclass(frozen=True)
class Assertion:
    """A comparison with one bound, or with two; numbers are kept exactly, as Decimal."""

    operator: str
    bound: Decimal
    upper: Decimal | None = None

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
        raise ValueError(f"got {text!r}, {_EXPECTED}")

    @classmethod
    def between(cls, lower: Decimal, upper: Decimal) -> Assertion:
        """Both bounds included; raises ValueError when nothing can lie between them."""
        if lower > upper:
            raise ValueError(
                f"nothing lies between {lower} and {upper}; expected the lower bound first"
            )
        return cls("between", lower, upper)

    def holds(self, value: float | Decimal) -> bool:
        """Whether a value satisfies it; a float is compared as the number that its text shows. NaN satisfies only `!=`."""
        number = value if isinstance(value, Decimal) else Decimal(repr(value))
        if number.is_nan():
            return self.operator == "!="
        if self.upper is not None:
            return self.bound <= number <= self.upper
        return self.COMPARISONS[self.operator](number, self.bound)

    def __str__(self) -> str:
        if self.upper is not None:
            return f"between {self.bound} and {self.upper}"
        return f"{self.operator} {self.bound}"
