"""Analyzers of a data frame's columns alone: they need no row and no Spark job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from airflow_metorikku.config.records.analyzers.base import (
    Analyzer,
    ColumnAnalyzer,
    Cost,
    Entity,
)


@dataclass(frozen=True, kw_only=True)
class SchemaKeys(Analyzer):
    """An analyzer of the schema, which no row takes part in."""

    COST: ClassVar[Cost] = "schema"
    NEEDS_ROWS: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.where_:
            raise ValueError("where: columns are the same whatever rows are chosen; leave it out")

    @property
    def entity(self) -> Entity:
        """Always the data frame's."""
        return "Dataset"


@dataclass(frozen=True, kw_only=True)
class ColumnCount(SchemaKeys):
    """Number of columns."""


@dataclass(frozen=True, kw_only=True)
class ColumnExists(SchemaKeys, ColumnAnalyzer):
    """1 where the data frame has the column, else 0."""
