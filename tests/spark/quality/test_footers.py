"""What Parquet footers answer is what a scan answers; what they cannot know is left to the scan."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession, functions

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.checks import keys, numbers, rows
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.spark.aggregates import ROWS
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.footers import Footers

KINDS = ["tinyint", "smallint", "int", "bigint", "date", "decimal(9,2)", "decimal(18,3)", "decimal(38,6)"]  # fmt: skip


def written(frame: DataFrame, folder: Path) -> DataFrame:
    frame.write.parquet(str(folder))
    return frame.sparkSession.read.schema(frame.schema).parquet(str(folder))


def asked(column: str) -> dict[str, tuple[object, ...]]:
    return {name: (name, None, (column,)) for name in ("not null", "min", "max")}


@pytest.mark.parametrize("kind", KINDS)
def test_as_a_scan_says(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    value = "date_add(DATE'1969-12-30', CAST(id AS INT))" if kind == "date" else "id - 7"
    frame = spark.range(0, 40, 1, 3).select(
        functions.expr(f"CAST(IF(id % 5 = 0, NULL, {value}) AS {kind})").alias("odd `name.x")
    )
    frame = written(frame, tmp_path / "a b")
    column = functions.col("`odd ``name.x`")
    # What is asked of a date is its days since 1970.
    asked_of = functions.unix_date(column) if kind == "date" else column
    both = functions.min(asked_of), functions.max(asked_of)
    row = frame.agg(functions.count("*"), functions.count(column), *both).collect()[0]
    told = Footers(frame).values([ROWS, *asked("odd `name.x").values()])
    assert tuple(told.values()) == tuple(row)


def test_nothing_and_nulls(spark: SparkSession, tmp_path: Path) -> None:
    nulls = written(spark.range(5).selectExpr("CAST(NULL AS INT) AS n"), tmp_path / "nulls")
    nothing = written(spark.range(0).selectExpr("CAST(1 AS INT) AS n"), tmp_path / "nothing")
    keys_ = [ROWS, *asked("n").values()]
    assert list(Footers(nulls).values(keys_).values()) == [5, 0, None, None]
    assert list(Footers(nothing).values(keys_).values()) == [0, 0, None, None]


def test_what_footers_cannot_know(spark: SparkSession, tmp_path: Path) -> None:
    frame = spark.range(3).selectExpr(
        "IF(id = 0, double('NaN'), double(id)) AS d",
        "string(id) AS s",
        "repeat('x', 5000) AS long",  # too long for the statistics, null count and all
        "CAST(id AS BOOLEAN) AS b",
        "named_struct('x', id) AS st",
        "array(id, NULL) AS a",
    )
    told = Footers(written(frame, tmp_path / "t")).values(
        [
            key
            for column in ("d", "s", "long", "b", "st", "a", "nosuch")
            for key in asked(column).values()
        ]
        + [("min", "id > 1", ("d",)), ("sum", False, None, ("d",))]
    )
    assert told == {("not null", None, (name,)): 3 for name in ("d", "s", "b")}


def test_files_without_statistics_are_unknown_not_zero(spark: SparkSession, tmp_path: Path) -> None:
    table = pa.table({"n": pa.array([1, None, 3], pa.int32())})
    (tmp_path / "t").mkdir()
    pq.write_table(table, tmp_path / "t/a.parquet")
    pq.write_table(table, tmp_path / "t/b.parquet", write_statistics=False)
    frame = spark.read.schema("n INT").parquet(str(tmp_path / "t"))
    assert Footers(frame).values([ROWS, *asked("n").values()]) == {ROWS: 6}


def test_days_of_which_the_calendar_is_not_known(spark: SparkSession, tmp_path: Path) -> None:
    table = pa.table({"day": pa.array([date(1582, 10, 14), date(2026, 1, 1)])})
    pq.write_table(table, tmp_path / "a.parquet")
    frame = spark.read.schema("day DATE").parquet(str(tmp_path))
    assert Footers(frame).values(asked("day").values()) == {("not null", None, ("day",)): 2}


def test_texts_that_read_like_statistics(spark: SparkSession, tmp_path: Path) -> None:
    text = "num_nulls: 7, min/max not defined"
    frame = written(spark.createDataFrame([(text,), (None,)], "s STRING"), tmp_path / "t")
    assert Footers(frame).values(asked("s").values()) == {("not null", None, ("s",)): 1}


def test_a_file_that_is_none_is_left_to_the_scan(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "bad.parquet").write_text("PAR1 no PAR1")
    frame = spark.read.schema("n INT").parquet(str(tmp_path))
    assert Footers(frame).values([ROWS]) == {}


def test_checks_by_footers_take_no_spark_job(spark: SparkSession, tmp_path: Path) -> None:
    frame = written(
        spark.range(0, 1000, 1, 4).selectExpr(
            "id", "DATE'2026-01-01' AS day", "CAST(id AS DECIMAL(12, 2)) AS price"
        ),
        tmp_path / "t",
    )
    at_least = Assertion(">=", Decimal(0))
    given = (
        rows.HasSize(assertion=Assertion("==", Decimal(1000)), id="size"),
        rows.IsComplete(column="day", id="complete"),
        numbers.HasMin(column="price", assertion=Assertion("==", Decimal(0)), id="min"),
        numbers.HasMax(column="id", assertion=Assertion("==", Decimal(999)), id="max"),
        numbers.HasMin(column="day", assertion=Assertion.from_text("== 2026-01-01"), id="day"),
    )
    spark.sparkContext.setJobGroup("footers", "")
    audit = Audit("t", constraints("t", DataQuality(checks=given), "fail"))
    found = audit.scan(frame, Footers(frame))
    jobs = spark.sparkContext.statusTracker().getJobIdsForGroup("footers")
    spark.sparkContext.setJobGroup("", "")
    assert {one.id: (one.status, one.how) for one in found.constraints} == dict.fromkeys(
        ("size", "complete", "min", "max", "day"), ("passed", "footers")
    )
    assert list(jobs) == []
    # Beside what needs a scan or a shuffle, the values are the same.
    more = (
        *given,
        numbers.HasSum(column="id", assertion=at_least, id="sum"),
        keys.IsUnique(column="id"),
    )
    audit = Audit("t", constraints("t", DataQuality(checks=more), "fail"))
    assert {one.status for one in audit.scan(frame, Footers(frame)).constraints} == {"passed"}
