"""Cached data frames in a run: computed once, the same rows, nothing left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.functions import udf

from airflow_metorikku.config.records.inputs import FileInput
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import Metric, Output, Step
from airflow_metorikku.config.records.outputs import FileOptions
from airflow_metorikku.plan.caching import CachedFrame
from airflow_metorikku.plan.records import Identity, Plan
from airflow_metorikku.results.records import Result
from airflow_metorikku.spark.caching import Caches
from airflow_metorikku.spark.runner import run_plan

STEPS = (
    Step(data_frame_name="a", sql="SELECT counted(id) AS x FROM range(3)"),
    Step(data_frame_name="b", sql="SELECT * FROM a"),
)


@pytest.fixture
def computed(spark: SparkSession) -> Any:
    """How many rows of `a` were computed so far."""
    rows = spark.sparkContext.accumulator(0)

    def counted(value):
        rows.add(1)
        return str(value)

    spark.udf.register("counted", udf(counted, "string").asNondeterministic())
    return rows


def output(frame: str, path: str, mode: str = "overwrite") -> Output:
    options = FileOptions(path=path, save_mode=mode)
    return Output(data_frame_name=frame, output_type="Parquet", output_options=options)


def run(spark: SparkSession, folder: Path, *metrics: Metric, cached: Any, **inputs: Any) -> Result:
    plan = Plan(
        job="job",
        file="job.yaml",
        base=str(folder),
        metrics=metrics,
        reads=tuple(inputs),
        cached=cached,
        settings=JobFile(metrics=("m.yaml",), inputs=inputs, log_level="ERROR"),
        identity=Identity(
            dag_id="d",
            run_id="r",
            task_id="t",
            attempt="one",
            result=f"file:{folder}/results/result.json",
        ),
    )
    return run_plan(plan, spark)


def ids(spark: SparkSession, path: Path) -> set[str]:
    return {row[0] for row in spark.read.parquet(str(path)).collect()}


@pytest.mark.parametrize(("kind", "rows"), [("spark", 3), ("parquet", 3), (None, 6)])
def test_a_cached_data_frame_is_computed_once_and_leaves_nothing(
    spark, tmp_path, computed, kind, rows
):
    both = Metric(name="m", file="m.yaml", steps=STEPS, output=(output("a", "a"), output("b", "b")))
    cached = (CachedFrame(name="a", kind=kind),) if kind else ()
    result = run(spark, tmp_path, both, cached=cached)
    assert result.error is None
    assert computed.value == rows
    assert ids(spark, tmp_path / "a") == ids(spark, tmp_path / "b") == {"0", "1", "2"}
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == ["result.json"]
    assert spark.sparkContext._jsc.sc().getPersistentRDDs().isEmpty()


@pytest.mark.parametrize("kind", ["spark", "parquet"])
def test_a_cached_input_that_the_job_writes_is_read_anew(spark, tmp_path, kind):
    spark.range(2).selectExpr("CAST(id AS STRING) AS x").write.parquet(str(tmp_path / "in"))
    grow = Metric(
        name="grow",
        file="g.yaml",
        steps=(Step(data_frame_name="more", sql="SELECT concat(x, '!') AS x FROM old"),),
        output=(output("more", "in", "append"),),
    )
    copy = Metric(
        name="copy",
        file="c.yaml",
        steps=(Step(data_frame_name="c", sql="SELECT * FROM old"),),
        output=(output("c", "out"),),
    )
    given = FileInput(path=str(tmp_path / "in"))
    result = run(
        spark, tmp_path, grow, copy, cached=(CachedFrame(name="old", kind=kind),), old=given
    )
    assert result.error is None
    assert ids(spark, tmp_path / "out") == {"0", "1", "0!", "1!"}


def test_a_folder_of_the_users_is_used_and_emptied(spark, tmp_path, computed):
    metric = Metric(name="m", file="m.yaml", steps=STEPS, output=(output("b", "b"),))
    folder = tmp_path / "scratch"
    folder.mkdir()
    (folder / "mine").touch()
    run(
        spark, tmp_path, metric, cached=(CachedFrame(name="a", kind="parquet", folder=str(folder)),)
    )
    assert [path.name for path in folder.iterdir()] == ["mine"]


def test_runs_without_an_attempt_have_a_folder_each(spark, tmp_path):
    """Of the tester and of `metorikku suggest`, two at once; what a killed one has left is in nobody's way."""
    cached = (CachedFrame(name="a", kind="parquet", folder=str(tmp_path)),)
    plan = Plan(
        job="j",
        file="j.yaml",
        base=str(tmp_path),
        metrics=(),
        reads=(),
        cached=cached,
        settings=JobFile(metrics=("m.yaml",)),
    )
    killed, other = (Caches(session=spark, plan=plan) for _ in range(2))
    kept = [one.keep("a", spark.range(3)) for one in (killed, other)]
    assert [frame.count() for frame in kept] == [3, 3]
    other.forget()
    assert kept[0].count() == 3
    killed.forget()
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_cached_is_a_failure_of_its_step(spark, tmp_path):
    step = Step(data_frame_name="a", sql="SELECT INTERVAL 1 DAY AS x, 1 AS X")
    metric = Metric(name="m", file="m.yaml", steps=(step,))
    result = run(spark, tmp_path, metric, cached=(CachedFrame(name="a", kind="parquet"),))
    assert result.error
    assert "step 'a'" in result.error
