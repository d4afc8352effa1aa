"""Profiles and suggestions of data frames that Deequ cannot have, how many jobs they cost, and that suggestions hold."""

from __future__ import annotations

import json
import random
import uuid

import pytest
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.results.profile_table import render_profile
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.quality import Buckets, profile, suggest
from airflow_metorikku.spark.quality.columns import UnknownColumnError


def jobs_of(spark: SparkSession, name: str, frame: DataFrame, kll: Buckets | None = None) -> int:
    # Spark counts the jobs of all tests under a name.
    name = f"{name} {uuid.uuid4()}"
    spark.sparkContext.setJobGroup(name, name)
    profile(frame, kll=kll)
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


def test_sketches_cost_as_many_jobs_for_many_columns_as_for_one(spark: SparkSession):
    spark.conf.set("spark.sql.adaptive.enabled", "false")
    try:
        columns = [f"id * {n + 1} AS n{n}" for n in range(12)]
        plain, sketched = (
            jobs_of(spark, f"{count} columns, {kll}", frame, kll=kll)
            - jobs_of(spark, f"{count}", frame)
            for count, kll in ((1, Buckets()), (12, Buckets()))
            for frame in [spark.range(50).selectExpr(*columns[:count])]
        )
        # The ends, the buckets, the ranks.
        assert (plain, sketched) == (3, 3)
    finally:
        spark.conf.set("spark.sql.adaptive.enabled", "true")


def test_sketches(spark: SparkSession):
    frame = spark.sql(
        "SELECT CAST(id AS int) AS n, CAST(id + 3000000000 AS string) AS digits, CAST(NULL AS double) AS none,"
        " if(id < 3, element_at(array(double('NaN'), -double('Infinity'), double('Infinity')), int(id + 1)), double(id)) AS odd,"
        " CAST(5 AS decimal(10, 2)) AS same, 'a' AS text FROM range(41)"
    )
    found = profile(frame, kll=Buckets(number_of_buckets=4, sketch_size=10))

    def buckets(name: str):
        return [(one.low, one.high, one.count) for one in found.column(name).numbers.kll.buckets]

    assert buckets("n") == [(0, 10, 10), (10, 20, 10), (20, 30, 10), (30, 40, 11)]
    assert buckets("digits") == [(3e9 + low, 3e9 + high, n) for low, high, n in buckets("n")]
    # 3 to 40, NaN nowhere, the infinities in the first and the last.
    assert buckets("odd") == [
        (3, 12.25, 11), (12.25, 21.5, 9), (21.5, 30.75, 9), (30.75, 40, 11)
    ]  # fmt: skip
    assert [one.count for one in found.column("same").numbers.kll.buckets] == [0, 0, 0, 41]
    assert found.column("none").numbers.kll is None
    assert found.column("text").numbers is None
    # 41 numbers in 10 places: 5 of them, at the ranks 5, 13, 21, 29 and 37, for 8 each.
    assert found.column("n").numbers.kll.data == ((), (), (), (4, 12, 20, 28, 36))
    assert profile(frame).column("n").numbers.kll is None


def test_sketches_in_json_and_for_people(spark: SparkSession):
    found = profile(spark.range(4).selectExpr("id AS n"), kll=Buckets(number_of_buckets=2))
    (column,) = json.loads(found.to_json())["columns"]
    assert column["kll"] == {
        "buckets": [
            {"low_value": 0.0, "high_value": 1.5, "count": 2},
            {"low_value": 1.5, "high_value": 3.0, "count": 2},
        ],
        "sketch": {"parameters": {"c": 0.64, "k": 2048.0}, "data": "[[0.0,1.0,2.0,3.0]]"},
    }
    shown = [line.split() for line in render_profile(found).splitlines()[-2:]]
    assert shown == [["n", "0", "1.5", "2"], ["n", "1.5", "3", "2"]]
