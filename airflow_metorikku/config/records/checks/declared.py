"""Checks of schemas: of rows, and of the columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.declared import (
    ColumnNames,
    DeclaredColumns,
    RowSchema,
    SchemaColumn,
)
from airflow_metorikku.config.records.checks.base import SHARE, Check, Range


@dataclass(frozen=True, kw_only=True)
class HasRowSchema(Check):
    """Share of rows in which every declared column holds a value of its type, or a text that can be read as one, within its bounds (Deequ's RowLevelSchemaValidator); default assertion `== 1`.

    A null in a column that may be null is valid, also beside a minimum, where Deequ loses the row.
    """

    RANGE: ClassVar[Range | None] = SHARE

    columns: tuple[SchemaColumn, ...] = key("The columns; others are not looked at.")

    def analyzer(self) -> RowSchema:
        """Share of valid rows."""
        return self.made_into(RowSchema)


@dataclass(frozen=True, kw_only=True)
class HasColumns(Check):
    """Share of the declared columns that the data frame has, with their types; default assertion `== 1`."""

    RANGE: ClassVar[Range | None] = SHARE

    columns: Mapping[str, str] = key(
        "By name the type as SQL has it, as `decimal(10,2)`; none where any will do.", null=""
    )
    extra: Literal["fail", "ignore"] = key(
        "What columns beside them are: with `fail` the share is of the data frame's columns where they are more than the declared ones, as in `schemaMatch`.",
        default="fail",
    )
    order: Literal["any", "same"] = key(
        "`same`: they stand in this order, others aside.", default="any"
    )

    def analyzer(self) -> DeclaredColumns:
        """Share of columns."""
        return self.made_into(DeclaredColumns)

    def subject(self) -> str:
        """The declared columns."""
        return ", ".join(self.columns)

    def id_parts(self) -> tuple[str, ...]:
        """None: a data frame has one set of columns."""
        return ()


@dataclass(frozen=True, kw_only=True)
class ColumnNamesMatch(Check):
    """Share of the columns whose whole name matches a regular expression (DQDL's ColumnNamesMatchPattern); default assertion `== 1`."""

    RANGE: ClassVar[Range | None] = SHARE

    pattern: str = key("Regular expression (Java's) of a whole name.")

    def analyzer(self) -> ColumnNames:
        """Share of columns."""
        return self.made_into(ColumnNames)

    def subject(self) -> str:
        """The pattern."""
        return self.pattern

    def id_parts(self) -> tuple[str, ...]:
        """A hash."""
        return ("",)
