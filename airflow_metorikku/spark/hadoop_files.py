"""Any file system that Spark knows (HDFS, object stores), through Hadoop's classes in the driver's JVM."""

from __future__ import annotations

import errno
import uuid
from typing import TYPE_CHECKING, Any, TypeVar

from py4j.protocol import Py4JJavaError

from airflow_metorikku.spark.jvm import java_class, java_context

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession

T = TypeVar("T")
_BUFFER = 4096


class HadoopFiles:
    """`Files` of one file system; paths are Hadoop's, as `hdfs://host/a b`, with nothing encoded."""

    def __init__(self, session: SparkSession, address: str) -> None:
        self._session = session
        self._configuration: Any = java_context(session).hadoopConfiguration()
        try:
            self._fs: Any = self._call(
                address, lambda: self._path(address).getFileSystem(self._configuration)
            )
        except OSError as error:
            raise OSError(
                errno.EIO,
                f"Spark has no way to this file system ({error.strerror}); "
                "check the scheme, or add what brings it to the job's packages",
                address,
            ) from error

    def uri(self, path: str) -> str:
        return path

    def exists(self, path: str) -> bool:
        return bool(self._call(path, lambda: self._fs.exists(self._path(path))))

    def is_folder(self, path: str) -> bool:
        status = self._status(path)
        return bool(status is not None and status.isDirectory())

    def names(self, folder: str) -> list[str]:
        try:
            found = self._call(folder, lambda: self._fs.listStatus(self._path(folder)))
        except FileNotFoundError:
            return []
        return sorted(status.getPath().getName() for status in found)

    def walk(self, folder: str) -> Iterator[str]:
        root = self._call(
            folder, lambda: self._fs.getFileStatus(self._path(folder)).getPath().toString()
        )
        found: Any = self._call(folder, lambda: self._fs.listFiles(self._path(folder), True))
        paths = []
        while self._call(folder, found.hasNext):
            paths.append(
                self._call(folder, lambda: found.next().getPath().toString())
                .removeprefix(root)
                .lstrip("/")
            )
        yield from sorted(paths)

    def make_folder(self, path: str) -> None:
        self._must(path, self._call(path, lambda: self._fs.mkdirs(self._path(path))), "make")

    def remove(self, path: str) -> None:
        self._call(path, lambda: self._fs.delete(self._path(path), True))

    def remove_if_empty(self, folder: str) -> bool:
        if self.names(folder) or not self.exists(folder):
            return False
        try:
            return bool(self._call(folder, lambda: self._fs.delete(self._path(folder), False)))
        except OSError:
            if self.names(folder):
                return False
            raise

    def rename(self, source: str, target: str) -> None:
        if self.exists(target):
            raise FileExistsError(errno.EEXIST, "something is there already", target)
        self._must(
            target,
            self._call(source, lambda: self._fs.rename(self._path(source), self._path(target))),
            "move",
        )

    def exchange(self, one: str, other: str) -> bool:  # noqa: ARG002 - no Hadoop file system can
        return False

    def identity(self, path: str) -> str | None:  # noqa: ARG002 - no Hadoop file system tells
        return None

    def read_text(self, path: str) -> str:
        stream = self._call(path, lambda: self._fs.open(self._path(path)))
        try:
            data = self._call(
                path,
                lambda: java_class(self._session, "org.apache.commons.io.IOUtils").toByteArray(
                    stream
                ),
            )
        finally:
            stream.close()
        return bytes(data).decode("utf-8")

    def write_text(self, path: str, text: str, permissions: str | None = None) -> None:
        scratch = f"{path}.{uuid.uuid4().hex}"
        if permissions is None:
            self._write(scratch, text, overwrite=False)
        else:
            self._fill(scratch, text, lambda: self._with_permissions(scratch, permissions))
        # Only a rename that replaces leaves no moment without the file; where there is none, the old one goes first.
        if self.exists(path):
            self.remove(path)
        self.rename(scratch, path)

    def create(self, path: str, text: str) -> bool:
        try:
            self._write(path, text, overwrite=False)
        except FileExistsError:
            return False
        return True

    def touch(self, path: str, text: str) -> None:
        self._write(path, text, overwrite=True)

    def seconds_since_written(self, path: str) -> float | None:
        status = self._status(path)
        if status is None:
            return None
        probe = f"{path}.{uuid.uuid4().hex}"
        self._write(probe, "", overwrite=False)
        try:
            now = self._call(
                probe, lambda: self._fs.getFileStatus(self._path(probe)).getModificationTime()
            )
        finally:
            self.remove(probe)
        return max(0.0, float(now - status.getModificationTime()) / 1000)

    def _with_permissions(self, path: str, permissions: str) -> Any:
        at, fs = self._path(path), self._fs
        wanted = java_class(self._session, "org.apache.hadoop.fs.permission.FsPermission")(
            permissions
        )
        size, copies = fs.getDefaultBlockSize(at), fs.getDefaultReplication(at)
        return fs.create(at, wanted, False, _BUFFER, copies, size, None)

    def _write(self, path: str, text: str, *, overwrite: bool) -> None:
        self._fill(path, text, lambda: self._fs.create(self._path(path), overwrite))

    def _fill(self, path: str, text: str, create: Callable[[], Any]) -> None:
        stream = self._call(path, create)
        try:
            self._call(path, lambda: stream.write(bytearray(text.encode("utf-8"))))
        finally:
            self._call(path, stream.close)

    def _path(self, path: str) -> Any:
        return java_class(self._session, "org.apache.hadoop.fs.Path")(path)

    def _status(self, path: str) -> Any:
        try:
            return self._call(path, lambda: self._fs.getFileStatus(self._path(path)))
        except FileNotFoundError:
            return None

    def _call(self, path: str, action: Callable[[], T]) -> T:
        """Run it, with Java's errors as Python's."""
        try:
            return action()
        except Py4JJavaError as error:
            java = error.java_exception
            kind = java.getClass().getSimpleName()
            text = str(java.getMessage() or kind)
            if kind == "FileNotFoundException":
                raise FileNotFoundError(errno.ENOENT, text, path) from error
            if "AlreadyExists" in kind:
                raise FileExistsError(errno.EEXIST, text, path) from error
            raise OSError(errno.EIO, f"{kind}: {text}".splitlines()[0], path) from error

    def _must(self, path: str, done: object, what: str) -> None:
        if not done:
            raise OSError(errno.EIO, f"the file system would not {what} it", path)
