"""Variables in the SQL of checks: `where`, `predicate` and the like take `${name}` as a step's SQL does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from airflow_metorikku.config.fields import with_sql

if TYPE_CHECKING:
    from airflow_metorikku.plan.constraints import Constraint
    from airflow_metorikku.spark.variables import Variables


def filled(constraint: Constraint, variables: Variables) -> Constraint:
    """The constraint with every reference in its check replaced; its id stays that of the file. Raises RunError naming an undefined one."""
    return replace(
        constraint,
        options=with_sql(constraint.options, variables.fill),
        parts=tuple(filled(part, variables) for part in constraint.parts),
    )
