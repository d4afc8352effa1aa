"""Numbers, lags and rows that reach InfluxDB, or do not."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from airflow_metorikku.config.records.instrumentation import InfluxDB, Instrumentation
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import Metric, Output, Step
from airflow_metorikku.config.records.outputs import FileOptions, InstrumentationOptions
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.records import Plan
from airflow_metorikku.results.records import Result
from airflow_metorikku.spark.instrumentation import database_of
from airflow_metorikku.spark.runner import run_plan


@dataclass
class Receiver:
    url: str = ""
    answer: int = 204
    asked: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def untimed(self) -> list[str]:
        """Lines without times, `timer` without its value."""
        return [re.sub(r"timer=\d+i", "timer=i", one.rpartition(" ")[0]) for one in self.lines]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            found.asked.append(f"{self.path} {self.headers['Authorization']}")
            if found.answer == 204:
                found.lines.extend(body.split("\n"))
            self.send_response(found.answer)
            self.end_headers()
            if found.answer != 204:
                self.wfile.write(b'{"error":"no such thing"}')

        def log_message(self, *_: Any) -> None:
            """Nothing on the standard error."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        found.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield found
        server.shutdown()


def run(
    spark: SparkSession, folder: Path, sql: str, *out: Output, receiver: Receiver | None = None
) -> Result:
    block = receiver and Instrumentation(
        influxdb=InfluxDB(url=receiver.url, db_name="db", username="u", password="s3cret")
    )
    metric = Metric(
        name="m", file="m.yaml", steps=(Step(data_frame_name="t", sql=sql),), output=out
    )
    settings = JobFile(
        metrics=("m.yaml",), log_level="ERROR", app_name="my job", instrumentation=block
    )
    plan = Plan(
        job="job", file="job.yaml", base=str(folder), metrics=(metric,), reads=(), settings=settings
    )
    return run_plan(plan, spark)


def parquet(folder: Path, **more: Any) -> Output:
    options = FileOptions(path=str(folder / "out"))
    return Output(data_frame_name="t", output_type="Parquet", output_options=options, **more)


def points(**more: Any) -> Output:
    options = InstrumentationOptions(**more)
    return Output(data_frame_name="t", output_type="Instrumentation", output_options=options)


def test_the_numbers_of_a_metric(spark: SparkSession, tmp_path: Path, receiver: Receiver) -> None:
    result = run(spark, tmp_path, "SELECT 1 AS x", parquet(tmp_path), receiver=receiver)
    assert result.error is None
    assert receiver.untimed() == [
        "my\\ job,metric=m successfulSteps=1i",
        "my\\ job,dataframe=t,metric=m,output_type=Parquet counter=1i",
        "my\\ job,metric=m timer=i",
    ]
    assert receiver.asked == ["/write?db=db&precision=ns Basic dTpzM2NyZXQ="]
    times = {int(one.rpartition(" ")[2]) for one in receiver.lines}
    assert len(times) == 3
    assert all(abs(one / 1e9 - time.time()) < 60 for one in times)


def test_the_numbers_of_a_metric_that_fails(
    spark: SparkSession, tmp_path: Path, receiver: Receiver
) -> None:
    assert run(spark, tmp_path, "SELECT nope", receiver=receiver).error
    assert receiver.untimed() == ["my\\ job,metric=m failedSteps=1i", "my\\ job,metric=m timer=i"]


