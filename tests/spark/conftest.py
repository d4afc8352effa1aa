"""One small Spark for all tests that need one."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from made_runs import Run
from pyspark.sql import SparkSession
from real_servers import JARS

from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import Metric
from airflow_metorikku.plan.records import Identity, Plan
from airflow_metorikku.results.records import Result
from airflow_metorikku.spark.runner import run_plan


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Two cores, no pages, few partitions; ANSI and all else as Spark has it."""
    # Workers with this Python, as spark-submit gets it from the project; Spark would take the first on PATH.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    warehouse = tmp_path_factory.mktemp("warehouse")
    session = (
        SparkSession.builder.master("local[2]")
        .appName("tests")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.warehouse.dir", str(warehouse))
        .config("spark.jars", ",".join(str(path) for path in JARS.values() if path.exists()))
        .config("spark.driver.extraJavaOptions", f"-Dderby.stream.error.file={warehouse}/derby.log")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture
def ansi(spark: SparkSession) -> Iterator[None]:
    """For what ANSI makes an error: Spark 3.5 does not have it on by default."""
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", "true")
    yield
    spark.conf.set("spark.sql.ansi.enabled", before)


@pytest.fixture
def needs_spark_4(spark: SparkSession) -> None:
    """For what Spark 3.5 does not have."""
    if spark.version < "4":
        pytest.skip("needs Spark 4: XML of its own, and columns of nulls only in Parquet")


@pytest.fixture
def run(spark: SparkSession, tmp_path: Path) -> Run:
    """Runs metrics as a plan, and gives its result."""

    def go(
        *metrics: Metric, run_id: str = "r1", inputs: dict[str, Any] | None = None, **settings: Any
    ) -> Result:
        settings.setdefault("log_level", "ERROR")
        plan = Plan(
            job="job",
            file="job.yaml",
            base=str(tmp_path),
            metrics=metrics,
            reads=tuple(inputs or {}),
            settings=JobFile(metrics=("m.yaml",), inputs=inputs or {}, **settings),
            identity=Identity(
                dag_id="d",
                run_id=run_id,
                task_id="t",
                attempt=f"a{time.monotonic_ns()}",
                result=f"file:{tmp_path}/results/result.json",
            ),
        )
        result = run_plan(plan, spark)
        text = (tmp_path / "results/result.json").read_text()
        assert Result.from_json(text) == result
        (tmp_path / "results/result.json").unlink()
        (tmp_path / "results").rmdir()
        return result

    return go
