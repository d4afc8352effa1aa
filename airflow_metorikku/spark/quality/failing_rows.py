"""Dumps of data that failed: the failing rows with the ids of what they fail, and Metorikku's whole data frame.

What goes wrong with a dump is logged and changes no verdict.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from airflow_metorikku.results.paths import encoded
from airflow_metorikku.spark.quality.row_results import marked_with_ids
from airflow_metorikku.spark.quality.row_rules import failing
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame

    from airflow_metorikku.config.records.metric import Metric
    from airflow_metorikku.plan.constraints import Constraint
    from airflow_metorikku.spark.checked import Checked
    from airflow_metorikku.spark.run import Run

logger = logging.getLogger(__name__)


def dump_failed(run: Run, metric: Metric, checked: Sequence[Checked]) -> None:
    """Every dump that the job asks for, of the data frames in which a constraint did not pass."""
    for one in checked:
        bad = {result.id for result in one.results if result.status != "passed"}
        # What could not be evaluated may throw on any row, and then the file would have none of the others'.
        broken = {result.id for result in one.results if result.status == "error"}
        if one.frame is None or not bad or one.step is None or one.step.dq is None:
            continue
        settings = run.plan.settings
        if location := one.step.dq.failed_df_location or settings.failed_df_location_prefix:
            dump_frame(one.frame, one.name, location)
        if settings.quality.failed_data_path:
            folder = "/".join(
                [
                    settings.quality.failed_data_path.rstrip("/"),
                    encoded(metric.name),
                    encoded(one.name),
                    encoded(run.attempt),
                ]
            )
            failed = [each for each in one.constraints if each.id in bad - broken]
            dump_failing_rows(one.frame, failed, folder, settings.quality.failed_data_limit)


def dump_frame(frame: DataFrame, data_frame: str, location: str) -> str | None:
    """Write all of a data frame as Parquet to `<location>/<data frame>_<time>`; the path, None where it failed."""
    now = datetime.now(UTC)
    path = f"{location.rstrip('/')}/{data_frame.replace('/', '_')}_{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03d}"
    try:
        frame.write.parquet(path)
    except Exception as error:  # noqa: BLE001 - a dump decides nothing
        logger.warning(
            "data frame '%s': cannot dump it to %s: %s", data_frame, path, sentence(error)
        )
        return None
    logger.info("data frame '%s': dumped to %s", data_frame, path)
    return path


def dump_failing_rows(
    frame: DataFrame, failed: Sequence[Constraint], folder: str, limit: int
) -> bool:
    """Write at most `limit` failing rows as JSON lines, with the ids of the constraints that each fails; whether it did."""
    name = failed[0].data_frame if failed else ""
    try:
        rows = failing_rows(frame, failed)
        if rows is None:
            return False
        rows.limit(limit).write.mode("append").option("ignoreNullFields", "false").json(folder)
    except Exception as error:  # noqa: BLE001 - a dump decides nothing
        logger.warning(
            "data frame '%s': cannot dump failing rows to %s: %s", name, folder, sentence(error)
        )
        return False
    logger.info("data frame '%s': failing rows are in %s", name, folder)
    return True


def failing_rows(frame: DataFrame, failed: Sequence[Constraint]) -> DataFrame | None:
    """The rows that fail one of the constraints, with their ids; None where all are about the whole data frame."""
    conditions = []
    for constraint in failed:
        try:
            fails = failing(constraint, frame)
        except Exception as error:  # noqa: BLE001 - one that cannot be evaluated hides no other
            logger.debug("constraint '%s': no failing rows: %s", constraint.id, sentence(error))
            continue
        if fails is not None:
            conditions.append((constraint.id, fails))
    if not conditions:
        return None
    marked, name = marked_with_ids(frame, conditions)
    return marked.where(F.size(F.col(name)) > 0)
