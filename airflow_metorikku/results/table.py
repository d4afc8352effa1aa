"""A result as aligned plain text: what a person reads after `metorikku run` and in a task's log."""

from __future__ import annotations

import textwrap
from itertools import pairwise
from typing import TYPE_CHECKING

from airflow_metorikku.config.number_texts import grouped_text
from airflow_metorikku.results.reconcile import gap
from airflow_metorikku.results.side_by_side import SideBySide, side_by_side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airflow_metorikku.results.records import ConstraintResult, MetricResult, Result

Row = tuple[str, ...]
GAP = "  "
NARROWEST = 12
"""No column is cut below this, however narrow the terminal is."""


def render(result: Result, width: int = 100) -> str:
    """Outputs, constraints, control measures and the verdict, in tables no wider than `width`."""
    sections = [
        section(
            "outputs",
            ("metric", "data frame", "type", "rows", "published", "target"),
            _outputs(result),
            width,
        ),
        section(
            "constraints",
            ("metric", "data frame", "constraint", "value", "level", "status"),
            _constraints(result),
            width,
        ),
        section("control measures", *_controls(result), width),
        section(
            "reconciliation",
            (
                "checkpoint",
                "against",
                "control",
                "expected",
                "actual",
                "difference",
                "level",
                "status",
            ),
            _reconciliation(result),
            width,
        ),
        section("problems", ("where", "what"), _wrapped(problems(result), width), width),
    ]
    return "\n\n".join([*(text for text in sections if text), _last_line(result)])


def _outputs(result: Result) -> list[Row]:
    return [
        (
            metric.name,
            output.data_frame,
            output.type,
            cell_text(output.rows),
            "yes" if output.published else "withheld",
            f"{output.target} (table {output.table})" if output.table else output.target,
        )
        for metric in result.metrics
        for output in metric.outputs
    ]


def _constraints(result: Result) -> list[Row]:
    return [
        (
            metric.name,
            one.data_frame,
            one.constraint,
            cell_text(one.value),
            one.level,
            status_text(one),
        )
        for metric in result.metrics
        for one in metric.constraints
    ]


def status_text(constraint: ConstraintResult) -> str:
    """Its status, and whether a failure has an effect."""
    words = constraint.status.replace("_", " ")
    return (
        words if constraint.counts or constraint.status == "passed" else f"{words} (does not count)"
    )


def render_controls(table: SideBySide, width: int = 100) -> str:
    """Controls side by side, a row each, with what differs in the last column."""
    rows = [
        (*row, "; ".join(one.differences))
        for row, one in zip(_values(table), table.rows, strict=True)
    ]
    return section("control measures", ("control", *table.places, "differences"), rows, width)


def _controls(result: Result) -> tuple[Row, list[Row]]:
    """What changed on the way is seen across; the differences are a section of their own."""
    table = side_by_side(result.checkpoints, result.reconciliation)
    return ("control", *table.places), _values(table)


def _values(table: SideBySide) -> list[Row]:
    return [
        (row.name, *("-" if value is None else value for value in row.values)) for row in table.rows
    ]


def _reconciliation(result: Result) -> list[Row]:
    return [
        (
            rule.checkpoint,
            rule.against,
            rule.control,
            rule.expected,
            rule.actual,
            gap(rule.expected, rule.actual),
            rule.level,
            rule.status,
        )
        for rule in result.reconciliation
    ]


def problems(result: Result) -> list[Row]:
    """Where something went wrong, and a sentence that says what."""
    rows: list[Row] = [("run", result.error)] if result.error else []
    for metric in result.metrics:
        rows += _problems_of(metric, result.error)
    rows += [
        (f"checkpoint {rule.checkpoint}, {rule.control}", rule.message)
        for rule in result.reconciliation
        if rule.message and rule.status != "passed"
    ]
    return rows


def _wrapped(rows: Sequence[Row], width: int) -> list[Row]:
    """Sentences over as many lines as they need: what to do stands at their end, what is wrong in the middle."""
    room = max(width - len(GAP) - max((len(where) for where, _ in rows), default=0), NARROWEST)
    found: list[Row] = []
    for where, what in rows:
        first, *more = textwrap.wrap(what, room, break_on_hyphens=False) or [""]
        found += [(where, first), *(("", line) for line in more)]
    return found


def _problems_of(metric: MetricResult, of_run: str | None) -> list[Row]:
    name = f"metric {metric.name}"
    rows: list[Row] = []
    if not metric.ran:
        rows.append((name, "did not run"))
    if metric.error and metric.error != of_run:
        rows.append((name, metric.error))
    rows += [
        (f"step {step.data_frame}", f"{step.status}: {step.error}")
        for step in metric.steps
        if step.error
    ]
    rows += [
        (f"constraint {one.id}", one.message)
        for one in metric.constraints
        if one.message and one.status != "passed"
    ]
    return rows


def _last_line(result: Result) -> str:
    seconds = sum(metric.seconds for metric in result.metrics)
    where = (
        f", Spark {result.application.spark} on {result.application.master}"
        if result.application
        else ""
    )
    metrics = "1 metric" if len(result.metrics) == 1 else f"{len(result.metrics)} metrics"
    return f"{result.job}: verdict {result.verdict} ({metrics} in {seconds:.1f} s{where})"


def cell_text(value: float | str | None) -> str:
    """A cell: numbers in groups of three digits, texts as they are; `-` for none."""
    if value is None or isinstance(value, str):
        return value or "-"
    return grouped_text(value)


def section(title: str, head: Row, rows: Sequence[Row], width: int) -> str:
    """A titled table no wider than `width` where its columns can be cut so far; nothing without rows."""
    if not rows:
        return ""
    cells = [head, *(tuple(" ".join(cell.split()) for cell in row) for row in rows)]
    widths = _fit([max(len(row[i]) for row in cells) for i in range(len(head))], width)
    numeric = [all(_is_number(row[i]) for row in cells[1:]) for i in range(len(head))]
    lines = [_line(row, widths, numeric) for row in cells]
    ruler = GAP.join("-" * size for size in widths)
    return "\n".join([title, lines[0], ruler, *lines[1:]])


def _fit(widths: list[int], limit: int) -> list[int]:
    """Narrow the widest columns, evenly, until the row fits."""
    room = limit - len(GAP) * (len(widths) - 1)
    while (over := sum(widths) - room) > 0:
        steps = sorted({*widths, NARROWEST}, reverse=True)
        widest, following = next(pairwise(steps), (0, 0))
        if widest <= NARROWEST:
            return widths
        wide = [i for i, size in enumerate(widths) if size == widest]
        cut = min(widest - max(following, NARROWEST), -(-over // len(wide)))
        widths = [size - cut if i in wide else size for i, size in enumerate(widths)]
    return widths


def _is_number(cell: str) -> bool:
    return cell == "-" or cell.replace(",", "").replace(".", "").replace("-", "").isdigit()


def _line(row: Row, widths: list[int], numeric: list[bool]) -> str:
    cells = [
        f"{_cut(cell, size):{'>' if right else '<'}{size}}"
        for cell, size, right in zip(row, widths, numeric, strict=True)
    ]
    return GAP.join(cells).rstrip()


def _cut(cell: str, size: int) -> str:
    """Keep both ends: of a path or a condition the end says as much as the beginning."""
    if len(cell) <= size:
        return cell
    tail = (size - 1) // 2
    return f"{cell[: size - 1 - tail]}…{cell[len(cell) - tail :]}"
