"""What a test says of itself: how the rows of its tables differ from those expected, and what else was not as expected."""

from __future__ import annotations

from dataclasses import dataclass

from airflow_metorikku.config.plain import from_plain, to_plain


@dataclass(frozen=True, kw_only=True)
class RowDifference:
    """One row of a table: expected and not there, there and not expected, or there with other values. Cells are texts to be shown."""

    expected: tuple[str, ...] | None = None
    expected_row: int | None = None
    """Counted from 1, as `actual_row`."""
    actual: tuple[str, ...] | None = None
    actual_row: int | None = None
    columns: tuple[str, ...] = ()
    """Those that differ, where both rows are there."""


@dataclass(frozen=True, kw_only=True)
class TableOutcome:
    """One table, or one output."""

    name: str
    expected_rows: int
    actual_rows: int | None
    """None where the table could not be read."""
    columns: tuple[str, ...] = ()
    rows: tuple[RowDifference, ...] = ()
    problems: tuple[str, ...] = ()
    """Sentences on the table as a whole: no such table, missing columns, rows of another shape."""

    @property
    def passed(self) -> bool:
        """Whether all was as expected."""
        return not self.rows and not self.problems


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One test file."""

    file: str
    seconds: float
    tables: tuple[TableOutcome, ...] = ()
    problems: tuple[str, ...] = ()
    """Sentences on what `expect` asked for, and on a run that broke."""

    @property
    def passed(self) -> bool:
        """Whether all was as expected."""
        return not self.problems and all(table.passed for table in self.tables)

    def to_plain(self) -> dict[str, object]:
        """Plain data."""
        return to_plain(self)

    @classmethod
    def from_plain(cls, data: object) -> Outcome:
        """The outcome of what `to_plain` made; raises ValueError on anything else."""
        return from_plain(cls, data)
