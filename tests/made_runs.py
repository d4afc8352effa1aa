"""Plans of tests, and what they wrote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.config.records.metric import Metric, Output, Step
from airflow_metorikku.config.records.outputs import FileOptions
from airflow_metorikku.results.records import Result

Run = Callable[..., Result]


def step(name: str, sql: str | None = None, **more: Any) -> Step:
    return Step(data_frame_name=name, sql=sql, at=Where(file="m.yaml", line=3), **more)


def output(frame: str, path: str, kind: str = "Parquet", **more: Any) -> Output:
    top = {
        key: more.pop(key) for key in ("coalesce", "repartition", "name", "format") if key in more
    }
    return Output(
        data_frame_name=frame,
        output_type=kind,
        output_options=FileOptions(path=path, **more),
        **top,
    )


def metric(*steps: Step, out: tuple[Output, ...] = (), name: str = "m") -> Metric:
    return Metric(name=name, file=f"{name}.yaml", steps=steps, output=out)


def rows(spark: SparkSession, path: Path, kind: str = "parquet") -> list[tuple[Any, ...]]:
    found = spark.read.format(kind).option("header", "true").load(str(path)).collect()
    return sorted(map(tuple, found), key=lambda row: [(one is not None, one) for one in row])


def dq(level: str, *checks: Any) -> DataQuality:
    return DataQuality(level=level, checks=checks)
