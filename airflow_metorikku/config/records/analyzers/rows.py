"""Analyzers of rows: how many there are, and the share of them that obey a rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.base import Analyzer, ColumnAnalyzer, Cost, RowRule


@dataclass(frozen=True, kw_only=True)
class Size(Analyzer):
    """Number of rows; of no rows it is 0, not unknown."""

    OF_NO_ROWS: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class Completeness(ColumnAnalyzer):
    """Share of rows in which the column is not null."""


@dataclass(frozen=True, kw_only=True)
class Compliance(RowRule):
    """Share of rows for which a SQL predicate is true; one that is null in every row says nothing."""

    COST: ClassVar[Cost] = "risky"

    predicate: str = key("SQL predicate over the data frame's columns.", sql=True)
    instance_name: str | None = key(
        "What the predicate means, for results and alerts.", name="instance", default=None
    )

    @property
    def instance(self) -> str:
        """The name that the user gave, else the predicate."""
        return self.instance_name or self.predicate


@dataclass(frozen=True, kw_only=True)
class ContainedIn(RowRule, ColumnAnalyzer):
    """Share of rows whose value is null or an allowed one, compared as texts."""

    allowed_values: tuple[str, ...] = key("Values allowed, compared as text.", default=())

    @property
    def instance(self) -> str:
        """As Deequ names it."""
        return f"{self.column} contained in {','.join(self.allowed_values)}"


@dataclass(frozen=True, kw_only=True)
class PatternMatch(ColumnAnalyzer):
    """Share of rows in which a regular expression (Java's) is found; Deequ's way, so an empty match is none, and null is none."""

    COST: ClassVar[Cost] = "risky"

    pattern: str = key("Regular expression; anchor it yourself.")
    nulls: Literal["fail", "ignore"] = key(
        "`ignore` leaves rows with a null out of the share.", default="fail"
    )
