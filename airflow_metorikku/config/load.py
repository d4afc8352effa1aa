"""A job file with its metric and SQL files, as one frozen Job, and every problem of them all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.base_folder import find_base
from airflow_metorikku.config.document import ListNode, MapNode, Node, Scalar
from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.files import Document, Files
from airflow_metorikku.config.interpolation import InterpolationError, Names, given_variables
from airflow_metorikku.config.metric_files import MetricFiles, MetricReading
from airflow_metorikku.config.records.job import JOB, Job, JobFile, job_name
from airflow_metorikku.config.remote import Store, address_of, is_remote, path_of
from airflow_metorikku.config.structure import structure
from airflow_metorikku.errors import Problem

if TYPE_CHECKING:
    from pathlib import Path

PREFIX = "CONFIG_FILES_PATH_PREFIX"
# Where Metorikku takes a job's key from when the job does not have it.
ENVIRONMENT_KEYS = {
    "failed_df_location_prefix": "CONFIG_FAILED_DF_PATH_PREFIX",
    "checkpoint_storage_location": "CONFIG_CHECKPOINT_STORAGE_LOCATION",
}
TEXT_FILE = "--job"


@dataclass(frozen=True, kw_only=True)
class JobReading:
    """All that could be read of a job.

    With problems, `job` lacks what is broken (None when nothing can be made of the job file), and
    `declared` names every data frame that the files mean to define, so that those in broken steps
    are not missed. Where not even that is known, because a file is missing, `complete` is False.
    """

    job: Job | None
    problems: tuple[Problem, ...]
    declared: frozenset[str]
    complete: bool
    order: Mapping[str, int]
    """Files by the order of reading, for `in_order`."""


def read_job(  # noqa: PLR0913 - each can be left out
    file: str | Path,
    *,
    variables: Mapping[str, Any] | None = None,
    texts: Mapping[str, str] | None = None,
    base: str | None = None,
    ends: Iterable[Path] = (),
    environ: Mapping[str, str] | None = None,
    store: Store | None = None,
) -> JobReading:
    """A job file with all that it names.

    :param variables: from the operator or `--var`: override the job's, and win over the environment.
    :param texts: of the run, as `ds`; leave them out to check a job before its run.
    :param base: folder of relative paths, relative to the job file, instead of the job's own `base`.
    :param ends: folders that the search for the base ends at.
    :param store: how remote files are reached; by fsspec if none is given.
    """
    environ = os.environ if environ is None else environ
    path = path_of(environ.get(PREFIX, "") + str(file))
    files = _files(variables, texts, environ, str(path), store)
    metrics = MetricFiles(files)
    return read_document(files.open(path), metrics, base=base, ends=ends)


def read_job_text(
    text: str,
    *,
    variables: Mapping[str, Any] | None = None,
    texts: Mapping[str, str] | None = None,
    base: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> JobReading:
    """The same of a job given as JSON text, its paths relative to `base` or the working folder."""
    environ = os.environ if environ is None else environ
    files = _files(variables, texts, environ, TEXT_FILE)
    return read_document(files.open_text(text, TEXT_FILE), MetricFiles(files), base=base or ".")


def _files(
    variables: Mapping[str, Any] | None,
    texts: Mapping[str, str] | None,
    environ: Mapping[str, str],
    file: str,
    store: Store | None = None,
) -> Files:
    """The files of a reading; variables that cannot be used are a problem of the job's `file`."""
    files = Files(Names(texts=texts or {}, environ=environ), store)
    try:
        files.names = names(variables, texts, environ)
    except InterpolationError as error:
        files.found.append(Problem(file=file, line=0, path="variables", text=str(error)))
    return files


def names(
    variables: Mapping[str, Any] | None, texts: Mapping[str, str] | None, environ: Mapping[str, str]
) -> Names:
    """What `${name}` stands for; a variable that is no text counts as JSON writes it. Raises InterpolationError for a circle."""
    given = {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in (variables or {}).items()
    }
    raw = Names(variables=given, texts=texts or {}, environ=environ)
    return replace(raw, variables=given_variables(given, raw))


def read_document(
    document: Document, metrics: MetricFiles, *, base: str | None = None, ends: Iterable[Path] = ()
) -> JobReading:
    """The job of a document that is open."""
    files, report, root = metrics.files, document.report, document.root
    settings = None if root is None else structure(JobFile, root, "", report)
    settings = settings if isinstance(settings, JobFile) else None
    named = list(_metric_places(root, report.file))
    folder = _base(document, [text for text, _ in named], base, settings, ends)
    prefix = files.names.environ.get(PREFIX, "")
    readings = [
        reading
        for text, asked in named
        for reading in metrics.read_entry(folder, prefix + text, asked)
    ]
    job = None
    if settings is not None:
        job = _job(document, _completed(settings, files.names), folder, readings, files.names)
    return JobReading(
        job=job,
        problems=tuple(files.problems()),
        declared=frozenset(_inputs(root)).union(*(reading.declared for reading in readings)),
        complete=bool(named) and all(reading.complete for reading in readings),
        order=dict(files.order),
    )


def _job(
    document: Document, settings: JobFile, folder: Path, readings: list[MetricReading], known: Names
) -> Job:
    return Job(
        name=JOB if document.report.file == TEXT_FILE else job_name(document.path),
        file=document.report.file,
        base=address_of(folder),
        settings=settings,
        metrics=tuple(reading.metric for reading in readings if reading.metric),
        known_variables={**known.texts, **known.variables},
        conf_at=dict(_conf_places(document.root, document.report.file)),
        undefined=(
            *document.report.undefined,
            *(each for reading in readings for each in reading.undefined),
        ),
    )


def _completed(settings: JobFile, known: Names) -> JobFile:
    """The settings with the operator's variables, and with what the environment adds."""
    added: dict[str, Any] = {
        field: known.environ[name]
        for field, name in ENVIRONMENT_KEYS.items()
        if getattr(settings, field) is None and known.environ.get(name)
    }
    if known.variables:
        added["variables"] = {**settings.variables, **known.variables}
    return replace(settings, **added) if added else settings


def _base(
    document: Document,
    named: list[str],
    base: str | None,
    settings: JobFile | None,
    ends: Iterable[Path],
) -> Path:
    chosen = base if base is not None else settings.base if settings else None
    if document.report.file == TEXT_FILE:
        given = path_of(base or ".")
        return given if is_remote(given) else given.absolute()
    return find_base(document.path, named, chosen, ends)


def _metric_places(root: Node | None, file: str) -> Iterable[tuple[str, Problem]]:
    """Each metric that a job names, and where: read from the nodes, as the job may be broken elsewhere."""
    entry = root.entries.get("metrics") if isinstance(root, MapNode) else None
    if entry and isinstance(entry[1], ListNode):
        for i, item in enumerate(entry[1].items):
            if isinstance(item, Scalar) and not item.is_null:
                yield item.text, Problem(file=file, line=item.line, path=f"metrics[{i}]", text="")


def _conf_places(root: Node | None, file: str) -> Iterable[tuple[str, Where]]:
    entry = root.entries.get("sparkConf") if isinstance(root, MapNode) else None
    if entry and isinstance(entry[1], MapNode):
        for name, (line, _) in entry[1].entries.items():
            yield name, Where(file=file, line=line)


def _inputs(root: Node | None) -> Iterable[str]:
    entry = root.entries.get("inputs") if isinstance(root, MapNode) else None
    return entry[1].entries if entry and isinstance(entry[1], MapNode) else ()
