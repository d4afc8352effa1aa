"""Analyzers of texts: how long they are, what matches in them, and what types they could be read as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.java_regex import mistake_in
from airflow_metorikku.config.records.analyzers.base import ColumnAnalyzer, Cost
from airflow_metorikku.config.records.flags import EmptyFlag, LengthFlags


@dataclass(frozen=True, kw_only=True)
class MinLength(LengthFlags, ColumnAnalyzer):
    """Characters of the shortest text."""


@dataclass(frozen=True, kw_only=True)
class MaxLength(LengthFlags, ColumnAnalyzer):
    """Characters of the longest text."""


@dataclass(frozen=True, kw_only=True)
class PatternMatch(EmptyFlag, ColumnAnalyzer):
    """Share of rows in which a regular expression (Java's) is found; Deequ's way, so an empty match is none, and null is none."""

    COST: ClassVar[Cost] = "risky"

    pattern: str = key("Regular expression; anchor it yourself.")
    nulls: Literal["fail", "ignore"] = key(
        "`ignore` leaves rows with a null out of the share.", default="fail"
    )

    def __post_init__(self) -> None:
        if mistake := mistake_in(self.pattern):
            raise ValueError(f"pattern: {mistake}")


@dataclass(frozen=True, kw_only=True)
class DataType(ColumnAnalyzer):
    """How many values are, or could be read as, whole numbers, fractions, booleans or only texts; nulls are of type Unknown.

    A sign and one blank may stand before a number; `.5`, `5.`, `1,000`, `TRUE` and `NaN` are texts.
    """

    @property
    def name(self) -> str:
        """To Deequ it is a histogram of types."""
        return "Histogram"
