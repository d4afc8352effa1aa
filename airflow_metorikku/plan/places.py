"""Where a check stands in its file, as the reports of files say it: `steps[0].dq.checks[1].rowCountMatch`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.config.records.checks import CHECK_NAMES

if TYPE_CHECKING:
    from airflow_metorikku.config.records.checks.base import Check
    from airflow_metorikku.config.records.metric import Metric, Step


def place_of(metric: Metric, step: Step, check: Check, key: str | None = None) -> str:
    """Keys from the root of the metric's file to a check of a step, or to a key of it; a rule of DQDL has none, nor has one that stands for another."""
    number = next(n for n, one in enumerate(metric.steps) if one is step)
    checks, rules = (step.dq.checks, step.dq.dqdl) if step.dq else ((), ())
    at = next((n for n, one in enumerate(checks) if one is check), None)
    if at is None:
        of_rule = any(one is check for one in rules)
        return f"steps[{number}].dq.{'dqdl' if of_rule else 'checks'}"
    found = f"steps[{number}].dq.checks[{at}].{CHECK_NAMES[type(check)]}"
    return f"{found}.{key}" if key else found
