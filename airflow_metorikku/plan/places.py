"""Where a check stands in its file, as the reports of files say it: `steps[0].dq.checks[1].rowCountMatch`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.config.records.checks import CHECK_NAMES

if TYPE_CHECKING:
    from airflow_metorikku.config.records.checks.base import Check
    from airflow_metorikku.config.records.metric import Metric, Step


def place_of(metric: Metric, step: Step, check: Check | None = None) -> str:
    """Keys from the root of the metric's file to a check of a step; to all of them where it is none that the user wrote."""
    number = next(n for n, one in enumerate(metric.steps) if one is step)
    checks = step.dq.checks if step.dq else ()
    at = next((n for n, one in enumerate(checks) if one is check), None)
    if check is not None and at is not None:
        return f"steps[{number}].dq.checks[{at}].{CHECK_NAMES[type(check)]}"
    of_rule = step.dq and any(one is check for one in step.dq.dqdl)
    return f"steps[{number}].dq.{'dqdl' if of_rule else 'checks'}"
