"""Variables in the SQL of checks: `where`, `predicate` and the like take `${name}` as a step's SQL does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from airflow_metorikku.config.fields import with_sql

if TYPE_CHECKING:
    from airflow_metorikku.config.records.metric import Step
    from airflow_metorikku.spark.variables import Variables


def with_filled_checks(step: Step, variables: Variables) -> Step:
    """The step with every reference in its checks replaced; raises RunError naming an undefined one."""
    if not step.dq:
        return step
    checks = tuple(with_sql(check, variables.fill) for check in step.dq.checks)
    return replace(step, dq=replace(step.dq, checks=checks))
