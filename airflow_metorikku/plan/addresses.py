"""Addresses of files: plain paths, and URIs whose scheme names their file system. Nothing in them is decoded, as in Hadoop's paths."""

from __future__ import annotations

import os
import re
from pathlib import Path

_SCHEME = re.compile(r"([A-Za-z][\w+.-]+):")
_GLOB = re.compile(r"[*?\[{]")


def scheme_of(address: str) -> str | None:
    """Scheme of a URI, None for a plain path."""
    match = _SCHEME.match(address)
    return match[1].lower() if match else None


def local_path(address: str) -> str | None:
    """`/a b` of `file:/a b`, `file:///a b`, or the plain path itself; None on another file system."""
    scheme = scheme_of(address)
    if scheme is None:
        return address
    if scheme != "file":
        return None
    rest = address.partition(":")[2]
    return "/" + rest.lstrip("/") if rest.startswith("//") else rest


def hadoop_uri(address: str) -> str:
    """A whole address as Spark's file systems know it: `file:/…` for a local path, `s3a://bucket/…` for `s3://conn@bucket/…`."""
    if (path := local_path(address)) is not None:
        return f"file:{Path(path).absolute()}"
    scheme, _, rest = address.partition(":")
    return f"{'s3a' if scheme == 's3' else scheme}:{re.sub(r'^//[^/@]+@', '//', rest)}"


def before_glob(path: str) -> str | None:
    """The folder that all files of a pattern are below; None for a path that is no pattern."""
    pattern = _GLOB.search(path)
    return None if pattern is None else path[: pattern.start()].rsplit("/", 1)[0] or "/"


def normal(address: str) -> str:
    """The one spelling of a place: local paths without scheme, dots and doubled slashes, others without the last slash."""
    path = local_path(address)
    return address.rstrip("/") if path is None else os.path.abspath(path)  # noqa: PTH100 - Path.absolute keeps `..`


def is_below(address: str, folder: str) -> bool:
    """Whether an address is inside a folder; both normal."""
    return address.startswith(f"{folder.rstrip('/')}/") and address != folder
