"""Which gates a metric has: one for its checks, one where it takes part in control measures (design.md 4)."""

from __future__ import annotations

from dataclasses import dataclass

from airflow_metorikku.plan.checkpoints import checkpoints
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
            data_quality=any(step.dq and step.dq.checks for step in metric.steps),
            control_measures=metric.name in controlled,
        )
        for metric in plan.metrics
    )
