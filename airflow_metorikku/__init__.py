"""Metorikku jobs in YAML as Airflow tasks on Spark, with data quality and control measure gates."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from airflow_metorikku.dag import MetorikkuDag, MetorikkuTaskGroup, load_dags

__version__ = "0.1.0"
__all__ = ["MetorikkuDag", "MetorikkuTaskGroup", "__version__", "load_dags"]

# Lazy: the Spark side imports this package too, and has no Airflow.
_AIRFLOW_NAMES = ("MetorikkuDag", "MetorikkuTaskGroup", "load_dags")


def __getattr__(name: str) -> Any:
    if name in _AIRFLOW_NAMES:
        return getattr(importlib.import_module("airflow_metorikku.dag"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
