"""Cached data frames in a run: computed once, the same rows, nothing left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from airflow_metorikku.config.records.inputs import FileInput
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import Metric, Output, Step
from airflow_metorikku.config.records.outputs import FileOptions
from airflow_metorikku.plan.caching import CachedFrame
from airflow_metorikku.plan.records import Identity, Plan
from airflow_metorikku.results.records import Result
from airflow_metorikku.spark.runner import run_plan

# Random rows are the same for both readers only where they were computed once.
STEPS = (
    Step(data_frame_name="a", sql="SELECT uuid() AS `the id` FROM range(3)"),
    Step(data_frame_name="b", sql="SELECT * FROM a"),
)


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


@pytest.mark.parametrize("kind", ["spark", "parquet"])
def test_a_cached_data_frame_is_computed_once_and_leaves_nothing(spark, tmp_path, kind):
    both = Metric(name="m", file="m.yaml", steps=STEPS, output=(output("a", "a"), output("b", "b")))
    cached = (CachedFrame(name="a", kind=kind),)
    result = run(spark, tmp_path, both, cached=cached)
    assert result.error is None
    assert len(ids(spark, tmp_path / "a")) == 3
    assert ids(spark, tmp_path / "a") == ids(spark, tmp_path / "b")
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == ["result.json"]
    assert spark.sparkContext._jsc.sc().getPersistentRDDs().isEmpty()


def test_without_a_cache_it_is_computed_for_each_reader(spark, tmp_path):
    both = Metric(name="m", file="m.yaml", steps=STEPS, output=(output("a", "a"), output("b", "b")))
    run(spark, tmp_path, both, cached=())
    assert ids(spark, tmp_path / "a").isdisjoint(ids(spark, tmp_path / "b"))


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


def test_a_folder_of_the_users_is_used_and_emptied(spark, tmp_path):
    metric = Metric(name="m", file="m.yaml", steps=STEPS, output=(output("b", "b"),))
    folder = tmp_path / "scratch"
    folder.mkdir()
    (folder / "mine").touch()
    run(
        spark, tmp_path, metric, cached=(CachedFrame(name="a", kind="parquet", folder=str(folder)),)
    )
    assert [path.name for path in folder.iterdir()] == ["mine"]


def test_what_cannot_be_cached_is_a_failure_of_its_step(spark, tmp_path):
    step = Step(data_frame_name="a", sql="SELECT INTERVAL 1 DAY AS x, 1 AS X")
    metric = Metric(name="m", file="m.yaml", steps=(step,))
    result = run(spark, tmp_path, metric, cached=(CachedFrame(name="a", kind="parquet"),))
    assert result.error
    assert "step 'a'" in result.error
