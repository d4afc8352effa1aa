"""The files of one reading, each opened once: text, interpolation, nodes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from airflow_metorikku.config.document import DocumentError, MapNode, Node
from airflow_metorikku.config.interpolation import (
    Interpolated,
    InterpolationError,
    Names,
    interpolate,
    unmark,
)
from airflow_metorikku.config.json_text import read_json
from airflow_metorikku.config.remote import (
    FsspecStore,
    Store,
    address_of,
    is_remote,
    path_of,
    reason,
)
from airflow_metorikku.config.report import Report
from airflow_metorikku.config.text import exists, is_folder, read_remote_text, read_text, shown
from airflow_metorikku.config.yaml_text import read_yaml
from airflow_metorikku.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SUFFIXES = (".json", ".yaml", ".yml")


@dataclass(frozen=True, kw_only=True)
class Document:
    """One file: its nodes, None when there are none, and the report that its readers go on with."""

    path: Path
    root: Node | None
    report: Report


class Files:
    """Opens files, and keeps what was found wrong in each, in the order of opening."""

    def __init__(self, names: Names, store: Store | None = None) -> None:
        self.names = names
        self.store = store or FsspecStore()
        self.order: dict[str, int] = {}
        self.read: list[str] = []
        self.found: list[Problem] = []
        self._documents: dict[Path, Document] = {}

    def open(self, path: Path, asked: Problem | None = None, file: str | None = None) -> Document:
        """Nodes of a YAML or JSON file; `asked` is the place that names the file, `file` its name in messages."""
        known = self._documents.get(absolute(path))
        if known is not None:
            return known
        report = self._report(file or shown(path))
        text = self._text(path, report, asked)
        source = None if text is None else self._interpolated(text, report)
        document = Document(
            path=path,
            root=None if source is None else parsed(source, path.suffix, report),
            report=report,
        )
        if text is not None:
            self._documents[absolute(path)] = document
        return document

    def open_text(self, text: str, file: str) -> Document:
        """Nodes of a JSON text that no file holds; nothing is interpolated, as in Metorikku."""
        report = self._report(file)
        return Document(
            path=Path(file), root=parsed(Interpolated(text), ".json", report), report=report
        )

    def sql(self, path: Path, asked: Problem) -> str | None:
        """Text of a SQL file, interpolated."""
        report = self._report(shown(path))
        text = self._text(path, report, asked)
        source = None if text is None else self._interpolated(text, report)
        if source is None:
            return None
        return unmark(source.text) if source.marked else source.text

    def inside(self, folder: Path) -> list[Path] | None:
        """The configuration files directly inside a folder, by name; None where there is no folder. Raises OSError with why it cannot be read."""
        if not is_remote(folder):
            if not is_folder(folder):
                return None
            found = [each for each in folder.iterdir() if not is_folder(each)]
        else:
            if folder.suffix in SUFFIXES:
                return None  # asking costs a call
            found = [folder / name for name in self._names_inside(folder) or ()]
            if not found:
                return None
        return sorted(each for each in found if each.suffix in SUFFIXES)

    def _names_inside(self, folder: Path) -> list[str] | None:
        try:
            return self.store.inside(address_of(folder))
        except Exception as error:
            raise OSError(0, reason(error)) from error

    def exists(self, path: Path) -> bool:
        """Whether anything is there; a remote file is only known when it is read, and counts as being there."""
        return is_remote(path) or exists(path)

    def problems(self) -> list[Problem]:
        """Every problem of every file opened."""
        return in_order(self.found, self.order)

    def _report(self, file: str) -> Report:
        self.order.setdefault(file, len(self.order))
        return Report(file=file, names=self.names, problems=self.found)

    def _text(self, path: Path, report: Report, asked: Problem | None) -> str | None:
        if is_remote(path):
            text = read_remote_text(self.store, path, report.file, asked)
        else:
            text = read_text(path, report.file, asked)
        if isinstance(text, Problem):
            self.found.append(text)
            return None
        self.read.append(report.file)
        return text

    def _interpolated(self, text: str, report: Report) -> Interpolated | None:
        try:
            return interpolate(text, self.names)
        except InterpolationError as error:
            report.problem(error.line, "", str(error))
            return None


def absolute(path: Path) -> Path:
    """The one spelling of a path that a file is remembered by; links are not followed."""
    if is_remote(path):
        return Path(os.path.normpath(path))
    return Path(os.path.abspath(path))  # noqa: PTH100 - Path.absolute keeps `..`


def named(folder: Path, text: str) -> Path:
    """What a text names in a folder; a whole address stands for itself."""
    path = path_of(text)
    return absolute(path if is_remote(path) else folder / path)


def parsed(source: Interpolated, suffix: str, report: Report) -> Node | None:
    """The nodes of a text, None when it is no document."""
    try:
        root, mistakes = _read_json(source) if suffix == ".json" else read_yaml(source)
    except DocumentError as error:
        report.problem(error.line, "", str(error))
        return None
    for mistake in mistakes:
        report.problem(mistake.line, "", str(mistake))
    return root


def _read_json(source: Interpolated) -> tuple[Node, list[DocumentError]]:
    """JSON; or YAML in a metric or test file of that name, which Metorikku reads as YAML whatever its name."""
    try:
        return read_json(source)
    except DocumentError:
        try:
            root, mistakes = read_yaml(source)
        except DocumentError:
            root = None
        if not isinstance(root, MapNode) or root.entries.keys().isdisjoint(("steps", "tests")):
            raise
        return root, mistakes


def in_order(problems: Iterable[Problem], order: Mapping[str, int]) -> list[Problem]:
    """Problems by the order of their files, then by line; each once."""
    last = len(order)
    unique = dict.fromkeys(problems)
    return sorted(unique, key=lambda problem: (order.get(problem.file, last), problem.line))
