"""Which control measure checkpoints a job takes, in which order, to which metric each belongs, and whose controls it measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.config.fields import Where

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from airflow_metorikku.config.records.controls import ControlMeasures
    from airflow_metorikku.config.records.job import JobFile
    from airflow_metorikku.config.records.metric import Metric, Output, Step

MEASURED = "Source"
"""The checkpoint that control measures start from where no `_INFO` file says it, as Atum's builder calls it."""


@dataclass(frozen=True, kw_only=True)
class PlannedCheckpoint:
    """A checkpoint and the metric that makes its data frame."""

    name: str
    data_frame: str
    metric: str
    source: str | None
    """Whose controls are measured; None where several sources leave it open."""
    at: Where | None = None


def checkpoints(settings: JobFile, metrics: Iterable[Metric]) -> tuple[PlannedCheckpoint, ...]:
    """Every checkpoint, in the order in which the data frames are made; an input's belongs to the first metric."""
    metrics = tuple(metrics)
    controls = settings.control_measures
    if not controls or not metrics:
        return ()
    made: dict[str, tuple[int, str]] = {
        name.lower(): (-1, metrics[0].name) for name in settings.inputs
    }
    for number, (metric, name) in enumerate(_data_frames(metrics)):
        made.setdefault(name.lower(), (number, metric.name))
    placed: list[tuple[int, PlannedCheckpoint]] = []
    for given in controls.checkpoints:
        place, metric_name = made.get(given.data_frame_name.lower(), (-1, metrics[0].name))
        planned = PlannedCheckpoint(
            name=given.name,
            data_frame=given.data_frame_name,
            metric=metric_name,
            source=given.source or _source_of(controls, given.data_frame_name),
            at=given.at,
        )
        placed.append((place, planned))
    placed += _taken_in_metrics(controls, metrics)
    return tuple(checkpoint for _, checkpoint in sorted(placed, key=lambda pair: pair[0]))


def _data_frames(metrics: Iterable[Metric]) -> Iterator[tuple[Metric, str]]:
    for metric in metrics:
        for step in metric.steps:
            yield metric, step.data_frame_name


def _taken_in_metrics(
    controls: ControlMeasures, metrics: Iterable[Metric]
) -> Iterator[tuple[int, PlannedCheckpoint]]:
    """`controlCheckpoint` of steps, then of outputs, each with its place among all steps."""
    number = -1
    for metric in metrics:
        found: list[tuple[int, Step | Output]] = []
        for step in metric.steps:
            number += 1
            found.append((number, step))
        found += [(number, output) for output in metric.output]
        for place, item in found:
            if item.control_checkpoint:
                planned = PlannedCheckpoint(
                    name=item.control_checkpoint,
                    data_frame=item.data_frame_name,
                    metric=metric.name,
                    source=_source_of(controls, item.data_frame_name),
                    at=item.at,
                )
                yield place, planned


def _source_of(controls: ControlMeasures, data_frame: str) -> str | None:
    """The only source, or the one whose input the data frame is."""
    sources = controls.every_source
    if len(sources) == 1:
        return sources[0].called
    return next(
        (one.called for one in sources if (one.input or "").lower() == data_frame.lower()), None
    )
