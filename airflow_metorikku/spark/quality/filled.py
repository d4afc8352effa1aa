"""Variables in the SQL of checks: `where`, `predicate` and the like take `${name}` as a step's SQL does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.fields import sql_fields

if TYPE_CHECKING:
    from airflow_metorikku.config.records.checks.base import Check
    from airflow_metorikku.config.records.metric import Step
    from airflow_metorikku.spark.variables import Variables


def with_filled_checks(step: Step, variables: Variables) -> Step:
    """The step with every reference in its checks replaced; raises RunError naming an undefined one."""
    if not step.dq:
        return step
    checks = tuple(_filled(check, variables) for check in step.dq.checks)
    dqdl = tuple(_filled(check, variables) for check in step.dq.dqdl)
    return replace(step, dq=replace(step.dq, checks=checks, dqdl=dqdl))


def _filled(check: Check, variables: Variables) -> Check:
    given: dict[str, Any] = {
        field.name: variables.fill(text)
        for field in sql_fields(check)
        if (text := getattr(check, field.name))
    }
    return replace(check, **given)
