"""The story of one source: its first `_INFO`, the controls measured at each later checkpoint, and the `_INFO` of it all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from airflow_metorikku.results.info import Control, Info, InfoCheckpoint, time_text
from airflow_metorikku.spark.control.measures import MeasuredControl

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from airflow_metorikku.config.records.controls import ControlMeasures
    from airflow_metorikku.results.records import ControlValue


@dataclass(frozen=True, kw_only=True)
class FirstInfo:
    """What control measures of one source start from."""

    info: Info
    path: str = ""
    """Where it was read; empty when it was measured."""


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What was measured at a checkpoint, and from when to when."""

    checkpoint: InfoCheckpoint
    controls: tuple[MeasuredControl, ...]
    started: datetime
    ended: datetime


@dataclass(frozen=True, kw_only=True)
class InfoFile:
    """An info file to write."""

    name: str
    info: Info


@dataclass(frozen=True, kw_only=True)
class Track:
    """One source, and the names of the checkpoints that measure its controls, in order."""

    source: str
    first: FirstInfo
    checkpoints: tuple[str, ...]

    def controls_at(self, checkpoint: str, measures: ControlMeasures) -> list[Control]:
        """The last controls of the first file, renamed and dropped as far as this checkpoint."""
        last = self.first.info.last
        controls = list(last.controls) if last else []
        # In the order of the checkpoints, so that a column can be renamed twice.
        for name in self.checkpoints[: self.checkpoints.index(checkpoint) + 1]:
            for drop in measures.drops:
                if drop.at_checkpoint == name:
                    controls = without_column(controls, drop.column)
            for rename in measures.renames:
                if rename.at_checkpoint == name:
                    controls = with_renamed(controls, rename.source, rename.target)
        return controls

    def before(self, checkpoint: str, taken: Mapping[str, Taken]) -> list[InfoCheckpoint]:
        """The checkpoints before one, as far as they were taken, those of the first file first."""
        earlier = self.checkpoints[: self.checkpoints.index(checkpoint)]
        return [
            *self.first.info.checkpoints,
            *(taken[name].checkpoint for name in earlier if name in taken),
        ]

    def info(self, taken: Mapping[str, Taken], created: datetime, zone: tzinfo) -> Info:
        """The `_INFO` so far; each checkpoint starts where the one before ended, the first when tracking began."""
        info, previous = self.first.info, created
        for one in (taken[name] for name in self.checkpoints if name in taken):
            # Measured in another order than the story's, it starts with its own measuring.
            started = min(previous, one.started)
            timed = replace(
                one.checkpoint,
                started=time_text(started, zone),
                ended=time_text(one.ended, zone),
            )
            info, previous = info.with_checkpoint(timed), one.ended
        return info


def without_column(controls: Iterable[Control], column: str) -> list[Control]:
    """Controls but for those of a column that is gone; blanks around it and its case do not count."""
    return [one for one in controls if not _same(one.column, column)]


def with_renamed(controls: Iterable[Control], source: str, target: str) -> list[Control]:
    """Controls of a column that has another name now; their own names stay."""
    return [
        replace(one, column=target.strip()) if _same(one.column, source) else one
        for one in controls
    ]


def as_controls(values: Iterable[ControlValue]) -> tuple[Control, ...]:
    """Measured values as an `_INFO` has them."""
    return tuple(
        Control(name=one.name, type=one.type, column=one.column, value=one.value) for one in values
    )


def _same(one: str, other: str) -> bool:
    return one.strip().lower() == other.strip().lower()
