"""Share of rows whose value, or its length, stands in a relation to given ones (DQDL's ColumnValues and ColumnLength)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Literal

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.java_regex import mistake_in
from airflow_metorikku.config.records.analyzers.base import ColumnAnalyzer, Cost

Relation = Literal[
    "==", "!=", ">", ">=", "<", "<=", "between", "not between", "in", "not in", "matches",
    "not matches",
]  # fmt: skip
Missing = Literal["null", "empty", "whitespace"]
TIME = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?"
    r"|now\(\)(?: [-+] \d{1,9} (?:day|hour|minute)s?)?"
)
_RANGE = 2
_LISTS = ("in", "not in")
_RANGES = ("between", "not between")
_PATTERNS = ("matches", "not matches")


@dataclass(frozen=True, kw_only=True)
class Related:
    """Keys of a relation, and of what stands in it."""

    operator: Relation = key("The relation.")
    numbers: tuple[Decimal, ...] = key("Numbers; a text is compared as one.", default=())
    texts: tuple[str, ...] = key("Texts, or the pattern.", default=())
    times: tuple[str, ...] = key(
        "Dates, times, or `now() - 3 days`; a date is compared with dates.", default=()
    )
    missing: tuple[Missing, ...] = key(
        "`null`, the `empty` text, or a text of `whitespace` only, beside what else is listed.",
        default=(),
    )

    def check_relation(self) -> None:
        """Raise ValueError for values that the relation does not take."""
        kinds = [kind for kind in (self.numbers, self.texts, self.times) if kind]
        if len(kinds) > 1:
            raise ValueError("expected one of numbers, texts and times")
        if odd := next((time for time in self.times if not TIME.fullmatch(time)), None):
            raise ValueError(
                f"times: got {odd!r}, expected one as 2026-01-31, 2026-01-31 06:00:00 or now() - 3 days"
            )
        self._check_count(len(kinds[0]) if kinds else 0)
        if self.operator in _RANGES and self.numbers and self.numbers[0] > self.numbers[1]:
            low, high = self.numbers
            raise ValueError(
                f"nothing lies between {low} and {high}; expected the lower bound first"
            )

        if self.operator in _PATTERNS and (mistake := mistake_in(self.texts[0])):
            raise ValueError(f"texts: {mistake}")

    def _check_count(self, count: int) -> None:
        """Raise ValueError for more or fewer values than a relation takes."""
        operator, missing = self.operator, len(self.missing)
        if operator in _PATTERNS:
            if (len(self.texts), missing) != (1, 0):
                raise ValueError(f"{operator} needs one pattern, in texts")
        elif operator in _RANGES:
            if (count, missing) != (_RANGE, 0) or self.texts:
                raise ValueError(f"{operator} needs two numbers, or two times")
        elif operator in _LISTS:
            if not count + missing:
                raise ValueError(f"{operator} needs at least one value")
        elif count + missing != 1 or (missing and operator not in ("==", "!=")):
            raise ValueError(f"{operator} needs one value")

    @property
    def condition(self) -> str:
        """For people: `between 1 and 5`."""
        words = {"null": "NULL", "empty": "EMPTY", "whitespace": "WHITESPACES_ONLY"}
        given = [
            *(f"{number:f}" for number in self.numbers),
            *(f'"{text}"' for text in self.texts),
            *self.times,
            *(words[one] for one in self.missing),
        ]
        if self.operator in _RANGES:
            return f"{self.operator} {given[0]} and {given[1]}"
        shown = f"[{', '.join(given)}]" if self.operator in _LISTS else given[0]
        return f"{self.operator} {shown}"


@dataclass(frozen=True, kw_only=True)
class ColumnValues(Related, ColumnAnalyzer):
    """Share of rows whose value stands in a relation to given ones.

    As in DQDL a null fails, but passes `!=` and `not in` unless it is listed; a range leaves its bounds out;
    a pattern must match the whole text; a null has the length 0.
    """

    COST: ClassVar[Cost] = "risky"

    of: Literal["value", "length"] = key("What is compared.", default="value")

    def __post_init__(self) -> None:
        if self.of == "length" and (self.texts or self.times or self.missing):
            raise ValueError("a length is compared with numbers")
        self.check_relation()

    @property
    def instance(self) -> str:
        """The column, and what is asked of it."""
        subject = f"length of {self.column}" if self.of == "length" else self.column
        return f"{subject} {self.condition}"