def test_a_server_that_says_no_is_one_warning(
    spark: SparkSession, tmp_path: Path, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.answer = 401
    result = run(spark, tmp_path, "SELECT 1 AS x", parquet(tmp_path), receiver=receiver)
    assert (result.error, result.metrics[0].outputs[0].published) == (None, True)
    warned = [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]
    said = [text for text in warned if "instrumentation" in text]
    assert len(said) == 1
    assert "refused: 401 no such thing" in said[0]
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize(
    ("sql", "units"),
    [
        ("SELECT timestamp_millis(1577836800000) AS ts", None),
        ("SELECT DATE '2020-01-01' AS TS", None),
        ("SELECT 1577836800 AS ts UNION ALL SELECT NULL", "SECONDS"),
        ("SELECT 1577836800000L AS ts", "MILLISECONDS"),
    ],
)
@pytest.mark.parametrize("kind", ["Parquet", "JSON"])
def test_a_lag(
    spark: SparkSession, tmp_path: Path, receiver: Receiver, sql: str, units: Any, kind: str
) -> None:
    given = Output(
        data_frame_name="t",
        output_type=kind,
        output_options=FileOptions(path=str(tmp_path / "out")),
        report_lag=True,
        report_lag_time_column="ts",
        report_lag_time_column_units=units,
    )
    result = run(spark, tmp_path, sql, given, receiver=receiver)
    assert result.error is None
    lag = result.metrics[0].outputs[0].lag
    assert lag is not None
    assert abs(time.time() * 1000 - 1577836800000 - lag) < 60_000
    assert f"my\\ job,dataframe=t,metric=m,output_type={kind} lag={lag}i" in receiver.untimed()


@pytest.mark.parametrize(
    ("sql", "more", "says"),
    [
        ("SELECT 'x' AS ts", {}, "is string"),
        ("SELECT 1L AS ts", {}, "is bigint"),
        ("SELECT 1 AS x", {}, "has no column 'ts'"),
        ("SELECT CAST(NULL AS TIMESTAMP) AS ts", {}, "has only nulls"),
        ("SELECT 1 AS ts", {"report_lag_time_column": None}, "needs a reportLagTimeColumn"),
    ],
)
def test_a_lag_that_cannot_be_told(
    spark: SparkSession, tmp_path: Path, sql: str, more: dict[str, Any], says: str
) -> None:
    keys = {"report_lag": True, "report_lag_time_column": "ts", **more}
    result = run(spark, tmp_path, sql, parquet(tmp_path, **keys))
    assert says in (result.error or "")
    assert not (tmp_path / "out").exists()


def test_rows_as_points(
    spark: SparkSession, tmp_path: Path, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    sql = (
        "SELECT * FROM VALUES ('a b', 1.5D, 1000L), ('x', 2D, 1000L), ('x', 3D, 1000L), "
        "(NULL, 4D, 2000L), ('y', NULL, 1L), ('y', 1D, NULL), ('y', DOUBLE('NaN'), 1L) AS (who, v, at)"
    )
    given = points(value_column="v", time_column="at")
    result = run(spark, tmp_path, sql, given, receiver=receiver)
    assert result.error is None
    assert (result.metrics[0].outputs[0].rows, result.metrics[0].outputs[0].published) == (4, True)
    assert sorted(one for one in receiver.lines if " v=" in one) == [
        "my\\ job,dataframe=t,metric=m v=4.0 2000000000",
        "my\\ job,dataframe=t,metric=m,who=a\\ b v=1.5 1000000000",
        "my\\ job,dataframe=t,metric=m,who=x v=2.0 1000000000",
        "my\\ job,dataframe=t,metric=m,who=x v=3.0 1000000001",
    ]
    assert "3 rows without a value or a time" in caplog.text


def test_the_last_column_is_the_value(
    spark: SparkSession, tmp_path: Path, receiver: Receiver
) -> None:
    run(spark, tmp_path, "SELECT 'a' AS who, 7 AS n", points(), receiver=receiver)
    assert "my\\ job,dataframe=t,metric=m,who=a n=7i" in receiver.untimed()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"value_column": "nope"}, "valueColumn: data frame 't' has no column 'nope'"),
        ({"value_column": "who"}, "valueColumn: column 'who' is string, expected a number"),
        ({"time_column": "who"}, "timeColumn: column 'who' is string"),
    ],
)
def test_columns_that_do_not_fit_are_refused_before_anything_is_written(
    spark: SparkSession, tmp_path: Path, receiver: Receiver, options: dict[str, str], says: str
) -> None:
    sql = "SELECT 'a' AS who, 7 AS n"
    result = run(spark, tmp_path, sql, parquet(tmp_path), points(**options), receiver=receiver)
    assert says in (result.error or "")
    assert not (tmp_path / "out").exists()
    assert not [one for one in receiver.lines if " n=" in one]


@pytest.mark.parametrize("name", ["#job", "\tjob", "\\", ""])
def test_a_name_that_is_no_measurement_is_refused(receiver: Receiver, name: str) -> None:
    """InfluxDB takes a line that starts with # for a comment, and says that all is well."""
    block = Instrumentation(influxdb=InfluxDB(url=receiver.url, db_name="db"))
    settings = JobFile(metrics=("m.yaml",), app_name=name, instrumentation=block)
    plan = Plan(job="job", file="job.yaml", base="/", metrics=(), reads=(), settings=settings)
    with pytest.raises(RunError, match="appName: got"):
        database_of(plan)


def test_a_tag_of_a_name_that_influxdb_keeps_is_refused_before_anything_is_written(
    spark: SparkSession, tmp_path: Path, receiver: Receiver
) -> None:
    sql = "SELECT 'a' AS time, 7 AS n"
    result = run(spark, tmp_path, sql, parquet(tmp_path), points(), receiver=receiver)
    assert "has a column 'time'" in (result.error or "")
    assert not (tmp_path / "out").exists()


def test_rows_that_are_not_taken_fail_the_metric(
    spark: SparkSession, tmp_path: Path, receiver: Receiver
) -> None:
    receiver.answer = 500
    result = run(spark, tmp_path, "SELECT 1 AS n", points(), receiver=receiver)
    assert "output of 't' to Instrumentation" in (result.error or "")
    assert not result.metrics[0].outputs[0].published


def test_rows_need_a_database(spark: SparkSession, tmp_path: Path) -> None:
    assert "needs the job's instrumentation" in (
        run(spark, tmp_path, "SELECT 1 AS n", points()).error or ""
    )
