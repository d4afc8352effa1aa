"""Bounds that are made of earlier values, as DQDL's dynamic rules have them: `> avg(last(3)) * 0.8`."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import add, mul, sub, truediv
from typing import ClassVar

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.document import DEEPEST
from airflow_metorikku.errors import MetorikkuError

_TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)|([A-Za-z]+)|([-+*/(),]))")
_RELATION = re.compile(
    r"\s*(==|!=|>=|<=|>|<|=|(?:not\s+)?(?:strictly\s+)?between\b)(.*)", re.DOTALL | re.IGNORECASE
)
Values = Sequence[float]
"""Before the one that is judged, oldest first."""
_Bound = Callable[[Values], float]
_SUMS: Mapping[str, Callable[[float, float], float]] = {"+": add, "-": sub}
_PRODUCTS: Mapping[str, Callable[[float, float], float]] = {"*": mul, "/": truediv}
FUNCTIONS: Mapping[str, Callable[[list[float]], float]] = {
    "avg": statistics.fmean,
    "median": statistics.median,
    "max": max,
    "min": min,
    "sum": math.fsum,
    "std": statistics.pstdev,
}
"""Of several earlier values, one number; the deviation is of the population."""
WORDS = ("last", "index", "abs", *FUNCTIONS)


class NoBoundError(MetorikkuError):
    """The earlier values give no bound, as where one would be divided by zero."""


@dataclass(frozen=True)
class PastAssertion:
    """An assertion whose bounds the earlier values give."""

    text: str
    operator: str
    bounds: tuple[_Bound, ...]
    least: int
    """Earlier values without which there is no bound."""

    RANGES: ClassVar[tuple[str, ...]] = ("between", "strictly between", "not strictly between")

    @classmethod
    def from_text(cls, text: str) -> PastAssertion:
        """Read one; raises ValueError with what was expected."""
        match = _RELATION.fullmatch(text)
        operator = " ".join(match[1].lower().split()) if match else ""
        if match is None or (operator[-1].isalpha() and operator not in cls.RANGES):
            raise ValueError(
                f"got {text!r}, expected a comparison or a range, as '> avg(last(3)) * 0.8'"
            )
        parser = _Parser(text, match[2])
        bounds = [parser.sum()]
        if operator in cls.RANGES:
            parser.word("and")
            bounds.append(parser.sum())
        parser.end()
        if not parser.least:
            raise ValueError(f"got {text!r}, which no earlier value is part of")
        operator = "==" if operator == "=" else operator
        return cls(" ".join(text.split()), operator, tuple(bounds), parser.least)

    def after(self, values: Values) -> Assertion:
        """What a value must satisfy that comes after others; raises NoBoundError."""
        try:
            bounds = [bound(values) for bound in self.bounds]
        except (ArithmeticError, ValueError) as error:
            raise NoBoundError(f"{self.text}: {error}") from error
        if odd := next((one for one in bounds if not math.isfinite(one)), None):
            raise NoBoundError(f"{self.text}: the bound is {odd}")
        lower, *upper = (Decimal(repr(one)) for one in bounds)
        # A range may be empty, as between the least and the greatest of equal values: nothing lies in it.
        return Assertion(self.operator, lower, upper[0] if upper else None)


class _Parser:
    """A position in the text of the bounds."""

    def __init__(self, whole: str, text: str) -> None:
        self.whole = whole
        self.tokens: list[tuple[str, str, str]] = []
        self.least = 0
        self.depth = 0
        at = 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            if match is None:
                raise ValueError(f"got {whole!r}: {text[at:].strip()[0]!r} is not expected there")
            self.tokens.append((match[1] or "", match[2] or "", match[3] or ""))
            at = match.end()

    @property
    def next(self) -> str:
        return "".join(self.tokens[0]) if self.tokens else "the end"

    def take(self) -> str:
        return "".join(self.tokens.pop(0))

    def wrong(self, expected: str) -> ValueError:
        return ValueError(f"got {self.whole!r}: {self.next!r} stands where {expected} is expected")

    def sign(self, *signs: str) -> str:
        """Pass one of some signs, where one comes next."""
        return self.take() if self.tokens and self.tokens[0][2] in signs else ""

    def need(self, sign: str) -> None:
        if not self.sign(sign):
            raise self.wrong(repr(sign))

    def word(self, word: str) -> None:
        if self.next.lower() != word:
            raise self.wrong(repr(word))
        self.take()

    def end(self) -> None:
        if self.tokens:
            raise self.wrong("the end")

    def sum(self) -> _Bound:
        return self.chain(_SUMS, self.product)

    def product(self) -> _Bound:
        return self.chain(_PRODUCTS, self.factor)

    def chain(
        self, signs: Mapping[str, Callable[[float, float], float]], operand: Callable[[], _Bound]
    ) -> _Bound:
        first, more = operand(), []
        while sign := self.sign(*signs):
            more.append((signs[sign], operand()))

        def found(values: Values) -> float:
            so_far = first(values)
            for operation, one in more:
                so_far = operation(so_far, one(values))
            return so_far

        return found if more else first

    def factor(self) -> _Bound:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ValueError(f"nested deeper than {DEEPEST} levels")
        found = self.one()
        self.depth -= 1
        return found

    def one(self) -> _Bound:
        if self.sign("-"):
            inner = self.factor()
            return lambda values: 0.0 - inner(values)
        if self.sign("("):
            found = self.sum()
            self.need(")")
            return found
        if self.tokens and self.tokens[0][0]:
            number = float(self.take())
            return lambda _: number
        return self.call()

    def call(self) -> _Bound:
        name = self.next.lower()
        if name not in WORDS:
            raise self.wrong(f"a number or one of {', '.join(WORDS)}")
        self.take()
        if name == "last":
            if self.count() != 1:
                raise ValueError(
                    f"got {self.whole!r}: several values are no bound, as avg(last(3)) is"
                )
            return lambda values: values[-1]
        self.need("(")
        found: _Bound = self.absolute() if name == "abs" else self.of_several(name)
        self.need(")")
        return found

    def absolute(self) -> _Bound:
        inner = self.sum()
        return lambda values: abs(inner(values))

    def of_several(self, name: str) -> _Bound:
        self.word("last")
        count = self.count()
        if name != "index":
            function = FUNCTIONS[name]
            return lambda values: function(list(values[-count:]))
        self.need(",")
        place = self.whole_number()
        if place >= count:
            raise ValueError(
                f"got {self.whole!r}: of {count} values the last is number {count - 1}"
            )
        self.least = max(self.least, place + 1)
        return lambda values: values[-1 - place]

    def count(self) -> int:
        """How many values `last(n)` is of: one without a number."""
        self.need("(")
        count = 1 if self.next == ")" else self.whole_number()
        self.need(")")
        if count < 1:
            raise ValueError(f"got {self.whole!r}: last({count}) is of no value")
        self.least = max(self.least, 1)
        return count

    def whole_number(self) -> int:
        if not self.next.isdecimal():
            raise self.wrong("a whole number")
        return int(self.take())
