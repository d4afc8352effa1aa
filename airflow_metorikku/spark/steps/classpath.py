"""Step `classpath`: Metorikku's code steps by their class names, or Python code by its module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.steps.python import Function, call, find_function

if TYPE_CHECKING:
    from airflow_metorikku.config.records.metric import Metric, Step
    from airflow_metorikku.spark.steps.prepared import Prepared

_METORIKKU = "com.yotpo.metorikku."
BUILT_INS: dict[str, Function] = {}


def prepare_classpath(metric: Metric, step: Step) -> Prepared:
    """The code step; raises RunError for a class that is neither built in nor Python."""
    path = step.classpath or ""
    if path in BUILT_INS:
        return call(BUILT_INS[path], metric, step)
    if path.startswith(_METORIKKU):
        known = ", ".join(sorted(BUILT_INS)) or "none"
        raise RunError(f"classpath '{path}' is not built in (this version knows {known}); write it as python: module:function")
    try:
        return call(find_function(path), metric, step)
    except RunError as error:
        raise RunError(f"classpath '{path}': Scala classes do not run here, and as Python it fails: {error}") from error
