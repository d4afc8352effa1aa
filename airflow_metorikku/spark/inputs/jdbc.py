"""Input `jdbc`: a table or query of a database, in parts only where the job asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.databases import Database

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame, DataFrameReader, SparkSession

    from airflow_metorikku.config.records.inputs import JdbcInput

_DEFAULT_COLUMN = "id"
# As Metorikku counts the partitions where the job does not.
_ROWS = 1_000_000
_LEAST, _MOST = 10, 640


def read_jdbc(session: SparkSession, given: JdbcInput) -> DataFrame:
    """Read a JDBC input; raises RunError in words, without the password."""
    database = Database(
        url=given.connection_url or "",
        user=given.user,
        password=given.password,
        options=given.options,
    )
    database.require_driver(session)
    try:
        reader = session.read.format("jdbc").options(**database.spark_options())
        frame = reader.option("dbtable", given.table).load()
        if not _in_parts(given):
            return frame
        parts = _parts(session, given, database, frame)
        return _again(session, database, {"dbtable": given.table, **parts})
    except Exception as error:
        raise RunError(f"{given.table}: {database.failure(error)}") from error


def _again(session: SparkSession, database: Database, options: Mapping[str, str]) -> DataFrame:
    reader: DataFrameReader = session.read.format("jdbc").options(**options)
    return reader.options(**database.spark_options()).load()


def _in_parts(given: JdbcInput) -> bool:
    """Whether the job asks for parts by its own keys; with Spark's options it says all of it itself."""
    own = {name.lower() for name in given.options} & {"partitioncolumn", "lowerbound", "upperbound"}
    return not own and (given.partition_column is not None or given.partitions_number is not None)


def _parts(
    session: SparkSession, given: JdbcInput, database: Database, frame: DataFrame
) -> dict[str, str]:
    """Spark's options: from 0 to the column's greatest value, as Metorikku has it."""
    column = _column(given.partition_column or _DEFAULT_COLUMN, frame)
    quoted = database.dialect(session).quoteIdentifier(column)
    query = f"(SELECT MAX({quoted}) AS max_value FROM {given.table}) metorikku_max"  # noqa: S608 - the job's table is SQL by its nature
    # Of the user's options those that say where and who; a query of one row has no parts.
    (row,) = _again(session, database, {"dbtable": query}).collect()
    try:
        most = max(0, int(row[0] or 0))
    except (TypeError, ValueError):
        raise RunError(
            f"partitionColumn {column}: its greatest value is {row[0]!r}, expected a whole number"
        ) from None
    count = given.partitions_number or min(max(most // _ROWS, _LEAST), _MOST)
    return {
        "partitionColumn": column,
        "lowerBound": "0",
        "upperBound": str(most),
        "numPartitions": str(count),
    }


def _column(asked: str, frame: DataFrame) -> str:
    """The column's name as the database has it, which may be given in SQL's quotes."""
    plain = asked[1:-1] if asked[:1] + asked[-1:] in ('""', "``", "[]") else asked
    exact = [name for name in frame.columns if name == plain]
    found = exact or [name for name in frame.columns if name.lower() == plain.lower()]
    if not found:
        raise RunError(
            f"partitionColumn {plain}: there is no such column; expected one of {', '.join(frame.columns)}"
        )
    return found[0]
