"""The driver's own disks: Python does what Hadoop's local file system cannot, such as exchanging two folders."""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import shutil
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


class LocalFiles:
    """`Files` of a path without a scheme, or `file:`."""

    def uri(self, path: str) -> str:
        return f"file://{path}"

    def exists(self, path: str) -> bool:
        return os.path.lexists(path)

    def is_folder(self, path: str) -> bool:
        return Path(path).is_dir()

    def names(self, folder: str) -> list[str]:
        try:
            return sorted(os.listdir(folder))
        except FileNotFoundError:
            return []

    def walk(self, folder: str) -> Iterator[str]:
        found = [
            os.path.relpath(os.path.join(at, file), folder)
            for at, _, files in os.walk(folder)
            for file in files
        ]
        yield from sorted(found)

    def make_folder(self, path: str) -> None:
        Path(path).mkdir(parents=True, exist_ok=True)

    def remove(self, path: str) -> None:
        if Path(path).is_dir() and not Path(path).is_symlink():
            shutil.rmtree(path, onerror=_again_if_there)
        else:
            Path(path).unlink(missing_ok=True)

    def remove_if_empty(self, folder: str) -> bool:
        try:
            os.rmdir(folder)
        except FileNotFoundError:
            return False
        except OSError as error:
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                return False
            raise
        return True

    def rename(self, source: str, target: str) -> None:
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target)
        os.rename(source, target)

    def exchange(self, one: str, other: str) -> bool:
        swap = _renameat2()
        if swap is None:
            return False
        code = swap(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
        if code == 0:
            return True
        number = ctypes.get_errno()
        if number in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
            return False
        raise OSError(number, os.strerror(number), other)

    def identity(self, path: str) -> str | None:
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            return None
        return f"{found.st_dev}:{found.st_ino}"

    def read_text(self, path: str) -> str:
        return Path(path).read_text(encoding="utf-8")

    def write_text(self, path: str, text: str, permissions: str | None = None) -> None:
        self.make_folder(os.path.dirname(path))
        scratch = f"{path}.{uuid.uuid4().hex}"
        try:
            _write(scratch, text, os.O_EXCL, int(permissions or "644", 8))
            # Hadoop's checksum of a file that was there before would refuse this one.
            self.remove(f"{os.path.dirname(path)}/.{os.path.basename(path)}.crc")
            os.replace(scratch, path)
        except BaseException:
            Path(scratch).unlink(missing_ok=True)
            raise

    def create(self, path: str, text: str) -> bool:
        # Written whole beside it and linked: a name that exists always has its text.
        scratch = f"{path}.{uuid.uuid4().hex}"
        while True:
            self.make_folder(os.path.dirname(path))
            try:
                _write(scratch, text, os.O_EXCL)
                os.link(scratch, path)
            except FileExistsError:
                return False
            except FileNotFoundError:
                continue  # another run has just removed the folder, empty in its eyes
            finally:
                Path(scratch).unlink(missing_ok=True)
            return True

    def touch(self, path: str, text: str) -> None:  # noqa: ARG002 - its time is enough
        os.utime(path)

    def seconds_since_written(self, path: str) -> float | None:
        try:
            return max(0.0, time.time() - os.stat(path).st_mtime)
        except FileNotFoundError:
            return None


def _write(path: str, text: str, flags: int, permissions: int = 0o644) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | flags, permissions)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _again_if_there(remove: Callable[[str], object], path: str, _error: object) -> None:
    """A file that is gone by now is as good as removed; anything else is tried once more, and raised."""
    if os.path.lexists(path):
        remove(path)


@functools.cache
def _renameat2() -> Callable[..., int] | None:
    """Linux's rename that can exchange; None where the C library has none."""
    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return None
    function.argtypes = [
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_uint,
    ]
    found: Callable[..., int] = function
    return found
