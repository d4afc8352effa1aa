"""The Spark session of a run: what the submit set stays, what it left open comes from the job."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.results.records import Application
from airflow_metorikku.spark.jvm import java_context, launch, silence
from airflow_metorikku.spark.numpy_there import answer_for_numpy
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

    from airflow_metorikku.plan.records import Plan

logger = logging.getLogger(__name__)

# spark-submit names an application after its file when it is given no name.
UNNAMED = "metorikku_entrypoint.py"
_CATALOG = "spark.sql.catalogImplementation"
# Who names a metastore, or its database, means Hive's catalog. Spark takes Hive's settings by both prefixes, others by one.
_METASTORES = {
    "spark.hadoop.hive.metastore.uris",
    "spark.hive.metastore.uris",
    "spark.hadoop.javax.jdo.option.ConnectionURL",
}
_SILENT = (
    # Log a Java stack for each path that is not there, before the sentence that says so; of Spark 4, and of Spark 3.5.
    "org.apache.spark.sql.execution.streaming.sinks.FileStreamSink",
    "org.apache.spark.sql.execution.streaming.FileStreamSink",
    # Logs the password of each connection with level DEBUG.
    "org.apache.spark.sql.execution.datasources.jdbc.connection",
)


def start_session(plan: Plan | None, conf: Mapping[str, str] | None = None) -> SparkSession:
    """Start Spark for a plan, or take the session that is there; raises RunError when it does not start.

    Without a plan (it is among the files that only a running Spark has) all is as the submit says, and as `conf`.
    """
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

    answer_for_numpy()
    try:
        launch()
        given = SparkConf()
        builder = SparkSession.builder
        for name, value in _settings(plan, dict(given.getAll()), conf or {}).items():
            builder = builder.config(name, value)
        return builder.getOrCreate()
    except Exception as error:
        raise RunError(f"Spark does not start: {sentence(error)}") from error


def _settings(plan: Plan | None, given: dict[str, str], conf: Mapping[str, str]) -> dict[str, str]:
    """Settings that the submit left open."""
    wanted = plan.settings.spark_conf if plan else conf
    found = {name: value for name, value in wanted.items() if name not in given}
    if plan and given.get("spark.app.name", UNNAMED) == UNNAMED:
        found["spark.app.name"] = plan.settings.app_name
    master = given.get("spark.master") or found.get("spark.master")
    if master is None:
        master = found["spark.master"] = "local[*]"
        logger.info("no master is given: running on local[*]")
    if master.startswith("local"):
        # Nobody looks at the pages of a local run while it lasts, and they cost a twentieth of a short one.
        for name in ("spark.ui.enabled", "spark.ui.showConsoleProgress"):
            if name not in given:
                found.setdefault(name, "false")
    metastore = {*given, *found} & _METASTORES
    if metastore and _CATALOG not in given:
        found.setdefault(_CATALOG, "hive")
    return found


def configure(session: SparkSession, plan: Plan) -> None:
    """Log level and checkpoint folder of the job."""
    settings = plan.settings
    session.sparkContext.setLogLevel(settings.log_level)
    for name in _SILENT:
        silence(session, name)
    if folder := settings.checkpoint_storage_location:
        try:
            session.sparkContext.setCheckpointDir(folder)
        except Exception as error:
            raise RunError(f"checkpointStorageLocation {folder}: {sentence(error)}") from error


def has_checkpoints(session: SparkSession) -> bool:
    """Whether steps can be checkpointed."""
    return bool(java_context(session).getCheckpointDir().isDefined())


def application_of(session: SparkSession) -> Application:
    """The Spark application, for the result."""
    context = session.sparkContext
    return Application(
        id=context.applicationId,
        master=str(context.master),
        spark=session.version,
        ui=context.uiWebUrl,
    )
