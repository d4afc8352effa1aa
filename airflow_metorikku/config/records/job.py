"""Job files: Metorikku's keys, and the keys that are added to it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from airflow_metorikku.config.fields import Where, check_count, check_view_name, key, where
from airflow_metorikku.config.records.alerters import ALERTER_KINDS, Alerter
from airflow_metorikku.config.records.caching import Cache, CacheRequest
from airflow_metorikku.config.records.catalog import CatalogSettings
from airflow_metorikku.config.records.controls import ControlMeasures
from airflow_metorikku.config.records.data_quality import Quality
from airflow_metorikku.config.records.inputs import INPUT_KINDS, Input
from airflow_metorikku.config.records.instrumentation import Instrumentation
from airflow_metorikku.config.records.metric import Metric
from airflow_metorikku.config.records.outputs import STREAMS, OutputSettings
from airflow_metorikku.config.records.own_settings import check_own_settings
from airflow_metorikku.config.records.periodic import Periodic
from airflow_metorikku.errors import Problem

if TYPE_CHECKING:
    from pathlib import Path

JOB = "job"
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
LogLevel = Literal["ALL", "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "OFF"]


@dataclass(frozen=True, kw_only=True)
class JobFile:
    """Top level of a job file."""

    metrics: tuple[str, ...] = key(
        "Metric files, or folders of them (`*.json`, `*.yaml`, `*.yml` directly inside, by name)."
    )
    inputs: Mapping[str, Annotated[Input, INPUT_KINDS]] = key(
        "Inputs by the name of their view.", default={}
    )
    variables: Mapping[str, str] = key(
        "Texts for `${name}` in SQL, quoted there unless `quoteSparkVariables` is false. A value left empty is the text `null`, as in Metorikku.",
        default={},
        sql=True,
        null="null",
    )
    quote_spark_variables: bool = key("Insert variables into SQL as quoted texts.", default=True)
    instrumentation: Instrumentation | None = key(
        "Where the job's own numbers go; the measurement is named by `appName`.", default=None
    )
    output: OutputSettings | None = key(
        "Connection settings of outputs without a `name`.", default=None
    )
    outputs: Mapping[str, OutputSettings] = key("Connection settings by name.", default={})
    catalog: CatalogSettings | None = key("Current database of the catalog.", default=None)
    cache_on_preview: bool = key("Cache a step's data frame before its preview.", default=False)
    show_query: bool = key(
        "Log each step's SQL before it runs, as written: without the values of variables.",
        default=False,
    )
    streaming: Mapping[str, object] | None = key(
        "Settings of streams.", default=None, later=STREAMS
    )
    periodic: Periodic | None = key(
        "Run again and again: a DAG's schedule, or the rounds of `metorikku run`.", default=None
    )
    log_level: LogLevel = key("Spark's log level.", default="WARN", any_case=True)
    show_preview_lines: int = key("Print the schema and so many rows of every step.", default=0)
    explain: bool = key("Print the plan of every step.", default=False)
    app_name: str = key("Name of the Spark application.", default="Metorikku")
    continue_on_failed_step: bool = key("As `ignoreOnFailures` on every step.", default=False)
    cache_count_on_output: bool = key(
        "Accepted and not needed: rows are counted in the write itself, nothing is cached.",
        default=True,
    )
    ignore_deequ_validations: bool = key("Leave out all `dq` blocks.", default=False)
    failed_df_location_prefix: str | None = key(
        "Folder for a Parquet dump of the whole data frame when a check of it failed.",
        name="failedDFLocationPrefix",
        default=None,
    )
    checkpoint_storage_location: str | None = key(
        "Spark's checkpoint folder, for the steps' `checkpoint`.", default=None
    )
    alerters: tuple[Annotated[Alerter, ALERTER_KINDS], ...] = key(
        "Who is told of a verdict, in this order.", default=()
    )
    base: str | None = key(
        "Folder that relative paths start from, relative to the job file. Default: found by the metrics.",
        default=None,
    )
    results: str | None = key("Where results are kept.", default=None)
    spark_conf: Mapping[str, str] = key("Spark settings.", default={})
    packages: tuple[str, ...] = key("Maven coordinates.", default=())
    jars: tuple[str, ...] = key("JAR files.", default=())
    py_files: tuple[str, ...] = key("Python archives and files for the steps.", default=())
    files: tuple[str, ...] = key("Files for the steps.", default=())
    driver_memory: str | None = key("Memory of the driver, as `2g`.", default=None)
    executor_memory: str | None = key("Memory of an executor.", default=None)
    executor_cores: int | None = key("Cores of an executor.", default=None)
    num_executors: int | None = key("Number of executors.", default=None)
    on_failed_metric: Literal["stop", "continue"] = key(
        "`continue`: metrics that share no data frame with a failed one still run.", default="stop"
    )
    cache: Cache | None = key("Data frames that are computed once.", default=None)
    quality: Quality = key("Settings for all checks.", default=Quality())
    control_measures: ControlMeasures | None = key("Control measures, as Atum's.", default=None)
    at: Where | None = where()

    def __post_init__(self) -> None:
        if not self.metrics:
            raise ValueError(
                "metrics: got an empty list, expected at least one metric file or folder"
            )
        spelt: dict[str, str] = {}
        for name in self.inputs:
            check_view_name(f"inputs.{name}", name)
            if (other := spelt.setdefault(name.lower(), name)) != name:
                raise ValueError(
                    f"inputs.{name}: is the same name as {other!r} to SQL, which knows no case; "
                    "give one another name"
                )
        check_own_settings(self.spark_conf)
        check_count("showPreviewLines", self.show_preview_lines, least=0)
        check_count("executorCores", self.executor_cores, least=1)
        check_count("numExecutors", self.num_executors, least=1)


@dataclass(frozen=True, kw_only=True)
class Job:
    """A job file with its metric files: all read, checked, and with every SQL file's text in its step."""

    name: str
    """As `job_name` says; `job` for a job given as text."""
    file: str
    """Path of the job file, as messages name it."""
    base: str
    """Absolute folder that relative paths start from."""
    settings: JobFile
    metrics: tuple[Metric, ...]
    known_variables: Mapping[str, str] = field(default_factory=dict)
    """Names that stand for texts outside SQL too, such as `ds`."""
    conf_at: Mapping[str, Where] = field(default_factory=dict, compare=False)
    """Where each of `sparkConf` stands."""
    more_caches: tuple[CacheRequest, ...] = ()
    """What extensions ask to be cached, beside `cache`."""
    undefined: tuple[Problem, ...] = field(default=(), compare=False)
    """Each `${name}` outside SQL that stands for nothing yet: fine while a DAG is parsed, a mistake in a run."""


def job_name(file: Path) -> str:
    """Name of a job: its file's, or where the file is called just `job.yaml`, as in many a folder, the folder's.

    A folder that is named by a commit, as those of Airflow's versioned bundles, names nothing.
    """
    folder = os.path.basename(os.path.dirname(os.path.abspath(file)))  # noqa: PTH100, PTH119, PTH120 - Path keeps `..`
    named = file.stem == JOB and folder and not _COMMIT.fullmatch(folder)
    return folder if named else file.stem
