"""Wide data frames and long suites: how many jobs they cost, and that stacked values are those of one pass."""

from __future__ import annotations

import math
import uuid
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.analyzers import numbers as of_numbers
from airflow_metorikku.config.records.analyzers import quantiles as of_quantiles
from airflow_metorikku.config.records.analyzers import texts as of_texts
from airflow_metorikku.config.records.analyzers.base import Analyzer
from airflow_metorikku.config.records.analyzers.rows import Completeness, Compliance
from airflow_metorikku.config.records.checks import numbers, rows
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import Constraint, constraints
from airflow_metorikku.spark import scanning
from airflow_metorikku.spark.analysis import analyze
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.control.measures import ControlRequest
from airflow_metorikku.spark.quality import Buckets, profile
from airflow_metorikku.spark.quality.values import MetricValue


@pytest.fixture
def static(spark: SparkSession) -> Iterator[None]:
    """Adaptive execution makes a job of each shuffle."""
    spark.conf.set("spark.sql.adaptive.enabled", "false")
    yield
    spark.conf.set("spark.sql.adaptive.enabled", "true")


def jobs_of(spark: SparkSession, run: Callable[[], object]) -> int:
    name = uuid.uuid4().hex
    spark.sparkContext.setJobGroup(name, name)
    run()
    spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)
    return len(spark.sparkContext.statusTracker().getJobIdsForGroup(name))


def columns(count: int) -> list[str]:
    """Whole numbers, doubles and texts in turns; each third text is a number."""
    kinds = (
        "IF(id % 5 = 0, NULL, CAST(id % {n} AS INT))",
        "CAST(id AS DOUBLE) / {n}",
        "IF({n} % 3 = 0, CAST(id AS STRING), concat('v', id % {n}))",
    )
    return [f"{kinds[n % 3].format(n=n + 2)} AS c{n}" for n in range(count)]


@pytest.mark.usefixtures("static")
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_profiles_cost_as_many_jobs_of_many_columns_as_of_few(
    spark: SparkSession, tmp_path: Path, kind: str
):
    def of(count: int) -> int:
        place = str(tmp_path / str(count))
        made = spark.range(0, 40, 1, 2).selectExpr(*columns(count))
        made.write.format(kind).save(place)
        frame = spark.read.format(kind).schema(made.schema).load(place)
        return jobs_of(spark, lambda: profile(frame, kll=Buckets(sketch_size=10)))

    # All that is known of columns, sketches, numbers in texts, quantiles, values; ends, buckets and ranks.
    assert [of(6), of(120)] == [8, 8]


def test_profiles_of_many_columns_are_those_of_few(spark: SparkSession):
    frame = spark.range(0, 40, 1, 2).selectExpr(*columns(66))
    found = profile(frame, kll=Buckets(sketch_size=10))
    few = ["c0", "c1", "c2", "c4", "c64", "c65"]
    for one in profile(frame, columns=few, kll=Buckets(sketch_size=10)).columns:
        assert found.column(one.column) == one


def suite_of(count: int, *more: str) -> tuple[Constraint, ...]:
    """Five checks of each of so many columns of `id * n`, with ids from 0 to 20, and of further predicates one each."""
    checks = [
        check
        for n in range(count)
        for check in (
            rows.IsComplete(column=f"c{n}", id=f"complete {n}"),
            numbers.HasMin(column=f"c{n}", assertion=that("== 0"), id=f"least {n}"),
            numbers.HasMax(column=f"c{n}", assertion=that(f"== {20 * n}"), id=f"most {n}"),
            numbers.HasMean(column=f"c{n}", assertion=that(f"== {10 * n}"), id=f"mean {n}"),
            rows.Satisfies(
                predicate=f"c{n} >= {5 * n}", id=f"obeys {n}",
                assertion=that("between 0.761 and 0.762" if n else "== 1"),
            ),
        )
    ]  # fmt: skip
    checks += [rows.Satisfies(predicate=text, id=text) for text in more]
    return constraints("t", DataQuality(checks=tuple(checks)), "fail")


that = Assertion.from_text


def ids(spark: SparkSession, count: int) -> DataFrame:
    return spark.range(0, 21, 1, 2).selectExpr(*(f"id * {n} AS c{n}" for n in range(count)))


@pytest.mark.usefixtures("static")
def test_a_long_suite_is_one_job(spark: SparkSession):
    audit = Audit("t", suite_of(120))
    frame = ids(spark, 120)
    assert jobs_of(spark, lambda: audit.scan(frame)) == 1
    # 16 of 21 ids are 5 or more.
    found = audit.scan(frame)
    assert found.rows == 21
    assert [one for one in found.constraints if one.status != "passed"] == []


@pytest.mark.usefixtures("ansi")
def test_one_bad_check_of_many_is_found(spark: SparkSession):
    """Neither a row that it cannot be evaluated on nor an unknown name keeps the others from their values."""
    bad = ("CAST(concat('x', c1) AS INT) > 0", "nosuch > 0")
    found = Audit("t", suite_of(40, *bad)).scan(ids(spark, 40)).constraints
    assert {one.id: one.status for one in found if one.status != "passed"} == dict.fromkeys(
        bad, "error"
    )


