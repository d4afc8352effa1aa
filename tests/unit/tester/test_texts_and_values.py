"""Values of Spark and of YAML, as the tester compares them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    ByteType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from airflow_metorikku.spark.tester.texts import actual_text, expected_text, java_float, java_number
from airflow_metorikku.spark.tester.values import Unfit, comparable, read_as, shown

UTC = dt.UTC
TIME = dt.datetime.fromisoformat("2020-01-02 03:04:05")
PAIR = StructType().add("k", LongType()).add("v", StringType())


# Java's own answers, of Double.toString and Float.toString.
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (1e7, "1.0E7"),
        (9999999.0, "9999999.0"),
        (12345678.9, "1.23456789E7"),
        (0.001, "0.001"),
        (1e-5, "1.0E-5"),
        (0.00012, "1.2E-4"),
        (-0.0, "-0.0"),
        (100.0, "100.0"),
        (1e300, "1.0E300"),
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
    ],
)
def test_doubles_are_written_as_java_does(value: float, text: str):
    assert java_number(value) == text


def test_floats_have_the_fewest_digits_that_name_them():
    # 3.1 as a float is 3.0999999046325684 as a double; Float.toString says 3.1.
    assert java_float(3.0999999046325684) == "3.1"
    assert java_float(16777216.0) == "1.6777216E7"


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (None, StringType(), "null"),
        (True, BooleanType(), "true"),
        (Decimal("1.50"), DecimalType(10, 2), "1.50"),
        (TIME, TimestampType(), "2020-01-02 03:04:05.0"),
        (TIME.replace(microsecond=120000), TimestampType(), "2020-01-02 03:04:05.12"),
        (dt.date(2020, 1, 2), DateType(), "2020-01-02"),
        (["p", None], ArrayType(StringType()), "WrappedArray(p, null)"),
        ((1, "b"), PAIR, "[1,b]"),
        ({"k": 1}, MapType(StringType(), IntegerType()), "Map(k -> 1)"),
    ],
)
def test_texts_of_spark_are_those_of_metorikkus_tester(value, kind, text):
    assert actual_text(value, kind) == text


def test_texts_of_yaml_are_those_of_metorikkus_tester():
    assert expected_text(["a", 1, None]) == "List(a, 1, null)"
    assert expected_text({"a": 1.5, "b": False}) == "Map(a -> 1.5, b -> false)"


@pytest.mark.parametrize(
    ("expected", "actual", "kind"),
    [
        (1, 1, LongType()),
        ("1", 1, LongType()),
        (1.0, 1, ByteType()),
        (1, 1.0, DoubleType()),
        (1.5, Decimal("1.50"), DecimalType(10, 2)),
        ("12345678901234567890.12", Decimal("12345678901234567890.12"), DecimalType(30, 2)),
        (3.1, 3.0999999046325684, FloatType()),
        (float("nan"), float("nan"), DoubleType()),
        ("NaN", float("nan"), DoubleType()),
        (0.0, -0.0, DoubleType()),
        ("true", True, BooleanType()),
        (7, "7", StringType()),
        ("2020-01-02", dt.date(2020, 1, 2), DateType()),
        ("2020-01-02 03:04:05.12", TIME.replace(microsecond=120000), TimestampType()),
        ("2020-01-02T05:04:05+02:00", TIME, TimestampType()),
        ("2020-01-02 03:04:05", TIME, TimestampNTZType()),
        ("ab", bytearray(b"ab"), BinaryType()),
        ("X'6162'", bytearray(b"ab"), BinaryType()),
        (["x", None], ["x", None], ArrayType(StringType())),
        ([], [], ArrayType(StringType())),
        ({"V": "z", "k": 1}, (1, "z"), PAIR),
        ([1, "z"], (1, "z"), PAIR),
        ({"1": 1.50}, {1: Decimal("1.5")}, MapType(IntegerType(), DecimalType(3, 1))),
        (None, None, LongType()),
    ],
)
def test_equal_values(expected, actual, kind):
    assert read_as(expected, kind, UTC) == comparable(actual, kind)
    assert hash(comparable(actual, kind)) == hash(read_as(expected, kind, UTC))


@pytest.mark.parametrize(
    ("expected", "actual", "kind"),
    [
        ("null", None, StringType()),
        ("", None, StringType()),
        (None, "null", StringType()),
        (True, 1, LongType()),
        (1.5, 1, LongType()),
        ("x", 1, LongType()),
        (1, True, BooleanType()),
        (1.51, Decimal("1.50"), DecimalType(10, 2)),
        ("1.0", "1", StringType()),
        ("2020-01-02 03:04:05", TIME.replace(second=6), TimestampType()),
        ("2020-01-02 03:04:05Z", TIME, TimestampNTZType()),
        (["y", "x"], ["x", "y"], ArrayType(StringType())),
        ("x", ["x"], ArrayType(StringType())),
        ({"k": 1}, (1, None), PAIR),
        (["x"], "x", StringType()),
        ([["a"]], [1], ArrayType(LongType())),
        (float("inf"), Decimal(1), DecimalType(10, 2)),
        (10**400, 1.0, DoubleType()),
    ],
)
def test_other_values(expected, actual, kind):
    assert read_as(expected, kind, UTC) != comparable(actual, kind)


def test_a_value_that_does_not_fit_equals_nothing_that_spark_has():
    assert isinstance(read_as("x", LongType(), UTC), Unfit)
    assert read_as("x", LongType(), UTC) != comparable("x", StringType())


def test_cells_for_people():
    assert shown(None) == "null"
    assert shown("null") == '"null"'
    assert shown("") == '""'
    assert shown({"a": [1, None]}) == "{a: [1, null]}"
    assert shown((1, "z"), PAIR) == "{k: 1, v: z}"
    assert shown(bytearray(b"ab"), BinaryType()) == "X'6162'"
