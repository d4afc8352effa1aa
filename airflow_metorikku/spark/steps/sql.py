"""Step `sql`, and `file`, whose text the plan holds."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from airflow_metorikku.config.records.metric import Metric, Step
    from airflow_metorikku.spark.steps.prepared import Prepared, Scene

logger = logging.getLogger(__name__)


def prepare_sql(metric: Metric, step: Step) -> Prepared:
    """The step's statement; DDL works too, its answer becomes the view."""
    sql = step.sql or ""

    def run(scene: Scene) -> DataFrame:
        if scene.show_query:
            # As written: values of variables may be secrets.
            logger.info("metric '%s', step '%s':\n%s", metric.name, step.data_frame_name, sql)
        frame: DataFrame = scene.variables.run(sql)
        return frame

    return run
