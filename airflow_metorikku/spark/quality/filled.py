"""Variables in the SQL of checks: `where`, `predicate` and the like take `${name}` as a step's SQL does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.fields import sql_fields

if TYPE_CHECKING:
    from airflow_metorikku.plan.constraints import Constraint
    from airflow_metorikku.spark.variables import Variables


def filled(constraint: Constraint, variables: Variables) -> Constraint:
    """The constraint with every reference in its check replaced; its id stays that of the file. Raises RunError naming an undefined one."""
    given: dict[str, Any] = {
        field.name: variables.fill(text)
        for field in sql_fields(constraint.options)
        if (text := getattr(constraint.options, field.name))
    }
    return replace(constraint, options=replace(constraint.options, **given))
