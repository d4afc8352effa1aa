"""Analyzers of rows: how many there are, and the share of them that obey a rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.base import Analyzer, ColumnAnalyzer, Cost, RowRule
from airflow_metorikku.config.records.flags import MissingFlags


@dataclass(frozen=True, kw_only=True)
class Size(Analyzer):
    """Number of rows; of no rows it is 0, not unknown."""

    NEEDS_ROWS: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True)
class Completeness(MissingFlags, ColumnAnalyzer):
    """Share of rows in which the column is not null."""


@dataclass(frozen=True, kw_only=True)
class Compliance(RowRule):
    """Share of rows for which a SQL predicate is true; one that is null in every row says nothing."""

    COST: ClassVar[Cost] = "risky"

    predicate: str = key("SQL predicate over the data frame's columns.", sql=True)
    instance_name: str | None = key(
        "What the predicate means, for results and alerts.", name="instance", default=None
    )
    columns: tuple[str, ...] = key(
        "Columns that the predicate is about; each must be there.", default=()
    )

    def columns_analyzed(self) -> tuple[str, ...]:
        """The columns that the user names."""
        return self.columns

    @property
    def instance(self) -> str:
        """The name that the user gave, else the predicate."""
        return self.instance_name or self.predicate
