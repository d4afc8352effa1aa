"""Checks of data that no job makes, as a job of their own: one data frame, its checks, no outputs."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.document import ListNode, MapNode, Node, Scalar
from airflow_metorikku.config.files import Document, Files, named, parsed
from airflow_metorikku.config.interpolation import InterpolationError, interpolate, unmark
from airflow_metorikku.config.load import JobReading, names
from airflow_metorikku.config.records.job import Job, JobFile
from airflow_metorikku.config.records.metric import Metric, Step
from airflow_metorikku.config.remote import Store, address_of, is_remote
from airflow_metorikku.config.structure import structure
from airflow_metorikku.errors import Problem

if TYPE_CHECKING:
    from airflow_metorikku.config.report import Report


_FORMATS = re.compile(r"(\.(csv|jsonl?|parquet|orc|avro|xml|txt|gz|bz2))+$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Standalone:
    """What is checked, and by what; the words are those of job and metric files."""

    name: str
    """Of the job, and of its one metric."""
    data_frame: str
    place: str
    """Where the checks stand, as messages name it, unless they are in a file."""
    folder: Path
    """Folder that relative paths start from."""
    checks: Any
    """A list of checks, a `dq` block, or the path of a file with one of both."""
    sql: str
    """What reads it."""
    level: str | None = None
    file: Mapping[str, Any] | None = None
    """Input of kind `file`."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Further keys of a job file."""


def read_standalone(
    given: Standalone,
    *,
    variables: Mapping[str, Any] | None = None,
    texts: Mapping[str, str] | None = None,
    environ: Mapping[str, str] | None = None,
    store: Store | None = None,
) -> JobReading:
    """The job of some checks, with every problem of them.

    :param variables: values for `${name}` in the checks and the query.
    :param texts: of the run, as `ds`; leave them out to check before the run.
    """
    environ = os.environ if environ is None else environ
    files = Files(names(variables, texts, environ), store)
    job_report, job_node = _inline(given, files, _job_keys(given, variables))
    settings = None if job_node is None else structure(JobFile, job_node, "", job_report)
    document = _checks(given, files)
    step = None
    if document.root is not None:
        node = _step_node(given, document.root, _sql(given, files))
        step = structure(Step, node, "", document.report)
        if isinstance(step, Step) and not (step.dq and step.dq.every):
            text = "got an empty list, expected at least one check"
            document.report.problem(document.root.line, "checks", text)
    problems = tuple(files.problems())
    job = None
    if isinstance(settings, JobFile) and isinstance(step, Step):
        job = Job(
            name=given.name,
            file=given.place,
            base=str(given.folder.absolute())
            if not is_remote(given.folder)
            else address_of(given.folder),
            settings=settings,
            metrics=(Metric(name=given.name, file=document.report.file, steps=(step,)),),
            known_variables={**files.names.texts, **files.names.variables},
            undefined=(*job_report.undefined, *document.report.undefined),
            reads_catalog=True,
        )
    return JobReading(
        job=job,
        problems=problems,
        declared=frozenset({given.data_frame}),
        complete=True,
        order=dict(files.order),
    )


def _job_keys(given: Standalone, variables: Mapping[str, Any] | None) -> dict[str, Any]:
    inputs = {given.data_frame: {"file": dict(given.file)}} if given.file else {}
    return {
        "metrics": [given.name],
        "inputs": inputs,
        "variables": dict(variables or {}),
        **given.settings,
    }


def _inline(given: Standalone, files: Files, data: Any) -> tuple[Report, Node | None]:
    """Nodes of plain data, with values put in as into a file's text."""
    document = files.open_text("null", given.place)
    try:
        source = interpolate(json.dumps(data), files.names)
    except InterpolationError as error:
        files.found.append(Problem(file=given.place, line=0, path="", text=str(error)))
        return document.report, None
    return document.report, parsed(source, ".json", document.report)


def _checks(given: Standalone, files: Files) -> Document:
    if isinstance(given.checks, str):
        path = named(given.folder, given.checks)
        asked = Problem(file=given.place, line=0, path="checks", text="")
        return files.open(path, asked)
    report, root = _inline(given, files, given.checks)
    return Document(path=given.folder, root=_without_lines(root) if root else None, report=report)


def _without_lines(node: Node) -> Node:
    """Lines of a text that nobody sees say nothing."""
    if isinstance(node, MapNode):
        entries = {key: (0, _without_lines(value)) for key, (_, value) in node.entries.items()}
        return MapNode(entries, 0)
    if isinstance(node, ListNode):
        return ListNode(tuple(map(_without_lines, node.items)), 0)
    return node._replace(line=0)


def _sql(given: Standalone, files: Files) -> str:
    """The query with texts of the run and of the environment in it, as a SQL file has them."""
    try:
        source = interpolate(given.sql, files.names)
    except InterpolationError as error:
        files.found.append(Problem(file=given.place, line=0, path="query", text=str(error)))
        return given.sql
    return unmark(source.text) if source.marked else source.text


def _step_node(given: Standalone, root: Node, sql: str) -> MapNode:
    """The step that reads what is checked; checks may stand alone, in a list, or as a `dq` block, also under that key."""
    dq: Node = (
        MapNode({"checks": (root.line, root)}, root.line) if isinstance(root, ListNode) else root
    )
    if isinstance(dq, MapNode) and list(dq.entries) == ["dq"]:
        dq = dq.entries["dq"][1]
    if isinstance(dq, MapNode) and given.level is not None:
        dq = MapNode({**dq.entries, "level": (dq.line, Scalar(given.level, dq.line))}, dq.line)
    texts = {"dataFrameName": given.data_frame, "sql": sql}
    entries: dict[str, tuple[int, Node]] = {
        key: (root.line, Scalar(text, root.line, quoted=True)) for key, text in texts.items()
    }
    return MapNode({**entries, "dq": (root.line, dq)}, root.line)


def identifier(text: str) -> str:
    """A name that SQL takes unquoted, made of a table's name, or of the last part of a path without what says the format."""
    last = next((part for part in reversed(text.split("/")) if part), text)
    last = _FORMATS.sub("", last)
    return "".join(c if c.isalnum() and c.isascii() else "_" for c in last).strip("_") or "data"
