"""Analyzers of how often keys occur: rows of which every key column is null are left out, a null beside a value is a value (Deequ's grouping family)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.base import Analyzer, Cost


@dataclass(frozen=True, kw_only=True)
class KeyAnalyzer(Analyzer):
    """An analyzer of the keys in some columns."""

    COST: ClassVar[Cost] = "grouped"

    columns: tuple[str, ...] = key("Key columns.")

    def __post_init__(self) -> None:
        if not self.columns:
            raise ValueError("columns: expected at least one column")
        if len(set(self.columns)) != len(self.columns):
            raise ValueError("columns: a column stands twice")

    def columns_analyzed(self) -> tuple[str, ...]:
        """The key columns."""
        return self.columns


@dataclass(frozen=True, kw_only=True)
class Uniqueness(KeyAnalyzer):
    """Keys that occur once, per row."""
