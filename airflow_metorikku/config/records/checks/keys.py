"""Checks of how often keys occur."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.keys import Uniqueness
from airflow_metorikku.config.records.checks.base import Check, ColumnCheck, Operator


@dataclass(frozen=True, kw_only=True)
class IsUnique(ColumnCheck):
    """Every non-null value occurs once; rows with a null count neither way."""

    def analyzer(self) -> Uniqueness:
        """Share of rows with a key of their own."""
        return Uniqueness(columns=(self.column,), where_=self.where_)


@dataclass(frozen=True, kw_only=True)
class HasUniqueness(Check):
    """Keys that occur once, per row in which at least one key column is not null; within a key of several columns a null counts as a value."""

    column: str | None = key("One key column.", default=None)
    columns: tuple[str, ...] = key("Key columns.", default=())
    fraction: Decimal | None = key("Share to compare with; default 1.", default=None)
    operator: Operator | None = key("Comparison with `fraction`; default `==`.", default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if bool(self.column) == bool(self.columns):
            raise ValueError("needs column or columns")
        if len(set(self.columns)) != len(self.columns):
            raise ValueError("columns: a column stands twice")
        if (self.fraction is not None or self.operator) and (
            self.assertion or self.between or self.warning or self.critical
        ):
            raise ValueError("expected fraction and operator, or an assertion, got both")

    def given_assertion(self) -> Assertion | None:
        """The assertion, from either form."""
        if self.fraction is not None or self.operator:
            fraction = Decimal(1) if self.fraction is None else self.fraction
            return Assertion(self.operator or "==", fraction)
        return super().given_assertion()

    def analyzer(self) -> Uniqueness:
        """Share of rows with a key of their own."""
        columns = self.columns or ((self.column,) if self.column else ())
        return Uniqueness(columns=columns, where_=self.where_)
