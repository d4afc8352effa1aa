"""Which gates a metric has: one for its checks, one where it takes part in control measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.plan.checkpoints import checkpoints
from airflow_metorikku.plan.constraints import constraints

if TYPE_CHECKING:
    from airflow_metorikku.plan.records import Plan


@dataclass(frozen=True, kw_only=True)
class Gates:
    """The gates of one metric."""

    metric: str
    data_quality: bool
    control_measures: bool


def gates(plan: Plan) -> tuple[Gates, ...]:
    """Gates of every metric of a plan, in the plan's order."""
    controlled = {checkpoint.metric for checkpoint in checkpoints(plan.settings, plan.metrics)}
    return tuple(
        Gates(
            metric=metric.name,
            data_quality=any(step.dq and step.dq.every for step in metric.steps),
            control_measures=metric.name in controlled,
        )
        for metric in plan.metrics
    )


def planned_constraints(plan: Plan) -> dict[str, dict[str, int]]:
    """How many constraints each data frame of each metric has: what a gate must find in the result."""
    planned: dict[str, dict[str, int]] = {}
    for metric in plan.metrics:
        counts = planned.setdefault(metric.name, {})
        for step in metric.steps:
            if step.dq:
                found = constraints(step.data_frame_name, step.dq, plan.settings.quality.empty_data)
                counts[step.data_frame_name] = counts.get(step.data_frame_name, 0) + len(found)
    return planned
