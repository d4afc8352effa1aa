"""Step `classpath`: Python code by its module; Metorikku's own code steps are refused by the config."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.steps.python import call, find_function

if TYPE_CHECKING:
    from airflow_metorikku.config.records.metric import Metric, Step
    from airflow_metorikku.spark.steps.prepared import Prepared


def prepare_classpath(metric: Metric, step: Step) -> Prepared:
    """The code step; raises RunError for what is not Python."""
    path = step.classpath or ""
    try:
        return call(find_function(path), metric, step)
    except RunError as error:
        raise RunError(
            f"classpath '{path}': Scala classes do not run here, and as Python it fails: {error}"
        ) from error
