"""From staged to published, all outputs of a metric together; and finishing or clearing what killed runs left."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.files import files_at
from airflow_metorikku.spark.outputs.journal import Journal, Move, begin, end, make, pending
from airflow_metorikku.spark.outputs.lock import Locks, hold, in_order, is_free
from airflow_metorikku.spark.outputs.moves import Staged, mark_files, moves_of
from airflow_metorikku.spark.outputs.staging import OWNER_SUFFIX, remove_litter
from airflow_metorikku.spark.outputs.target import Target, target_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

    from pyspark.sql import SparkSession

    from airflow_metorikku.spark.outputs.owner import Owner, Pulse

logger = logging.getLogger(__name__)


class UnfinishedPublicationError(RunError):
    """Moves have begun and could not be made to the end; the journal stays, and the next run finishes them."""


class Publisher:
    """Publishes for one run: with its name, its locks, and its patience."""

    def __init__(
        self, session: SparkSession | None, owner: Owner, pulse: Pulse, seconds: float
    ) -> None:
        """:param seconds: how long to wait for another run that publishes a target."""
        self._session = session
        self._owner = owner
        self._pulse = pulse
        self._seconds = seconds

    def publish(self, staged: Sequence[Staged]) -> tuple[bool, ...]:
        """Publish all, and say of each whether it was (one that is ignored is not); or raise RunError with every target as it was.

        Once moves have begun there is no way back: then UnfinishedPublicationError.
        """
        for one in staged:
            if one.mode == "append":
                mark_files(one)
        targets = in_order(one.staging.target for one in staged)
        if not targets:
            return ()
        with self._locked(targets) as locks:
            self._finish(targets, locks)
            planned = self._plan(staged, targets)
            journal = Journal(
                run=self._owner.run,
                targets=tuple(target.uri for target in targets),
                folders=tuple(one.staging.target.files.uri(one.staging.folder) for one in staged),
                moves=tuple(move for moves in planned for move in moves),
            )
            begin(journal, targets)
            self._make(journal, targets, locks)
        for one in staged:
            one.staging.discard(self._pulse)
        return tuple(bool(moves) for moves in planned)

    def _make(self, journal: Journal, targets: Sequence[Target], locks: Locks) -> None:
        try:
            make(self._session, journal.moves, locks)
            end(targets)
        except Exception as error:
            paths = ", ".join(target.path for target in targets)
            raise UnfinishedPublicationError(
                f"{paths}: the publication was interrupted: {error}; the next run finishes it"
            ) from error

    def recover(self, targets: Iterable[Target]) -> None:
        """Finish what killed runs had begun to publish, and remove what they left; what lives is left alone."""
        for target in in_order(targets):
            if not target.files.exists(target.control):
                continue
            together = self._together([target])
            if all(is_free(one) for one in together):
                with self._locked(together) as locks:
                    self._finish(together, locks)
                    for one in together:
                        remove_litter(one)
                for one in together:
                    one.files.remove_if_empty(one.control)

    def _locked(self, targets: Sequence[Target]) -> AbstractContextManager[Locks]:
        return hold(self._together(targets), self._owner, self._pulse, self._seconds)

    def _together(self, targets: Sequence[Target]) -> list[Target]:
        """These targets and those that a pending publication of theirs moves too."""
        found = {target.path: target for target in targets}
        for target in targets:
            journal = pending(self._session, target)
            for uri in journal.targets if journal else ():
                other = target_at(self._session, uri)
                found.setdefault(other.path, other)
        return in_order(found.values())

    def _finish(self, targets: Sequence[Target], locks: Locks) -> None:
        """Roll pending publications of these targets forward."""
        for target in targets:
            journal = pending(self._session, target)
            if journal is None:
                target.files.remove(target.journal)  # a note of what never began
                continue
            held = {one.uri for one in locks.targets}
            if not held.issuperset(journal.targets):
                raise RunError(
                    f"{target.path}: {journal.run} began to publish it meanwhile; run again"
                )
            logger.info("%s: finishing the publication that %s began", target.path, journal.run)
            try:
                make(self._session, journal.moves, locks)
            except OSError as error:
                raise RunError(
                    f"{target.path}: cannot finish the publication that {journal.run} began: {error}; "
                    f"when that is mended it is finished, or remove {target.control} to give it up"
                ) from error
            end([target_at(self._session, uri) for uri in journal.targets])
            for uri in journal.folders:
                files, folder = files_at(self._session, uri)
                files.remove(folder)
                files.remove(f"{folder}{OWNER_SUFFIX}")

    def _plan(self, staged: Sequence[Staged], targets: Sequence[Target]) -> list[list[Move]]:
        """Moves of each output; an earlier output of the same metric counts as there."""
        there = {target.path: target.exists() for target in targets}
        planned = []
        for number, one in enumerate(staged):
            path = one.staging.target.path
            planned.append(moves_of(one, there=there[path], number=number))
            there[path] = True
        return planned
