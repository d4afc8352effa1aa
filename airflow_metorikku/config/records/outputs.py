"""Outputs: the job's connection blocks, and `outputOptions` by `outputType`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from airflow_metorikku.config.fields import Kinds, Where, check_count, key, where

SaveMode = Literal["append", "overwrite", "ignore", "error", "errorifexists", "default"]
CATALOG = "tables come with the Hive metastore, in a later version; this version writes files"
STREAMS = "streaming outputs come with a later version"
CONNECTORS = "writing to this system comes with the connectors; this version writes files"
JDBC = "writing over JDBC comes with a later version; this version writes files"


@dataclass(frozen=True, kw_only=True)
class FileSettings:
    """Where file outputs go."""

    dir: str = key("Folder that the `path` of every file output is below.")
    checkpoint_location: str | None = key("Checkpoints of streams.", default=None, later=STREAMS)


@dataclass(frozen=True, kw_only=True)
class OutputSettings:
    """A block of connection settings: the job's `output`, or one of its `outputs` by name."""

    file: FileSettings | None = key("File outputs.", default=None)
    jdbc: Mapping[str, object] | None = key("JDBC outputs.", default=None, later=JDBC)
    jdbcquery: Mapping[str, object] | None = key("JDBCQuery outputs.", default=None, later=JDBC)
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
    extra_options: Mapping[str, str] = key("Options of Spark's writer.", default={})
    csv_options: Mapping[str, str] = key(
        "Options of Spark's CSV writer; `extraOptions` win.", default={}
    )
    coalesce: bool = key("Deprecated here: one partition.", default=False)
    repartition: int | None = key("Deprecated here: number of partitions.", default=None)
    table_name: str | None = key("Table to register.", default=None, later=CATALOG)
    table_properties: Mapping[str, str] | None = key(
        "Properties of the table.", default=None, later=CATALOG
    )
    always_update_schema_in_catalog: bool = key(
        "Update the table's schema.", default=True, later=CATALOG
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
    "JDBC": JDBC,
    "JDBCQuery": JDBC,
    "Elasticsearch": CONNECTORS,
    "Kafka": CONNECTORS,
    "Catalog": CATALOG,
    "Hudi": CONNECTORS,
}
OUTPUT_OPTIONS: dict[str, type[Any]] = {
    **dict.fromkeys(FILE_OUTPUTS, FileOptions),
    "Instrumentation": InstrumentationOptions,
}
OUTPUT_KINDS = Kinds(noun="output type", table=OUTPUT_OPTIONS, later=LATER_OUTPUTS)
