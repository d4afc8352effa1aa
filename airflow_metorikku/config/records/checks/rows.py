"""Checks of rows: how many there are, and the share of them that obey a rule."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.rows import (
    Completeness,
    Compliance,
    ContainedIn,
    PatternMatch,
    Size,
)
from airflow_metorikku.config.records.checks.base import Check, ColumnCheck, Operator


@dataclass(frozen=True, kw_only=True)
class HasSize(Check):
    """Number of rows, as `size` and `operator` (Metorikku's form) or as `assertion`."""

    size: int | None = key("Number of rows to compare with.", default=None)
    operator: Operator | None = key("Comparison.", default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.operator is None and self.size is not None:
            raise ValueError("size needs operator, one of == != >= > <= <")
        if self.size is None and self.operator is not None:
            raise ValueError("operator needs size")
        given = self.size is not None, self.assertion or self.between, self.warning or self.critical
        if sum(map(bool, given)) != 1:
            raise ValueError("needs size and operator, or an assertion")

    def given_assertion(self) -> Assertion | None:
        """The assertion, from either form."""
        if self.size is not None and self.operator:
            return Assertion(self.operator, Decimal(self.size))
        return super().given_assertion()

    def analyzer(self) -> Size:
        """Number of rows."""
        return Size(where_=self.where_)


@dataclass(frozen=True, kw_only=True)
class IsComplete(ColumnCheck):
    """No null in the column. On an all-null column the value is 0.0, a failure."""

    def analyzer(self) -> Completeness:
        """Share of rows that are not null."""
        return Completeness(column=self.column, where_=self.where_)


@dataclass(frozen=True, kw_only=True)
class HasCompleteness(ColumnCheck):
    """Share of rows in which the column is not null; default assertion `== 1`."""

    def analyzer(self) -> Completeness:
        """Share of rows that are not null."""
        return Completeness(column=self.column, where_=self.where_)


@dataclass(frozen=True, kw_only=True)
class Satisfies(Check):
    """Share of rows for which a SQL predicate is true; null is not true. Default assertion `== 1`."""

    predicate: str = key("SQL predicate over the data frame's columns.", sql=True)
    name: str | None = key("What the predicate means, for results and alerts.", default=None)

    def analyzer(self) -> Compliance:
        """Share of rows that obey the predicate."""
        return Compliance(predicate=self.predicate, instance_name=self.name, where_=self.where_)

    def subject(self) -> str:
        """What the predicate means, else itself."""
        return self.name or self.predicate

    def id_parts(self) -> tuple[str, ...]:
        """What the predicate means, else a hash."""
        return (self.name or "",)


@dataclass(frozen=True, kw_only=True)
class IsContainedIn(ColumnCheck):
    """Share of rows whose value is null or one of `allowedValues` (compared as text); default assertion `== 1`."""

    allowed_values: tuple[str, ...] = key("Values allowed, compared as text.", default=())
    lower_bound: Decimal | None = key(
        "Smallest value.", default=None, later="bounds come with the other checks; use satisfies"
    )
    upper_bound: Decimal | None = key(
        "Largest value.", default=None, later="bounds come with the other checks; use satisfies"
    )
    include_lower_bound: bool = key(
        "Whether `lowerBound` itself is allowed.",
        default=True,
        later="bounds come with the other checks; use satisfies",
    )
    include_upper_bound: bool = key(
        "Whether `upperBound` itself is allowed.",
        default=True,
        later="bounds come with the other checks; use satisfies",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.allowed_values and self.lower_bound is None and self.upper_bound is None:
            raise ValueError("needs allowedValues, a list with at least one value")

    def analyzer(self) -> ContainedIn:
        """Share of rows with an allowed value."""
        return ContainedIn(
            column=self.column, allowed_values=self.allowed_values, where_=self.where_
        )


@dataclass(frozen=True, kw_only=True)
class HasPattern(ColumnCheck):
    """Share of rows in which a regular expression (Java's) is found; a null or an empty match is not found. Default assertion `== 1`."""

    pattern: str = key("Regular expression; anchor it yourself.")
    nulls: Literal["fail", "ignore"] = key(
        "`ignore` leaves rows with a null out of the share.", default="fail"
    )

    def analyzer(self) -> PatternMatch:
        """Share of rows that match."""
        return PatternMatch(
            column=self.column, pattern=self.pattern, nulls=self.nulls, where_=self.where_
        )
