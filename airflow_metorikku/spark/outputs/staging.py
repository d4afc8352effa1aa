"""A folder beside the target that a run writes to; nothing of it outlives the run, or the next one after a kill."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from airflow_metorikku.results.paths import encoded
from airflow_metorikku.spark.files import parent
from airflow_metorikku.spark.outputs.owner import Owner, Pulse, is_dead
from airflow_metorikku.spark.outputs.target import Target

logger = logging.getLogger(__name__)

OWNER_SUFFIX = ".owner.json"
_LONGEST = 60


@dataclass(frozen=True, kw_only=True)
class Staging:
    """One output of one run, before it is published."""

    target: Target
    folder: str
    made: tuple[str, ...]
    """Parents of the target that were not there before, the deepest first."""

    @property
    def data(self) -> str:
        """Folder that Spark writes; becomes the target, or part of it."""
        return f"{self.folder}/data"

    @property
    def uri(self) -> str:
        """The data folder as Spark takes it."""
        return self.target.files.uri(self.data)

    @property
    def owner_file(self) -> str:
        """Beside the folder, and written before it: a folder without one is litter."""
        return self.folder + OWNER_SUFFIX

    def discard(self, pulse: Pulse) -> None:
        """Remove all that is left of it, and the folders that were only made for it."""
        files = self.target.files
        pulse.leave(self.owner_file)
        files.remove(self.folder)
        files.remove(self.owner_file)
        files.remove_if_empty(self.target.control)
        for folder in self.made:
            if not files.remove_if_empty(folder):
                break


def open_staging(target: Target, attempt: str, number: int, owner: Owner, pulse: Pulse) -> Staging:
    """Announce a staging folder; Spark makes it."""
    folder = f"{target.control}/{encoded(attempt)[:_LONGEST]}-{owner.token[:8]}-{number}"
    staging = Staging(target=target, folder=folder, made=tuple(_missing(target)))
    text = owner.to_json()
    target.files.create(staging.owner_file, text)
    pulse.keep(target.files, staging.owner_file, text)
    return staging


def _missing(target: Target) -> list[str]:
    found = []
    folder = parent(target.path)
    while folder not in ("", "/") and not target.files.exists(folder):
        found.append(folder)
        folder = parent(folder)
    return found


def remove_litter(target: Target) -> None:
    """Remove what runs that are gone have left beside a target; whoever calls holds its lock."""
    files = target.files
    entries = [f"{target.control}/{entry}" for entry in files.names(target.control)]
    folders = [path for path in entries if files.is_folder(path)]
    # Folders first: one without its owner file counts as litter.
    for path in [*folders, *(path for path in entries if path not in folders)]:
        if path in (target.lock, target.journal):
            continue
        if path.startswith(target.journal) or _is_left(
            target, path + OWNER_SUFFIX if path in folders else path
        ):
            logger.info("removing %s, left by a run that is gone", path)
            files.remove(path)


def _is_left(target: Target, owner_file: str) -> bool:
    try:
        owner = Owner.from_json(target.files.read_text(owner_file))
    except FileNotFoundError:
        return True
    return is_dead(owner, target.files, owner_file)
