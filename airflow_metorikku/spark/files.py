"""Folders and small files wherever Spark writes: one interface, local disks by Python itself, all else through Hadoop's file systems."""

from __future__ import annotations

import errno
import re
from typing import TYPE_CHECKING, Protocol

from airflow_metorikku.plan.addresses import local_path, scheme_of
from airflow_metorikku.spark.jvm import java_context

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

_SPECIAL = re.compile(r"([\\{}\[\]*?,])")


class Files(Protocol):
    """What publishing asks of a file system. Paths are as `files_at` returned them; failures raise OSError."""

    def uri(self, path: str) -> str:
        """The path as Spark takes it."""

    def exists(self, path: str) -> bool:
        """Whether anything is there."""

    def is_folder(self, path: str) -> bool:
        """Whether a folder is there."""

    def names(self, folder: str) -> list[str]:
        """Names directly inside, sorted; empty where there is no folder."""

    def walk(self, folder: str) -> Iterator[str]:
        """Paths of all files below a folder, relative to it, sorted, hidden ones too."""

    def make_folder(self, path: str) -> None:
        """Make a folder and its parents."""

    def remove(self, path: str) -> None:
        """Remove a file, or a folder with all in it, where there is one."""

    def remove_if_empty(self, folder: str) -> bool:
        """Remove a folder that holds nothing; whether it did."""

    def rename(self, source: str, target: str) -> None:
        """Move to where nothing is."""

    def exchange(self, one: str, other: str) -> bool:
        """Swap two paths in one step; False where the file system cannot."""

    def identity(self, path: str) -> str | None:
        """What stays the same when a path is moved, and differs from all else; None where nothing tells."""

    def read_text(self, path: str) -> str:
        """All of a small file; raises FileNotFoundError."""

    def write_text(self, path: str, text: str, permissions: str | None = None) -> None:
        """Write a small file in one move: a reader sees the old text or the new one.

        :param permissions: octal, less what the umask takes; default: the file system's.
        """

    def create(self, path: str, text: str) -> bool:
        """Write a small file where there is none, with its parents; False where there is one."""

    def touch(self, path: str, text: str) -> None:
        """Make a small file with this text look freshly written."""

    def seconds_since_written(self, path: str) -> float | None:
        """Age of a file by the file system's own clock; None where there is none."""


def files_at(session: SparkSession | None, address: str) -> tuple[Files, str]:
    """The file system that holds an address, and the address as its methods take it.

    Without a session (it is gone, or not up yet) only local addresses are known; others raise OSError,
    as do those of a file system that Spark has no way to.
    """
    path = local_path(address)
    is_relative = scheme_of(address) is None  # to the file system that Spark takes by default
    if path is not None and not (is_relative and session and not _default_is_local(session)):
        from airflow_metorikku.spark.local_files import LocalFiles

        return LocalFiles(), path.rstrip("/") or "/"
    if session is None:
        raise OSError(errno.ENOTCONN, "without Spark only local files are known", address)
    from airflow_metorikku.spark.hadoop_files import HadoopFiles

    return HadoopFiles(session, address), address.rstrip("/")


def _default_is_local(session: SparkSession) -> bool:
    default = java_context(session).hadoopConfiguration().get("fs.defaultFS", "file:///")
    return scheme_of(default) in (None, "file")


def without_globs(path: str) -> str:
    """A path that Spark's readers take literally: they read `*`, `[`, `{` and their kin as patterns."""
    return _SPECIAL.sub(r"\\\1", path)


def parent(path: str) -> str:
    """Folder that a path is in."""
    return path.rsplit("/", 1)[0] or "/"


def name(path: str) -> str:
    """Last part of a path."""
    return path.rsplit("/", 1)[1]
