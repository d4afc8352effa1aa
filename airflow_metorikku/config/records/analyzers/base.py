"""What an analyzer is: a number (or a distribution) of a data frame, by Deequ's names and identities (Deequ, `analyzers/`).

An analyzer's record says what is computed; `spark/quality/analyzers` computes it. Checks, anomaly checks,
profiles, suggestions and the history of metrics all speak of the same records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from airflow_metorikku.config.fields import Where, key, where
from airflow_metorikku.config.records.flags import NULLS, Nulls

Entity = Literal["Dataset", "Column", "Multicolumn"]
Cost = Literal["schema", "cheap", "risky", "imperative", "grouped", "query"]


@dataclass(frozen=True)
class Pick:
    """Which number of a distribution is meant: `field` of the bin, bucket or value `key`, or of the whole."""

    field: str
    key: str | int | None = None


@dataclass(frozen=True, kw_only=True)
class Analyzer:
    """Keys that every analyzer takes."""

    COST: ClassVar[Cost] = "cheap"
    """How it is computed. `schema`: from the columns' names alone; `cheap`: an aggregate that may also be observed in a write; `risky`: holds SQL or a regular
    expression of the user's, which may raise on a row; `imperative`: an aggregate without generated code; `grouped`:
    over the groups of some key columns; `query`: a query of its own."""
    NEEDS_ROWS: ClassVar[bool] = True
    """Whether it has no value where the data frame has no rows."""

    where_: str | None = key(
        "SQL predicate: only rows that it holds for count.", name="where", default=None, sql=True
    )
    at: Where | None = where()

    def columns_analyzed(self) -> tuple[str, ...]:
        """Columns that the value is computed from; empty for the whole data frame."""
        return ()

    @property
    def name(self) -> str:
        """Deequ's name of the metric, as `Completeness`."""
        return type(self).__name__

    @property
    def entity(self) -> Entity:
        """What the metric is of, as Deequ says it."""
        columns = self.columns_analyzed()
        return "Multicolumn" if len(columns) > 1 else "Column" if columns else "Dataset"

    @property
    def instance(self) -> str:
        """Which one, as Deequ says it: `*`, a column, or columns with a comma between."""
        return ",".join(self.columns_analyzed()) or "*"


@dataclass(frozen=True, kw_only=True)
class ColumnAnalyzer(Analyzer):
    """An analyzer of one column."""

    column: str = key("Column; a name with dots may stand in backticks, a nested field is `a.b`.")

    def columns_analyzed(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)


@dataclass(frozen=True, kw_only=True)
class PairAnalyzer(Analyzer):
    """An analyzer of two columns, in their order."""

    column_a: str = key("The first column.")
    column_b: str = key("The second column.")

    def columns_analyzed(self) -> tuple[str, ...]:
        """Both columns."""
        return (self.column_a, self.column_b)


@dataclass(frozen=True, kw_only=True)
class RowRule(Analyzer):
    """Share of rows that obey a rule (Deequ's Compliance): the rule is a condition on a row, which a null may leave undecided.

    Where it is undecided in every row there are no data.
    """

    nulls: Nulls = key(NULLS, default="fail")

    @property
    def name(self) -> str:
        """All are Compliance to Deequ."""
        return "Compliance"

    @property
    def entity(self) -> Entity:
        """Always a column's, whatever the rule reads."""
        return "Column"
