"""The history of metrics in whole runs: judged before it is kept, on local disks and Hadoop's file systems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.dqdl.checks import read_dqdl
from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.records.analyzers.numbers import Mean
from airflow_metorikku.config.records.analyzers.rows import Completeness, Size
from airflow_metorikku.config.records.checks.anomaly import Anomaly
from airflow_metorikku.config.records.checks.numbers import HasMean
from airflow_metorikku.config.records.checks.rows import IsComplete
from airflow_metorikku.config.records.data_quality import DataQuality, Quality
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import Metric, Output, Step
from airflow_metorikku.config.records.outputs import FileOptions
from airflow_metorikku.config.records.strategies import BatchNormal, RelativeRateOfChange
from airflow_metorikku.plan.records import Identity, Plan
from airflow_metorikku.results.history import load, series
from airflow_metorikku.results.records import ConstraintResult, Result
from airflow_metorikku.results.repository import StoredRun, runs_from
from airflow_metorikku.spark.files import files_at
from airflow_metorikku.spark.hadoop_files import HadoopFiles
from airflow_metorikku.spark.history import MetricHistory
from airflow_metorikku.spark.runner import run_plan

Run = Callable[..., Result]
HALVED = RelativeRateOfChange(max_rate_decrease=0.5, max_rate_increase=2)
CHECKS = (
    Anomaly(metric=Size(), strategy=HALVED, level="error"),
    Anomaly(metric=Mean(column="x"), where_="x > 0", strategy=BatchNormal()),
    IsComplete(column="x"),
    HasMean(column="nosuch", assertion=Assertion(">=", Decimal(0))),
)


@pytest.fixture
def run(spark: SparkSession, tmp_path: Path) -> Run:
    def go(day: int, rows: int, attempt: str = "a", **step: object) -> Result:
        metric = Metric(
            name="m",
            file="m.yaml",
            steps=(
                Step(
                    data_frame_name="d",
                    sql=f"SELECT id AS x FROM range({rows})",
                    **{"dq": DataQuality(checks=CHECKS)} | step,
                ),
            ),
            output=(
                Output(
                    data_frame_name="d",
                    output_type="Parquet",
                    output_options=FileOptions(path=f"out{day}"),
                ),
            ),
        )
        plan = Plan(
            job="job", file="job.yaml", base=str(tmp_path), metrics=(metric,), reads=(),
            settings=JobFile(metrics=("m.yaml",), log_level="ERROR", quality=Quality(tags={"k": "v"})),
            identity=Identity(
                dag_id="dag", run_id=f"r{day}", task_id="t", attempt=f"{attempt}{day}",
                result=f"file:{tmp_path}/results/dag/r{day}/t/{attempt}{day}/result.json",
                metrics=f"file:{tmp_path}/results/metrics/job",
                time=f"2026-01-{day:02}T00:00:00+00:00",
            ),
        )  # fmt: skip
        return run_plan(plan, spark)

    return go


def kept(root: Path) -> tuple[StoredRun, ...]:
    folder = root / "results/metrics/job/d"
    return load([run for path in folder.iterdir() for run in runs_from(path.read_text())])


def sizes(result: Result) -> ConstraintResult:
    return result.metrics[0].constraints[0]


def test_a_run_is_judged_by_those_before_it(run: Run, tmp_path: Path) -> None:
    first = run(1, 100)
    assert [(one.status, one.counts) for one in first.metrics[0].constraints] == [
        ("no_data", False), ("no_data", False), ("passed", True), ("error", True),
    ]  # fmt: skip
    assert first.metrics[0].outputs[0].published
    assert sizes(run(2, 90)).status == "passed"
    # 20 rows are too few: nothing is published, and no later run is measured by them.
    bad = run(3, 20)
    assert (bad.verdict, sizes(bad).status, sizes(bad).value) == ("critical", "failed", 20)
    assert "value 20 is a change of 0.2222" in sizes(bad).message
    assert not (tmp_path / "out3").exists()
    assert sizes(run(4, 95)).status == "passed"
    # The day is repaired.
    assert sizes(run(3, 94, attempt="b")).status == "passed"
    runs = kept(tmp_path)
    assert [(each.value, each.time) for each in series(runs, Size())] == [
        (value, 1767225600000 + day * 86_400_000) for day, value in enumerate([100, 90, 94, 95])
    ]
    # Of 1 to n-1, without the filter it is that of 0 to n-1.
    assert [each.value for each in series(runs, Mean(column="x", where_="x > 0"))] == [
        50,
        45,
        47,
        47.5,
    ]
    assert series(runs, Mean(column="x")) == ()
    assert [each.value for each in series(runs, Completeness(column="x"))] == [1] * 4
    assert runs[0].tags == {"k": "v"}
    (error,) = [each for each in runs[0].metrics if each.status == "error"]
    assert (error.constraint_id, error.value) == ("hasMean.nosuch", None)
    assert "nosuch" in str(error.message)


def test_a_file_that_is_no_text_costs_no_other(
    run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run(1, 100)
    folder = tmp_path / "results/metrics/job/d"
    (whole,) = folder.iterdir()
    cut = folder / whole.name.replace("Z-", "Z-x")
    cut.write_bytes(b'[{"run": "\xc3')
    assert sizes(run(2, 90)).status == "passed"
    assert f"{cut.name}: it is no text in UTF-8; it is left out" in caplog.text


def test_a_step_that_failed_leaves_a_trace(run: Run, tmp_path: Path) -> None:
    run(1, 100)
    run(2, "nonsense", ignore_on_failures=True)
    newest, _ = kept(tmp_path)
    assert {each.status for each in newest.metrics} == {"error"}
    assert len(newest.metrics) == len(CHECKS)
    assert sizes(run(3, 90)).status == "passed"


def test_history_over_hadoop(
    run: Run, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert files_at(spark, f"file:{tmp_path}")[0].__class__.__name__ == "LocalFiles"
    monkeypatch.setattr(
        "airflow_metorikku.spark.history.files_at",
        lambda session, address: (HadoopFiles(session, address), address),
    )
    run(1, 100)
    assert sizes(run(2, 10)).status == "failed"
    run(2, 99, attempt="b")
    assert [each.value for each in series(kept_but_sums(tmp_path), Size())] == [100, 99]


def kept_but_sums(root: Path) -> tuple[StoredRun, ...]:
    """Hadoop's local file system keeps a checksum beside each file."""
    for path in (root / "results/metrics/job/d").glob(".*.crc"):
        path.unlink()
    return kept(root)


