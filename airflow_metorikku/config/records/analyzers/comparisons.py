"""Analyzers that compare a data frame with another, or ask SQL of the user's about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from airflow_metorikku.config.fields import check_columns, key
from airflow_metorikku.config.records.analyzers.base import Analyzer, Cost
from airflow_metorikku.config.records.analyzers.schema import SchemaKeys


@dataclass(frozen=True, kw_only=True)
class MatchedRows:
    """Which rows of another data frame must be equal to the rows."""

    other: str = key("Data frame to compare with.")
    keys: Mapping[str, str] = key("Key columns, and their names in the other data frame.")
    match: Mapping[str, str] | None = key(
        "Columns to compare, and their names in the other data frame; default all that are no keys.",
        default=None,
    )
    nulls_distinct: bool = key(
        "Whether a null differs from every null, as in SQL and Deequ; `false`: nulls are equal.",
        default=True,
    )


@dataclass(frozen=True, kw_only=True)
class Reference:
    """Which keys of another data frame must be there."""

    columns: tuple[str, ...] = key("Key columns.")
    other: str = key("Data frame that must have the keys.")
    other_columns: tuple[str, ...] = key(
        "Their names in the other data frame, in the same order; default the same.", default=()
    )
    nulls: Literal["compare", "ignore"] = key(
        "`ignore`: rows with a null in the key are left out, as a database's foreign keys do.",
        default="compare",
    )


@dataclass(frozen=True, kw_only=True)
class QueryAnalyzer(Analyzer):
    """An analyzer with a query of its own over the whole data frame."""

    COST: ClassVar[Cost] = "query"

    @property
    def entity(self) -> Literal["Dataset"]:
        """Always the data frame's."""
        return "Dataset"


@dataclass(frozen=True, kw_only=True)
class CustomSql(QueryAnalyzer):
    """The one number that a query gives: one row of one column."""

    OF_NO_ROWS: ClassVar[bool] = True

    sql: str = key(
        "Query that gives one number; it reads the data frame by its name, or as `primary`, whatever else has that name.",
        sql=True,
    )

    def __post_init__(self) -> None:
        if not self.sql.strip():
            raise ValueError("sql: got nothing, expected a query that gives one number")

    @property
    def name(self) -> str:
        """As Deequ spells it."""
        return "CustomSQL"


@dataclass(frozen=True, kw_only=True)
class DatasetMatch(MatchedRows, QueryAnalyzer):
    """Rows with an equal row in another data frame, per row: found by keys, which are unique in both, and as many in both."""

    def __post_init__(self) -> None:
        check_columns("keys", tuple(self.keys))
        if self.match is not None and not self.match:
            raise ValueError("match: expected at least one column, or no match at all")

    @property
    def name(self) -> str:
        """As Deequ names it."""
        return "DataSynchronization"

    @property
    def instance(self) -> str:
        """The other data frame."""
        return self.other


@dataclass(frozen=True, kw_only=True)
class ReferentialIntegrity(Reference, QueryAnalyzer):
    """Share of rows whose key is in another data frame; a null is found where a null is."""

    def __post_init__(self) -> None:
        check_columns("columns", self.columns)
        if self.other_columns and len(self.other_columns) != len(self.columns):
            raise ValueError(
                f"otherColumns: got {len(self.other_columns)}, expected {len(self.columns)}, one for each of columns"
            )

    def columns_analyzed(self) -> tuple[str, ...]:
        """The key columns."""
        return self.columns


@dataclass(frozen=True, kw_only=True)
class RowCountMatch(QueryAnalyzer):
    """Rows per row of another data frame."""

    OF_NO_ROWS: ClassVar[bool] = True

    other: str = key("Data frame to compare with.")

    @property
    def instance(self) -> str:
        """The other data frame."""
        return self.other


@dataclass(frozen=True, kw_only=True)
class SchemaMatch(SchemaKeys):
    """Share of columns of which both data frames have the same name and type; the order does not matter, nor whether they may be null."""

    other: str = key("Data frame to compare with.")

    @property
    def instance(self) -> str:
        """The other data frame."""
        return self.other
