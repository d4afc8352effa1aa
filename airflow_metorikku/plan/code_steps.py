"""Parameters of Metorikku's own code steps: those that are missing, and those that nobody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.config.records.code_steps import PACKAGE
from airflow_metorikku.config.words import unknown
from airflow_metorikku.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airflow_metorikku.config.records.code_steps import CodeStep
    from airflow_metorikku.config.records.job import Job
    from airflow_metorikku.config.records.metric import Step


def problems(job: Job) -> list[Problem]:
    """What is wrong with the parameters of steps whose failure is not ignored."""
    if job.settings.continue_on_failed_step:
        return []
    return [
        Problem(
            file=step.at.file if step.at else metric.file,
            line=step.at.line if step.at else 0,
            path="params",
            text=text,
        )
        for metric in job.metrics
        for step in metric.steps
        if step.built_in and not step.ignore_on_failures
        for text in wrong_params(step, step.built_in)
    ]


def wrong_params(step: Step, built_in: CodeStep) -> Iterator[str]:
    """A sentence for each parameter that is missing or not known."""
    given = step.params or {}
    name = (step.classpath or "").removeprefix(PACKAGE)
    for param, doc in built_in.params.items():
        if not given.get(param) and param not in built_in.optional:
            yield f"{name} needs {param}: {doc.rstrip('.')}"
    for param in given:
        if param not in built_in.params:
            yield f"{name}: {unknown('parameter', param, built_in.params)}"
