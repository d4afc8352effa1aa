"""A history of metrics as a gate reads it, from a file or a folder of any store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.results.paths import encoded, time_of_metrics
from airflow_metorikku.results.repository import StoredRun, runs_from
from airflow_metorikku.store import ObjectStore, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable


def read_history(
    address: str, data_frame: str | None, *, whole: bool
) -> tuple[StoredRun, ...] | None:
    """The runs at an address, None when nothing is there; raises UnreadableRepositoryError.

    :param address: a repository file of Deequ's, a folder of one data frame's history, or of a job's.
    :param data_frame: whose history it is, in a job's folder.
    :param whole: False where the newest run is enough.
    """
    names = ObjectStore().inside(address)
    if names is None:
        text = read_text(address)
        return None if text is None else runs_from(text)
    folder = address.rstrip("/")
    if data_frame is not None and encoded(data_frame) in names:
        folder = f"{folder}/{encoded(data_frame)}"
        names = ObjectStore().inside(folder) or []
    texts = [read_text(f"{folder}/{name}") for name in _wanted(names, whole=whole)]
    runs = tuple(run for text in texts if text is not None for run in runs_from(text))
    return runs or None


def _wanted(names: Iterable[str], *, whole: bool) -> list[str]:
    """Files of the history by time; of the newest time there may be several, of a run and its repair."""
    found = sorted((time, name) for name in names if (time := time_of_metrics(name)) is not None)
    newest = found[-1][0] if found else None
    return [name for time, name in found if whole or time == newest]
