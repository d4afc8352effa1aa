"""Steps: one file a kind, one line a kind in PREPARERS.

A step is prepared before anything runs, so that a function that is not there stops the run at its
start; `ignoreOnFailures` is about running it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.sentences import sentence
from airflow_metorikku.spark.steps.classpath import prepare_classpath
from airflow_metorikku.spark.steps.python import prepare_python
from airflow_metorikku.spark.steps.sql import prepare_sql

if TYPE_CHECKING:
    from collections.abc import Callable

    from airflow_metorikku.config.records.metric import Metric, Step
    from airflow_metorikku.spark.steps.prepared import Prepared

# The first key that a step has decides; a SQL file's text is in `sql`.
PREPARERS: dict[str, Callable[[Metric, Step], Prepared]] = {
    "sql": prepare_sql,
    "python": prepare_python,
    "classpath": prepare_classpath,
}


def where(metric: Metric, step: Step) -> str:
    """A step, for messages."""
    at = f" ({step.at})" if step.at else ""
    return f"step '{step.data_frame_name}' of metric '{metric.name}'{at}"


def prepare(metric: Metric, step: Step) -> Prepared:
    """The step, ready to run; raises RunError naming it."""
    kind = next((key for key in PREPARERS if getattr(step, key)), None)
    if kind is None:
        raise RunError(f"{where(metric, step)}: needs one of sql, file, python, classpath")
    try:
        return PREPARERS[kind](metric, step)
    except Exception as error:
        raise RunError(f"{where(metric, step)}: {sentence(error)}") from error
