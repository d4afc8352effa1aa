"""A folder that an output goes to, and the hidden folder beside it in which its publication is prepared."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.files import Files, files_at, name, parent
from airflow_metorikku.spark.local_files import LocalFiles

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, kw_only=True)
class Target:
    """A target; `path` is in the words of its file system."""

    files: Files
    path: str

    @property
    def control(self) -> str:
        """Folder beside the target for stagings, the lock and the journal; there only while something is under way."""
        return f"{parent(self.path).rstrip('/')}/.{name(self.path)}.metorikku"

    @property
    def lock(self) -> str:
        """Lock file of whoever publishes."""
        return f"{self.control}/lock"

    @property
    def journal(self) -> str:
        """Journal of a publication that has begun."""
        return f"{self.control}/journal.json"

    @property
    def uri(self) -> str:
        """Address, for other runs."""
        return self.files.uri(self.path)

    def exists(self) -> bool:
        """Whether something is there to be kept, appended to or replaced."""
        return self.files.exists(self.path)

    def check(self) -> None:
        """Raise RunError where no folder can be published: on a file, on a mount point, on the root."""
        if name(self.path) == "":
            raise RunError(f"{self.path}: expected a folder below the root of the file system")
        if self.exists() and not self.files.is_folder(self.path):
            raise RunError(f"{self.path}: there is a file; expected a folder, or nothing yet")
        if isinstance(self.files, LocalFiles) and os.path.ismount(self.path):
            raise RunError(
                f"{self.path}: is a mount point, which cannot be replaced in one move; write to a folder below it"
            )


def target_at(session: SparkSession | None, address: str) -> Target:
    """The target at an address; a link to a folder is followed, so that it goes on pointing there."""
    files, path = files_at(session, address)
    if isinstance(files, LocalFiles):
        path = os.path.realpath(path)
    return Target(files=files, path=path)
