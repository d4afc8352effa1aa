"""The folder that a job's relative paths start from: Metorikku takes the working folder, which means nothing on a worker."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from airflow_metorikku.config.remote import is_remote, path_of
from airflow_metorikku.config.text import exists

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def find_base(
    job_file: Path, metrics: Iterable[str], base: str | None = None, ends: Iterable[Path] = ()
) -> Path:
    """Absolute base folder of a job.

    `base` when given, relative to the job file's folder; else the folder, from the job file's upwards,
    below which the most of the relative `metrics` exist, ties to the nearest. The search ends at the
    first of `ends` (bundle, DAGs folder) that is above the job file, else at the working folder where
    that is, else in the job file's own folder. That of a remote job file is its own folder: a search
    would ask the store again and again.
    """
    if is_remote(job_file) or is_remote(base or ""):
        return _remote(job_file, base)
    own = job_file.absolute().parent
    if base is not None:
        return (own / path_of(base)).resolve()
    relative = [
        metric for metric in metrics if not is_remote(metric) and not path_of(metric).is_absolute()
    ]
    folders = list(_upwards(own, [*ends, Path.cwd()]))
    if len(folders) == 1 or not relative:
        return own
    counts = [sum(exists(folder / metric) for metric in relative) for folder in folders]
    return folders[counts.index(max(counts))]


def _remote(job_file: Path, base: str | None) -> Path:
    own = job_file.parent
    if base is None:
        return own
    given = path_of(base)
    return given if is_remote(given) else Path(os.path.normpath(own / given))


def _upwards(own: Path, ends: Iterable[Path]) -> Iterator[Path]:
    above = (own, *own.parents)
    last = next((end.absolute() for end in ends if end.absolute() in above), own)
    for folder in above:
        yield folder
        if folder == last:
            return
