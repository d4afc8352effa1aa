"""One publisher a target: a lock file with its owner's name, held only while files move."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.outputs.owner import BEAT_SECONDS, Owner, Pulse, is_dead
from airflow_metorikku.spark.stopping import check

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from airflow_metorikku.spark.outputs.target import Target

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.5


class Locks:
    """The locks that a run holds."""

    def __init__(self, owner: Owner, targets: Iterable[Target]) -> None:
        self.owner = owner
        self.targets = tuple(targets)
        self._confirmed = time.time()

    def confirm(self) -> None:
        """Raise RunError when one was taken over: this process slept so long that it was taken for dead."""
        if time.time() - self._confirmed < BEAT_SECONDS:
            return
        self._confirmed = time.time()
        for target in self.targets:
            holder = _holder(target)
            if holder is None or holder.token != self.owner.token:
                raise RunError(
                    f"{target.path}: another run has taken over the publication while this one did not move"
                )


@contextmanager
def hold(targets: Iterable[Target], owner: Owner, pulse: Pulse, seconds: float) -> Iterator[Locks]:
    """Lock targets, in one order for all runs, waiting for each at most so long; raises RunError with whose turn it is."""
    held: list[Target] = []
    try:
        for target in in_order(targets):
            _wait(target, owner, time.monotonic() + seconds)
            held.append(target)
            pulse.keep(target.files, target.lock, owner.to_json())
        yield Locks(owner, held)
    finally:
        for target in reversed(held):
            pulse.leave(target.lock)
            _release(target, owner)


def in_order(targets: Iterable[Target]) -> list[Target]:
    """Each target once, in the order in which all runs lock them."""
    return sorted(
        {target.path: target for target in targets}.values(), key=lambda target: target.path
    )


def is_free(target: Target) -> bool:
    """Whether nobody who lives holds the lock."""
    return not target.files.exists(target.lock) or is_dead(
        _holder(target), target.files, target.lock
    )


def _wait(target: Target, owner: Owner, until: float) -> None:
    told: str | None = None
    while not target.files.create(target.lock, owner.to_json()):
        holder = _holder(target)
        if is_dead(holder, target.files, target.lock):
            _take_over(target, holder, owner)
            continue
        name = holder.run if holder else "another run"
        if time.monotonic() >= until:
            raise RunError(
                f"{target.path}: {name} is publishing it and has not finished; try again when it has"
            )
        if told != name:
            logger.info("waiting for %s: it is the turn of %s", target.path, name)
            told = name
        check()
        time.sleep(POLL_SECONDS)


def _take_over(target: Target, dead: Owner | None, owner: Owner) -> None:
    """Remove a dead owner's lock; of several runs that see it dead only one may, or it would remove the next one's."""
    guard = f"{target.lock}.{dead.token if dead else 'unknown'}"
    if not target.files.create(guard, owner.to_json()):
        if is_dead(Owner.from_json(_read(target, guard)), target.files, guard):
            target.files.remove(guard)
        time.sleep(POLL_SECONDS)
        return
    holder = _holder(target)
    if (holder.token if holder else None) == (dead.token if dead else None):
        logger.info("%s: its publisher, %s, is gone", target.path, dead.run if dead else "unknown")
        target.files.remove(target.lock)
    target.files.remove(guard)


def _release(target: Target, owner: Owner) -> None:
    holder = _holder(target)
    if holder is not None and holder.token == owner.token:
        target.files.remove(target.lock)


def _holder(target: Target) -> Owner | None:
    return Owner.from_json(_read(target, target.lock))


def _read(target: Target, path: str) -> str:
    try:
        return target.files.read_text(path)
    except FileNotFoundError:
        return ""
