"""Checks of a rule that each row obeys or not; default assertion `== 1`, all rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from airflow_metorikku.config.fields import check_columns, key
from airflow_metorikku.config.records.analyzers.row_rules import (
    Bounds,
    ColumnsComplete,
    Compared,
    Comparison,
    ContainedIn,
    NonNegative,
    Positive,
    Within,
)
from airflow_metorikku.config.records.checks.base import (
    SHARE,
    Check,
    ColumnCheck,
    PairCheck,
    Range,
)
from airflow_metorikku.config.records.flags import (
    NULLS,
    EmptyFlag,
    MissingFlags,
    Nulls,
    SignFlags,
)

if TYPE_CHECKING:
    from airflow_metorikku.config.records.analyzers.base import RowRule


@dataclass(frozen=True, kw_only=True)
class ColumnsCheck(MissingFlags, Check):
    """A check of which columns of a row are null."""

    RANGE: ClassVar[Range | None] = SHARE

    columns: tuple[str, ...] = key("The columns.")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_columns("columns", self.columns)


@dataclass(frozen=True, kw_only=True)
class AreComplete(ColumnsCheck):
    """No null in any of the columns. Default assertion `== 1`."""

    def analyzer(self) -> ColumnsComplete:
        """Share of rows without a null."""
        return self.made_into(ColumnsComplete, of="all")


@dataclass(frozen=True, kw_only=True)
class HaveCompleteness(AreComplete):
    """Share of rows in which none of the columns is null. Default assertion `== 1`."""


@dataclass(frozen=True, kw_only=True)
class AreAnyComplete(ColumnsCheck):
    """In each row at least one of the columns is not null. Default assertion `== 1`."""

    def analyzer(self) -> ColumnsComplete:
        """Share of rows with a value."""
        return self.made_into(ColumnsComplete, of="any")


@dataclass(frozen=True, kw_only=True)
class HaveAnyCompleteness(AreAnyComplete):
    """Share of rows in which at least one of the columns is not null. Default assertion `== 1`."""


@dataclass(frozen=True, kw_only=True)
class IsContainedIn(EmptyFlag, Bounds, ColumnCheck):
    """Share of rows whose value is one of `allowedValues` (compared as text), or a number from `lowerBound` to `upperBound`; null passes. Default assertion `== 1`."""

    RANGE: ClassVar[Range | None] = SHARE

    allowed_values: tuple[str, ...] = key("Values allowed, compared as text.", default=())
    nulls: Nulls = key(NULLS, default="pass")
    nan: Nulls | None = key(
        "What NaN counts as, between bounds: `fail` (the default), `pass` or `ignore`.",
        default=None,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        bounded = self.lower_bound is not None or self.upper_bound is not None
        if not self.allowed_values and not bounded:
            raise ValueError(
                "allowedValues: needs a list with at least one value, or lowerBound, upperBound or both"
            )
        if self.allowed_values and bounded:
            raise ValueError("expected allowedValues or bounds, got both")
        if self.allowed_values and self.nan:
            raise ValueError(
                "nan: allowed values are compared as texts, where NaN is a text as any"
            )
        self.require_room()

    def analyzer(self) -> RowRule:
        """Share of rows with an allowed value."""
        if self.allowed_values:
            return self.made_into(ContainedIn)
        return self.made_into(Within, nan=self.nan or "fail")


@dataclass(frozen=True, kw_only=True)
class IsNonNegative(SignFlags, ColumnCheck):
    """Share of rows whose number is not below zero; null passes, a text that is no number does not. Default assertion `== 1`."""

    RANGE: ClassVar[Range | None] = SHARE

    def analyzer(self) -> NonNegative:
        """Share of rows."""
        return self.made_into(NonNegative)


@dataclass(frozen=True, kw_only=True)
class IsPositive(SignFlags, ColumnCheck):
    """Share of rows whose number is above zero; null passes, a text that is no number does not. Default assertion `== 1`."""

    RANGE: ClassVar[Range | None] = SHARE

    def analyzer(self) -> Positive:
        """Share of rows."""
        return self.made_into(Positive)


@dataclass(frozen=True, kw_only=True)
class ComparisonCheck(PairCheck):
    """A check of how two columns of a row compare: as numbers, texts, dates or whatever both are."""

    RANGE: ClassVar[Range | None] = SHARE
    OPERATOR: ClassVar[Comparison] = "<"

    nulls: Nulls = key(NULLS, default="fail")

    def analyzer(self) -> Compared:
        """Share of rows."""
        return self.made_into(Compared, operator=self.OPERATOR)


@dataclass(frozen=True, kw_only=True)
class IsLessThan(ComparisonCheck):
    """Share of rows in which `columnA` is less than `columnB`; null is not. Default assertion `== 1`."""


@dataclass(frozen=True, kw_only=True)
class IsLessThanOrEqualTo(ComparisonCheck):
    """Share of rows in which `columnA` is at most `columnB`; null is not. Default assertion `== 1`."""

    OPERATOR: ClassVar[Comparison] = "<="


@dataclass(frozen=True, kw_only=True)
class IsGreaterThan(ComparisonCheck):
    """Share of rows in which `columnA` is greater than `columnB`; null is not. Default assertion `== 1`."""

    OPERATOR: ClassVar[Comparison] = ">"


@dataclass(frozen=True, kw_only=True)
class IsGreaterThanOrEqualTo(ComparisonCheck):
    """Share of rows in which `columnA` is at least `columnB`; null is not. Default assertion `== 1`."""

    OPERATOR: ClassVar[Comparison] = ">="
