"""The listeners of a run: those that its job names, and those of installed packages."""

from __future__ import annotations

from functools import partial
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from airflow_metorikku.results.listeners import Listener, Listeners, log_failure
from airflow_metorikku.spark.steps.python import find_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GROUP = "airflow_metorikku.control_listeners"
"""Entry points of installed packages that listen to every run with control measures."""


def find_listeners(paths: Iterable[str], *, job: str, application: str) -> Listeners:
    """Those that a job names as `module:function`, and those of entry points; what cannot be loaded is logged."""
    loaders: list[tuple[str, Callable[[], Listener]]] = [
        (path, partial(find_function, path)) for path in paths
    ]
    loaders += [(one.value, one.load) for one in entry_points(group=GROUP)]
    found = []
    for name, load in loaders:
        try:
            found.append((name, load()))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the listener's own
            log_failure(name, error)
    return Listeners(job=job, application=application, named=tuple(found))
