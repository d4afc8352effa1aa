"""DQDL's ColumnValues and ColumnLength, as checks."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.values import ColumnValues, Related, Relation
from airflow_metorikku.config.records.checks.base import SHARE, ColumnCheck, Range


@dataclass(frozen=True, kw_only=True)
class HasColumnValues(Related, ColumnCheck):
    """Share of rows whose value stands in a relation to given ones, as DQDL's ColumnValues; default assertion `== 1`.

    A null fails, but passes `!=` and `not in` unless it is listed; a range leaves its bounds out; a pattern
    must match the whole text.
    """

    RANGE: ClassVar[Range | None] = SHARE

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_relation()

    def analyzer(self) -> ColumnValues:
        """Share of rows."""
        return self.made_into(ColumnValues)

    def subject(self) -> str:
        """The column, and what is asked of it."""
        return self.analyzer().instance

    def id_parts(self) -> tuple[str, ...]:
        """The column, and a hash."""
        return (self.column, "")


@dataclass(frozen=True, kw_only=True)
class HasColumnLength(ColumnCheck):
    """Share of rows whose text has a length in a relation to given ones, as DQDL's ColumnLength; default assertion `== 1`. A null has the length 0, and a range leaves its bounds out."""

    RANGE: ClassVar[Range | None] = SHARE

    operator: Relation = key("The relation.")
    numbers: tuple[Decimal, ...] = key("Lengths.")

    def analyzer(self) -> ColumnValues:
        """Share of rows."""
        return self.made_into(ColumnValues, of="length")

    def subject(self) -> str:
        """The column, and what is asked of it."""
        return self.analyzer().instance

    def id_parts(self) -> tuple[str, ...]:
        """The column, and a hash."""
        return (self.column, "")
