"""Outputs: the job's connection blocks, and `outputOptions` by `outputType`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from airflow_metorikku.config.fields import Kinds, Where, check_count, key, where
from airflow_metorikku.config.placeholders import statement
from airflow_metorikku.config.records.catalog import check_property, check_table_name
from airflow_metorikku.config.records.jdbc import JdbcSettings

SaveMode = Literal["append", "overwrite", "ignore", "error", "errorifexists", "default"]
TableSaveMode = Literal["append", "overwrite", "ignore", "error", "errorifexists"]
# What is there already stays, and is an error.
FAILS_IF_THERE = frozenset({"error", "errorifexists", "default"})
STREAMS = "streaming outputs come with a later version"
Rows = Literal["failed", "passed"]
CONNECTORS = "writing to this system comes with the connectors"


@dataclass(frozen=True, kw_only=True)
class FileSettings:
    """Where file outputs go."""

    dir: str = key("Folder that the `path` of every file output is below.")
    checkpoint_location: str | None = key("Checkpoints of streams.", default=None, later=STREAMS)


@dataclass(frozen=True, kw_only=True)
class OutputSettings:
    """A block of connection settings: the job's `output`, or one of its `outputs` by name."""

    file: FileSettings | None = key("File outputs.", default=None)
    jdbc: JdbcSettings | None = key("JDBC outputs, and JDBCQuery outputs.", default=None)
    jdbcquery: JdbcSettings | None = key(
        "JDBCQuery outputs, where they go to another database than `jdbc`.", default=None
    )
    cassandra: Mapping[str, object] | None = key(
        "Cassandra outputs.", default=None, later=CONNECTORS
    )
    redis: Mapping[str, object] | None = key("Redis outputs.", default=None, later=CONNECTORS)
    redshift: Mapping[str, object] | None = key("Redshift outputs.", default=None, later=CONNECTORS)
    kafka: Mapping[str, object] | None = key("Kafka outputs.", default=None, later=CONNECTORS)
    elasticsearch: Mapping[str, object] | None = key(
        "Elasticsearch outputs.", default=None, later=CONNECTORS
    )
    segment: Mapping[str, object] | None = key("Segment outputs.", default=None, later=CONNECTORS)
    hudi: Mapping[str, object] | None = key("Hudi outputs.", default=None, later=CONNECTORS)
    at: Where | None = where()


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """Files in a folder, staged, audited and published in one move.

    CSV defaults: escape `"`, quoteAll, header. Everything else is Spark's own.
    """

    path: str | None = key(
        "Folder; below the job's `output.file.dir` where that is given.", default=None
    )
    create_unique_path: bool = key(
        "Put a folder named after the run's start (epoch milliseconds) before `path`; one for all outputs of a run.",
        default=False,
    )
    save_mode: SaveMode = key(
        "What to do with a target that exists: error (default), overwrite, append, ignore.",
        default="error",
        any_case=True,
    )
    partition_by: tuple[str, ...] = key("Columns to partition by.", default=())
    partition_overwrite: Literal["static", "dynamic"] | None = key(
        "`dynamic`: overwrite only the partitions that this run wrote.", default=None, any_case=True
    )
    format: str | None = key("Any Spark format; default parquet. Only for `File`.", default=None)
    protect_from_empty_output: bool = key(
        "Fail, leaving the target as it was, when there is no row.", default=False
    )
    rows: Rows | None = key(
        "As beside `outputType`: only the rows that pass, or that fail, the data frame's checks.",
        default=None,
    )
    extra_options: Mapping[str, str] = key("Options of Spark's writer.", default={})
    csv_options: Mapping[str, str] = key(
        "Options of Spark's CSV writer; `extraOptions` win.", default={}
    )
    coalesce: bool = key("Deprecated here: one partition.", default=False)
    repartition: int | None = key("Deprecated here: number of partitions.", default=None)
    table_name: str | None = key(
        "Table, as `table` or `database.table`: over the files in `path`, made or updated once they are published; without a path, with files of its own.",
        default=None,
    )
    table_properties: Mapping[str, str] | None = key("Properties of the table.", default=None)
    always_update_schema_in_catalog: bool = key(
        "Give a table that exists the columns of what was written.", default=True
    )
    trigger_duration: str | None = key("Interval of a stream.", default=None, later=STREAMS)
    copy_on_publish: bool = key(
        "On an object store without rename: stage, audit and copy, instead of auditing before the write.",
        default=False,
        later="object stores come with the connectors",
    )

    def __post_init__(self) -> None:
        check_count("repartition", self.repartition, least=1)
        if self.partition_overwrite == "dynamic" and not self.partition_by:
            raise ValueError("partitionOverwrite: dynamic needs partitionBy")
        if self.table_name is not None:
            check_table_name("tableName", self.table_name)
            for name in self.table_properties or ():
                check_property(f"tableProperties.{name}", name)
            if not self.path and self.create_unique_path:
                raise ValueError(
                    "createUniquePath needs a path; a table without one keeps its files itself"
                )
        elif self.table_properties is not None:
            raise ValueError("tableProperties: needs tableName, the table that gets them")
        elif not self.always_update_schema_in_catalog:
            raise ValueError("alwaysUpdateSchemaInCatalog: needs tableName, the table it is about")


