"""A code step of the user's in a JAR: a Scala object, or a Java class with a static method, as Metorikku calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.jvm import java_session, running_class
from airflow_metorikku.spark.names import frame_named, is_registered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame

    from airflow_metorikku.config.records.metric import Metric, Step
    from airflow_metorikku.spark.steps.prepared import Prepared, Scene

METHOD = "run"


def find_object(path: str) -> Any:
    """The Scala object of a class path, else its Java class, None when no JAR has it."""
    threads = running_class("java.lang.Thread")
    if threads is None:
        return None
    loader = threads.currentThread().getContextClassLoader()
    for name in (f"{path}$", path):
        found = _class(loader, name)
        if found is not None and name != path:
            return found.getField("MODULE$").get(None)
        if found is not None:
            return running_class(path)
    return None


def _class(loader: Any, name: str) -> Any:
    from py4j.protocol import Py4JJavaError

    try:
        return loader.loadClass(name)
    except Py4JJavaError as error:
        if error.java_exception.getClass().getName() == "java.lang.ClassNotFoundException":
            return None
        raise RunError(f"class {name} cannot be loaded: {error.java_exception}") from error


def call_object(found: Any, metric: Metric, step: Step) -> Prepared:
    """The step that calls `run(SparkSession, metric name, data frame name, Option of parameters)`.

    Such code may register a function and no view: then the step makes no data frame.
    """
    name = step.data_frame_name

    def run(scene: Scene) -> DataFrame | None:
        arguments = (java_session(scene.session), metric.name, name, _option(step.params))
        getattr(found, METHOD)(*arguments)
        return frame_named(scene.session, name) if is_registered(scene.session, name) else None

    return run


def _option(params: Mapping[str, str] | None) -> Any:
    if params is None:
        return running_class("scala.Option").empty()
    table = running_class("java.util.HashMap")()
    for name, value in params.items():
        table.put(name, value)
    convert = running_class("org.apache.spark.api.python.PythonUtils").toScalaMap
    return running_class("scala.Option").apply(convert(table))
