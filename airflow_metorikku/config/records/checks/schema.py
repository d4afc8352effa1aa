"""Checks of a data frame's columns alone: no row is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.schema import ColumnCount, ColumnExists
from airflow_metorikku.config.records.checks.base import COUNT, SHARE, Check, Range


@dataclass(frozen=True, kw_only=True)
class HasColumnCount(Check):
    """Number of columns."""

    RANGE: ClassVar[Range | None] = COUNT
    WHOLE: ClassVar[bool] = True
    NEEDS_ASSERTION: ClassVar[str | None] = ">= 0"

    def analyzer(self) -> ColumnCount:
        """Number of columns."""
        return self.made_into(ColumnCount)


@dataclass(frozen=True, kw_only=True)
class HasColumn(Check):
    """The data frame has a column: the value is 1, else 0. Whether case counts is Spark's `spark.sql.caseSensitive`."""

    RANGE: ClassVar[Range | None] = SHARE

    column: str = key("The column; a nested field is `a.b`.", also=("name",))

    def analyzer(self) -> ColumnExists:
        """1 where it is there."""
        return self.made_into(ColumnExists)
