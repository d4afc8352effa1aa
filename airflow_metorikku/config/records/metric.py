"""Metric files: Metorikku's keys, and the keys that are added to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from airflow_metorikku.config.fields import Where, check_count, check_view_name, key, where
from airflow_metorikku.config.records.code_steps import CodeStep, find_code_step
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.config.records.outputs import FILE_OUTPUTS, OUTPUT_KINDS, FileOptions, Rows


@dataclass(frozen=True, kw_only=True)
class Step:
    """One data frame: made by SQL, a SQL file, a Python function or a code step, and registered as a temporary view."""

    data_frame_name: str = key("Name of the view; may replace an input or an earlier step.")
    sql: str | None = key("SQL. Wins over `file`, that over `classpath`.", default=None, sql=True)
    file: str | None = key("SQL file, relative to the metric file.", default=None)
    python: str | None = key(
        "`module:function`, called with (spark, metric_name, data_frame_name, params); a returned DataFrame becomes the view.",
        default=None,
    )
    classpath: str | None = key(
        "Code step: one of [Metorikku's own](#code-steps) by its class name, `module` or `module:function` of Python code, or a Scala object or Java class with `run(SparkSession, String, String, Option)` in one of the job's `jars` or `packages`.",
        default=None,
    )
    params: Mapping[str, str] | None = key(
        "Parameters of `python` and `classpath`, raw text.", default=None
    )
    ignore_on_failures: bool = key("Log a failure of this step and go on.", default=False)
    dq: DataQuality | None = key("Data quality checks of the data frame.", default=None)
    checkpoint: bool = key(
        "Cut the lineage: an eager checkpoint in the job's `checkpointStorageLocation`.",
        default=False,
    )
    control_checkpoint: str | None = key(
        "Name of a control measures checkpoint taken here.", default=None
    )
    cache: bool = key("Cache the data frame.", default=False)
    at: Where | None = where()

    def __post_init__(self) -> None:
        if not (self.sql or self.file or self.python or self.classpath):
            raise ValueError("needs one of sql, file, python, classpath")
        try:
            self.built_in  # noqa: B018 - finds whether there is such a one
        except ValueError as error:
            raise ValueError(f"classpath: {error}") from None
        check_view_name("dataFrameName", self.data_frame_name)

    @property
    def built_in(self) -> CodeStep | None:
        """The code step of Metorikku's own that this is; None for all else."""
        if not self.classpath or self.sql or self.file or self.python:
            return None
        return find_code_step(self.classpath)

    @property
    def runs_code(self) -> bool:
        """Whether it runs code of the user's, which may read any data frame and register any view."""
        return not self.sql and self.built_in is None


@dataclass(frozen=True, kw_only=True)
class Output:
    """One data frame written to one place."""

    data_frame_name: str = key("Data frame: a step, an input, or a table.")
    output_type: str = key("What it is written as.", kinds=OUTPUT_KINDS)
    name: str | None = key("Which of the job's `outputs` to use instead of `output`.", default=None)
    coalesce: bool = key("One partition; wins over `repartition`.", default=False)
    repartition: int | None = key("Number of partitions.", default=None)
    report_lag: bool = key(
        "Report the lag: milliseconds from the latest value of a time column to now; 0 without rows.",
        default=False,
    )
    report_lag_time_column: str | None = key(
        "Its column: a timestamp or date, or a number with `reportLagTimeColumnUnits`.",
        default=None,
    )
    report_lag_time_column_units: Literal["SECONDS", "MILLISECONDS"] | None = key(
        "Unit of a number since 1970.", default=None
    )
    protect_from_empty_output: bool = key("As in `outputOptions`.", default=False)
    format: str | None = key("As in `outputOptions`.", default=None)
    rows: Rows | None = key(
        "Quarantine: `passed` writes the rows that no check of the data frame's step fails, `failed` the others with the ids of what each fails in a column `failedChecks`. Default: all rows. Outputs to files only.",
        default=None,
    )
    control_checkpoint: str | None = key(
        "Name of a control measures checkpoint taken of what is written.", default=None
    )
    output_options: Any = key(
        "Options by output type.", default=FileOptions(), options_of="output_type"
    )
    at: Where | None = where()

    def __post_init__(self) -> None:
        check_count("repartition", self.repartition, least=1)
        if self.output_type not in FILE_OUTPUTS:
            if self.format:
                raise ValueError(f"format: outputType {self.output_type} has none; leave it out")
            if self.rows:
                raise ValueError(
                    f"rows: outputType {self.output_type} takes all rows; "
                    f"only {', '.join(FILE_OUTPUTS)} can write those that pass or fail"
                )
            return
        options = self.output_options
        if not options.path and not options.table_name:
            raise ValueError(
                "outputOptions: path is missing, the folder to write (or tableName, for a table that keeps its files itself)"
            )
        _require_one("format", self.format, options.format)
        _require_one("rows", self.rows, options.rows)
        forced, given = FILE_OUTPUTS.get(self.output_type), self.format or options.format
        if forced and given and given.lower() != forced:
            raise ValueError(
                f"format: {given!r} does not fit outputType {self.output_type}; use outputType: File"
            )

    def with_options(self) -> Output:
        """The same, with the keys that may stand beside `outputOptions` moved into it."""
        given = self.output_options
        options = replace(
            given,
            protect_from_empty_output=given.protect_from_empty_output
            or self.protect_from_empty_output,
        )
        if isinstance(options, FileOptions):
            options = replace(
                options, format=options.format or self.format, rows=options.rows or self.rows
            )
        return replace(self, output_options=options)


def _require_one(name: str, beside: str | None, inside: str | None) -> None:
    """Raise ValueError where a key says one thing beside `outputOptions` and another in them."""
    if beside and inside and beside != inside:
        raise ValueError(
            f"{name}: got {beside!r} here and {inside!r} in outputOptions, expected one"
        )


@dataclass(frozen=True, kw_only=True)
class Metric:
    """Steps that run in order, then outputs that are audited and published together."""

    name: str
    """File name without its last extension."""
    file: str
    """Path of the file, as messages name it."""
    steps: tuple[Step, ...]
    output: tuple[Output, ...] = ()


@dataclass(frozen=True, kw_only=True)
class MetricFile:
    """Top level of a metric file."""

    steps: tuple[Step, ...] = key("The steps, in order.")
    output: tuple[Output, ...] = key("The outputs, in order.", default=())
