"""Outputs of a part of a data frame's rows: those that pass its checks, or those that fail one (a quarantine)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.files import without_globs
from airflow_metorikku.spark.formats import format_sentence
from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.quality.row_results import failing_conditions, marked_with_ids

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from airflow_metorikku.spark.checked import Checked
    from airflow_metorikku.spark.outputs.file import FileOutput
    from airflow_metorikku.spark.outputs.staging import Staging

# Formats without arrays: there the ids are one text.
_FLAT = frozenset({"csv"})


def part_of(rows: DataFrame, checked: Checked | None, output: FileOutput) -> DataFrame:
    """The rows that an output takes; those that fail with the ids of what they fail in `failedChecks`.

    Of a constraint that passed no row counts as failing: what its assertion tolerates, as a completeness of 0.95
    does, is published. No row is known to pass a check of rows that could not be evaluated. Without checks every
    row passes.

    :param rows: all rows of the data frame, as they were audited.
    """
    status = {result.id: result.status for result in checked.results} if checked else {}
    constraints = [
        one for one in (checked.constraints if checked else ()) if status[one.id] != "passed"
    ]
    broken = {id_ for id_, found in status.items() if found == "error"}
    marked, name = marked_with_ids(rows, failing_conditions(rows, constraints, broken))
    ids = F.col(quoted(name))
    if output.rows == "passed":
        return marked.where(F.size(ids) == 0).drop(name)
    failed = marked.where(F.size(ids) > 0)
    return failed.withColumn(name, F.concat_ws(", ", ids)) if output.format in _FLAT else failed


def write_aside(
    session: SparkSession, frame: DataFrame, output: FileOutput, staging: Staging
) -> DataFrame:
    """Write a whole data frame into the staging folder of an output of a part of it, and read it; goes when the staging goes."""
    place = staging.target.files.uri(f"{staging.folder}/rows")
    try:
        frame.write.parquet(place)
    except Exception as error:
        raise RunError(f"{output.where}: {format_sentence(session, 'parquet', error)}") from error
    return session.read.schema(frame.schema).parquet(without_globs(place))