def test_code_that_is_too_long_for_java(spark: SparkSession):
    """Spark refuses to generate it, and still answers."""
    long = " + ".join(f"pow(c1, {n}) * c{n % 9}" for n in range(40))
    predicates = tuple(f"{long} + {n} >= 0" for n in range(60))
    found = Audit("t", suite_of(9, *predicates)).scan(ids(spark, 9))
    assert {one.status for one in found.constraints} == {"passed"}


ANALYZERS = (
    Completeness,
    of_numbers.Minimum,
    of_numbers.Maximum,
    of_numbers.Range,
    of_numbers.Mean,
    of_numbers.Sum,
    of_numbers.Variance,
    of_numbers.Skewness,
    of_numbers.Kurtosis,
    of_numbers.ZerosCount,
    of_quantiles.ApproxCountDistinct,
    of_quantiles.InterquartileRange,
)
TYPES = ("tinyint", "int", "bigint", "float", "double", "decimal(9,2)", "decimal(20,2)",
         "decimal(38,2)", "decimal(38,30)")  # fmt: skip


@pytest.mark.parametrize("kept", ["id >= 0", "id > 6", "id < 0"])
def test_stacked_values_are_those_of_one_pass(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, kept: str
):
    """Of all types, with nulls and NaN, for columns that are asked differently, and of no rows."""
    made = [
        f"IF(id % 3 = {n % 3}, NULL, CAST(id - {n} AS {kind})) AS c{n}"
        for n, kind in enumerate(TYPES * 3)
    ]
    texts = [
        "IF(id = 2, NULL, concat('- ', id)) AS t0",
        "'x.5' AS t1",
        "CAST(id / 2 AS STRING) AS t2",
    ]
    odd = ["IF(id = 3, double('NaN'), id) AS o", "IF(id > 0, NULL, array(id)) AS a", "NULL AS n",
           "date_add(DATE'2020-01-01', CAST(id AS INT)) AS d", "timestamp_seconds(id) AS ts"]  # fmt: skip
    frame = spark.range(0, 9, 1, 2).where(kept).selectExpr(*made, *texts, *odd)
    asked: list[Analyzer] = [one(column=f"c{n}") for n in range(len(made)) for one in ANALYZERS]
    asked += [
        of_numbers.Correlation(column_a="c1", column_b="o"),
        *(one(column=f"t{n}") for n in range(3) for one in (of_texts.DataType, of_texts.MaxLength)),
        *(
            one(column=name)
            for name in ("d", "ts")
            for one in (of_numbers.Minimum, of_numbers.Maximum)
        ),
        *(Completeness(column=name, where_="c1 > 2") for name in ("a", "n", "t0")),
        *(one(column="o") for one in ANALYZERS),
        Compliance(predicate="o > 1"),
        Compliance(predicate="c4 > 1", nulls="ignore"),
    ]
    stacked = analyze(frame, "t", asked)
    monkeypatch.setattr(scanning, "FIELDS_A_PASS", 10_000)
    direct = analyze(frame, "t", asked)
    assert stacked.rows == direct.rows
    for analyzer in asked:
        one, other = stacked.values[analyzer], direct.values[analyzer]
        assert isinstance(one, MetricValue), (analyzer, one)
        assert near(one, other), (analyzer, one, other)


def near(one: MetricValue, other: MetricValue) -> bool:
    """The same, but for the order in which floating point was summed."""
    if isinstance(one.number, float) and isinstance(other.number, float):
        same = math.isclose(one.number, other.number, rel_tol=1e-12, abs_tol=1e-12)
        return same or (math.isnan(one.number) and math.isnan(other.number))
    return one == other


@pytest.mark.parametrize("more", [0, 120])
def test_a_where_that_reads_like_the_name_of_a_control(spark: SparkSession, more: int) -> None:
    frame = spark.range(10).selectExpr(
        "id", "id * 1.5D AS d", "string(id) AS s", "id % 2 = 0 AS truncated", "id % 2 = 0 AS crc32"
    )
    any_ = Assertion.from_text(">= 0")
    checks = (
        numbers.HasSum(column="d", where_="truncated", assertion=any_),
        rows.IsComplete(column="s", where_="crc32", assertion=any_),
        *(rows.Satisfies(predicate=f"id >= {n}", id=f"p{n}", assertion=any_) for n in range(more)),
    )
    controls = [
        ControlRequest(checkpoint="c", name=kind, type=kind, column=column)
        for kind, column in (("aggregatedTruncTotal", "d"), ("hashCrc32", "s"))
    ]
    asked = constraints("t", DataQuality(checks=checks), "fail")
    found = Audit("t", asked, controls).scan(frame)
    assert [str(one.value) for one in found.constraints[:2]] == ["30.0", "1.0"]
    hashes = sum(zlib.crc32(str(n).encode()) for n in range(10))
    assert [one.value for one in found.controls] == [
        str(sum(int(n * 1.5) for n in range(10))),
        str(hashes),
    ]
