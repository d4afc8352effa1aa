"""Row-level results: the fixtures of Deequ's own tests, and what a frame of results must keep."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.checks import base, keys, numbers, row_rules, rows, texts
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import Constraint, constraints
from airflow_metorikku.spark.quality.row_results import row_results

YES, NO, NULL = True, False, None


def asked(*given: base.Check) -> tuple[Constraint, ...]:
    return constraints("t", DataQuality(checks=given), "fail")


def results(
    frame: DataFrame, *given: base.Check, order: str = "item", **more: Any
) -> dict[str, list[bool | None]]:
    found = row_results(frame, asked(*given), **more)
    made = found.columns[len(frame.columns) :]
    collected = found.orderBy(order).collect()
    return {name: [row[name] for row in collected] for name in made}


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> DataFrame:
    """Deequ's six rows."""
    return spark.createDataFrame(
        [
            (1, "a", "f", 1, 1),
            (22, "b", "d", 2, None),
            (333, "a", None, 3, 3),
            (4444, "a", "f", 4, 4),
            (55555, "b", None, 5, None),
            (666666, "a", "f", 6, 6),
        ],
        "item int, att1 string, att2 string, val1 int, val2 int",
    )


def at_least(text: str) -> Assertion:
    return Assertion.from_text(text)


ROWS = [
    (rows.IsComplete(column="att2"), [YES, YES, NO, YES, NO, YES]),
    (texts.HasPattern(column="att2", pattern="[a-z]"), [YES, YES, NO, YES, NO, YES]),
    (numbers.HasMin(column="val1", assertion=at_least("> 1")), [NO, YES, YES, YES, YES, YES]),
    (numbers.HasMax(column="val1", assertion=at_least("<= 3")), [YES, YES, YES, NO, NO, NO]),
    (keys.HasUniqueness(columns=("att1", "att2")), [NO, YES, YES, NO, YES, NO]),
    (numbers.HasMin(column="val2", assertion=at_least("> 2")), [NO, NULL, YES, YES, NULL, YES]),
    (numbers.HasMax(column="val2", assertion=at_least("<= 3")), [YES, NULL, YES, NO, NULL, NO]),
    # A null that the pattern leaves out of its share is not judged.
    (texts.HasPattern(column="att2", pattern="d", nulls="ignore"), [NO, YES, NULL, NO, NULL, NO]),
    (rows.Satisfies(predicate="val2 > 1"), [NO, NO, YES, YES, NO, YES]),
    (row_rules.IsContainedIn(column="att2", allowed_values=("d",)), [NO, YES, YES, NO, YES, NO]),
]


@pytest.mark.parametrize(("check", "expected"), ROWS, ids=lambda given: type(given).__name__)
def test_rows_that_pass(frame: DataFrame, check: base.Check, expected: list[Any]) -> None:
    ((name, found),) = results(frame, check).items()
    assert (name, found) == (asked(check)[0].id, expected)


def test_rows_that_a_condition_leaves_out(frame: DataFrame) -> None:
    complete = rows.IsComplete(column="att2", where_="att1 = 'a'")
    least = numbers.HasMin(column="item", where_="item > 3", assertion=at_least("> 3"))
    assert list(results(frame, complete, least).values()) == [
        [YES, YES, NO, YES, YES, YES],
        [YES] * 6,
    ]
    assert list(results(frame, complete, least, filtered_rows="null").values()) == [
        [YES, NULL, NO, YES, NULL, YES],
        [NULL, YES, YES, YES, YES, YES],
    ]


def test_values_of_keys(spark: SparkSession) -> None:
    frame = spark.createDataFrame(
        [(1, 0, None), (2, 0, None), (3, 0, None), (4, 5, 1), (5, 6, 2), (6, 7, 3)],
        "item int, nonUnique int, uniqueWithNulls int",
    )
    found = results(
        frame, keys.IsUnique(column="nonUnique"), keys.IsUnique(column="uniqueWithNulls")
    )
    assert list(found.values()) == [[NO, NO, NO, YES, YES, YES], [YES] * 6]


def test_keys_under_a_condition_are_counted_among_its_rows(spark: SparkSession) -> None:
    frame = spark.createDataFrame(
        [(1, "x", 1), (2, "x", 0), (3, "y", 1), (4, "y", 1)], "item int, k string, open int"
    )
    assert list(results(frame, keys.IsUnique(column="k", where_="open = 1")).values()) == [
        [YES, YES, NO, NO]
    ]


def test_a_constraint_that_cannot_be_evaluated_passes_no_row(frame: DataFrame) -> None:
    found = results(
        frame,
        rows.IsComplete(column="nosuch"),
        rows.Satisfies(predicate="item >", id="broken"),
        rows.IsComplete(column="item", where_="nosuch = 1", id="filtered"),
        numbers.HasMin(column="att1", assertion=at_least("> 1")),
        rows.IsComplete(column="item"),
    )
    assert list(found.values()) == [[NO] * 6] * 4 + [[YES] * 6]


def test_what_no_single_row_fails_has_no_column(frame: DataFrame) -> None:
    about_all = (
        rows.HasSize(size=6, operator="=="),
        numbers.HasMean(column="val1", assertion=at_least("> 100")),
        numbers.HasMin(column="val1", assertion=at_least("< 0")),
    )
    assert row_results(frame, asked(*about_all)).columns == frame.columns


def test_a_smallest_value_that_must_be_one_is_missed_by_smaller_ones_only(
    frame: DataFrame,
) -> None:
    found = results(
        frame,
        numbers.HasMin(column="val1", assertion=at_least("== 3")),
        numbers.HasMax(column="val1", between=(Decimal(2), Decimal(3))),
        numbers.HasMin(column="val1", assertion=at_least("!= 1"), id="not one"),
    )
    assert list(found.values()) == [
        [NO, NO, YES, YES, YES, YES],
        [YES, YES, YES, NO, NO, NO],
        [NO, YES, YES, YES, YES, YES],
    ]


def test_constraints_of_one_name_are_both_kept(frame: DataFrame) -> None:
    complete = asked(rows.IsComplete(column="att2", id="sound"))
    unique = asked(keys.IsUnique(column="att1", id="Sound"))
    found = row_results(frame, [*complete, *unique, *complete])
    assert found.columns[5:] == ["sound", "Sound_2", "sound_3"]
    assert [tuple(row)[5:] for row in found.orderBy("item").collect()][:2] == [
        (YES, NO, YES),
        (YES, NO, YES),
    ]


def test_the_frame_keeps_its_columns(spark: SparkSession) -> None:
    named = col("y").alias("isComplete.a", metadata={"comment": "kept"})
    frame = spark.sql("SELECT 1 AS `a.b`, 'x' AS y, 2 AS z").select("`a.b`", named, "z")
    found = row_results(frame, asked(rows.IsComplete(column="a.b", id="isComplete.a")))
    assert found.columns == [*frame.columns, "isComplete.a_2"]
    assert found.schema["isComplete.a"].metadata == {"comment": "kept"}
    assert tuple(found.collect()[0]) == (1, "x", 2, True)


def test_no_rows_and_no_constraints(frame: DataFrame) -> None:
    empty = frame.limit(0)
    found = row_results(empty, asked(rows.IsComplete(column="att1"), keys.IsUnique(column="item")))
    assert (found.columns[5:], found.collect()) == (["isComplete.att1", "isUnique.item"], [])
    assert row_results(frame, ()).columns == frame.columns
