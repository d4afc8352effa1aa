"""Checks that compare a data frame with another, or ask SQL of the user's about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers import comparisons as analyzers
from airflow_metorikku.config.records.checks.base import COUNT, SHARE, Check, Range


@dataclass(frozen=True, kw_only=True)
class CustomSql(Check):
    """The one number that a query of yours gives, one row of one column; it reads the data frame by its name, and may read others."""

    NEEDS_ASSERTION: ClassVar[str | None] = "== 0"

    sql: str = key(
        "Query that gives one number; it reads the data frame by its name, or as `primary`, whatever else has that name.",
        sql=True,
    )
    name: str | None = key("What the number means, for results and alerts.", default=None)

    def analyzer(self) -> analyzers.CustomSql:
        """The query's number."""
        return self.made_into(analyzers.CustomSql)

    def subject(self) -> str:
        """What the number means, else the query."""
        return self.name or self.sql

    def id_parts(self) -> tuple[str, ...]:
        """What the number means, else a hash."""
        return (self.name or "",)


@dataclass(frozen=True, kw_only=True)
class ComparisonCheck(Check):
    """A check that reads another data frame."""

    def subject(self) -> str:
        """The columns, and what they are compared with."""
        return ", ".join(self.id_parts())


@dataclass(frozen=True, kw_only=True)
class DoesDatasetMatch(analyzers.MatchedRows, ComparisonCheck):
    """Rows with an equal row in another data frame, per row. Keys must be unique in both, and the rows as many in both; else the check is an error that says so. Default assertion `== 1`."""

    RANGE: ClassVar[Range | None] = SHARE

    def analyzer(self) -> analyzers.DatasetMatch:
        """Share of equal rows."""
        return self.made_into(analyzers.DatasetMatch)

    def frames_read(self) -> tuple[str, ...]:
        """The other data frame."""
        return (self.other,)

    def columns_listed(self) -> dict[str, tuple[str, ...]]:
        """The keys here."""
        return {"keys": tuple(self.keys)}

    def id_parts(self) -> tuple[str, ...]:
        """The keys and the other data frame."""
        return *self.keys, self.other


@dataclass(frozen=True, kw_only=True)
class ReferentialIntegrity(analyzers.Reference, ComparisonCheck):
    """Share of rows whose key is in another data frame; a null is found where a null is, unless `nulls: ignore`. Default assertion `== 1`."""

    RANGE: ClassVar[Range | None] = SHARE

    def analyzer(self) -> analyzers.ReferentialIntegrity:
        """Share of rows that are referred to."""
        return self.made_into(analyzers.ReferentialIntegrity)

    def frames_read(self) -> tuple[str, ...]:
        """The other data frame."""
        return (self.other,)

    def id_parts(self) -> tuple[str, ...]:
        """The columns and the other data frame."""
        return *self.columns, self.other


@dataclass(frozen=True, kw_only=True)
class RowCountMatch(ComparisonCheck):
    """Rows per row of another data frame, as `between 0.9 and 1.1`. Default assertion `== 1`."""

    RANGE: ClassVar[Range | None] = COUNT

    other: str = key("Data frame to compare with.")

    def analyzer(self) -> analyzers.RowCountMatch:
        """Ratio of the numbers of rows."""
        return self.made_into(analyzers.RowCountMatch)

    def frames_read(self) -> tuple[str, ...]:
        """The other data frame."""
        return (self.other,)

    def id_parts(self) -> tuple[str, ...]:
        """The other data frame."""
        return (self.other,)


@dataclass(frozen=True, kw_only=True)
class SchemaMatch(ComparisonCheck):
    """Share of columns of which another data frame has the same name and type; one more on either side is one that does not match. Default assertion `== 1`."""

    RANGE: ClassVar[Range | None] = SHARE

    other: str = key("Data frame to compare with.")

    def analyzer(self) -> analyzers.SchemaMatch:
        """Share of columns."""
        return self.made_into(analyzers.SchemaMatch)

    def frames_read(self) -> tuple[str, ...]:
        """The other data frame."""
        return (self.other,)

    def id_parts(self) -> tuple[str, ...]:
        """The other data frame."""
        return (self.other,)
