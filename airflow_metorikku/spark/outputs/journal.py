"""The moves of a publication, written down before the first: whoever comes next finishes them, and never mixes.

Each move can be made again: it sees whether it was made. All outputs of a metric are one publication:
its journal lies beside the first target, and beside each other one a note of where that is, written before it.
A note without its journal belongs to a publication that never began.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.files import Files, files_at, parent
from airflow_metorikku.spark.outputs.target import Target, target_at

if TYPE_CHECKING:
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
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Journal:
        """Read it; raises ValueError."""
        raw: dict[str, Any] = json.loads(text)
        return cls(
            run=raw["run"], targets=tuple(raw["targets"]), folders=tuple(raw["folders"]),
            moves=tuple(Move(**move) for move in raw["moves"]),
        )


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


def make(session: SparkSession | None, moves: Iterable[Move], locks: Locks) -> None:
    """Make every move that is not made yet, in order."""
    for move in moves:
        locks.confirm()
        files, target = files_at(session, move.target)
        source = files_at(session, move.source)[1] if move.source else ""
        aside = files_at(session, move.aside)[1] if move.aside else ""
        _KINDS[move.kind](files, move, source, target, aside)


def _put(files: Files, move: Move, source: str, target: str, aside: str) -> None:
    if not files.exists(source) or (move.identity is not None and files.identity(source) != move.identity):
        return
    if files.exists(target):
        # One step where it can be, so that a reader finds the old folder or the new one at any moment.
        if move.identity is not None and files.exchange(source, target):
            return
        if files.exists(aside):
            raise RunError(f"{target}: something was put there while it was being replaced; remove it, then run again")
        files.rename(target, aside)
    files.make_folder(parent(target))
    files.rename(source, target)


def _add(files: Files, move: Move, source: str, target: str, aside: str) -> None:  # noqa: ARG001 - all kinds are called alike
    if not files.exists(source):
        return
    files.remove(target)
    files.make_folder(parent(target))
    files.rename(source, target)


def _remove(files: Files, move: Move, source: str, target: str, aside: str) -> None:  # noqa: ARG001 - all kinds are called alike
    files.remove(target)


_KINDS: dict[str, Callable[[Files, Move, str, str, str], None]] = {"put": _put, "add": _add, "remove": _remove}
