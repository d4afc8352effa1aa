"""Input `file_date_range`: one path a day, all read as one data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.config.dates import days, fill
from airflow_metorikku.spark.inputs.file import read_paths

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from airflow_metorikku.config.records.inputs import FileDateRangeInput


def paths_of(given: FileDateRangeInput) -> list[str]:
    """The path of each day."""
    return [fill(given.template, day) for day in days(given.date_range)]


def read_file_date_range(session: SparkSession, given: FileDateRangeInput) -> DataFrame:
    """Read all days; a missing one fails the input."""
    return read_paths(
        session,
        paths_of(given),
        format_name=given.format,
        options=given.options,
        schema_path=given.schema_path,
    )
