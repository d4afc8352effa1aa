"""`metorikku check`: job, metric and test files, given or found in folders, and every problem of theirs once."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.document import MapNode, Node
from airflow_metorikku.config.files import SUFFIXES, Document, Files, in_order
from airflow_metorikku.config.load import JobReading, names, read_document
from airflow_metorikku.config.metric_files import MetricFiles
from airflow_metorikku.config.metric_tests import read_test_document
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import MetricFile
from airflow_metorikku.config.records.test_settings import TestSettings
from airflow_metorikku.config.remote import is_remote, path_of
from airflow_metorikku.config.shapes import fields_of
from airflow_metorikku.config.text import is_folder, may_be_ours
from airflow_metorikku.config.words import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from airflow_metorikku.errors import Problem

# The key that makes a file one of ours, in the order of asking.
FILE_KINDS: dict[str, type[Any]] = {
    "metrics": JobFile,
    "steps": MetricFile,
    "tests": TestSettings,
    "metric": TestSettings,
}
_OURS = re.compile(r"""^\s*[{]?\s*["']?(metrics|steps|tests)["']?\s*:""", re.MULTILINE)


def check_paths(
    paths: Iterable[str | Path],
    *,
    find: Callable[..., Iterable[Problem]] | None = None,
    environ: Mapping[str, str] | None = None,
) -> tuple[list[str], list[Problem]]:
    """Files read, and their problems by file and line.

    :param find: called as `find(job, declared=names)` for the problems between a job's files,
        which the plan room knows.
    """
    files = Files(names(None, None, os.environ if environ is None else environ))
    metrics = MetricFiles(files)
    opened = [
        (kind, document) for path in paths for kind, document in _opened(path_of(path), files)
    ]
    for document in _of(JobFile, opened):
        reading = read_document(document, metrics)
        files.found += between(reading, find) if find else ()
    for document in _of(TestSettings, opened):
        read_test_document(document, metrics)
    for document in _of(MetricFile, opened):
        metrics.read(document.path)
    return files.read, in_order(files.found, files.order)


def between(reading: JobReading, find: Callable[..., Iterable[Problem]]) -> list[Problem]:
    """Problems between the files of a job, but none that only follows from what is broken in one of them."""
    if reading.job is None or not reading.complete:
        return []
    broken = {
        re.split(r"[.\[]", problem.path)[0]
        for problem in reading.problems
        if problem.file == reading.job.file
    }
    unsure = {"output.name"} if "outputs" in broken else set()
    if broken & {"inputs", "controlMeasures"}:
        unsure.add("controlMeasures")
    found = find(reading.job, declared=reading.declared)
    # Whether a data frame has checks is not known of a file that is broken.
    unread = {problem.file for problem in reading.problems}
    return [
        problem
        for problem in found
        if not problem.path.startswith(tuple(unsure))
        and not (problem.path == "output.rows" and problem.file in unread)
    ]


def _of(kind: type[Any], opened: list[tuple[type[Any] | None, Document]]) -> Iterator[Document]:
    return (document for found, document in opened if found is kind)


def _opened(path: Path, files: Files) -> Iterator[tuple[type[Any] | None, Document]]:
    """Each file of ours at a path, and what it is."""
    remote = files.inside(path) if is_remote(path) else None
    if remote is None and not is_folder(path):
        document = files.open(path)
        kind = _kind(document.root)
        if document.root is not None and kind is None:
            document.report.problem(
                0,
                "",
                "neither a job, a metric nor a test: expected the key metrics, steps, or metric and tests",
            )
        yield kind, document
        return
    for each in remote or _inside(path):
        document = files.open(each)
        yield _kind(document.root), document


def _inside(folder: Path) -> Iterator[Path]:
    """Files below a folder that are ours, or were meant to be; data and hidden folders are passed by."""
    for root, folders, names_found in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names_found):
            path = Path(root, name)
            if path.suffix in SUFFIXES and _is_ours(path):
                yield path


def _is_ours(path: Path) -> bool:
    try:
        return may_be_ours(path) and bool(
            _OURS.search(path.read_text(encoding="utf-8", errors="replace"))
        )
    except OSError:
        return True  # opening it says why


def _kind(root: Node | None) -> type[Any] | None:
    """What a file is, by its keys; a misspelt one counts where nothing else decides."""
    if not isinstance(root, MapNode):
        return None
    for key, kind in FILE_KINDS.items():
        if key in root.entries:
            return kind
    meant = [FILE_KINDS[near] for key in root.entries if (near := suggestion(key, FILE_KINDS))]
    return meant[0] if meant else _by_most_keys(root)


def _by_most_keys(root: MapNode) -> type[Any] | None:
    counts = {
        kind: sum(field.key in root.entries for field in fields_of(kind))
        for kind in FILE_KINDS.values()
    }
    best = max(counts, key=lambda kind: counts[kind])
    return best if counts[best] else None
