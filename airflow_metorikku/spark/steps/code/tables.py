"""Code steps about what Spark knows by name: tables that may be there, functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.spark.jvm import java_class, java_session
from airflow_metorikku.spark.names import frame_named, is_registered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame, SparkSession

FUNCTION = "epoch_milli_to_timestamp"
_FUNCTIONS_IN_SQL = 4


def load_if_exists(session: SparkSession, params: Mapping[str, str]) -> DataFrame:
    """The table or view where there is one, else no rows with the columns of `dfName`."""
    table = params["tableName"]
    if is_registered(session, table) or session.catalog.tableExists(table):
        return frame_named(session, table)
    return frame_named(session, params["dfName"]).limit(0)


def register_functions(session: SparkSession, _: Mapping[str, str]) -> None:
    """Make `EPOCH_MILLI_TO_TIMESTAMP` another name of Spark's own `timestamp_millis`, for this session."""
    if int(session.version.partition(".")[0]) >= _FUNCTIONS_IN_SQL:
        session.sql(
            f"CREATE OR REPLACE TEMPORARY FUNCTION {FUNCTION}(milliseconds BIGINT) RETURNS TIMESTAMP "
            "RETURN timestamp_millis(milliseconds)"
        )
        return
    # One in Python would pass every row through a worker.
    registry = java_session(session).sessionState().functionRegistry()
    identifier = java_class(session, "org.apache.spark.sql.catalyst.FunctionIdentifier")(
        "timestamp_millis"
    )
    builder = registry.lookupFunctionBuilder(identifier).get()
    registry.createOrReplaceTempFunction(FUNCTION, builder, "built-in")
