"""The folder that a job's relative paths start from: Metorikku takes the working folder, which means nothing on a worker."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from airflow_metorikku.config.text import exists, is_remote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def find_base(
    job_file: Path, metrics: Iterable[str], base: str | None = None, ends: Iterable[Path] = ()
) -> Path:
    """Absolute base folder of a job.

    `base` when given, relative to the job file's folder; else the folder, from the job file's upwards,
    below which the most of the relative `metrics` exist, ties to the nearest. The search ends at the
    first of `ends` (bundle, DAGs folder) that is above the job file, else at the working folder where
    that is, else in the job file's own folder.
    """
    own = job_file.absolute().parent
    if base is not None:
        return (own / base).resolve()
    relative = [
        metric for metric in metrics if not is_remote(metric) and not Path(metric).is_absolute()
    ]
    folders = list(_upwards(own, [*ends, Path.cwd()]))
    if len(folders) == 1 or not relative:
        return own
    counts = [sum(exists(folder / metric) for metric in relative) for folder in folders]
    return folders[counts.index(max(counts))]


def _upwards(own: Path, ends: Iterable[Path]) -> Iterator[Path]:
    above = (own, *own.parents)
    last = next((end.absolute() for end in ends if end.absolute() in above), own)
    for folder in above:
        yield folder
        if folder == last:
            return
