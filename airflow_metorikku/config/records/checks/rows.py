"""Checks of rows: how many there are, and the share of them that obey a rule."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.rows import Completeness, Compliance, Size
from airflow_metorikku.config.records.checks.base import (
    COUNT,
    SHARE,
    Check,
    ColumnCheck,
    Operator,
    Range,
)
from airflow_metorikku.config.records.flags import NULLS, MissingFlags, Nulls


@dataclass(frozen=True, kw_only=True)
class HasSize(Check):
    """Number of rows, as `size` and `operator` (Metorikku's form) or as `assertion`."""

    RANGE: ClassVar[Range | None] = COUNT
    WHOLE: ClassVar[bool] = True

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
        return self.made_into(Size)


@dataclass(frozen=True, kw_only=True)
class IsComplete(MissingFlags, ColumnCheck):
    """No null in the column. On an all-null column the value is 0.0, a failure."""

    RANGE: ClassVar[Range | None] = SHARE

    def analyzer(self) -> Completeness:
        """Share of rows that are not null."""
        return self.made_into(Completeness)


@dataclass(frozen=True, kw_only=True)
class HasCompleteness(MissingFlags, ColumnCheck):
    """Share of rows in which the column is not null; default assertion `== 1`."""

    RANGE: ClassVar[Range | None] = SHARE

    def analyzer(self) -> Completeness:
        """Share of rows that are not null."""
        return self.made_into(Completeness)


@dataclass(frozen=True, kw_only=True)
class Satisfies(Check):
    """Share of rows for which a SQL predicate is true; null is not true. Default assertion `== 1`."""

    RANGE: ClassVar[Range | None] = SHARE

    predicate: str = key("SQL predicate over the data frame's columns.", sql=True)
    name: str | None = key("What the predicate means, for results and alerts.", default=None)
    columns: tuple[str, ...] = key(
        "Columns that the predicate is about; each must be there.", default=()
    )
    nulls: Nulls = key(NULLS, default="fail")

    def analyzer(self) -> Compliance:
        """Share of rows that obey the predicate."""
        return self.made_into(Compliance, instance_name=self.name)

    def subject(self) -> str:
        """What the predicate means, else itself."""
        return self.name or self.predicate

    def id_parts(self) -> tuple[str, ...]:
        """What the predicate means, else a hash."""
        return (self.name or "",)
