"""Results of runs in a local folder: those that can be read, and why others cannot."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from airflow_metorikku.results.paths import RESULT
from airflow_metorikku.results.records import Result, UnreadableResultError

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_READ = 200
"""Results looked into, the newest files first: a folder of years is not read for one page."""
_LEVELS = 4
"""Folders above a result, below the root: dag, run, task, attempt."""


@dataclass(frozen=True, kw_only=True)
class FoundRun:
    """One result file: `result` is None where it cannot be read, and `why_not` says so in a sentence."""

    path: Path
    when: str
    """ISO 8601 in UTC: when the run started; of an unreadable result, when its file was written."""
    result: Result | None = None
    why_not: str = ""

    @property
    def run_id(self) -> str:
        """Name of the run, which its folder has; empty for a result somewhere else."""
        return self._named(2)

    @property
    def task(self) -> str:
        """DAG and task: what is the same in all runs of one history."""
        return f"{self._named(3)}.{self._named(1)}"

    def _named(self, above: int) -> str:
        parents = self.path.parents
        return unquote(parents[above].name) if len(parents) > _LEVELS else ""


def read_run(path: Path) -> FoundRun:
    """A result file, read; whatever is wrong with it is said in the answer."""
    try:
        result = Result.from_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, UnreadableResultError) as error:
        why = error.strerror or str(error) if isinstance(error, OSError) else str(error)
        return FoundRun(path=path, when=_written(path), why_not=why)
    return FoundRun(path=path, when=result.started, result=result)


def runs_below(folder: Path) -> list[FoundRun]:
    """The results in or below a folder, newest first; of many, the newest MOST_READ files."""
    return _read(path for path in folder.rglob(RESULT) if path.is_file())


def runs_beside(path: Path) -> list[FoundRun]:
    """The results of the same task in other runs and attempts, newest first, by the places that results have."""
    if path.name != RESULT or len(path.parents) <= _LEVELS:
        return [read_run(path)]
    _attempt, task, _run, dag, *_ = path.parents
    found = set(dag.glob(f"*/{escape(task.name)}/*/{RESULT}")) | {path}
    return _read(found)


def _read(paths: Iterable[Path]) -> list[FoundRun]:
    newest = sorted(paths, key=lambda path: (_written(path), str(path)), reverse=True)
    runs = [read_run(path) for path in newest[:MOST_READ]]
    return sorted(runs, key=lambda run: run.when, reverse=True)


def _written(path: Path) -> str:
    try:
        seconds = path.stat().st_mtime
    except OSError:
        return ""
    text = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