def test_a_history_without_time_is_of_when_it_ran(spark: SparkSession, tmp_path: Path) -> None:
    plan = Plan(
        job="job", file="job.yaml", base=str(tmp_path), metrics=(), reads=(), settings=JobFile(metrics=("m.yaml",)),
        identity=Identity(dag_id="d", run_id="r", task_id="t", attempt="a", result="file:/r", metrics="file:/m"),
    )  # fmt: skip
    one = MetricHistory(plan=plan, session=spark)
    again = MetricHistory(plan=replace(plan, job="other"), session=spark)
    assert 0 <= again.time - one.time < 60_000


def test_what_is_joined_has_a_history_of_its_parts_and_one_verdict(
    run: Run, tmp_path: Path
) -> None:
    rules, _ = read_dqdl(
        'Rules = [ (RowCount > avg(last(2))) and (IsComplete "x"), (RowCount < last()) or (ColumnCount = 9) ]',
        lambda line: Where(file="m.yaml", line=line),
    )
    days = [
        [one.status for one in run(day, rows, dq=DataQuality(dqdl=rules)).metrics[0].constraints]
        for day, rows in enumerate((10, 20, 16, 15), 1)
    ]
    # The first run has nothing to compare with, which has no effect: the other check decides.
    # Then 20 > 10, 16 > 15, and 15 > 18 is wrong; 20 < 10 is wrong, 16 < 20, 15 < 16.
    assert days == [
        ["passed", "failed"], ["passed", "failed"], ["passed", "passed"], ["failed", "passed"],
    ]  # fmt: skip
    runs = kept(tmp_path)
    assert [one.value for one in series(runs, Size())] == [10, 20, 16, 15]
    newest = [(one.name, one.value, one.status) for one in runs[0].metrics]
    # What Deequ reads stands first.
    assert newest == [
        ("Size", 15, None), ("Completeness", 1, None), ("Size", 15, None),
        ("HoldingChecks", 1, "failed"), ("ColumnCount", 1, None), ("HoldingChecks", 1, "passed"),
    ]  # fmt: skip
