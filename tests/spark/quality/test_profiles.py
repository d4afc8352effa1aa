"""Profiles and suggestions of data frames that Deequ cannot have, how many jobs they cost, and that suggestions hold."""

from __future__ import annotations

import random

import pytest
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.quality import profile, suggest
from airflow_metorikku.spark.quality.columns import UnknownColumnError


def jobs_of(spark: SparkSession, name: str, frame: DataFrame) -> int:
    spark.sparkContext.setJobGroup(name, name)
    profile(frame)
    spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)
    return len(spark.sparkContext.statusTracker().getJobIdsForGroup(name))


def test_jobs_do_not_grow_with_columns(spark: SparkSession):
    spark.conf.set("spark.sql.adaptive.enabled", "false")
    try:
        few = spark.range(20).selectExpr("id AS a", "cast(id AS string) AS b")
        many = spark.range(20).selectExpr(
            "id AS a", *(f"cast(id % {n + 2} AS string) AS b{n}" for n in range(4))
        )
        # Completeness, types and numbers; sketches; numbers in texts; quantiles; values.
        assert jobs_of(spark, "few", few) == 5
        assert jobs_of(spark, "many", many) == 5
    finally:
        spark.conf.set("spark.sql.adaptive.enabled", "true")


def test_empty_and_all_null(spark: SparkSession):
    frame = spark.createDataFrame([(None, None)], "s string, n int")
    empty = profile(frame.where("false"))
    assert empty.rows == 0
    assert [one.completeness for one in empty.columns] == [None, None]
    assert len(suggest(frame.where("false"), rules="EXTENDED")) == 0
    nulls = profile(frame)
    assert [(one.data_type, one.completeness) for one in nulls.columns] == [
        ("Unknown", 0.0),
        ("Integral", 0.0),
    ]
    assert nulls.column("n").numbers.maximum is None
    assert len(suggest(frame, rules="EXTENDED")) == 0


def test_names_and_nested_columns(spark: SparkSession):
    frame = spark.sql(
        "SELECT named_struct('x', 1, 'y.z', 'a') AS st, 2 AS `st.x`, 3 AS `a[b] c`, map('k', 1) AS m, array(1) AS r"
    )
    found = profile(frame)
    assert [one.column for one in found.columns] == [
        "st",
        "`st`.`x`",
        "st.`y.z`",
        "st.x",
        "a[b] c",
        "m",
        "r",
    ]
    assert found.column("`st`.`x`").histogram[0].value == "1"
    assert found.column("st.x").numbers.maximum == 2
    assert found.column("a[b] c").histogram[0].value == "3"
    assert [one.column for one in profile(frame, columns=["st.`y.z`"]).columns] == ["st.`y.z`"]
    with pytest.raises(UnknownColumnError):
        profile(frame, columns=["nosuch"])


@pytest.mark.parametrize("seed", range(2))
def test_suggestions_hold_on_the_data_that_they_came_from(spark: SparkSession, seed: int):
    rng = random.Random(seed)
    rows = rng.choice([1, 7, 60])

    def some(make, nulls):
        return [None if rng.random() < nulls else make() for _ in range(rows)]

    columns = [
        some(lambda: rng.randint(-5, 5), 0.1),
        some(lambda: rng.choice([0.1, -0.0, float("nan"), 1e300, 5e-324, rng.random()]), 0.2),
        some(lambda: rng.choice(["1", "- 4", "2.5", "x", "", "NullValue", "${a}", "'"]), 0.3),
        some(lambda: str(rng.randint(0, 10**20)), 0),
    ]
    frame = spark.createDataFrame(
        list(zip(*columns, strict=True)), "i int, `d.d` double, `s s` string, n string"
    )
    found = suggest(frame, rules="EXTENDED")
    assert len(found) > 0
    asked = constraints("t", DataQuality(checks=tuple(one.check for one in found)), "fail")
    assert {one.status for one in Audit("t", asked).scan(frame).constraints} == {"passed"}
