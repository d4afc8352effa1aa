"""Metric files and their SQL files, each read once however many jobs name it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from airflow_metorikku.config.document import ListNode, MapNode, Node, Scalar
from airflow_metorikku.config.files import Document, Files, absolute, named
from airflow_metorikku.config.interpolation import (
    CONNECTIONS,
    connection_problem,
    fill,
    literal_dollars,
    names_in,
)
from airflow_metorikku.config.records.metric import Metric, MetricFile, Step
from airflow_metorikku.config.structure import structure
from airflow_metorikku.config.text import shown
from airflow_metorikku.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class MetricReading:
    """All that could be read of a metric file; `declared` also names the data frames of broken steps."""

    metric: Metric | None = None
    declared: frozenset[str] = frozenset()
    complete: bool = False
    """Whether `declared` is all that the file means to define."""
    undefined: tuple[Problem, ...] = ()


class MetricFiles:
    """Reads metric files."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.readings: dict[Path, MetricReading] = {}

    def read_entry(self, folder: Path, entry: str, asked: Problem) -> Iterator[MetricReading]:
        """What an entry of a job's `metrics` names: a file, or each file of a folder by name."""
        text = literal_dollars(fill(entry, self.files.names))
        if names := names_in(text):
            yield self._broken(
                asked,
                f"${{{names[0]}}} stands for nothing here, and decides which files the job has; give it a default as ${{{names[0]}:-name}}",
            )
            return
        if not text:
            yield self._broken(asked, "got an empty text, expected a metric file or folder")
            return
        path = named(folder, text)
        try:
            inside = self.files.inside(path)
        except OSError as error:
            yield self._broken(asked, f"{shown(path)}: cannot be read: {error.strerror}")
            return
        if inside is None:
            yield self.read(path, asked)
            return
        if not inside:
            yield self._broken(
                asked, f"{shown(path)}: no metric file (*.json, *.yaml, *.yml) in the folder"
            )
        for each in inside:
            yield self.read(each, asked)

    def read(self, path: Path, asked: Problem | None = None) -> MetricReading:
        """One metric file; a mistake in it is reported once."""
        key = absolute(path)
        if key not in self.readings:
            reading = self._read(self.files.open(path, asked))
            if reading is None:
                return MetricReading()
            self.readings[key] = reading
        return self.readings[key]

    def _read(self, document: Document) -> MetricReading | None:
        root, report = document.root, document.report
        if root is None:
            return None
        found = structure(MetricFile, root, "", report)
        metric = None
        if isinstance(found, MetricFile):
            metric = Metric(
                name=document.path.stem,
                file=report.file,
                steps=tuple(self._with_sql(step, document) for step in found.steps),
                output=tuple(output.with_options() for output in found.output),
            )
        steps = _steps(root)
        return MetricReading(
            metric=metric,
            declared=frozenset(name for step in steps or () if (name := _declared(step))),
            complete=steps is not None and all(map(_declared, steps)),
            undefined=tuple(report.undefined),
        )

    def _with_sql(self, step: Step, document: Document) -> Step:
        """The step with the text of its SQL file."""
        if step.sql is not None or not step.file:
            return step
        asked = Problem(
            file=document.report.file, line=_file_line(step, document.root), path="file", text=""
        )
        if names := names_in(step.file):
            self._broken(
                asked,
                f"${{{names[0]}}} stands for nothing here; give it a default as ${{{names[0]}:-name}}",
            )
            return step
        path = named(document.path.parent, step.file)
        text = self.files.sql(path, asked)
        if text is None:
            return step
        for name in names_in(text):
            if name.startswith(CONNECTIONS):
                line = text.count("\n", 0, text.index(f"${{{name}}}")) + 1
                problem = connection_problem(name, None) or ""
                self.files.found.append(Problem(file=shown(path), line=line, path="", text=problem))
        return replace(step, sql=text)

    def _broken(self, asked: Problem, text: str) -> MetricReading:
        self.files.found.append(replace(asked, text=text))
        return MetricReading()


def _steps(root: Node) -> tuple[Node, ...] | None:
    entry = root.entries.get("steps") if isinstance(root, MapNode) else None
    return entry[1].items if entry and isinstance(entry[1], ListNode) else None


def _declared(step: Node) -> str:
    """Name that a step gives its data frame; empty when it does not say."""
    entry = step.entries.get("dataFrameName") if isinstance(step, MapNode) else None
    return entry[1].text if entry and isinstance(entry[1], Scalar) else ""


def _file_line(step: Step, root: Node | None) -> int:
    for node in (_steps(root) if root else None) or ():
        if (
            isinstance(node, MapNode)
            and step.at
            and node.line == step.at.line
            and "file" in node.entries
        ):
            return node.entries["file"][0]
    return step.at.line if step.at else 0
