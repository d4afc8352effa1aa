"""A configuration file as text, or the sentence that says why it cannot be read."""

from __future__ import annotations

import stat
from pathlib import Path

from airflow_metorikku.config.interpolation import RESERVED
from airflow_metorikku.config.remote import Store, address_of, is_remote, reason, shown_address
from airflow_metorikku.config.words import suggestion
from airflow_metorikku.errors import Problem

LARGEST = 1024 * 1024
"""Bytes. Files of people are a thousandth of that."""


def is_folder(path: Path) -> bool:
    """Whether a folder is there; a path that cannot be is none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def exists(path: Path) -> bool:
    """Whether anything is there; a path that cannot be is nothing."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def may_be_ours(path: Path) -> bool:
    """Whether a file of a folder is one that is read at all: a pipe would be waited for, and what a run says of itself has `metrics` too.

    Raises OSError.
    """
    found = path.stat()
    sound = stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST
    return sound and not (path.name == "result.json" and b'"plan_hash"' in path.read_bytes())


def shown(path: Path) -> str:
    """The path as messages name it: relative where it lies below the working folder."""
    if is_remote(path):
        return shown_address(path)
    try:
        return str(path.relative_to(Path.cwd())) if path.is_absolute() else str(path)
    except ValueError:
        return str(path)


def read_text(path: Path, file: str, asked: Problem | None = None) -> str | Problem:
    """Text of a file; `asked` is the place that names the file, which a missing one is reported at."""
    try:
        size = path.stat().st_size
        if path.is_dir():
            return _problem(asked, file, "is a folder, expected a file")
        if not path.is_file():
            return _problem(asked, file, "is no regular file")
        if size > LARGEST:
            return Problem(
                file=file, line=0, path="", text=f"got {size} bytes, expected at most {LARGEST}"
            )
        raw = path.read_bytes()
    except FileNotFoundError:
        return _problem(asked, file, f"no such file{_sibling(path)}")
    except (OSError, ValueError) as error:
        return _problem(asked, file, f"cannot be read: {getattr(error, 'strerror', None) or error}")
    return _decoded(raw, file)


def read_remote_text(store: Store, path: Path, file: str, asked: Problem | None) -> str | Problem:
    """The same of a file on a remote file system."""
    try:
        raw = store.read(address_of(path), LARGEST + 1)
    except FileNotFoundError:
        return _problem(asked, file, "no such file")
    except Exception as error:  # noqa: BLE001 - what a file system's own library raises: it is not there, or lets nobody in
        return _problem(asked, file, f"cannot be read: {reason(error)}")
    if len(raw) > LARGEST:
        text = f"got more than {LARGEST} bytes, expected at most so many"
        return Problem(file=file, line=0, path="", text=text)
    return _decoded(raw, file)


def _decoded(raw: bytes, file: str) -> str | Problem:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return Problem(
            file=file,
            line=line,
            path="",
            text=f"byte 0x{raw[error.start]:02x} is not UTF-8; save the file as UTF-8",
        )
    if not text.strip():
        return Problem(file=file, line=0, path="", text="the file is empty")
    odd = "\0" if "\0" in text else None
    if odd or (match := RESERVED.search(text)):
        position = text.index("\0") if odd else match.start()  # type: ignore[union-attr]
        line = text.count("\n", 0, position) + 1
        return Problem(
            file=file,
            line=line,
            path="",
            text=f"character U+{ord(text[position]):04X} is not allowed",
        )
    return text.replace("\r\n", "\n")


def _problem(asked: Problem | None, file: str, text: str) -> Problem:
    if asked is None:
        return Problem(file=file, line=0, path="", text=text)
    return Problem(file=asked.file, line=asked.line, path=asked.path, text=f"{file}: {text}")


def _sibling(path: Path) -> str:
    """What may have been meant: a file beside, or the first folder on the way that is missing."""
    try:
        folder = path.parent
        if not folder.is_dir():
            missing = folder
            while not missing.parent.is_dir() and missing != missing.parent:
                missing = missing.parent
            return f"; there is no folder {shown(missing)}"
        # By stems: every file of a folder shares the end `.yaml`.
        names = {entry.stem: entry.name for entry in folder.iterdir() if entry != path}
    except OSError:
        return ""
    near = suggestion(path.stem, names)
    return f"; did you mean {names[near]!r}?" if near else ""
