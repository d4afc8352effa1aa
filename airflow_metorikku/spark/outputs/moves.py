"""Which moves publish a staged output: by its save mode and by what is there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.config.records.outputs import FAILS_IF_THERE
from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.files import name, parent
from airflow_metorikku.spark.outputs.journal import Move
from airflow_metorikku.spark.outputs.staging import Staging

if TYPE_CHECKING:
    from collections.abc import Iterator

_PART = re.compile(r"[^.]*(\..*)?", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Staged:
    """A staged output, as publishing needs it."""

    staging: Staging
    mode: str
    dynamic: bool
    """Replace only the partitions that were written."""
    mark: str
    """Made of run and output, the same in every attempt: it tells what the same run had appended."""
    token: str
    """Of this attempt."""


def exists_already(path: str) -> RunError:
    """The error of the default save mode."""
    return RunError(
        f"{path}: exists already; remove it, or give the output a saveMode (overwrite, append, ignore)"
    )


def moves_of(staged: Staged, *, there: bool, number: int) -> list[Move]:
    """Moves that publish one output; raises RunError where its mode forbids it.

    :param there: whether something is at the target, or will be by then.
    :param number: of the output, to keep apart what several put aside.
    """
    if not there:
        return [_put(staged, "", f"{number}")]
    if staged.mode in FAILS_IF_THERE:
        raise exists_already(staged.staging.target.path)
    if staged.mode == "ignore":
        return []
    if staged.mode == "append":
        return list(_append(staged))
    if staged.dynamic:
        return list(_partitions(staged, number))
    return [_put(staged, "", f"{number}")]


def _put(staged: Staged, inside: str, number: str) -> Move:
    staging, files = staged.staging, staged.staging.target.files
    source = f"{staging.data}{inside}"
    return Move(
        kind="put",
        source=files.uri(source),
        target=files.uri(f"{staging.target.path}{inside}"),
        aside=files.uri(f"{staging.folder}/old-{number}"),
        identity=files.identity(source),
    )


def _add(staged: Staged, file: str) -> Move:
    files = staged.staging.target.files
    return Move(
        kind="add",
        source=files.uri(f"{staged.staging.data}/{file}"),
        target=files.uri(f"{staged.staging.target.path}/{file}"),
    )


def _append(staged: Staged) -> Iterator[Move]:
    target = staged.staging.target
    new = list(target.files.walk(staged.staging.data))
    earlier = (f"part-{staged.mark}-", f".part-{staged.mark}-")
    for file in target.files.walk(target.path):
        if _base(file).startswith(earlier) and file not in new:
            yield Move(kind="remove", target=target.files.uri(f"{target.path}/{file}"))
    for file in new:
        yield from _replaced(staged, file, new)


def _replaced(staged: Staged, file: str, new: list[str]) -> Iterator[Move]:
    """A file in place of one that may be there; Hadoop's checksum of that one would refuse the new one."""
    target = staged.staging.target
    checksum = f"{file.removesuffix(_base(file))}.{_base(file)}.crc"
    if checksum not in new and target.files.exists(f"{target.path}/{checksum}"):
        yield Move(kind="remove", target=target.files.uri(f"{target.path}/{checksum}"))
    yield _add(staged, file)


def _partitions(staged: Staged, number: int) -> Iterator[Move]:
    written = list(staged.staging.target.files.walk(staged.staging.data))
    folders = sorted({parent(file) for file in written if "/" in file})
    for index, folder in enumerate(folders):
        yield _put(staged, f"/{folder}", f"{number}-{index}")
    for file in written:
        if "/" not in file:
            yield from _replaced(staged, file, written)


def mark_files(staged: Staged) -> None:
    """Give the data files of an append names that tell whose they are, before anything is published."""
    files, data = staged.staging.target.files, staged.staging.data
    found = list(files.walk(data))
    sums = {file for file in found if _base(file).startswith(".") and file.endswith(".crc")}
    parts = [file for file in found if not _base(file).startswith(("_", "."))]
    for number, file in enumerate(parts):
        suffix = (_PART.fullmatch(_base(file)) or [None, None])[1] or ""
        folder = f"{parent(file)}/" if "/" in file else ""
        new = f"part-{staged.mark}-{staged.token}-{number:05d}{suffix}"
        files.rename(f"{data}/{file}", f"{data}/{folder}{new}")
        old_sum = f"{folder}.{_base(file)}.crc"
        if old_sum in sums:
            files.rename(f"{data}/{old_sum}", f"{data}/{folder}.{new}.crc")


def _base(file: str) -> str:
    return name(file) if "/" in file else file
