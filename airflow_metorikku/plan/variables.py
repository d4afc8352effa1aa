"""Variables in SQL that nothing defines, found before Spark starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.config.fields import sql_texts
from airflow_metorikku.config.interpolation import CONNECTIONS, LOGICAL_DATE_NAMES
from airflow_metorikku.config.words import suggestion
from airflow_metorikku.errors import Problem
from airflow_metorikku.plan.places import place_of
from airflow_metorikku.plan.sql import tokens, variables_used

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airflow_metorikku.config.fields import Where
    from airflow_metorikku.config.records.job import Job
    from airflow_metorikku.config.records.metric import Metric, Step

# Spark resolves these itself: `${env:HOME}`, `${spark.app.name}`. Connections were refused when the file was read.
_NOT_OURS = ("env:", "system:", "hiveconf:", "sparkconf:", "spark:", "spark.", CONNECTIONS)


def undefined_in_sql(job: Job) -> list[Problem]:
    """Each `${name}` of a step's SQL, or of its checks', that is no variable of the job; after code or a SET statement only Spark can tell."""
    known = set(job.settings.variables) | set(job.settings.spark_conf)
    found: list[Problem] = []
    for metric in job.metrics:
        for step in metric.steps:
            words = tokens(step.sql or "")
            if step.runs_code or (words and words[0].text == "set"):
                return found
            for sql, path, at in _sql_of(metric, step):
                for name in variables_used(sql):
                    if name in known or name.startswith(_NOT_OURS):
                        continue
                    text = f"step '{step.data_frame_name}': ${{{name}}} is not defined{_hint(name, known)}"
                    file, line = (at.file, at.line) if at else (metric.file, 0)
                    found.append(Problem(file=file, line=line, path=path, text=text))
    return found


def _sql_of(metric: Metric, step: Step) -> Iterator[tuple[str, str, Where | None]]:
    """Every SQL text of a step, with its key and place."""
    yield step.sql or "", "steps.sql", step.at
    for written in step.dq.every if step.dq else ():
        for check in written.expanded():
            for path, sql in sql_texts(check):
                yield sql, place_of(metric, step, written, path), check.at or step.at


def _hint(name: str, known: set[str]) -> str:
    if name in LOGICAL_DATE_NAMES:
        return f": this run has no logical date; use ${{run_after}}, or a default as ${{{name}:-2024-01-01}}"
    if near := suggestion(name, sorted(known)):
        return f"; did you mean '${{{near}}}'?"
    return f"; set it in the job's variables, with --var {name}=..., or give a default: ${{{name}:-...}}"
