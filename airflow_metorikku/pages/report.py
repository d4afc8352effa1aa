"""The report of a run: one page with its verdict and all that led to it, and how it came out in earlier runs.

Everything in a result is text of somebody else's to the page: it is escaped wherever it stands, and the page
forbids the browser any script and style but its own two.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from airflow_metorikku import __version__
from airflow_metorikku.pages.runs import FoundRun
from airflow_metorikku.pages.sparkline import HEIGHT, WIDTH, Sparkline, sparkline
from airflow_metorikku.results.records import (
    ConstraintResult,
    Verdict,
)
from airflow_metorikku.results.table import cell_text, problems, status_text
from airflow_metorikku.results.verdict import of_constraint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from airflow_metorikku.results.records import (
        CheckpointResult,
        MetricResult,
        Result,
    )


@dataclass(frozen=True, kw_only=True)
class ConstraintRow:
    """A constraint of the run, and its values so far."""

    metric: str
    constraint: ConstraintResult
    verdict: Verdict
    status: str
    line: Sparkline | None


@dataclass(frozen=True, kw_only=True)
class ControlRow:
    """A control, with its value at each checkpoint, and whether that is another than at the checkpoint before."""

    name: str
    values: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, kw_only=True)
class HistoryRow:
    """A run among others; `why_not` where its result cannot be read."""

    run: FoundRun
    seconds: str
    failed: int | None
    constraints: int | None
    shown: bool
    """Whether it is the one that the page is about."""


def render_report(run: FoundRun, history: Sequence[FoundRun], others: Sequence[FoundRun]) -> str:
    """The page of a run. `history` are runs of the same task, newest first, itself among them; `others` newest runs of other tasks."""
    result = run.result
    page: str = (
        _environment()
        .get_template("report.html")
        .render(
            run=run,
            result=result,
            seconds=_seconds(result),
            constraints=list(_constraints(result, run, history)),
            controls=_controls(result.checkpoints if result else ()),
            problems=problems(result) if result else [],
            history=[_history(one, run) for one in history],
            others=[_history(one, run) for one in others],
            version=__version__,
            style=_asset("report.css"),
            script=_asset("report.js"),
            policy=_policy(),
            chart=(WIDTH, HEIGHT),
        )
    )
    return page


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("airflow_metorikku", "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = cell_text
    environment.filters["words"] = lambda text: str(text).replace("_", " ")
    return environment


@cache
def _asset(name: str) -> Markup:
    """A file of ours, as it is: nobody else's text is in it."""
    loader = _environment().loader
    assert loader is not None
    return Markup(loader.get_source(_environment(), name)[0])  # noqa: S704 - a file of this package


def _policy() -> str:
    """What the browser may do on the page: our style and script by their hashes, and nothing that goes out."""
    style, script = (
        base64.b64encode(hashlib.sha256(str(_asset(name)).encode()).digest()).decode()
        for name in ("report.css", "report.js")
    )
    return (
        f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _constraints(
    result: Result | None, run: FoundRun, history: Sequence[FoundRun]
) -> Iterator[ConstraintRow]:
    if result is None:
        return
    past = [one for one in reversed(history) if one.result and one.when <= run.when]
    known = [(one.when, _by_name(one.result.metrics)) for one in past if one.result]
    for metric in result.metrics:
        for constraint in metric.constraints:
            name = (metric.name, constraint.data_frame, constraint.id)
            yield ConstraintRow(
                metric=metric.name,
                constraint=constraint,
                verdict=of_constraint(constraint),
                status=status_text(constraint),
                line=sparkline([(when, values.get(name)) for when, values in known]),
            )


def _by_name(
    metrics: Sequence[MetricResult],
) -> dict[tuple[str, str, str], ConstraintResult]:
    return {
        (metric.name, one.data_frame, one.id): one
        for metric in metrics
        for one in metric.constraints
    }


def _controls(checkpoints: Sequence[CheckpointResult]) -> list[ControlRow]:
    values = [{one.name: one.value for one in point.controls} for point in checkpoints]
    rows = []
    for name in dict.fromkeys(name for controls in values for name in controls):
        cells: list[tuple[str, bool]] = []
        last: str | None = None
        for controls in values:
            value = controls.get(name)
            cells.append(
                ("-" if value is None else value, None not in (value, last) and value != last)
            )
            last = value if value is not None else last
        rows.append(ControlRow(name=name, values=tuple(cells)))
    return rows


def _history(one: FoundRun, shown: FoundRun) -> HistoryRow:
    result = one.result
    every = [each for metric in result.metrics for each in metric.constraints] if result else []
    return HistoryRow(
        run=one,
        seconds=_seconds(result),
        failed=sum(each.status != "passed" for each in every) if result else None,
        constraints=len(every) if result else None,
        shown=one.path == shown.path,
    )


def _seconds(result: Result | None) -> str:
    """How long it took; nothing where the result's times are none."""
    try:
        assert result is not None
        took = datetime.fromisoformat(result.ended) - datetime.fromisoformat(result.started)
    except (AssertionError, ValueError, TypeError):
        return ""
    return f"{took.total_seconds():.1f} s"
