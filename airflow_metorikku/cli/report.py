"""`metorikku report [RESULT|DIR]`: a result and its history as a page of HTML."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from airflow_metorikku.cli.run import RESULTS
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.pages.runs import FoundRun, runs_below, runs_beside
from airflow_metorikku.results.paths import RESULT

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

PAGE = "report.html"
MARK = '<meta name="generator" content="airflow-metorikku '
"""By which a page of ours is known."""
STANDARD_OUTPUT = "-"
_HEAD = 2_000


class NoReportError(MetorikkuError):
    """There is no result to report, or no place for the page."""

    exit_code = 1


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "report",
        help="make a page of HTML from a result and its history",
        description="Makes one page of HTML, which needs no other file and no network, from a result file or the newest "
        "result below a folder: verdict, steps, constraints with their values so far, outputs, control "
        "measures, reconciliation and earlier runs. Prints the page's path.",
        epilog="exit codes: 0 made, 1 no result, or one that cannot be read (the page then says why)",
    )
    parser.add_argument(
        "result",
        metavar="RESULT|DIR",
        nargs="?",
        default=RESULTS,
        help=f"result.json, or a folder of results; default ./{RESULTS}",
    )
    parser.add_argument("--job", metavar="NAME", help="the newest result of this job")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=f"where the page goes, {STANDARD_OUTPUT} for standard output; default ./{PAGE}",
    )
    parser.set_defaults(command=report)


def report(options: argparse.Namespace) -> int:
    """Write the page, and print its path."""
    from airflow_metorikku.pages.report import (
        render_report,
    )  # only here is a template library wanted

    run, every = _found(Path(options.result), options.job)
    history = [one for one in every if _same(one, run)]
    page = render_report(run, history, _newest_of_others(every, run))
    if options.output == STANDARD_OUTPUT:
        sys.stdout.write(page)
    else:
        path = Path(options.output or PAGE)
        if not options.output:
            _require_ours(path)
        _write(path, page)
        sys.stdout.write(f"{path}\n")
    if run.result is None:
        raise NoReportError(f"{run.path}: {run.why_not}")
    return 0


def _found(path: Path, job: str | None) -> tuple[FoundRun, list[FoundRun]]:
    """The run that is asked for, and all that are there."""
    if path.is_dir() and not (path / RESULT).is_file():
        every = runs_below(path)
        asked = [one for one in every if job is None or (one.result and one.result.job == job)]
        if asked:
            return asked[0], every
        known = sorted({one.result.job for one in every if one.result})
        if every and job:
            raise NoReportError(f"{path}: no result of job {job!r}; there are {', '.join(known)}")
        raise NoReportError(f"{path}: no {RESULT} there or below; metorikku run makes one")
    if not path.exists():
        raise NoReportError(f"{path}: no such file or folder; metorikku run makes results")
    file = path / RESULT if path.is_dir() else path
    every = runs_beside(file)
    return next(one for one in every if one.path == file), every


def _same(one: FoundRun, run: FoundRun) -> bool:
    """Whether two runs are of one history."""
    if one.result and run.result:
        return one.task == run.task and one.result.job == run.result.job
    return one.task == run.task


def _newest_of_others(every: Sequence[FoundRun], run: FoundRun) -> list[FoundRun]:
    others: list[FoundRun] = []
    for one in every:
        if not _same(one, run) and not any(_same(one, other) for other in others):
            others.append(one)
    return others


def _require_ours(path: Path) -> None:
    """A page of ours may be written over; another file of that name is somebody's work."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            ours = MARK in file.read(_HEAD)
    except FileNotFoundError:
        return
    except OSError as error:
        raise NoReportError(f"{path}: {error.strerror}") from error
    if not ours:
        raise NoReportError(f"{path} is there and is no report of ours; say where by --output FILE")


def _write(path: Path, page: str) -> None:
    """In one move: whoever looks at the old page never sees half of the new one."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.absolute().parent, suffix=".html", delete=False
        ) as file:
            made = Path(file.name)
            file.write(page)
        made.chmod(0o644)
        made.replace(path)
    except OSError as error:
        raise NoReportError(f"{path}: the page cannot be written: {error.strerror}") from error
