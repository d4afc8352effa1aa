"""Step `classpath`: one of Metorikku's own code steps, Python code by its module, or code in a JAR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.steps.code import prepare_built_in
from airflow_metorikku.spark.steps.java_object import call_object, find_object
from airflow_metorikku.spark.steps.python import call, find_function

if TYPE_CHECKING:
    from airflow_metorikku.config.records.metric import Metric, Step
    from airflow_metorikku.spark.steps.prepared import Prepared


def prepare_classpath(metric: Metric, step: Step) -> Prepared:
    """The code step; raises RunError for a path that is neither a module nor a class."""
    if step.built_in:
        return prepare_built_in(metric, step)
    path = step.classpath or ""
    try:
        return call(find_function(path), metric, step)
    except RunError as error:
        found = None if ":" in path else find_object(path)
        if found is not None:
            return call_object(found, metric, step)
        raise RunError(
            f"classpath '{path}': no JAR of this run has such a class (put the JAR into the job's jars or "
            f"packages, built for this Spark and its Scala), and as Python it fails: {error}"
        ) from error
