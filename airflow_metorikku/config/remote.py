"""Configuration files on remote file systems, as `s3://bucket/job.yaml`: read through whatever the caller reaches them by."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Protocol

# One slash where Path has made one of two.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/+")
_PASSWORD = re.compile(r"//[^/@]*:[^/@]*@")
# Hadoop's names of file systems that fsspec knows by others.
_FSSPEC_NAMES = {"s3a": "s3", "s3n": "s3", "wasb": "abfs", "wasbs": "abfs"}
_LONGEST_REASON = 200


class Store(Protocol):
    """Remote file systems; `address` is `scheme://…`."""

    def read(self, address: str, most: int) -> bytes:
        """At most so many bytes of a file; raises FileNotFoundError where there is none, else whatever went wrong."""

    def inside(self, address: str) -> list[str] | None:
        """Names of what is directly inside a folder, None where there is no such folder."""


class FsspecStore:
    """The file systems of fsspec, with the credentials that each of them finds by itself."""

    def read(self, address: str, most: int) -> bytes:
        """See Store."""
        import fsspec

        with fsspec.open(_for_fsspec(address), "rb") as file:
            return bytes(file.read(most))

    def inside(self, address: str) -> list[str] | None:
        """See Store."""
        import fsspec

        system, path = fsspec.core.url_to_fs(_for_fsspec(address))
        if not system.isdir(path):
            return None
        return [str(name).rstrip("/").rpartition("/")[2] for name in system.ls(path, detail=False)]


def _for_fsspec(address: str) -> str:
    scheme, rest = address.split("://", 1)
    return f"{_FSSPEC_NAMES.get(scheme.lower(), scheme)}://{rest}"


def is_remote(path: str | Path) -> bool:
    """Whether a path has a scheme, as `s3://bucket/job.yaml`; `file:` has one too, and is not remote."""
    match = _SCHEME.match(str(path))
    return bool(match) and match[1].lower() != "file"  # type: ignore[index]


def path_of(text: str | Path) -> Path:
    """A text as a path; the local one of a `file:` address."""
    match = _SCHEME.match(str(text))
    if match and match[1].lower() == "file":
        return Path("/" + str(text)[match.end() :])
    return Path(text)


def address_of(path: str | Path) -> str:
    """A path as its text, with the slashes after its scheme that Path has taken."""
    if not is_remote(path):
        return str(path)
    return _SCHEME.sub(r"\1://", str(path), count=1)


def shown_address(path: str | Path) -> str:
    """The same, for messages: without a password."""
    return _PASSWORD.sub("//***@", address_of(path))


def reason(error: Exception) -> str:
    """Why a store cannot be read, in a line; without the address, which may hold a password."""
    first = (str(error).strip() or type(error).__name__).splitlines()[0]
    return _PASSWORD.sub("//***@", first)[:_LONGEST_REASON]
