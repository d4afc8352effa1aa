"""Data frames that are observed on the way to a write: only where each row passes exactly once, and with the same values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.checked import Checked
from airflow_metorikku.spark.control.measures import ControlRequest
from airflow_metorikku.spark.names import frame_named
from airflow_metorikku.spark.on_the_way import observe_inner
from airflow_metorikku.spark.passing import passes_through


@pytest.fixture
def inner(spark: SparkSession, tmp_path: Path) -> Iterator[DataFrame]:
    spark.range(100).selectExpr("id", "id % 7 AS v").write.parquet(str(tmp_path / "in"))
    spark.read.parquet(str(tmp_path / "in")).createOrReplaceTempView("passing_in")
    spark.sql("SELECT id, v FROM passing_in WHERE v <> 3").createOrReplaceTempView("passing_kept")
    yield frame_named(spark, "passing_in")
    for name in ("passing_in", "passing_kept"):
        spark.catalog.dropTempView(name)


@pytest.mark.parametrize(
    ("sql", "passes"),
    [
        ("SELECT * FROM passing_in", True),
        ("SELECT id + 1 AS x FROM (SELECT * FROM passing_in WHERE v > 1) WHERE id < 5", True),
        ("SELECT * FROM passing_kept", True),
        ("SELECT * FROM passing_in LIMIT 5", False),
        ("SELECT DISTINCT v FROM passing_in", False),
        ("SELECT sum(v) AS s FROM passing_in", False),
        ("SELECT * FROM passing_in UNION ALL SELECT * FROM passing_in", False),
        ("SELECT a.* FROM passing_in a JOIN passing_in b ON a.id = b.id", False),
        ("SELECT 1 AS one", False),
    ],
)
def test_which_rows_pass_once(
    spark: SparkSession, inner: DataFrame, sql: str, *, passes: bool
) -> None:
    assert passes_through(inner, spark.sql(sql)) is passes


def test_a_coalesce_passes_and_a_shuffle_does_not(spark: SparkSession, inner: DataFrame) -> None:
    outer = spark.sql("SELECT id FROM passing_in")
    assert passes_through(inner, outer.coalesce(1))
    assert not passes_through(inner, outer.repartition(2))


def asked(name: str, frame: DataFrame) -> Checked:
    requests = [
        ControlRequest(checkpoint="c", name=kind, type=kind, column=column)
        for kind, column in (("count", "*"), ("aggregatedTotal", "v"), ("hashCrc32", "id"))
    ]
    audit = Audit(name, controls=requests)
    return Checked(name=name, frame=frame, audit=audit, constraints=(), step=None, counts=True)


def test_one_write_observes_all(spark: SparkSession, inner: DataFrame, tmp_path: Path) -> None:
    kept = frame_named(spark, "passing_kept")
    outer = spark.sql("SELECT id FROM passing_kept WHERE id < 50")
    chain = [asked("kept", kept), asked("in", inner)]
    made, observed = observe_inner(outer, chain)
    assert observed == chain
    made.write.parquet(str(tmp_path / "out"))
    assert spark.read.parquet(str(tmp_path / "out")).count() == outer.count()
    for one in chain:
        assert one.frame is not None
        got = [control.value for control in one.audit.collect(one.frame).controls]
        assert got == [
            control.value
            for control in Audit("t", controls=asked("x", inner).audit._controls)
            .scan(one.frame)
            .controls
        ]
    # By hand: v of 0 to 99 is 0 to 6 fourteen times, then 0 and 1; without the 3s 86 rows.
    values = [one.audit.collect(one.frame).controls for one in chain if one.frame is not None]
    assert [[one.value for one in some[:2]] for some in values] == [["86", "253"], ["100", "295"]]


def test_a_condition_that_never_holds_keeps_no_observation(
    spark: SparkSession, inner: DataFrame
) -> None:
    outer = spark.sql("SELECT id FROM passing_in WHERE 1 = 2")
    assert observe_inner(outer, [asked("in", inner)]) == (outer, ())
