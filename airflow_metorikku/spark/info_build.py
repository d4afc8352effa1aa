"""A first `_INFO` of some data, without a job: what `metorikku info build` runs in Spark."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.control.source import built
from airflow_metorikku.spark.files import files_at

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from airflow_metorikku.plan.records import Plan
    from airflow_metorikku.results.info import Info

logger = logging.getLogger(__name__)


def build_info(plan: Plan, session: SparkSession, target: str) -> Info:
    """Measure the plan's one input as its control measures' source says, and write the file; a folder gets it by its name.

    :raises RunError: the input cannot be read or measured, or the file cannot be written.
    """
    controls = plan.settings.control_measures
    if controls is None or controls.source is None or len(plan.settings.inputs) != 1:
        raise RunError("info build: the plan has not one input with its control measures")
    info = built(session, plan.settings, controls, controls.source)
    try:
        files, place = files_at(session, target)
        if files.is_folder(place):
            place = f"{place.rstrip('/')}/{controls.file_name}"
        files.write_text(place, info.to_json())
    except OSError as error:
        raise RunError(f"info build: cannot write {target}: {error}") from error
    logger.info("info file %s", place)
    return info
