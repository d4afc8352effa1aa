"""Rows against declared schemas: what Deequ's RowLevelSchemaValidator pins, and what it loses."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from asked_checks import told
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.records.analyzers.declared import SchemaColumn
from airflow_metorikku.config.records.checks.declared import (
    ColumnNamesMatch,
    HasColumns,
    HasRowSchema,
)
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.config.spark_types import mistake_in_type
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.spark.aggregates import SPARK_ERRORS
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.quality.row_results import row_results
from airflow_metorikku.spark.quality.row_schema import split_by_schema


def texts(spark: SparkSession, *values: str | None, name: str = "c") -> DataFrame:
    return spark.createDataFrame([(value,) for value in values], f"`{name}` string").coalesce(1)


def split(frame: DataFrame, *columns: SchemaColumn) -> tuple[list[Any], list[Any]]:
    valid, invalid = split_by_schema(frame, columns)
    check = HasRowSchema(columns=columns)
    asked = constraints("t", DataQuality(checks=(check,)), "fail")
    (result,) = Audit("t", asked).scan(frame).constraints
    good, bad = valid.collect(), invalid.collect()
    assert result.value == pytest.approx(len(good) / (len(good) + len(bad)))
    marked = row_results(frame, asked).collect()
    assert sum(row[-1] for row in marked) == len(good)
    return [tuple(row) for row in good], [tuple(row) for row in bad]


def test_lengths_and_nulls(spark: SparkSession) -> None:
    frame = texts(spark, "Hello", "H.", "Hello World", "Spark is a very long text", None)
    column = SchemaColumn(name="c", nullable=False, min_length=3, max_length=11)
    assert split(frame, column) == (
        [("Hello",), ("Hello World",)],
        [("H.",), ("Spark is a very long text",), (None,)],
    )


def test_patterns(spark: SparkSession) -> None:
    frame = texts(spark, "hello", "Hello", "hello world", "x1", "a b c", None, "")
    column = SchemaColumn(name="c", pattern=r"^[a-z\s]+$")
    assert split(frame, column) == (
        [("hello",), ("hello world",), ("a b c",), (None,)],
        [("Hello",), ("x1",), ("",)],
    )


def test_whole_numbers(spark: SparkSession) -> None:
    frame = texts(spark, "123", "N/A", "456", "999999", "-9", "-100000", None)
    column = SchemaColumn(name="c", type="int", nullable=False, min=Decimal(-10), max=Decimal(1000))
    assert split(frame, column) == (
        [(123,), (456,), (-9,)],
        [("N/A",), ("999999",), ("-100000",), (None,)],
    )


def test_a_null_beside_a_minimum_is_valid(spark: SparkSession) -> None:
    """Deequ has such a row in neither output."""
    column = SchemaColumn(name="c", type="int", min=Decimal(1))
    assert split(texts(spark, "1", None, "0"), column) == ([(1,), (None,)], [("0",)])


def test_decimals(spark: SparkSession) -> None:
    frame = texts(spark, "299.000", "1295", "###", "-19.99", "-99.99", "n/a", None)
    column = SchemaColumn(name="c", type="decimal", precision=10, scale=2, nullable=False)
    valid, invalid = split(frame, column)
    assert [str(row[0]) for row in valid] == ["299.00", "1295.00", "-19.99", "-99.99"]
    assert invalid == [("###",), ("n/a",), (None,)]


def test_moments(spark: SparkSession) -> None:
    frame = texts(
        spark, "2012-07-22 22:59:59", "N/A", "2012-07-22 22:21:59", "yesterday evening", None
    )
    column = SchemaColumn(name="c", type="timestamp", mask="yyyy-MM-dd HH:mm:ss", nullable=False)
    valid, invalid = split(frame, column)
    assert [str(row[0]) for row in valid] == ["2012-07-22 22:59:59", "2012-07-22 22:21:59"]
    assert len(invalid) == 3


def test_several_columns(spark: SparkSession) -> None:
    frame = spark.createDataFrame(
        [
            ("123", "Product A", "2012-07-22 22:59:59"),
            ("N/A", "Product B", None),
            ("456", None, "2012-07-22 22:59:59"),
            (None, "Product C", "2012-07-22 22:59:59"),
            ("789", "P", "2012-07-22 22:59:59"),
            ("1", "Product D", "22.07.2012"),
            ("2", "Product E", "2012-07-22 22:59:60"),
        ],
        "id string, name string, `event time` string",
    ).coalesce(1)
    declared = (
        SchemaColumn(name="id", type="int", nullable=False),
        SchemaColumn(name="name", max_length=10, min_length=2),
        SchemaColumn(name="event time", type="timestamp", mask="yyyy-MM-dd HH:mm:ss"),
    )
    valid, invalid = split(frame, *declared)
    assert ([row[0] for row in valid], len(invalid)) == ([123, 456], 5)


def test_columns_that_have_types_already(spark: SparkSession) -> None:
    frame = spark.sql(
        "SELECT * FROM VALUES (1L, 2.0D, DATE'2026-01-01', true), (99999999999L, 2.5D, NULL, NULL)"
        " AS v(a, b, d, t)"
    )
    whole = [SchemaColumn(name=name, type="int") for name in ("a", "b")]
    assert split(frame, *whole) == (
        [(1, 2, *frame.first()[2:])],
        [tuple(frame.tail(1)[0])],
    )
    assert len(split(frame, SchemaColumn(name="d", type="timestamp", nullable=False))[0]) == 1
    assert split(frame, SchemaColumn(name="d", type="int", nullable=False))[0] == []
    assert len(split(frame, SchemaColumn(name="t", type="boolean", nullable=False))[0]) == 1


def test_without_ansi_it_is_the_same(spark: SparkSession) -> None:
    frame = texts(spark, "1.5", "1", "x", "99999999999")
    column = SchemaColumn(name="c", type="int")
    before = spark.conf.get("spark.sql.ansi.enabled")
    for mode in ("true", "false"):
        spark.conf.set("spark.sql.ansi.enabled", mode)
        try:
            assert split(frame, column)[0] == [(1,)]
        finally:
            spark.conf.set("spark.sql.ansi.enabled", before)


def test_what_it_says_nothing_of_is_an_error(spark: SparkSession) -> None:
    frame = spark.sql("SELECT array(1) AS a, 'x' AS b")
    for column in (
        SchemaColumn(name="a"),
        SchemaColumn(name="nosuch"),
        SchemaColumn(name="b", pattern="(?<1>b)"),
    ):
        asked = constraints("t", DataQuality(checks=(HasRowSchema(columns=(column,)),)), "fail")
        (result,) = Audit("t", asked).scan(frame).constraints
        assert result.status == "error"


COLUMNS = [
    ({"a": "int", "b": "string"}, {}, 1),
    ({"B": "STRING", "a": "integer"}, {}, 1),
    ({"a": "", "b": ""}, {}, 1),
    ({"b": "", "a": ""}, {"order": "same"}, 0),
    ({"a": "bigint", "b": "string"}, {}, 1 / 2),
    # As in Deequ's SchemaMatch: of two columns one is called otherwise.
    ({"a": "int", "c": "string"}, {}, 1 / 2),
    ({"a": "int", "c": "string", "d": "int"}, {}, 1 / 3),
    ({"a": "int"}, {}, 1 / 2),
    ({"a": "int"}, {"extra": "ignore"}, 1),
    ({"b": "string"}, {"extra": "ignore", "order": "same"}, 1),
]


@pytest.mark.parametrize(("declared", "more", "expected"), COLUMNS)
def test_declared_columns(
    spark: SparkSession, declared: dict[str, str], more: dict[str, Any], expected: float
) -> None:
    frame = spark.sql("SELECT 1 AS a, 'x' AS b")
    asked = constraints("t", DataQuality(checks=(HasColumns(columns=declared, **more),)), "fail")
    (result,) = Audit("t", asked).scan(frame).constraints
    assert result.value == pytest.approx(expected)


def test_columns_alone_have_a_value_whatever_the_rows(spark: SparkSession) -> None:
    """Also where nothing else is asked, and no job counts the rows."""
    frame = spark.sql("SELECT 1 AS id, 'a' AS name")
    columns = HasColumns(columns={"id": "int", "name": ""})
    for one in (frame, frame.where("false")):
        assert told(one, columns) == [1]
        assert told(one, ColumnNamesMatch(pattern="id|nam")) == [0.5]


def test_declared_columns_of_odd_types_and_names(spark: SparkSession) -> None:
    frame = spark.sql("SELECT named_struct('x', 1, 'y', array('t')) AS `a.b`, 1.5BD AS `p q`")
    declared = {"a.b": "STRUCT<x: INT, y: ARRAY<STRING>>", "p q": "decimal(2,1)"}
    for columns, status in (
        (declared, "passed"),
        ({**declared, "p q": "interval month to day"}, "error"),
    ):
        asked = constraints("t", DataQuality(checks=(HasColumns(columns=columns),)), "fail")
        (result,) = Audit("t", asked).scan(frame).constraints
        assert result.status == status
    asked = constraints("t", DataQuality(checks=(HasColumns(columns=declared),)), "fail")
    # The columns are known without any row; Deequ fails there.
    assert Audit("t", asked).scan(frame.limit(0)).constraints[0].status == "passed"


TYPES = """
int|INT|strng|decimal|decimal(10, 2)|decimal(39,2)|decimal(5,6)|dec(3)|numeric(3,1)|decimal(10,2
decimal()|varchar|varchar(3)|char(2)|character(4)|array|array<int>|array<>|array<int|map<string,int>
map<string>|struct<>|struct<a:int,b:string>|struct<a int, b: array<struct<c: date>>>|struct<a>|struct<a:foo>
struct<a:int not null comment 'x'>|a int|a int, b string|a int b string|a foo|a int,|timestamp_ntz|interval
interval day to second|byte|short|long|float|real|double|double precision|datetime|number|text|int unsigned
float(3)|tinyint(1)|`a b` int|x-y|bool|uuid|date date|varchar(0)|timestamp(3)|binary|void|string(3)
"""


def test_what_is_no_type_is_found_without_a_spark(spark: SparkSession) -> None:
    parse = spark._jvm.org.apache.spark.sql.types.DataType.fromDDL

    def known(text: str) -> bool:
        try:
            parse(text)
        except SPARK_ERRORS:
            return False
        return True

    types = [one for line in TYPES.split("\n") for one in line.split("|") if one]
    said = {one: mistake_in_type(one) is None for one in types}
    assert said == {one: known(one) for one in types}
