"""A data frame against another, and SQL about it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from asked_checks import satisfying, scan, told
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.records.checks.comparisons import (
    CustomSql,
    DoesDatasetMatch,
    ReferentialIntegrity,
    RowCountMatch,
    SchemaMatch,
)


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> Iterator[DataFrame]:
    """Six orders; `customers` has three of their four customers, and one more."""
    spark.sql(
        "SELECT * FROM VALUES (1, 'Ann'), (2, 'Bob'), (CAST(NULL AS INT), 'nobody'), (9, 'Zoe') AS c(`id.`, name)"
    ).createOrReplaceTempView("customers")
    spark.range(0).createOrReplaceTempView("nothing")
    # A view of the data frame's own name with other rows: not what is audited.
    spark.range(100).createOrReplaceTempView("t")
    yield spark.sql(
        "SELECT * FROM VALUES (1, 1, 5.0D), (2, 1, NULL), (3, 2, 5.0D), (4, 7, 5.0D), (5, 7, 5.0D), (6, NULL, 5.0D)"
        " AS o(id, `the customer`, price)"
    )
    for name in ("customers", "nothing", "t"):
        spark.catalog.dropTempView(name)


def test_a_query_reads_the_audited_data_by_its_name(spark: SparkSession, frame: DataFrame) -> None:
    views = sorted(table.name for table in spark.catalog.listTables())

    def one(sql: str, **other: str) -> CustomSql:
        return CustomSql(sql=sql, assertion=satisfying(">= 0"), id=sql, **other)

    got = told(
        frame,
        one("SELECT count(*) FROM t;"),
        one("SELECT count(*) FROM T AS other JOIN customers ON `the customer` = `id.` -- all"),
        one("WITH big AS (SELECT * FROM t WHERE id > 2) SELECT sum(price) FROM big"),
        one("SELECT count(*) FROM (SELECT * FROM t) WHERE id > 0", where_="id < 3"),
        one("SELECT max(price) > 1 FROM t"),
        one("SELECT CAST(1.25 AS DECIMAL(5, 2))"),
        one("SELECT max(price) FROM t WHERE id < 0"),
        one("SELECT id FROM t"),
        one("SELECT id FROM t WHERE id < 0"),
        one("SELECT 1, 2"),
        one("SELECT 'x'"),
        one("SELEC"),
        one("SELECT nosuch FROM t"),
        one("DROP VIEW customers"),
    )
    assert got == [6, 3, 20.0, 2, 1, 1.25, "no_data", *["error"] * 7]
    assert sorted(table.name for table in spark.catalog.listTables()) == views


def test_primary_is_the_audited_data_whatever_else_has_the_name(
    spark: SparkSession, frame: DataFrame
) -> None:
    spark.range(99).createOrReplaceTempView("primary")
    count = CustomSql(sql="SELECT count(*) FROM primary", assertion=satisfying("== 6"))
    try:
        assert told(frame, count) == [6]
        assert spark.table("primary").count() == 99
    finally:
        spark.catalog.dropTempView("primary")


def test_a_query_about_no_rows_has_its_number(frame: DataFrame) -> None:
    count = CustomSql(sql="SELECT count(*) FROM t", assertion=satisfying("== 0"))
    assert told(frame.where("false"), count) == [0]


def test_rows_that_refer_to_nothing(frame: DataFrame) -> None:
    def one(**other: object) -> ReferentialIntegrity:
        given = {"columns": ("the customer",), "other": "customers", "other_columns": ("id.",)}
        return ReferentialIntegrity(**given | other)

    got = told(
        frame,
        one(),
        one(nulls="ignore", id="foreign key"),
        one(where_="id < 4", id="some"),
        one(where_="id < 0", id="none"),
        one(columns=("id", "the customer"), other_columns=("id.", "id."), id="pair"),
        one(other="nowhere", id="nowhere"),
        one(other_columns=("nosuch",), id="no column"),
        one(columns=("price",), other="nothing", other_columns=("id",), id="empty"),
    )
    # One of the pairs (1, 1), (2, 1), ... is a customer twice.
    assert got == [4 / 6, 3 / 5, 1, "passed", 1 / 6, "error", "error", 0]


def test_rows_that_match(spark: SparkSession, frame: DataFrame) -> None:
    frame.createOrReplaceTempView("same")
    frame.where("id > 1").createOrReplaceTempView("fewer")
    frame.selectExpr("CAST(id AS BIGINT) AS n", "`the customer`", "price + 0.5 AS price").createOrReplaceTempView("other_price")  # fmt: skip
    keys = {"id": "id"}
    results = scan(
        frame,
        DoesDatasetMatch(other="same", keys=keys, id="nulls differ"),
        DoesDatasetMatch(other="same", keys=keys, nulls_distinct=False, id="nulls are equal"),
        DoesDatasetMatch(other="other_price", keys={"id": "n"}, match={"the customer": "the customer"}, id="mapped"),
        DoesDatasetMatch(other="other_price", keys={"id": "n"}, id="all others"),
        DoesDatasetMatch(other="fewer", keys=keys, id="fewer"),
        DoesDatasetMatch(other="same", keys={"the customer": "the customer"}, id="twice"),
        DoesDatasetMatch(other="customers", keys={"id": "id."}, id="other columns"),
    )  # fmt: skip
    assert {id_: result.value for id_, result in results.items()} == {
        "nulls differ": 4 / 6,
        "nulls are equal": 1,
        "mapped": 5 / 6,
        "all others": 0,
        "fewer": None,
        "twice": None,
        "other columns": None,
    }
    assert "6 rows, and 5 in fewer" in results["fewer"].message
    assert "2 keys stand more than once" in results["twice"].message
    assert "in customers name" in results["other columns"].message
    for name in ("same", "fewer", "other_price"):
        spark.catalog.dropTempView(name)


def test_numbers_of_rows_and_schemas(spark: SparkSession, frame: DataFrame) -> None:
    shapes = {
        "same_columns": "price double, ID int, `the customer` int",
        "other_type": "id bigint, `the customer` int, price double",
        "fewer_columns": "id int",
    }
    for name, shape in shapes.items():
        spark.createDataFrame([], shape).createOrReplaceTempView(name)
    got = told(
        frame,
        RowCountMatch(other="customers"),
        RowCountMatch(other="nothing"),
        SchemaMatch(other="same_columns"),
        SchemaMatch(other="other_type"),
        SchemaMatch(other="fewer_columns"),
        SchemaMatch(other="nowhere"),
        SchemaMatch(other="customers"),
    )
    assert got == [6 / 4, "no_data", 1, 2 / 3, 1 / 3, "error", 0]
    empty = frame.where("false")
    assert told(empty, RowCountMatch(other="customers")) == [0]
    assert told(empty, SchemaMatch(other="same_columns")) == [1]
    for name in shapes:
        spark.catalog.dropTempView(name)
