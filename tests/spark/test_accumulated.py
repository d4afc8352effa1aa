"""Counts and sums that a write adds up in generated code: the same as an aggregate gives, whatever runs the plan."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import Column, DataFrame, SparkSession, functions

from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.spark.accumulated import ADDED, accumulated, room_of
from airflow_metorikku.spark.aggregates import Aggregate, Cell, count_rows
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.checked import Checked
from airflow_metorikku.spark.control import measures
from airflow_metorikku.spark.control.measures import ControlRequest
from airflow_metorikku.spark.observed import Observed, observed
from airflow_metorikku.spark.on_the_way import OnTheWay, observe_inner
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.scanning import compute

ROWS = """
SELECT * FROM VALUES
  (1L, 7, 1.25, 0.5D, 1.5F, 'a', DATE'2024-01-01', true, named_struct('x', 1, 'y.z', 'p'), TIMESTAMP'2024-01-01 00:00:01'),
  (2L, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (-9223372036854775808L, -2147483648, -99999.99, -1.5D, -0.25F, 'ü', DATE'1969-12-31', false,
    named_struct('x', -1, 'y.z', '12.5'), TIMESTAMP'1960-01-01 00:00:00'),
  (9223372036854775807L, 2147483647, 99999.99, 1e18D, 3.0F, '12.75', DATE'9999-12-31', true,
    named_struct('x', NULL, 'y.z', NULL), NULL)
AS t(id, `a whole`, `a.number`, double, float, `na``me`, day, sure, inside, at)
"""
KINDS = ("count", "aggregatedTotal", "absAggregatedTotal", "aggregatedTruncTotal", "hashCrc32")
COLUMNS = ("id", "a whole", "`a.number`", "double", "float", "na`me", "inside.x", "sure", "at")
PLANS = {
    "all": "SELECT * FROM accumulated_in",
    "twice": "SELECT * FROM accumulated_in UNION ALL SELECT * FROM accumulated_in",
    "one": "SELECT * FROM accumulated_in WHERE id = 1",
    "nulls": "SELECT * FROM accumulated_in WHERE id = 2",
    "none": "SELECT * FROM accumulated_in WHERE id = 3",
    "never": "SELECT * FROM accumulated_in WHERE 1 = 2",
    "null condition": "SELECT * FROM accumulated_in WHERE `a whole` > 0",
    "random": "SELECT *, rand(7) AS r FROM accumulated_in WHERE rand(3) >= 0",
    "joined": "SELECT a.* FROM accumulated_in a JOIN accumulated_in b ON a.id = b.id",
    "sorted": "SELECT * FROM accumulated_in ORDER BY id LIMIT 3",
}
RUNS = {
    "by operator": {"spark.sql.codegen.wholeStage": "false"},
    "interpreted": {
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    },
    "not ANSI": {"spark.sql.ansi.enabled": "false"},
    "not adaptive": {"spark.sql.adaptive.enabled": "false"},
}


def chained(name: str, frame: DataFrame, column: str) -> Checked:
    """A data frame of which the rows and a total are asked."""
    controls = [
        ControlRequest(checkpoint="c", name=kind, type=kind, column=of)
        for kind, of in (("count", "*"), ("aggregatedTotal", column))
    ]
    audit = Audit(name, controls=controls)
    return Checked(name=name, frame=frame, audit=audit, constraints=(), step=None, counts=True)


@pytest.fixture
def rows(spark: SparkSession, tmp_path: Path) -> Iterator[DataFrame]:
    spark.sql(ROWS).repartition(3).write.parquet(str(tmp_path / "in"))
    frame = spark.read.parquet(str(tmp_path / "in"))
    frame.createOrReplaceTempView("accumulated_in")
    yield frame
    spark.catalog.dropTempView("accumulated_in")


def other(column: Column) -> Aggregate:
    """An aggregate as no check asks it, of the whole row."""
    cell = Cell(key=("other",), column=functions.lit(1))
    return Aggregate(key=("other",), cell=cell, shape=("other",), of=lambda _: column)


def asked(frame: DataFrame) -> list[Aggregate]:
    """Everything that controls ask of the columns, where its type has such a control."""
    found = {one.key: one for one in [count_rows()]}
    columns = Columns(frame, "t")
    for column in COLUMNS:
        for kind in KINDS:
            request = ControlRequest(checkpoint="c", name="n", type=kind, column=column)
            try:
                asks = measures.ask(request, frame, columns)
            except MetorikkuError:
                continue
            found |= {one.key: one for one in asks.aggregates}
    return [one for one in found.values() if not one.imperative and one.fields == 1]


def same(frame: DataFrame) -> None:
    aggregates = asked(frame)
    assert len(aggregates) > 30
    made = accumulated(frame, aggregates, 1000)
    assert made is not None
    assert made.frame.schema == frame.schema
    made.frame.write.format("noop").mode("overwrite").save()
    assert made.values() == compute(frame, aggregates)


@pytest.mark.parametrize("sql", PLANS.values(), ids=PLANS)
def test_what_is_added_up_is_what_an_aggregate_gives(
    spark: SparkSession, rows: DataFrame, sql: str
) -> None:
    same(spark.sql(sql))


@pytest.mark.parametrize("settings", RUNS.values(), ids=RUNS)
def test_whatever_runs_the_plan(
    spark: SparkSession, rows: DataFrame, settings: dict[str, str]
) -> None:
    before = {name: str(spark.conf.get(name)) for name in settings}
    try:
        for name, value in settings.items():
            spark.conf.set(name, value)
        same(spark.sql(PLANS["twice"]))
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)


def test_numbers_by_hand(spark: SparkSession, rows: DataFrame) -> None:
    audit = Audit(
        "t",
        controls=[
            ControlRequest(checkpoint="c", name=f"{kind} {column}", type=kind, column=column)
            for kind, column in (
                ("count", "*"),
                ("aggregatedTotal", "id"),
                ("absAggregatedTotal", "id"),
                ("absAggregatedTotal", "`a.number`"),
            )
        ],
    )
    audit.observe(rows).write.format("noop").mode("overwrite").save()
    assert [one.value for one in audit.collect(rows).controls] == [
        "4",
        str(1 + 2 - 2**63 + 2**63 - 1),
        str(1 + 2 + 2**63 + 2**63 - 1),
        str(Decimal("1.25") + 2 * Decimal("99999.99")),
    ]


def test_floating_point_that_is_no_number(spark: SparkSession) -> None:
    for texts in (["NaN", "1"], ["Infinity", "1"], ["-Infinity", "Infinity"]):
        frame = spark.createDataFrame([(float(one),) for one in texts], "v double")
        total = other(functions.sum("v"))
        made = accumulated(frame, [total], 9)
        assert made is not None
        made.frame.write.format("noop").mode("overwrite").save()
        assert str(made.values()) == str(compute(frame, [total]))


def test_it_stays_in_generated_code(spark: SparkSession, rows: DataFrame) -> None:
    made = accumulated(rows.select("id", "double"), [count_rows()], 9)
    assert made is not None
    plan = made.frame.where("double > 0")._jdf.queryExecution().executedPlan().toString()
    lines = [line for line in plan.splitlines() if "Scan" not in line and "- " in line]
    assert len(lines) == 3
    assert all("*(1)" in line for line in lines), plan


@pytest.mark.parametrize(
    "column",
    [
        "min(id)",
        "avg(id)",
        "sum(CAST(id AS DECIMAL(38, 0)))",
        "count(*) + 1",
        "count(id, double)",
    ],
)
def test_what_is_no_plain_count_or_sum_is_observed(rows: DataFrame, column: str) -> None:
    aggregates = [count_rows(), other(functions.expr(column))]
    assert accumulated(rows, aggregates, 9) is None
    made = observed(rows, aggregates, 9)
    assert isinstance(made, Observed)
    made.frame.write.format("noop").mode("overwrite").save()
    assert made.values() == compute(rows, aggregates)


@pytest.mark.parametrize("column", ["count(DISTINCT id)", "count(id) FILTER (WHERE id > 1)"])
def test_what_can_not_even_be_observed_is_not_added_up(rows: DataFrame, column: str) -> None:
    assert accumulated(rows, [other(functions.expr(column))], 9) is None


def test_wide_rows_and_many_questions_leave_no_room(spark: SparkSession, rows: DataFrame) -> None:
    """Code that is too long is never compiled."""
    many = [count_rows(functions.col("id") > number, number) for number in range(60)]
    room = room_of(rows)
    assert room == 60 - 11  # two fields in one of the ten columns
    assert accumulated(rows, many[:room], room) is not None
    assert accumulated(rows, many, room) is None
    inside = ", ".join(f"'f{number}', id" for number in range(70))
    wide = spark.range(3).selectExpr(f"named_struct({inside}) AS s", "id")
    assert accumulated(wide, many[:1], room_of(wide)) is None
    # As it is read, but not as it is written.
    assert accumulated(wide, many[:1], room_of(wide.select("id"))) is not None


def test_what_is_written_and_others_take_room(
    spark: SparkSession, rows: DataFrame, tmp_path: Path
) -> None:
    narrow, wide = rows.select("id"), rows.selectExpr(*[f"id AS i{n}" for n in range(50)])
    assert [one.audit.added for one in observe_inner(narrow, [chained("in", rows, "id")])[1]] == [4]
    assert [one.audit.added for one in observe_inner(wide, [chained("in", rows, "id")])[1]] == [4]
    kept = rows.where("id > 0")
    both = [chained("kept", kept, "id"), chained("in", rows, "id")]
    wide = kept.selectExpr(*[f"id AS i{n}" for n in range(53)])
    way = OnTheWay(wide, both)
    assert [one.audit.added for one in way.inner] == [0, 4]
    way.frame.write.parquet(str(tmp_path / "out"))
    way.collect(3)
    values = [[value.value for value in one.result.controls] for one in way.inner if one.result]
    assert values == [["3", str(2**63 + 2)], ["4", "2"]]


@pytest.mark.parametrize("written", [3, None])
def test_rows_that_are_made_twice_count_once(
    spark: SparkSession, rows: DataFrame, tmp_path: Path, written: int | None
) -> None:
    way = OnTheWay(rows.where("id > 0"), [chained("in", rows, "id")])
    for name in ("one", "two"):
        way.frame.write.parquet(str(tmp_path / name))
    way.collect(written)
    (inner,) = way.inner
    assert inner.result is not None
    assert [one.value for one in inner.result.controls] == ["4", "2"]


def test_a_column_of_the_same_name_is_kept(spark: SparkSession) -> None:
    frame = spark.range(3).withColumnRenamed("id", ADDED.upper())
    assert accumulated(frame, [count_rows()], 9) is None


def test_columns_of_one_name_are_kept(spark: SparkSession, rows: DataFrame) -> None:
    made = accumulated(spark.sql("SELECT id, id, 1 AS id FROM accumulated_in"), [count_rows()], 9)
    assert made is not None
    assert made.frame.columns == ["id", "id", "id"]
    assert len(made.frame.collect()) == 4
    assert made.values() == {count_rows().key: 4}


def test_a_chain_adds_up_in_one_job(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    """Each row counts where it passes: conditions above do not move below, nor do their errors."""
    sqls = {
        "accumulated_kept": "SELECT id, `a whole` AS w FROM accumulated_in WHERE id <> 2",
        "accumulated_more": "SELECT id, w + 0 AS w, 10 / (id - 2) AS d FROM accumulated_kept WHERE id > 0",
    }
    checked = [chained("in", rows, "`a.number`")]
    for name, sql in sqls.items():
        spark.sql(sql).createOrReplaceTempView(name)
        checked.insert(0, chained(name, spark.table(name), "w"))
    outer = spark.sql("SELECT d FROM accumulated_more WHERE d < 0")
    way = OnTheWay(outer, checked)
    inner = way.inner
    assert inner == checked
    assert sum(one.audit.added for one in inner) == 10
    spark.sparkContext.setJobGroup("accumulated", "")
    way.frame.write.parquet(str(tmp_path / "out"))
    way.collect(1)
    jobs = spark.sparkContext.statusTracker().getJobIdsForGroup("accumulated")
    spark.sparkContext._jsc.clearJobGroup()
    assert len(jobs) == 1
    for name in sqls:
        spark.catalog.dropTempView(name)
    values = [[value.value for value in one.result.controls] for one in inner if one.result]
    # Of the rows 1, 2, the smallest and the largest long: `a whole` is 7, null, -2^31 and 2^31 - 1.
    assert values == [["2", str(7 + 2**31 - 1)], ["3", "6"], ["4", "1.25"]]
