"""Rules that each row obeys or not, of values in its columns; their value is the share that does (Deequ's Compliance).

Deequ writes them as SQL; here a rule is a record, so that one condition gives both the share and the rows that fail.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.base import ColumnAnalyzer, PairAnalyzer, RowRule
from airflow_metorikku.config.records.flags import (
    NULLS,
    EmptyFlag,
    MissingFlags,
    Nulls,
    SignFlags,
)


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """A lowest and a highest value, one of them or both."""

    lower_bound: Decimal | None = key("Smallest value.", default=None)
    upper_bound: Decimal | None = key("Largest value.", default=None)
    include_lower_bound: bool = key("Whether `lowerBound` itself is allowed.", default=True)
    include_upper_bound: bool = key("Whether `upperBound` itself is allowed.", default=True)

    def require_room(self) -> None:
        """Raise ValueError where no number lies between the bounds."""
        low, high = self.lower_bound, self.upper_bound
        if low is None or high is None:
            return
        if low > high:
            raise ValueError(f"lowerBound: got {low}, more than upperBound, {high}")
        if low == high and not (self.include_lower_bound and self.include_upper_bound):
            raise ValueError(f"lowerBound: nothing lies between {low} and {high} without them")


@dataclass(frozen=True, kw_only=True)
class ContainedIn(EmptyFlag, RowRule, ColumnAnalyzer):
    """Share of rows whose value is an allowed one, compared as texts."""

    allowed_values: tuple[str, ...] = key("Values allowed, compared as text.", default=())
    nulls: Nulls = key(NULLS, default="pass")

    @property
    def instance(self) -> str:
        """As Deequ names it."""
        return f"{self.column} contained in {','.join(self.allowed_values)}"


@dataclass(frozen=True, kw_only=True)
class Within(Bounds, RowRule, ColumnAnalyzer):
    """Share of rows whose number lies between bounds."""

    nulls: Nulls = key(NULLS, default="pass")
    nan: Nulls = key("What NaN counts as.", default="fail")
    not_numbers: Nulls = key("What a text that is no number counts as.", default="fail")

    @property
    def instance(self) -> str:
        """As Deequ names it."""
        if self.lower_bound is None:
            return f"{self.column} up to {self.upper_bound}"
        if self.upper_bound is None:
            return f"{self.column} from {self.lower_bound}"
        return f"{self.column} between {self.lower_bound} and {self.upper_bound}"


@dataclass(frozen=True, kw_only=True)
class NonNegative(SignFlags, RowRule, ColumnAnalyzer):
    """Share of rows whose number is not below zero."""

    @property
    def instance(self) -> str:
        """As Deequ names it."""
        return f"{self.column} is non-negative"


@dataclass(frozen=True, kw_only=True)
class Positive(SignFlags, RowRule, ColumnAnalyzer):
    """Share of rows whose number is above zero."""

    @property
    def instance(self) -> str:
        """As Deequ names it."""
        return f"{self.column} is positive"


Comparison = Literal["<", "<=", ">", ">="]
_WORDS: dict[Comparison, str] = {
    "<": "less than",
    "<=": "less than or equal to",
    ">": "greater than",
    ">=": "greater than or equal to",
}


@dataclass(frozen=True, kw_only=True)
class Compared(RowRule, PairAnalyzer):
    """Share of rows in which one column compares so with another."""

    operator: Comparison = key("Comparison.")

    @property
    def instance(self) -> str:
        """As Deequ names it."""
        return f"{self.column_a} is {_WORDS[self.operator]} {self.column_b}"


@dataclass(frozen=True, kw_only=True)
class ColumnsComplete(MissingFlags, RowRule):
    """Share of rows in which all of some columns, or any of them, are not null."""

    columns: tuple[str, ...] = key("The columns.")
    of: Literal["all", "any"] = key("How many of the columns must not be null.")

    def columns_analyzed(self) -> tuple[str, ...]:
        """The columns."""
        return self.columns

    @property
    def instance(self) -> str:
        """As Deequ names it."""
        return "Combined Completeness" if self.of == "all" else "Any Completeness"
