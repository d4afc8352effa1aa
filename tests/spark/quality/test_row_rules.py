"""Rules of rows: what counts by which flag, exact bounds, and the rows that fail."""

from __future__ import annotations

from decimal import Decimal

import pytest
from asked_checks import asked, satisfying, scan, told
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.records.checks import base, numbers, row_rules, rows, texts
from airflow_metorikku.spark.quality.failing_rows import failing_rows


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> DataFrame:
    return spark.sql(
        "SELECT * FROM VALUES"
        " (1, 1D, '1', 5, 'x'), (2, -1D, 'abc', 2, ''), (3, double('NaN'), '-3', 1, NULL), (4, NULL, NULL, NULL, 'y')"
        " AS v(id, d, s, other, t)"
    )


def shares(
    frame: DataFrame, kind: type[base.ColumnCheck], column: str, **flags: str
) -> list[object]:
    return told(frame, kind(column=column, **flags))


def test_a_text_beside_a_date_or_a_boolean_is_one_where_it_can_be(spark: SparkSession) -> None:
    frame = spark.sql(
        "SELECT *, TRUE AS yes FROM VALUES ('2026-01-01', DATE'2026-01-02'), ('2026-01-03', DATE'2026-01-02'),"
        " ('never', DATE'2026-01-02') AS v(t, day)"
    )
    got = told(
        frame,
        row_rules.IsLessThan(column_a="t", column_b="day"),
        row_rules.IsGreaterThan(column_a="day", column_b="t"),
        row_rules.IsLessThan(column_a="t", column_b="yes", nulls="pass"),
    )
    assert got == [1 / 3, 1 / 3, "no_data"]


@pytest.mark.parametrize(
    ("flags", "share"),
    [
        ({}, 3 / 4),
        ({"nan": "fail"}, 2 / 4),
        ({"nan": "ignore"}, 2 / 3),
        ({"nulls": "fail"}, 2 / 4),
        ({"nulls": "ignore"}, 2 / 3),
        ({"nulls": "ignore", "nan": "ignore"}, 1 / 2),
    ],
)
def test_null_and_nan_of_a_sign(frame: DataFrame, flags: dict[str, str], share: float) -> None:
    assert shares(frame, row_rules.IsNonNegative, "d", **flags) == [share]


@pytest.mark.parametrize("ansi_mode", ["true", "false"])
@pytest.mark.parametrize(("policy", "share"), [("fail", 2 / 4), ("pass", 3 / 4), ("ignore", 2 / 3)])
def test_texts_that_are_no_numbers(
    spark: SparkSession, frame: DataFrame, policy: str, share: float, ansi_mode: str
) -> None:
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", ansi_mode)
    try:
        assert shares(frame, row_rules.IsPositive, "s", not_numbers=policy) == [share]
        assert told(frame, row_rules.IsLessThan(column_a="s", column_b="other")) == [2 / 4]
    finally:
        spark.conf.set("spark.sql.ansi.enabled", before)


def test_nulls_of_rules(frame: DataFrame) -> None:
    compared = [
        row_rules.IsLessThan(column_a="id", column_b="other", nulls=one)
        for one in ("fail", "pass", "ignore")
    ]
    assert told(frame, *compared) == [1 / 4, 2 / 4, 1 / 3]
    satisfied = [
        rows.Satisfies(predicate="other > 1", nulls=one) for one in ("fail", "pass", "ignore")
    ]
    assert told(frame, *satisfied) == [2 / 4, 3 / 4, 2 / 3]
    contained = [
        row_rules.IsContainedIn(column="t", allowed_values=("x",), nulls=one)
        for one in ("fail", "pass", "ignore")
    ]
    assert told(frame, *contained) == [1 / 4, 2 / 4, 1 / 3]


def test_an_empty_text_may_count_as_null(frame: DataFrame) -> None:
    assert told(
        frame,
        rows.HasCompleteness(column="t"),
        rows.HasCompleteness(column="t", empty_as_null=True),
        row_rules.AreComplete(columns=("t", "id"), empty_as_null=True),
        row_rules.AreAnyComplete(columns=("t", "d"), empty_as_null=True, nan="ignore"),
        row_rules.IsContainedIn(column="t", allowed_values=("x", "y"), empty_as_null=True),
        texts.HasPattern(column="t", pattern="x", nulls="ignore", empty_as_null=True),
        rows.HasCompleteness(column="d", nan="ignore"),
    ) == [3 / 4, 2 / 4, 2 / 4, 3 / 4, 4 / 4, 1 / 2, 2 / 4]


