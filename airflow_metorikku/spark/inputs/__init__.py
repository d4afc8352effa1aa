"""Inputs: one file a kind, one line a kind in READERS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.records.inputs import FileDateRangeInput, FileInput, JdbcInput
from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.inputs.file import read_file
from airflow_metorikku.spark.inputs.file_date_range import read_file_date_range
from airflow_metorikku.spark.inputs.jdbc import read_jdbc
from airflow_metorikku.spark.names import register
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

    from airflow_metorikku.spark.caching import Caches

READERS: dict[type, Callable[[SparkSession, Any], DataFrame]] = {
    FileInput: read_file,
    FileDateRangeInput: read_file_date_range,
    JdbcInput: read_jdbc,
}


def read_input(
    session: SparkSession, name: str, given: Any, caches: Caches | None = None
) -> DataFrame:
    """Read an input and register it as a view, cached where the plan says so; raises RunError naming the input."""
    where = f"input '{name}'" + (f" ({given.at})" if given.at else "")
    try:
        frame = READERS[type(given)](session, given)
        frame = caches.keep(name, frame) if caches else frame
        register(frame, name)
    except Exception as error:
        raise RunError(f"{where}: {sentence(error)}") from error
    return frame
