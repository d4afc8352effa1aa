"""DQDL's ColumnValues and ColumnLength, as checks."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.values import ColumnValues, Related, Relation
from airflow_metorikku.config.records.checks.base import ColumnCheck


@dataclass(frozen=True, kw_only=True)
class HasColumnValues(Related, ColumnCheck):
    """Share of rows whose value stands in a relation to given ones, as DQDL's ColumnValues; default assertion `== 1`.

    A null fails, but passes `!=` and `not in` unless it is listed; a range leaves its bounds out; a pattern
    must match the whole text.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_relation()

    def analyzer(self) -> ColumnValues:
        """Share of rows."""
        return ColumnValues(
            column=self.column,
            operator=self.operator,
            numbers=self.numbers,
            texts=self.texts,
            times=self.times,
            missing=self.missing,
            where_=self.where_,
        )

    def subject(self) -> str:
        """The column, and what is asked of it."""
        return self.analyzer().instance

    def id_parts(self) -> tuple[str, ...]:
        """The column, and a hash."""
        return (self.column, "")


@dataclass(frozen=True, kw_only=True)
class HasColumnLength(ColumnCheck):
    """Share of rows whose text has a length in a relation to given ones, as DQDL's ColumnLength; default assertion `== 1`. A null has the length 0, and a range leaves its bounds out."""

    operator: Relation = key("The relation.")
    numbers: tuple[Decimal, ...] = key("Lengths.")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.analyzer()

    def analyzer(self) -> ColumnValues:
        """Share of rows."""
        return ColumnValues(
            column=self.column,
            of="length",
            operator=self.operator,
            numbers=self.numbers,
            where_=self.where_,
        )

    def subject(self) -> str:
        """The column, and what is asked of it."""
        return self.analyzer().instance

    def id_parts(self) -> tuple[str, ...]:
        """The column, and a hash."""
        return (self.column, "")
