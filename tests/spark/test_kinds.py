"""What every kind must do in Spark: one job of all of them runs, with the values that arithmetic gives."""

from __future__ import annotations

import json
from pathlib import Path

import made_kinds
import pytest
from pyspark.sql import SparkSession

from airflow_metorikku.config.load import read_job
from airflow_metorikku.config.records.analyzers import ANALYZERS as RECORDS
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.jobs import require_sound
from airflow_metorikku.plan.records import Plan
from airflow_metorikku.results.records import Result
from airflow_metorikku.spark.control.measures import KINDS
from airflow_metorikku.spark.inputs import READERS
from airflow_metorikku.spark.quality.analyzers import ANALYZERS
from airflow_metorikku.spark.runner import run_plan
from airflow_metorikku.spark.steps import PREPARERS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kinds")


@pytest.fixture(scope="module")
def result(spark: SparkSession, folder: Path) -> Result:
    job = require_sound(read_job(made_kinds.write_job(folder), environ={}), final=True)
    (plan,) = compile_job(job)
    done = run_plan(Plan.from_plain(json.loads(json.dumps(plan.to_plain()))), spark)
    assert (done.verdict, done.error) == ("good", None)
    return done


def test_tables_of_the_spark_room_have_every_kind():
    assert len(READERS) == len(made_kinds.INPUTS)
    assert set(RECORDS.values()) <= set(ANALYZERS)
    assert set(KINDS) == set(made_kinds.CONTROLS)
    assert {*PREPARERS, "file"} == set(made_kinds.STEPS)


def test_every_check_has_its_value(result: Result):
    constraints = result.metrics[0].constraints
    assert {one.status for one in constraints} == {"passed"}
    values = {
        kind: pytest.approx(value, rel=1e-12) for kind, (_, value) in made_kinds.CHECKS.items()
    }
    assert {one.check: one.value for one in constraints} == values


def test_every_control_has_its_value_and_reconciles(result: Result):
    source, checkpoint = result.checkpoints
    assert (source.name, checkpoint.name) == ("Source", "Made")
    assert {
        one.type: one.value for one in checkpoint.controls if one.name != "recordCount"
    } == made_kinds.CONTROLS
    assert {rule.status for rule in result.reconciliation} == {"passed"}
    assert len(result.reconciliation) == len(made_kinds.CONTROLS) + 1


@pytest.mark.parametrize("kind", made_kinds.STEPS)
def test_every_step_has_its_rows(spark: SparkSession, result: Result, kind: str):
    assert result.error is None
    assert spark.table(f"{kind}_step").count() == made_kinds.STEP_ROWS[kind]


@pytest.mark.parametrize("kind", made_kinds.OUTPUTS)
def test_every_output_is_published_with_its_info(
    spark: SparkSession, result: Result, folder: Path, kind: str
):
    (output,) = [one for one in result.metrics[0].outputs if one.type == kind]
    assert (output.published, output.rows) == (True, 3)
    read = spark.read.format("orc" if kind == "File" else kind.lower())
    rows = read.option("header", "true").load(str(folder / "out" / kind)).select("id", "price")
    assert sorted((int(row[0]), float(row[1])) for row in rows.collect()) == [
        (1, 10.0), (2, 20.0), (3, 30.0),
    ]  # fmt: skip
    assert (
        json.loads((folder / "out" / kind / "_INFO").read_text())["checkpoints"][-1]["name"]
        == "Made"
    )
