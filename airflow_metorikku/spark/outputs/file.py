"""Outputs `File`, `Parquet`, `CSV`, `JSON`: files in a folder (Metorikku: `FileOutputWriter`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.config.records.outputs import (
    FAILS_IF_THERE,
    FILE_OUTPUTS,
    FileOptions,
    Rows,
)
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.paths import target as address_of
from airflow_metorikku.spark.catalog import table_name
from airflow_metorikku.spark.files import without_globs
from airflow_metorikku.spark.formats import (
    CSV_READ,
    CSV_WRITE,
    format_sentence,
    spark_format,
    with_defaults,
)
from airflow_metorikku.spark.outputs.moves import exists_already
from airflow_metorikku.spark.outputs.planned import PlannedOutput
from airflow_metorikku.spark.outputs.table import Table, table_folder
from airflow_metorikku.spark.outputs.target import Target, target_at

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from airflow_metorikku.config.records.metric import Metric, Output
    from airflow_metorikku.plan.records import Plan
    from airflow_metorikku.spark.outputs.staging import Staging

_DYNAMIC = "spark.sql.sources.partitionOverwriteMode"
# Formats that keep every value and type, and can be read column by column.
_REREADABLE = frozenset({"parquet", "orc"})


@dataclass(frozen=True, kw_only=True)
class FileOutput(PlannedOutput):
    """A file output of a plan: where it goes and as what."""

    target: Target
    format: str
    mode: str
    dynamic: bool
    table: Table | None = None

    @property
    def rows(self) -> Rows | None:
        """Which rows it takes, by the checks of the data frame; None for all."""
        options: FileOptions = self.output.output_options
        return options.rows


def file_outputs(
    session: SparkSession, plan: Plan, metric: Metric, unique: str
) -> tuple[FileOutput, ...]:
    """The outputs of a metric that are files; raises RunError for one that has no path.

    :param unique: folder for `createUniquePath`, one for all outputs of a run.
    """
    return tuple(
        _file_output(session, plan, metric, number, unique)
        for number, output in enumerate(metric.output)
        if output.output_type in FILE_OUTPUTS
    )


def _file_output(
    session: SparkSession, plan: Plan, metric: Metric, number: int, unique: str
) -> FileOutput:
    output = metric.output[number]
    options = output.output_options
    where = f"output of '{output.data_frame_name}' in metric '{metric.name}'" + (
        f" ({output.at})" if output.at else ""
    )
    address = address_of(plan.base, plan.settings, output, unique)
    table: Table | None = None
    kind = format_of(output)
    try:
        if options.table_name:
            table = _table(session, output, kind, own_files=address is None)
            table.check(session)
        target = target_at(session, address or _own_folder(session, table))
        target.check()
    except (RunError, OSError) as error:
        raise RunError(f"{where}: {error}") from error
    asked = (
        options.partition_overwrite
        or options.extra_options.get("partitionOverwriteMode")
        or session.conf.get(_DYNAMIC)
    )
    return FileOutput(
        output=output,
        metric=metric.name,
        number=number,
        target=target,
        format=kind,
        mode=options.save_mode.lower(),
        dynamic=bool(options.partition_by) and str(asked).lower() == "dynamic",
        table=table,
    )


def format_of(output: Output) -> str:
    """Format that an output to files is written in."""
    forced = FILE_OUTPUTS[output.output_type]
    return forced or output.output_options.format or output.format or "parquet"


def _own_folder(session: SparkSession, table: Table | None) -> str:
    if table is None:
        raise RunError("needs a path or a tableName")
    return table_folder(session, table)


def _table(session: SparkSession, output: Output, kind: str, *, own_files: bool) -> Table:
    options = output.output_options
    return Table(
        name=table_name(session, options.table_name),
        format=spark_format(session, kind),
        options=read_options(output),
        partition_by=options.partition_by,
        properties=options.table_properties or {},
        update_schema=options.always_update_schema_in_catalog,
        own_files=own_files,
    )


def check_free(outputs: tuple[FileOutput, ...]) -> None:
    """Raise RunError when the default save mode would find something, before anything runs."""
    written: set[str] = set()
    for output in outputs:
        path = output.target.path
        if output.mode in FAILS_IF_THERE and (path in written or output.target.exists()):
            raise RunError(f"{output.where}: {exists_already(path)}")
        written.add(path)


def write(session: SparkSession, frame: DataFrame, output: FileOutput, staging: Staging) -> None:
    """Write a data frame to its staging folder, in its partitions; raises RunError naming the output."""
    options = output.output.output_options
    given = _given_options(output.output)
    if output.format == "csv":
        given = {**CSV_WRITE, **given}
    writer = frame.write.format(spark_format(session, output.format)).mode("errorifexists")
    writer = writer.options(**with_defaults(output.format, given))
    if options.partition_by:
        writer = writer.partitionBy(*options.partition_by)
    try:
        writer.save(staging.uri)
    except Exception as error:
        raise RunError(
            f"{output.where}: {format_sentence(session, output.format, error)}"
        ) from error


def _given_options(output: Output) -> dict[str, str]:
    options = output.output_options
    if output.output_type == "CSV":
        return {**options.csv_options, **options.extra_options}
    return dict(options.extra_options)


def read_options(output: Output) -> dict[str, str]:
    """Options that read the files as they were written."""
    kind, given = format_of(output), _given_options(output)
    if kind == "csv":
        given = {**CSV_READ, **given}
        given.pop("quoteAll", None)  # says nothing to a reader
    return with_defaults(kind, given)


def partitioned(frame: DataFrame, output: FileOutput) -> DataFrame:
    """The data frame in as many partitions as its output asks for: coalesce wins over repartition, the metric's keys over the deprecated options."""
    given = output.output
    if not given.coalesce and given.repartition is None:
        coalesce, repartition = given.output_options.coalesce, given.output_options.repartition
    else:
        coalesce, repartition = given.coalesce, given.repartition
    if coalesce:
        return frame.coalesce(1)
    return frame.repartition(repartition) if repartition else frame


def can_reread(frame: DataFrame, output: FileOutput) -> bool:
    """Whether the staged files give back exactly what the frame held.

    Partition values become texts in paths, where an empty text and a null are the same.
    """
    by = {name.lower() for name in output.output.output_options.partition_by}
    texts = {
        field.name.lower()
        for field in frame.schema.fields
        if field.dataType.typeName() not in ("long", "integer", "short", "byte", "date", "boolean")
    }
    return output.format in _REREADABLE and not by & texts


def reread(
    session: SparkSession, frame: DataFrame, output: FileOutput, staging: Staging
) -> DataFrame:
    """The staged files as a data frame."""
    reader = session.read.format(spark_format(session, output.format)).schema(frame.schema)
    return reader.load(without_globs(staging.uri))
