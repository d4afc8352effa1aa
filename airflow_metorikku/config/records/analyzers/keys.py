"""Analyzers of how often keys occur (Deequ's grouping family): rows of which every key column is null are left out, a null beside a value is a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from airflow_metorikku.config.fields import check_columns, key
from airflow_metorikku.config.records.analyzers.base import Analyzer, ColumnAnalyzer, Cost

NULLS_DISTINCT = (
    "Whether a null in a key differs from every other null, as in SQL's UNIQUE: `true` makes each row with one a "
    "key of its own, `false` makes null a value as any other, also in keys of nothing else. Without it, as Deequ: "
    "a null beside a value is a value, and rows of nothing but nulls are left out."
)


@dataclass(frozen=True, kw_only=True)
class KeyAnalyzer(Analyzer):
    """An analyzer of the keys in some columns."""

    COST: ClassVar[Cost] = "grouped"

    columns: tuple[str, ...] = key("Key columns.")
    nulls_distinct: bool | None = key(NULLS_DISTINCT, default=None)

    def __post_init__(self) -> None:
        check_columns("columns", self.columns)

    def columns_analyzed(self) -> tuple[str, ...]:
        """The key columns."""
        return self.columns


@dataclass(frozen=True, kw_only=True)
class Uniqueness(KeyAnalyzer):
    """Keys that occur once, per row."""

    nulls: Literal["ignore", "fail"] = key(
        "`fail`: a row with a null in its key has no key of its own, as in a primary key.",
        default="ignore",
    )


@dataclass(frozen=True, kw_only=True)
class Distinctness(KeyAnalyzer):
    """Different keys, per row."""


@dataclass(frozen=True, kw_only=True)
class UniqueValueRatio(KeyAnalyzer):
    """Keys that occur once, per different key."""


@dataclass(frozen=True, kw_only=True)
class CountDistinct(KeyAnalyzer):
    """Different keys."""


@dataclass(frozen=True, kw_only=True)
class DuplicateRowCount(KeyAnalyzer):
    """Rows whose key occurs in another row too; without columns of the whole row."""

    columns: tuple[str, ...] = key("Key columns; default all of the data frame's.", default=())

    def __post_init__(self) -> None:
        if self.columns:
            super().__post_init__()

    @property
    def entity(self) -> Literal["Dataset"]:
        """Always the data frame's."""
        return "Dataset"


@dataclass(frozen=True, kw_only=True)
class Entropy(ColumnAnalyzer):
    """Entropy of the values of a column that are not null, in nats."""

    COST: ClassVar[Cost] = "grouped"


@dataclass(frozen=True, kw_only=True)
class MutualInformation(Analyzer):
    """How much one column says of another, in nats. As in Deequ a pair with a null says nothing, though its row counts among the rows and for the value beside the null."""

    COST: ClassVar[Cost] = "grouped"

    columns: tuple[str, ...] = key("The two columns.")

    def __post_init__(self) -> None:
        if len(self.columns) != len(("one", "other")):
            raise ValueError(f"columns: expected two columns, got {len(self.columns)}")

    def columns_analyzed(self) -> tuple[str, ...]:
        """The two columns."""
        return self.columns
