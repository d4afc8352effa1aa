"""An `_INFO` file on its way: whether it is there, whole, and at rest."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.results.info import Info, UnreadableInfoError, read_info
from airflow_metorikku.results.judge_info import not_yet, wanted
from airflow_metorikku.store import read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airflow_metorikku.config.records.reconciliation import ReconcileRule


@dataclass(frozen=True, kw_only=True)
class Sighting:
    """One look at the file: `info` when it can be judged, else `why` not; neither when nothing is there."""

    info: Info | None = None
    why: str | None = None


def sighted(path: str, rules: Sequence[ReconcileRule], stable_seconds: float) -> Sighting:
    """Look at the file, and once more after `stable_seconds`: one that has changed meanwhile is still being written.

    :raises OSError: the store cannot be reached.
    """
    first = _look(path, rules)
    if first.info is None or stable_seconds <= 0:
        return first
    time.sleep(stable_seconds)
    second = _look(path, rules)
    if second.info is not None and second.info != first.info:
        return Sighting(why=f"{path}: changes while it is read")
    return second


def _look(path: str, rules: Sequence[ReconcileRule]) -> Sighting:
    try:
        text = read_text(path)
        if text is None:
            return Sighting()
        info = read_info(text, path)
    except IsADirectoryError:
        return Sighting(why=f"{path}: is a folder, expected an _INFO file")
    except UnicodeDecodeError as error:
        return Sighting(why=f"{path}: not text in UTF-8: {error}")
    except UnreadableInfoError as error:
        return Sighting(why=str(error))
    why = not_yet(info, wanted(rules), path)
    return Sighting(info=None if why else info, why=why)
