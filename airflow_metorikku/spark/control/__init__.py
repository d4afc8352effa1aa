"""Control measures inside Spark: Atum's seven controls, the checkpoints, and how they must agree.

For notebooks, on any data frame:

    from airflow_metorikku.spark.control import append, read, write
    info = read(spark, "/data/trades")
    info = append(info, frame, "Cleaned", workflow_name="Trades")
    write(spark, info, "/data/trades_clean")
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from airflow_metorikku.spark.control.builder import InfoBuilder
    from airflow_metorikku.spark.control.notebook import (
        append,
        build,
        measure,
        read,
        read_for,
        with_run_id,
        write,
    )

__all__ = ["InfoBuilder", "append", "build", "measure", "read", "read_for", "with_run_id", "write"]


# Lazy: what the runner needs of this package is needed by what these names need.
def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    room = "builder" if name == "InfoBuilder" else "notebook"
    return getattr(importlib.import_module(f"{__name__}.{room}"), name)
