"""DQDL's ColumnValues and ColumnLength: which rows hold, on odd values too."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.records.checks.base import Check
from airflow_metorikku.config.records.checks.values import HasColumnLength, HasColumnValues
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.quality.row_results import row_results


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> DataFrame:
    return spark.sql(
        "SELECT * FROM VALUES"
        " (1, 1, 'US', '2026-01-01', DATE'2026-01-01', current_timestamp()),"
        " (2, 5, '', '5', DATE'2025-01-01', current_timestamp() - INTERVAL 5 HOURS),"
        " (3, NULL, ' ', NULL, NULL, NULL),"
        " (4, 3, NULL, 'x', current_date(), TIMESTAMP'2020-01-01 00:00:00'),"
        " (5, -7, 'CA\n', '4.5', DATE'2027-01-01', TIMESTAMP'2020-01-01 23:59:59')"
        " AS v(`i d`, n, s, t, d, at)"
    )


def numbers(*given: float) -> tuple[Decimal, ...]:
    return tuple(Decimal(str(one)) for one in given)


HOLD: list[tuple[str, str, dict[str, Any], set[int]]] = [
    ("n", "==", {"numbers": numbers(5)}, {2}),
    ("n", "!=", {"numbers": numbers(5)}, {1, 3, 4, 5}),
    ("n", ">=", {"numbers": numbers(1)}, {1, 2, 4}),
    ("n", "<", {"numbers": numbers(1)}, {5}),
    ("n", "between", {"numbers": numbers(1, 5)}, {4}),
    ("n", "not between", {"numbers": numbers(1, 5)}, {1, 2, 5}),
    ("n", "in", {"numbers": numbers(1, 3)}, {1, 4}),
    ("n", "not in", {"numbers": numbers(1, 3)}, {2, 3, 5}),
    ("n", "in", {"numbers": numbers(1, 3), "missing": ("null",)}, {1, 3, 4}),
    ("n", "not in", {"numbers": numbers(1, 3), "missing": ("null",)}, {2, 5}),
    ("n", "==", {"missing": ("null",)}, {3}),
    ("n", "!=", {"missing": ("null",)}, {1, 2, 4, 5}),
    ("t", ">", {"numbers": numbers(4)}, {2, 5}),
    ("t", "in", {"numbers": numbers(4.5, 5)}, {2, 5}),
    ("s", "==", {"texts": ("US",)}, {1}),
    ("s", "!=", {"texts": ("US",)}, {2, 3, 4, 5}),
    ("s", "in", {"texts": ("US", "it's \\"), "missing": ("empty", "whitespace")}, {1, 2, 3}),
    ("s", "not in", {"missing": ("empty",)}, {1, 3, 4, 5}),
    ("s", "matches", {"texts": ("[A-Z]*",)}, {1, 2}),
    ("s", "not matches", {"texts": ("[A-Z]*",)}, {3, 5}),
    ("n", "matches", {"texts": ("-?[0-9]",)}, {1, 2, 4, 5}),
    # A quotation or a comment that is left open ends with the pattern.
    ("s", "matches", {"texts": (r"\QUS",)}, {1}),
    ("s", "not matches", {"texts": (r"[A-Z]|\QUS",)}, {2, 3, 5}),
    ("t", "matches", {"texts": (r"\d\Q.5",)}, {5}),
    ("s", "matches", {"texts": ("(?x) [A-Z]* # capitals",)}, {1, 2}),
    ("s", "matches", {"texts": ("(?x) U # (\n S # [",)}, {1}),
    ("s", "matches", {"texts": ("(?m)US|C",)}, {1}),
    ("n", "in", {"texts": ("5", "-7")}, {2, 5}),
    ("d", ">", {"times": ("2025-06-01",)}, {1, 4, 5}),
    ("d", "<=", {"times": ("now()",)}, {1, 2, 4}),
    ("d", "between", {"times": ("2024-12-31", "2026-01-02")}, {1, 2}),
    ("t", "==", {"times": ("2026-01-01",)}, {1}),
    ("at", ">", {"times": ("now() - 2 hours",)}, {1}),
    ("at", ">", {"times": ("now() - 9 hours",)}, {1, 2}),
    ("at", "==", {"times": ("2020-01-01",)}, {4, 5}),
    ("at", ">", {"times": ("2020-01-01 12:00:00",)}, {1, 2, 5}),
    ("at", "in", {"times": ("2020-01-01",), "missing": ("null",)}, {3, 4, 5}),
]
LENGTHS: list[tuple[str, str, tuple[Decimal, ...], set[int]]] = [
    ("s", "==", numbers(2), {1}),
    ("s", "==", numbers(0), {2, 4}),
    ("s", ">", numbers(0), {1, 3, 5}),
    ("s", "between", numbers(0, 3), {1, 3}),
    ("s", "in", numbers(0, 2), {1, 2, 4}),
    ("s", "not in", numbers(2, 3), {2, 3, 4}),
]


def holding(frame: DataFrame, check: Check) -> set[int]:
    asked = constraints("t", DataQuality(checks=(check,)), "fail")
    found = row_results(frame, asked)
    rows = {row[0] for row in found.collect() if row[-1]}
    (result,) = Audit("t", asked).scan(frame).constraints
    assert result.value == len(rows) / 5
    return rows


@pytest.mark.parametrize(("column", "operator", "given", "expected"), HOLD)
def test_values(
    frame: DataFrame, column: str, operator: str, given: dict[str, Any], expected: set[int]
) -> None:
    assert holding(frame, HasColumnValues(column=column, operator=operator, **given)) == expected


@pytest.mark.parametrize(("column", "operator", "given", "expected"), LENGTHS)
def test_lengths(
    frame: DataFrame, column: str, operator: str, given: tuple[Decimal, ...], expected: set[int]
) -> None:
    check = HasColumnLength(column=column, operator=operator, numbers=given)
    assert holding(frame, check) == expected


def test_without_ansi_it_is_the_same(spark: SparkSession, frame: DataFrame) -> None:
    before = spark.conf.get("spark.sql.ansi.enabled")
    check = HasColumnValues(column="t", operator=">", numbers=numbers(4))
    for mode in ("true", "false"):
        spark.conf.set("spark.sql.ansi.enabled", mode)
        try:
            assert holding(frame, check) == {2, 5}
        finally:
            spark.conf.set("spark.sql.ansi.enabled", before)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"operator": "between", "numbers": numbers(1)}, "between needs two numbers"),
        ({"operator": "between", "numbers": numbers(2, 1)}, "nothing lies between 2 and 1"),
        ({"operator": "in"}, "in needs at least one value"),
        ({"operator": "=="}, "== needs one value"),
        ({"operator": ">", "missing": ("null",)}, "> needs one value"),
        ({"operator": "==", "numbers": numbers(1), "texts": ("a",)}, "expected one of numbers"),
        ({"operator": "matches", "texts": ("a", "b")}, "matches needs one pattern"),
        ({"operator": ">", "times": ("tomorrow",)}, "times: got 'tomorrow'"),
    ],
)
def test_what_no_relation_is(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        HasColumnValues(column="c", **given)
