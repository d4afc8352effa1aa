"""A test file with its metrics, and the job that it names."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from airflow_metorikku.config.document import MapNode
from airflow_metorikku.config.files import Document, Files, absolute
from airflow_metorikku.config.interpolation import names_in
from airflow_metorikku.config.load import PREFIX, names, read_document
from airflow_metorikku.config.metric_files import MetricFiles
from airflow_metorikku.config.records.job import Job, JobFile
from airflow_metorikku.config.records.test_settings import TestSettings
from airflow_metorikku.config.structure import structure
from airflow_metorikku.config.text import exists, is_folder, shown
from airflow_metorikku.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True)
class MetricTest:
    """A test file and the job that it asks: its metrics, with the settings of the job that it names."""

    file: str
    """As messages name it."""
    folder: str
    """Absolute folder that its paths start from."""
    settings: TestSettings
    job: Job


@dataclass(frozen=True, kw_only=True)
class MetricTestReading:
    """All that could be read of a test file; with problems there is no test."""

    file: str
    test: MetricTest | None
    problems: tuple[Problem, ...]


def read_test(path: str | Path, environ: Mapping[str, str] | None = None) -> MetricTestReading:
    """A test file with all that it names; the configuration prefix is put before a path that is not there without it."""
    environ = os.environ if environ is None else environ
    prefix = environ.get(PREFIX, "")
    path = path if not prefix or exists(Path(path)) else prefix + str(path)
    files = Files(names(None, None, environ))
    document = files.open(Path(path))
    test = read_test_document(document, MetricFiles(files))
    problems = tuple(files.problems())
    return MetricTestReading(
        file=document.report.file, test=None if problems else test, problems=problems
    )


def read_test_document(document: Document, metrics: MetricFiles) -> MetricTest | None:
    """The test of a document that is open, None where it is none; whatever is wrong is in the reports."""
    root, report = document.root, document.report
    if root is None:
        return None
    settings = structure(TestSettings, root, "", report)
    if not isinstance(settings, TestSettings) or not isinstance(root, MapNode):
        return None
    folder = absolute(document.path).parent
    _check_mocks(settings, folder, document)
    line, tests = root.entries["tests"]
    if not (settings.outputs or settings.expect or (isinstance(tests, MapNode) and tests.entries)):
        report.problem(
            line, "tests", "asks nothing; expected rows by table, or the keys outputs or expect"
        )
    job = _job(settings, root, folder, document, metrics)
    asked = Problem(file=report.file, line=root.entries["metric"][0], path="metric", text="")
    read = [
        reading
        for reading in metrics.read_entry(document.path.parent, settings.metric, asked)
        if reading.metric
    ]
    return MetricTest(
        file=report.file,
        folder=str(folder),
        settings=settings,
        job=Job(
            name=document.path.stem,
            file=report.file,
            base=job.base if job else _base(folder, settings.metric),
            settings=job.settings if job else JobFile(metrics=(settings.metric,)),
            metrics=tuple(one.metric for one in read if one.metric),
            undefined=(*report.undefined, *(each for one in read for each in one.undefined)),
        ),
    )


def _base(folder: Path, metric: str) -> str:
    """Where the metric's own modules are looked for when no job says it: beside the metric."""
    path = absolute(folder / metric)
    return str(path if is_folder(path) else path.parent)


def _job(
    settings: TestSettings, root: MapNode, folder: Path, document: Document, metrics: MetricFiles
) -> Job | None:
    """The job that the test names."""
    if settings.job is None:
        return None
    asked = Problem(file=document.report.file, line=root.entries["job"][0], path="job", text="")
    opened = metrics.files.open(absolute(folder / settings.job), asked)
    return read_document(opened, metrics).job if opened.root is not None else None


def _check_mocks(settings: TestSettings, folder: Path, document: Document) -> None:
    """Whether the files of the mocks are there, and no name stands for two."""
    seen: set[str] = set()
    for i, mock in enumerate(settings.mocks):
        line = mock.at.line if mock.at else 0
        if not names_in(mock.path) and not exists(folder / mock.path):
            text = f"no such file: {shown(folder / mock.path)}"
            document.report.problem(line, f"mocks[{i}].path", text)
        if mock.name.lower() in seen:
            text = f"got {mock.name!r} a second time; give each mock a name of its own"
            document.report.problem(line, f"mocks[{i}].name", text)
        seen.add(mock.name.lower())
