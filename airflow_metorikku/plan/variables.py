"""Variables in SQL that nothing defines, found before Spark starts."""

from __future__ import annotations

import difflib

from airflow_metorikku.config.interpolation import LOGICAL_DATE_NAMES
from airflow_metorikku.config.records.job import Job
from airflow_metorikku.errors import Problem
from airflow_metorikku.plan.sql import tokens, variables_used

# Spark resolves these itself: `${env:HOME}`, `${spark.app.name}`.
_SPARKS_OWN = ("env:", "system:", "hiveconf:", "sparkconf:", "spark:", "spark.")


def undefined_in_sql(job: Job) -> list[Problem]:
    """Each `${name}` of a step's SQL that is no variable of the job; after code or a SET statement only Spark can tell."""
    known = set(job.settings.variables) | set(job.settings.spark_conf)
    found = []
    for metric in job.metrics:
        for step in metric.steps:
            if not step.sql or tokens(step.sql)[:1] and tokens(step.sql)[0].text == "set":
                return found
            for name in variables_used(step.sql):
                if name in known or name.startswith(_SPARKS_OWN):
                    continue
                text = f"step '{step.data_frame_name}': ${{{name}}} is not defined{_hint(name, known)}"
                found.append(Problem(
                    file=step.at.file if step.at else metric.file, line=step.at.line if step.at else 0,
                    path="steps.sql", text=text,
                ))
    return found


def _hint(name: str, known: set[str]) -> str:
    if name in LOGICAL_DATE_NAMES:
        return f": this run has no logical date; use ${{run_after}}, or a default as ${{{name}:-2024-01-01}}"
    if close := difflib.get_close_matches(name, sorted(known), n=1):
        return f"; did you mean '${{{close[0]}}}'?"
    return f"; set it in the job's variables, with --var {name}=..., or give a default: ${{{name}:-...}}"
