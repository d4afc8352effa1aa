"""Step `python`: a function `(spark, metric_name, data_frame_name, params)` of the user's."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.names import frame_named, is_registered

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from airflow_metorikku.config.records.metric import Metric, Step
    from airflow_metorikku.spark.steps.prepared import Prepared, Scene

Function = Callable[..., Any]
DEFAULT_FUNCTION = "run"


def prepare_python(metric: Metric, step: Step) -> Prepared:
    """The step's function; raises RunError when it cannot be imported."""
    return call(find_function(step.python or ""), metric, step)


def find_function(path: str) -> Function:
    """`module:function`, or `module` for its function `run`; raises RunError."""
    module_name, _, name = path.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise RunError(
            f"cannot import '{module_name}': {error}; put it into the job's base folder or its pyFiles"
        ) from error
    function = getattr(module, name or DEFAULT_FUNCTION, None)
    if not callable(function):
        raise RunError(f"module '{module_name}' has no function '{name or DEFAULT_FUNCTION}'")
    found: Function = function
    return found


def ship_modules(base: str) -> None:
    """Send what was imported from a job's base folder along with the functions that Spark runs in its workers.

    Their Python has only what is installed and the job's `pyFiles`: it would not find the module by name.
    """
    from pyspark import cloudpickle

    home = Path(base)
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        # There are thousands of modules, and paths are slow.
        if "." in name or file is None or not file.startswith(str(home)):
            continue
        place = Path(file).parent
        if home == (place.parent if hasattr(module, "__path__") else place):
            cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]


def call(function: Function, metric: Metric, step: Step) -> Prepared:
    """The step that calls a function with the four arguments of Metorikku's code steps."""
    name = step.data_frame_name

    def run(scene: Scene) -> DataFrame:
        from pyspark.sql import DataFrame as AnyDataFrame

        made = function(scene.session, metric.name, name, dict(step.params or {}))
        if isinstance(made, AnyDataFrame):
            return made
        if made is not None:
            raise RunError(
                f"the function returned {type(made).__name__}, expected a DataFrame or nothing"
            )
        if not is_registered(scene.session, name):
            raise RunError(
                f"the function returned nothing and registered no view '{name}'; expected one of the two"
            )
        return frame_named(scene.session, name)

    return run
