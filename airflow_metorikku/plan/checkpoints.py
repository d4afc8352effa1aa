"""Which control measure checkpoints a job takes, in which order, and to which metric each belongs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.config.fields import Where

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airflow_metorikku.config.records.job import JobFile
    from airflow_metorikku.config.records.metric import Metric


@dataclass(frozen=True, kw_only=True)
class PlannedCheckpoint:
    """A checkpoint and the metric that makes its data frame."""

    name: str
    data_frame: str
    metric: str
    at: Where | None = None


def checkpoints(settings: JobFile, metrics: Iterable[Metric]) -> tuple[PlannedCheckpoint, ...]:
    """Every checkpoint, in the order in which the data frames are made; an input's belongs to the first metric."""
    metrics = tuple(metrics)
    if not settings.control_measures or not metrics:
        return ()
    made: dict[str, tuple[int, str]] = {
        name.lower(): (-1, metrics[0].name) for name in settings.inputs
    }
    steps = [(metric, step) for metric in metrics for step in metric.steps]
    for number, (metric, step) in enumerate(steps):
        made.setdefault(step.data_frame_name.lower(), (number, metric.name))
    placed: list[tuple[int, PlannedCheckpoint]] = []
    for given in settings.control_measures.checkpoints:
        place, metric_name = made.get(given.data_frame_name.lower(), (-1, metrics[0].name))
        placed.append(
            (
                place,
                PlannedCheckpoint(
                    name=given.name,
                    data_frame=given.data_frame_name,
                    metric=metric_name,
                    at=given.at,
                ),
            )
        )
    for number, (metric, step) in enumerate(steps):
        if step.control_checkpoint:
            taken = PlannedCheckpoint(
                name=step.control_checkpoint,
                data_frame=step.data_frame_name,
                metric=metric.name,
                at=step.at,
            )
            placed.append((number, taken))
    return tuple(checkpoint for _, checkpoint in sorted(placed, key=lambda pair: pair[0]))