@dataclass(frozen=True, kw_only=True)
class DirectOptions:
    """What the options of every output that is not a file have in common."""

    protect_from_empty_output: bool = key(
        "Fail, leaving the target as it was, when there is no row.", default=False
    )


@dataclass(frozen=True, kw_only=True)
class InstrumentationOptions(DirectOptions):
    """A point of the job's `instrumentation` for each row, with all other columns, `metric` and `dataframe` as tags."""

    value_column: str | None = key(
        "Column of numbers, the field; default the last that is not the time. Rows without a value are left out.",
        default=None,
    )
    time_column: str | None = key(
        "Column of milliseconds since 1970; default the time of the write.", default=None
    )


@dataclass(frozen=True, kw_only=True)
class CatalogOptions(DirectOptions):
    """One row, each column of which becomes a property of a table, after the metric's files are published.

    A data frame without exactly one row fails in any case.
    """

    table_name: str = key("Table, or database.table.")

    def __post_init__(self) -> None:
        check_table_name("tableName", self.table_name)


@dataclass(frozen=True, kw_only=True)
class DatabaseOptions(DirectOptions):
    """What the options of outputs to a database have in common."""

    coalesce: bool = key("Deprecated here: one partition.", default=False)
    repartition: int | None = key("Deprecated here: number of partitions.", default=None)

    def __post_init__(self) -> None:
        check_count("repartition", self.repartition, least=1)


@dataclass(frozen=True, kw_only=True)
class JdbcOptions(DatabaseOptions):
    """A table of the database in `output.jdbc`, written by Spark over several connections.

    Spark does not write it in one transaction: a failure in the middle may leave part of the rows, and the message says so.
    """

    save_mode: TableSaveMode = key(
        "append, overwrite (the table is dropped and made again, or emptied with `truncate`), ignore, error.",
        any_case=True,
    )
    db_table: str = key("Table, with its schema where it has one, as SQL names it.")
    post_query: str | None = key("SQL that runs once after the write.", default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.db_table.strip():
            raise ValueError("dbTable: got an empty text, expected a table")


@dataclass(frozen=True, kw_only=True)
class JdbcQueryOptions(DatabaseOptions):
    """A statement for every row, in batches of one transaction each, through the driver.

    A failed batch is undone, and the message says how many rows of earlier batches stay; a query that may
    be repeated, as an upsert, makes the whole output repeatable.
    """

    query: str = key(
        "SQL with a `?` for each column in order, or with `$1` for the first column and so on.",
    )
    max_batch_size: int = key("Rows of a batch, and of a transaction.", default=500)
    min_partitions: int | None = key(
        "At least so many partitions; they are sent one after the other.", default=None
    )
    max_partitions: int | None = key("At most so many partitions.", default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("maxBatchSize", self.max_batch_size, least=1)
        check_count("minPartitions", self.min_partitions, least=1)
        check_count("maxPartitions", self.max_partitions, least=1)
        if (self.min_partitions or 0) > (self.max_partitions or self.min_partitions or 0):
            raise ValueError(
                f"minPartitions: got {self.min_partitions}, expected at most maxPartitions, {self.max_partitions}"
            )
        if "${" not in self.query:
            try:
                statement(self.query)
            except ValueError as error:
                raise ValueError(f"query: {error}") from None


# The types that write files, with the format that each forces; File takes `format`.
FILE_OUTPUTS: dict[str, str | None] = {
    "File": None,
    "Parquet": "parquet",
    "CSV": "csv",
    "JSON": "json",
}
LATER_OUTPUTS: dict[str, str] = {
    "Cassandra": CONNECTORS,
    "Redshift": CONNECTORS,
    "Redis": CONNECTORS,
    "Segment": CONNECTORS,
    "Elasticsearch": CONNECTORS,
    "Kafka": CONNECTORS,
    "Hudi": CONNECTORS,
}
OUTPUT_OPTIONS: dict[str, type[Any]] = {
    **dict.fromkeys(FILE_OUTPUTS, FileOptions),
    "Instrumentation": InstrumentationOptions,
    "JDBC": JdbcOptions,
    "JDBCQuery": JdbcQueryOptions,
    "Catalog": CatalogOptions,
}
OUTPUT_KINDS = Kinds(noun="output type", table=OUTPUT_OPTIONS, later=LATER_OUTPUTS)
