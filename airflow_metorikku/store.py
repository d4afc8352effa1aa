"""The store of results as Airflow reaches it: any address that ObjectStoragePath knows."""

from __future__ import annotations

import errno
from typing import Any

from airflow.sdk import ObjectStoragePath


class ObjectStore:
    """Configuration files by ObjectStoragePath, with the connection that an address names: `s3://conn@bucket/job.yaml`."""

    def read(self, address: str, most: int) -> bytes:
        """At most so many bytes of a file; raises FileNotFoundError where there is none, else whatever went wrong."""
        path: Any = ObjectStoragePath(address)
        with path.open("rb") as file:
            return bytes(file.read(most))

    def inside(self, address: str) -> list[str] | None:
        """Names of what is directly inside a folder, None where there is no such folder."""
        folder = ObjectStoragePath(address)
        return [each.name for each in folder.iterdir()] if folder.is_dir() else None


def read_text(address: str) -> str | None:
    """The text at an address, None when nothing is there; whatever else goes wrong is raised.

    `exists()` is not asked: some file systems answer False when they cannot be reached.
    """
    try:
        return str(ObjectStoragePath(address).read_bytes(), "utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None


def text_at(address: str) -> str:
    """The same, for who must have it: raises FileNotFoundError where nothing is."""
    text = read_text(address)
    if text is None:
        raise FileNotFoundError(errno.ENOENT, "nothing is there", address)
    return text


def write_text(address: str, text: str) -> None:
    """Put a small text at an address, with the folders above it where there are folders."""
    path = ObjectStoragePath(address)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
