"""What one constraint or one control asks of a data frame, whatever computes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pyspark.sql import DataFrame

from airflow_metorikku.spark.aggregates import Aggregate, Key
from airflow_metorikku.spark.grouping import Grouping, KeyCounts

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Query:
    """A question that takes a query of its own. Equal keys are one query."""

    key: Key
    run: Callable[[DataFrame], Any] = field(compare=False)


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What was computed: values by the keys of aggregates, key counts by grouping, answers by the keys of queries."""

    values: Mapping[Key, Any] = field(default_factory=dict)
    keys: Mapping[Grouping, KeyCounts] = field(default_factory=dict)
    queries: Mapping[Key, Any] = field(default_factory=dict)
    rows: int = 0


@dataclass(frozen=True, kw_only=True)
class Ask(Generic[T]):
    """What is needed, and how the answer is made of it; `answer` may raise MetorikkuError."""

    answer: Callable[[Facts], T]
    aggregates: tuple[Aggregate, ...] = ()
    grouping: Grouping | None = None
    query: Query | None = None
    risky: bool = False
    """Holds SQL or a regular expression of the user's, which may raise on a row: never part of a write."""

    @property
    def asks_nothing(self) -> bool:
        """Whether the answer is known without looking at a row."""
        return not (self.aggregates or self.grouping or self.query)
