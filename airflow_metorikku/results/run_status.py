"""Events of control measures, for whoever follows a run: what happened, and how the run stands (Atum's plugins)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from airflow_metorikku.results.info import Info
from airflow_metorikku.results.info_text import compact_text

Status = Literal["allSucceeded", "stageSucceeded", "running", "failed"]
EventKind = Literal["load", "update", "status", "save", "end"]
_LONGEST = 2048
"""Characters of a description, and of its details."""


@dataclass(frozen=True, kw_only=True)
class StatusError:
    """What made a run fail; texts are cut to 2048 characters, as Atum does."""

    job: str
    step: str
    description: str
    technical_details: str = ""

    def to_plain(self) -> dict[str, str]:
        """In Atum's words."""
        return {
            "job": self.job,
            "step": self.step,
            "description": self.description[:_LONGEST],
            "technicalDetails": self.technical_details[:_LONGEST],
        }


@dataclass(frozen=True, kw_only=True)
class RunStatus:
    """How a run stands; no part of an `_INFO` file."""

    status: Status
    error: StatusError | None = None

    def to_plain(self) -> dict[str, object]:
        """In Atum's words; without an error there is no such key."""
        plain: dict[str, object] = {"status": self.status}
        return plain | ({"error": self.error.to_plain()} if self.error else {})

    def to_json(self) -> str:
        """Compact, as Atum's serialisers write it."""
        return compact_text(self.to_plain())


@dataclass(frozen=True, kw_only=True)
class Event:
    """What a listener is given.

    `load`: the first `_INFO` is known; `update`: a checkpoint was taken; `status`: how the run stands;
    `save`: an `_INFO` was published with an output; `end`: the run is over.
    """

    kind: EventKind
    job: str
    application: str = ""
    """Spark's id of the application."""
    path: str = ""
    """Of the info file: for `load` where it was read (empty when measured), for `save` where it lies."""
    info: Info | None = None
    """For `load`, `update` and `save`."""
    status: RunStatus | None = None
    """For `status`."""
