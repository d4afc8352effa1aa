"""The outcome of a test as aligned text, coloured for a terminal: lines with `-` were expected, lines with `+` are there."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airflow_metorikku.results.outcome import Outcome, RowDifference, TableOutcome

LONGEST_CELL = 60
MOST_ROWS = 50
GAP = "  "
_RED, _GREEN, _BOLD, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[1m", "\x1b[0m"


def render_outcome(outcome: Outcome, *, colour: bool = False) -> str:
    """Everything that was not as expected."""
    lines = [_painted(problem, _RED, on=colour) for problem in outcome.problems]
    for table in outcome.tables:
        if not table.passed:
            lines += ["", *_table(table, colour=colour)] if lines else _table(table, colour=colour)
    return "\n".join(lines)


def _table(table: TableOutcome, *, colour: bool) -> Iterator[str]:
    there = "" if table.actual_rows is None else f", got {table.actual_rows}"
    rows = "1 row" if table.expected_rows == 1 else f"{table.expected_rows} rows"
    yield _painted(f"{table.name}: expected {rows}{there}", _BOLD, on=colour)
    yield from (_painted(f"  {problem}", _RED, on=colour) for problem in table.problems)
    if not table.rows:
        return
    shown = [line for row in table.rows[:MOST_ROWS] for line in _lines(row, table.columns)]
    head = ("", *table.columns, "", "")
    widths = [max(map(width, column)) for column in zip(head, *(c for c, _ in shown), strict=True)]
    yield _aligned(head, widths)
    for cells, differing in shown:
        yield _coloured(cells, widths, differing, colour=colour)
    if more := len(table.rows) - MOST_ROWS:
        yield from [f"  and {more} rows more"] if more > 0 else []


Line = tuple[tuple[str, ...], frozenset[int]]


def _lines(row: RowDifference, columns: tuple[str, ...]) -> Iterator[Line]:
    """The cells of a row's lines, and which of them differ."""
    differing = frozenset(i for i, name in enumerate(columns) if name in row.columns)
    expected, actual = _cut_pair(row.expected, row.actual)
    both = expected is not None and actual is not None
    if expected is not None:
        remark = "" if both else "missing"
        yield ("-", *expected, f"expected row {row.expected_row}", remark), differing
    if actual is not None:
        remark = f"differs in {', '.join(row.columns)}" if both else "unexpected"
        yield ("+", *actual, f"row {row.actual_row}", remark), differing


def _cut_pair(
    expected: tuple[str, ...] | None, actual: tuple[str, ...] | None
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """Long cells cut so that where two of them part stays in sight."""
    if expected is None or actual is None:
        cut = tuple(_cut(_shown(cell), 0) for cell in expected or actual or ())
        return (cut, None) if actual is None else (None, cut)
    pairs = []
    for one, other in zip(map(_shown, expected), map(_shown, actual), strict=True):
        same = next(
            (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
            min(len(one), len(other)),
        )
        pairs.append((_cut(one, same), _cut(other, same)))
    return tuple(one for one, _ in pairs), tuple(other for _, other in pairs)


def _cut(cell: str, at: int) -> str:
    if len(cell) <= LONGEST_CELL:
        return cell
    start = max(0, min(at - LONGEST_CELL // 2, len(cell) - LONGEST_CELL))
    end = start + LONGEST_CELL
    return ("…" if start else "") + cell[start:end] + ("…" if end < len(cell) else "")


def _shown(cell: str) -> str:
    r"""A cell in one line; what would move the cursor or colour the terminal is written as `\n` and the like."""
    if cell.isprintable():
        return cell
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cell
    )


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _aligned(cells: tuple[str, ...], widths: list[int]) -> str:
    return GAP.join(map(_filled, cells, widths)).rstrip()


def _filled(cell: str, size: int) -> str:
    return cell + " " * (size - width(cell))


def _coloured(
    cells: tuple[str, ...], widths: list[int], differing: frozenset[int], *, colour: bool
) -> str:
    if not colour:
        return _aligned(cells, widths)
    ink = _RED if cells[0] == "-" else _GREEN
    parts = [_filled(cell, size) for cell, size in zip(cells, widths, strict=True)]
    # The first cell is the sign; the columns stand after it.
    parts = [
        f"{_BOLD}{part}{_PLAIN}{ink}" if i - 1 in differing else part
        for i, part in enumerate(parts)
    ]
    return f"{ink}{GAP.join(parts).rstrip()}{_PLAIN}"


def _painted(text: str, ink: str, *, on: bool) -> str:
    return f"{ink}{text}{_PLAIN}" if on else text