def within(column: str, low: str | None, high: str | None, **other: bool) -> base.Check:
    return row_rules.IsContainedIn(
        column=column,
        lower_bound=None if low is None else Decimal(low),
        upper_bound=None if high is None else Decimal(high),
        **other,
    )


@pytest.mark.usefixtures("ansi")
@pytest.mark.parametrize("column", ["l", "dec", "d", "by"])
def test_bounds_are_exact(spark: SparkSession, column: str) -> None:
    frame = spark.sql(
        "SELECT * FROM VALUES (9007199254740993L, 1.25BD, 1.25D, 127Y), (-1L, -0.50BD, -0.5D, -128Y)"
        " AS v(l, dec, d, by)"
    )
    high, low = {
        "l": ("9007199254740993", "-1"),
        "dec": ("1.25", "-0.5"),
        "d": ("1.25", "-0.5"),
        "by": ("127", "-128"),
    }[column]
    assert told(
        frame,
        within(column, low, high),
        within(column, low, high, include_upper_bound=False),
        within(column, low, high, include_lower_bound=False),
        within(column, f"{low}001" if "." in low else f"{low}.001", high),
        within(column, low, None),
        within(column, None, high, include_upper_bound=False),
        # No value of the column's type is as far out as these.
        within(column, "-1E30", "1E30"),
        within(column, "1E30", None),
        within(column, None, "-1E30"),
    ) == [1, 0.5, 0.5, 1, 1, 0.5, 1, 0, 0]
    assert told(frame, within("l", "9007199254740992.5", None)) == [0.5]
    assert told(frame, within("dec", "1.2499", "1.2501")) == [0.5]


def test_types_that_do_not_compare_are_an_error(spark: SparkSession) -> None:
    frame = spark.sql("SELECT DATE'2024-01-01' AS day, 1 AS i, true AS b, array(1) AS a")
    results = scan(
        frame,
        row_rules.IsLessThan(column_a="day", column_b="i", id="date"),
        row_rules.IsPositive(column="b", id="boolean"),
        within("day", "0", "1"),
        row_rules.IsLessThan(column_a="i", column_b="nosuch", id="missing"),
        rows.Satisfies(predicate="i > 0", columns=("nosuch",), id="columns"),
        texts.HasDataType(column="a", data_type="String", id="array"),
        rows.Satisfies(predicate="i > 0", columns=("i",), id="good"),
    )
    assert {id_: one.status for id_, one in results.items()} == dict.fromkeys(results, "error") | {
        "good": "passed"
    }
    assert "column 'nosuch' is not in data frame t" in results["columns"].message


def test_the_rows_that_fail(spark: SparkSession, frame: DataFrame) -> None:
    given = asked(
        row_rules.IsNonNegative(column="d", nan="fail", id="sign"),
        row_rules.IsPositive(column="s", nulls="fail", id="positive text"),
        row_rules.IsLessThan(column_a="id", column_b="other", nulls="ignore", id="less"),
        row_rules.AreComplete(columns=("d", "t"), empty_as_null=True, id="complete"),
        within("other", "2", "5", include_upper_bound=False),
        texts.HasMinLength(
            column="t", assertion=satisfying(">= 1"), null_behavior="Fail", id="length"
        ),
        texts.HasDataType(column="s", data_type="Numeric", id="type"),
        numbers.HasMax(column="id", assertion=satisfying("<= 3"), id="most"),
        numbers.HasMax(column="id", assertion=satisfying(">= 9"), id="no row's fault"),
        numbers.HasMean(column="id", assertion=satisfying(">= 9"), id="mean"),
    )
    found = failing_rows(frame, given)
    assert found is not None
    failed = {row["id"]: set(row["failedChecks"]) for row in found.collect()}
    bounds = "isContainedIn.other"
    assert failed == {
        1: {bounds},
        2: {"sign", "positive text", "less", "complete", "length", "type"},
        3: {"sign", "positive text", "less", "complete", bounds, "length"},
        4: {"positive text", "complete", "most"},
    }


def test_rows_beyond_a_date(spark: SparkSession) -> None:
    frame = spark.sql(
        "SELECT 1 AS id, DATE'2024-01-31' AS day, TIMESTAMP'2024-01-31 23:00:00Z' AS at, TIMESTAMP_NTZ'2024-01-31 23:00:00' AS local"
        " UNION ALL SELECT 2, DATE'2024-02-01', TIMESTAMP'2024-02-01 00:00:00Z', TIMESTAMP_NTZ'2024-02-01 00:00:00'"
    )
    for column in ("day", "at", "local"):
        check = numbers.HasMax(column=column, assertion=satisfying("< 2024-02-01"))
        found = failing_rows(frame, asked(check))
        assert found is not None
        assert [row["id"] for row in found.collect()] == [2], column
