"""The moves of a publication, written down before the first: whoever comes next finishes them, and never mixes.

Each move can be made again: it sees whether it was made. All outputs of a metric are one publication:
its journal lies beside the first target, and beside each other one a note of where that is, written before it.
A note without its journal belongs to a publication that never began.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from airflow_metorikku.config.plain import from_plain, to_plain
from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.files import Files, files_at, parent
from airflow_metorikku.spark.outputs.target import Target, target_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pyspark.sql import SparkSession

    from airflow_metorikku.spark.outputs.lock import Locks


@dataclass(frozen=True, kw_only=True)
class Move:
    """One move; paths are URIs, so that another run can make it."""

    kind: Literal["put", "add", "remove"]
    """`put` a folder in the place of what is there, `add` a file, `remove` a file."""
    target: str
    source: str = ""
    aside: str = ""
    """Where what a `put` replaces goes, on a file system that cannot exchange the two."""
    identity: str | None = None
    """Of the source: it tells the source from what an exchange has left in its place."""


@dataclass(frozen=True, kw_only=True)
class Journal:
    """A publication that has begun."""

    run: str
    targets: tuple[str, ...]
    folders: tuple[str, ...]
    """Staging folders, with their owner files, to remove at the end."""
    moves: tuple[Move, ...]

    def to_json(self) -> str:
        """Text of the file."""
        return json.dumps(to_plain(self))

    @classmethod
    def from_json(cls, text: str) -> Journal:
        """Read it; raises ValueError."""
        return from_plain(cls, json.loads(text))


def begin(journal: Journal, targets: Sequence[Target]) -> None:
    """Write it down: from the end of this call on the publication is certain."""
    first, *others = targets
    for target in others:
        target.files.write_text(target.journal, json.dumps({"journal": first.uri}))
    first.files.write_text(first.journal, journal.to_json())


def end(targets: Sequence[Target]) -> None:
    """Forget it: notes first, or one would point at a journal of another publication."""
    first, *others = targets
    for target in [*others, first]:
        target.files.remove(target.journal)


def pending(session: SparkSession | None, target: Target) -> Journal | None:
    """The publication that a target is part of; None also for a note of one that never began."""
    try:
        text = target.files.read_text(target.journal)
    except FileNotFoundError:
        return None
    raw = json.loads(text)
    if "journal" not in raw:
        return Journal.from_json(text)
    first = target_at(session, raw["journal"])
    try:
        found = Journal.from_json(first.files.read_text(first.journal))
    except FileNotFoundError:
        found = None
    return found if found is not None and target.uri in found.targets else None


@dataclass(frozen=True)
class _Places:
    """A move in the words of its file system."""

    files: Files
    target: str
    source: str
    aside: str
    identity: str | None


def make(session: SparkSession | None, moves: Iterable[Move], locks: Locks) -> None:
    """Make every move that is not made yet, in order."""
    for move in moves:
        locks.confirm()
        files, target = files_at(session, move.target)
        source, aside = (
            files_at(session, uri)[1] if uri else "" for uri in (move.source, move.aside)
        )
        _KINDS[move.kind](_Places(files, target, source, aside, move.identity))


def _put(at: _Places) -> None:
    files = at.files
    if not files.exists(at.source) or at.identity not in (None, files.identity(at.source)):
        return
    if files.exists(at.target):
        # One step where it can be: a reader finds the old folder or the new one at any moment.
        if at.identity is not None and files.exchange(at.source, at.target):
            return
        if files.exists(at.aside):
            raise RunError(
                f"{at.target}: something was put there while it was being replaced; "
                "remove it, then run again"
            )
        files.rename(at.target, at.aside)
    files.make_folder(parent(at.target))
    files.rename(at.source, at.target)


def _add(at: _Places) -> None:
    if at.files.exists(at.source):
        at.files.remove(at.target)
        at.files.make_folder(parent(at.target))
        at.files.rename(at.source, at.target)


def _remove(at: _Places) -> None:
    at.files.remove(at.target)


_KINDS: dict[str, Callable[[_Places], None]] = {"put": _put, "add": _add, "remove": _remove}
