"""Which metrics share a Spark run, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from airflow_metorikku.config.records.metric import Metric
from airflow_metorikku.plan.checkpoints import checkpoints
from airflow_metorikku.plan.references import made_by, used_by

if TYPE_CHECKING:
    from airflow_metorikku.config.records.job import Job

Split = Literal["job", "metric"]


@dataclass(frozen=True, kw_only=True)
class Group:
    """Metrics of one run, in the job's order, and a sentence for each reason that keeps them together."""

    metrics: tuple[Metric, ...]
    together: tuple[str, ...] = ()


def groups(job: Job, split: Split) -> tuple[Group, ...]:
    """One group for the whole job, or one for each set of metrics that cannot be parted."""
    if split == "job":
        return (Group(metrics=job.metrics),)
    pairs = _ties(job)
    root = list(range(len(job.metrics)))

    def find(index: int) -> int:
        while root[index] != index:
            index = root[index]
        return index

    for first, second, _ in pairs:
        low, high = sorted((find(first), find(second)))
        root[high] = low
    members: dict[int, list[int]] = {}
    for index in range(len(job.metrics)):
        members.setdefault(find(index), []).append(index)
    return tuple(
        Group(
            metrics=tuple(job.metrics[index] for index in indexes),
            together=tuple(dict.fromkeys(reason for first, _, reason in pairs if first in indexes)),
        )
        for indexes in members.values()
    )


def _ties(job: Job) -> list[tuple[int, int, str]]:
    """Pairs of metrics (by place) that must share a run, with the reason."""
    ties = []
    made = [made_by(metric) for metric in job.metrics]
    used = [used_by(metric) for metric in job.metrics]
    for second, metric in enumerate(job.metrics):
        runs_code = any(step.runs_code for step in metric.steps)
        for first in range(second):
            earlier = job.metrics[first].name
            if shared := sorted(made[first] & used[second]):
                ties.append((first, second, f"{metric.name} uses {', '.join(shared)} of {earlier}"))
            elif runs_code:
                reason = f"{metric.name} runs code, which may read any data frame of {earlier}"
                ties.append((first, second, reason))
    controlled = sorted({c.metric for c in checkpoints(job.settings, job.metrics)})
    places = [index for index, metric in enumerate(job.metrics) if metric.name in controlled]
    reason = f"{' and '.join(controlled)} take part in the same control measures"
    return ties + [(places[0], place, reason) for place in places[1:]]
