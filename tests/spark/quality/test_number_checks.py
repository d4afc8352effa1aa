"""Numbers, dates and texts as checks see them: exact, by their flags, and the same as another engine's."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from asked_checks import Asking, constraint, same, satisfying, scan, told
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_patterns import BROKEN, SOUND
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as t

from airflow_metorikku.config.records.analyzers.numbers import RatioOfSums
from airflow_metorikku.config.records.analyzers.quantiles import ApproxQuantiles
from airflow_metorikku.config.records.checks import numbers, quantiles, schema, texts
from airflow_metorikku.config.records.checks.base import HOLDS_FOR_ALL
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.results.distributions import Keyed
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.quality.predicates import require_pattern

ANY = satisfying("!= 123456789")


@pytest.fixture(scope="module")
def days(spark: SparkSession) -> DataFrame:
    return spark.sql(
        "SELECT DATE'2024-02-28' AS day, TIMESTAMP'2024-02-28 23:59:59.123456+02:00' AS at,"
        " TIMESTAMP_NTZ'2024-02-28 23:59:59.5' AS local, CAST(NULL AS DATE) AS never"
        " UNION ALL SELECT DATE'2024-03-01', TIMESTAMP'2024-03-01 00:00:00Z', TIMESTAMP_NTZ'2024-03-01 00:00:00', NULL"
        " UNION ALL SELECT NULL, NULL, NULL, NULL"
    )


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland"])
def test_dates_and_times(spark: SparkSession, days: DataFrame, zone: str) -> None:
    spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        results = scan(
            days,
            numbers.HasMin(column="day", assertion=satisfying("== 2024-02-28"), id="day"),
            numbers.HasMax(column="day", assertion=satisfying("< 2024-03-01"), id="latest day"),
            numbers.HasMin(
                column="at", assertion=satisfying("== 2024-02-28T21:59:59.123456Z"), id="at"
            ),
            numbers.HasMax(
                column="at",
                assertion=satisfying("between 2024-03-01T02:00:00+02:00 and 2024-03-01"),
                id="latest",
            ),
            numbers.HasMin(column="local", assertion=satisfying("< 2024-02-29"), id="local"),
            numbers.HasMax(column="day", assertion=satisfying(">= 5"), id="number"),
            numbers.HasMax(column="never", assertion=satisfying(">= 2024-01-01"), id="never"),
        )
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
    assert {id_: (result.status, result.value) for id_, result in results.items()} == {
        "day": ("passed", "2024-02-28"),
        "latest day": ("failed", "2024-03-01"),
        "at": ("passed", "2024-02-28T21:59:59.123456Z"),
        "latest": ("passed", "2024-03-01T00:00:00Z"),
        "local": ("passed", "2024-02-28T23:59:59.5"),
        "number": ("error", None),
        "never": ("no_data", None),
    }
    assert "2024-03-01 is a date or time, which >= 5 says nothing of" in results["number"].message
    assert results["latest day"].message == "value 2024-03-01, expected < 2024-03-01"


def test_a_mistyped_year_is_a_failure_and_no_crash(spark: SparkSession) -> None:
    frame = spark.sql("SELECT make_date(20244, 2, 29) AS day")
    (result,) = scan(
        frame, numbers.HasMax(column="day", assertion=satisfying("< 2100-01-01"))
    ).values()
    assert (result.status, result.value) == ("failed", "+20244-02-29")


def test_every_digit_counts(spark: SparkSession) -> None:
    frame = spark.sql(
        "SELECT * FROM VALUES (9007199254740993L, 99999999999999999999999999999999999999BD, 0.10BD),"
        " (-9223372036854775807L, -99999999999999999999999999999999999999BD, 0.30BD) AS v(a, b, c)"
    )
    assert told(
        frame,
        numbers.HasRange(column="a", assertion=ANY),
        numbers.HasRange(column="b", assertion=ANY),
        numbers.HasRange(column="c", assertion=satisfying("== 0.2")),
        numbers.HasMin(column="b", assertion=ANY),
    ) == [
        9007199254740993 + 9223372036854775807,
        2 * 99999999999999999999999999999999999999,
        0.2,
        -99999999999999999999999999999999999999,
    ]
    assert (
        scan(frame, numbers.HasRange(column="c", assertion=satisfying("== 0.2"), id="c"))[
            "c"
        ].status
        == "passed"
    )


def test_nan_may_count_as_null(spark: SparkSession) -> None:
    frame = spark.sql("SELECT * FROM VALUES (1D, 2D), (3D, 1D), (double('NaN'), 5D) AS v(x, y)")
    kept = told(
        frame,
        numbers.HasMax(column="x", assertion=ANY),
        numbers.HasMean(column="x", assertion=ANY),
        numbers.HasStandardDeviation(column="x", assertion=ANY),
        numbers.HasCorrelation(column_a="x", column_b="y", assertion=satisfying("!= 0")),
    )
    assert all(math.isnan(one) for one in kept)
    ignored = told(
        frame,
        numbers.HasMax(column="x", assertion=ANY, nan="ignore"),
        numbers.HasMean(column="x", assertion=ANY, nan="ignore"),
        numbers.HasStandardDeviation(column="x", assertion=ANY, nan="ignore"),
        numbers.HasCorrelation(
            column_a="x", column_b="y", assertion=satisfying("!= 0"), nan="ignore"
        ),
        quantiles.HasExactQuantile(
            column="x", quantile=Decimal("0.5"), assertion=ANY, nan="ignore"
        ),
    )
    assert ignored == [3.0, 2.0, 1.0, -1.0, 2.0]


@pytest.mark.parametrize("ansi_mode", ["true", "false"])
def test_constants_and_single_rows(spark: SparkSession, ansi_mode: str) -> None:
    frame = spark.sql("SELECT 5 AS c, CAST(id AS DOUBLE) AS x FROM range(3)")
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", ansi_mode)
    try:
        values = told(
            frame,
            numbers.HasSkewness(column="c", assertion=ANY),
            numbers.HasKurtosis(column="c", assertion=ANY),
            numbers.HasVariance(column="c", assertion=ANY),
            numbers.HasCorrelation(column_a="c", column_b="x", assertion=satisfying("!= 0")),
        )
        alone = told(frame.limit(1), numbers.HasStandardDeviation(column="x", assertion=ANY))
    finally:
        spark.conf.set("spark.sql.ansi.enabled", before)
    assert values[:3] == [0.0, 0.0, 0.0]
    assert math.isnan(values[3])
    assert alone == [0.0]


def test_several_quantiles_are_one_value_with_names(spark: SparkSession) -> None:
    given_ = ApproxQuantiles(
        column="id",
        quantiles=(Decimal("0.25"), Decimal("0.5"), Decimal(1)),
        relative_error=Decimal("0.0001"),
    )
    asked = constraint(0, Asking(of=given_), HOLDS_FOR_ALL)
    (value,) = Audit("t", [asked]).scan(spark.range(101)).values
    assert value.distribution == Keyed(values={"0.25": 25, "0.5": 50, "1.0": 100})
    assert value.stored() == Keyed(values={"0.25": 25, "0.5": 50, "1.0": 100})


def test_ratio_of_sums_without_a_sum(spark: SparkSession) -> None:
    frame = spark.sql("SELECT 0 AS z, 3 AS x, -3D AS y, CAST(NULL AS INT) AS n")
    pairs = [("x", "z"), ("y", "z"), ("z", "z"), ("x", "y"), ("x", "n")]
    asked = [
        constraint(number, Asking(of=RatioOfSums(numerator=a, denominator=b)), HOLDS_FOR_ALL)
        for number, (a, b) in enumerate(pairs)
    ]
    *values, none = Audit("t", asked).scan(frame).values
    ratios = [value.number for value in values]
    assert (ratios[:2], ratios[3]) == ([math.inf, -math.inf], -1.0)
    assert math.isnan(ratios[2])
    assert none.why == "no value of x or of n that is not null"


def test_lengths(spark: SparkSession) -> None:
    frame = spark.sql("SELECT * FROM VALUES ('日本語'), (''), (NULL) AS v(s)")
    assert told(
        frame,
        texts.HasMinLength(column="s", assertion=ANY),
        texts.HasMinLength(column="s", assertion=ANY, empty_as_null=True),
        texts.HasMinLength(
            column="s", assertion=ANY, empty_as_null=True, null_behavior="EmptyString"
        ),
        texts.HasMaxLength(column="s", assertion=ANY, null_behavior="Fail"),
    ) == [0, 3, 0, 1.7976931348623157e308]
    results = scan(
        frame, texts.HasMaxLength(column="s", assertion=satisfying("<= 9"), null_behavior="Fail")
    )
    assert {one.status for one in results.values()} == {"failed"}


@pytest.mark.usefixtures("ansi")
def test_types_of_texts(spark: SparkSession) -> None:
    frame = spark.sql(
        "SELECT * FROM VALUES ('1', 1), ('- 2.5', 2), ('3e5', 3), ('true', 4), ('.5', 5), (NULL, NULL) AS v(s, i)"
    )
    kinds = ("Integral", "Fractional", "Numeric", "Boolean", "String", "Null")
    shares = [texts.HasDataType(column="s", data_type=kind) for kind in kinds]
    assert told(frame, *shares) == [1 / 5, 2 / 5, 3 / 5, 1 / 5, 1 / 5, 1 / 6]
    assert told(frame, texts.HasDataType(column="i", data_type="Numeric")) == [1.0]


def test_columns_take_no_job_and_no_row(spark: SparkSession) -> None:
    frame = spark.sql("SELECT 1 AS `a.b`, named_struct('x', 1) AS st WHERE false")
    spark.sparkContext.setJobGroup("schema", "schema")
    results = scan(
        frame,
        schema.HasColumnCount(assertion=satisfying("== 2"), id="count"),
        schema.HasColumn(column="A.b", id="flat"),
        schema.HasColumn(column="st.x", id="nested"),
        schema.HasColumn(column="st.y", id="missing"),
    )
    jobs = spark.sparkContext.statusTracker().getJobIdsForGroup("schema")
    spark.sparkContext.setJobGroup("other", "other")
    assert {id_: (one.status, one.value) for id_, one in results.items()} == {
        "count": ("passed", 2),
        "flat": ("passed", 1),
        "nested": ("passed", 1),
        "missing": ("failed", 0),
    }
    assert list(jobs) == []


def test_java_agrees_about_patterns(spark: SparkSession) -> None:
    frame = spark.range(1)
    for pattern in SOUND:
        require_pattern(frame, pattern)
    for pattern in BROKEN:
        with pytest.raises(MetorikkuError):
            require_pattern(frame, pattern)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(alphabet="ab[]()?*+|\\^-&QE:<=#", max_size=12))
def test_what_java_takes_is_never_refused(spark: SparkSession, pattern: str) -> None:
    try:
        require_pattern(spark.range(1), pattern)
    except MetorikkuError:
        return
    texts.HasPattern(column="s", pattern=pattern)


ROWS = st.lists(
    st.tuples(
        st.none() | st.integers(-(10**6), 10**6).map(lambda number: number / 8),
        st.none() | st.floats() | st.sampled_from([0.0, -0.0, math.nan, math.inf]),
        st.none() | st.integers(-(2**63), 2**63 - 1) | st.just(0),
        st.none() | st.decimals(-(10**15), 10**15, places=4),
        st.none() | st.text(alphabet="a1é ", max_size=4),
    ),
    min_size=1,
    max_size=40,
)
COLUMNS = t.StructType(
    [
        t.StructField("d", t.DoubleType()),
        t.StructField("wild", t.DoubleType()),
        t.StructField("l", t.LongType()),
        t.StructField("dec", t.DecimalType(20, 4)),
        t.StructField("s", t.StringType()),
    ]
)
ARROW = pa.schema(
    [
        ("d", pa.float64()), ("wild", pa.float64()), ("l", pa.int64()),
        ("dec", pa.decimal128(20, 4)), ("s", pa.string()),
    ]
)  # fmt: skip
N = {"assertion": ANY}
# A check, and the same question in DuckDB's SQL.
QUESTIONS: list[tuple[Any, str]] = [
    *((numbers.HasMin(column=one, **N), f"min({one})") for one in ("d", "wild", "l", "dec")),
    *((numbers.HasMax(column=one, **N), f"max({one})") for one in ("d", "wild", "l", "dec")),
    *((numbers.HasSum(column=one, **N), f"sum({one})") for one in ("d", "l", "dec")),
    *((numbers.HasMean(column=one, **N), f"sum({one}) / count({one})") for one in ("d", "l")),
    *(
        (numbers.HasZerosCount(column=one, **N), f"CASE WHEN count({one}) > 0 THEN count(*) FILTER ({one} = 0) END")
        for one in ("d", "wild", "l", "dec")
    ),
    (numbers.HasRange(column="d", **N), "max(d) - min(d)"),
    (numbers.HasRange(column="l", **N), "max(l)::HUGEINT - min(l)::HUGEINT"),
    (numbers.HasVariance(column="d", **N), "var_pop(d)"),
    (numbers.HasStandardDeviation(column="d", **N), "stddev_pop(d)"),
    (numbers.HasKurtosis(column="d", **N), "CASE WHEN var_pop(d) = 0 THEN 0 ELSE kurtosis_pop(d) END"),
    (
        numbers.HasSkewness(column="d", **N),
        ("CASE WHEN var_pop(d) = 0 THEN 0 WHEN count(d) = 2 THEN 0"
        " ELSE skewness(d) * (count(d) - 2) / sqrt(count(d) * (count(d) - 1)) END"),
    ),
    (
        numbers.HasCorrelation(column_a="d", column_b="dec", assertion=satisfying("!= 0.123")),
        "coalesce(corr(d, dec::DOUBLE), CASE WHEN count(d + dec) > 0 THEN 'NaN'::DOUBLE END)",
    ),
    (quantiles.HasExactQuantile(column="d", quantile=Decimal("0.3"), **N), "quantile_cont(d, 0.3)"),
    (quantiles.HasInterquartileRange(column="d", **N), "quantile_cont(d, 0.75) - quantile_cont(d, 0.25)"),
    (texts.HasMinLength(column="s", **N), "min(length(s))"),
    (texts.HasMaxLength(column="s", **N), "max(length(s))"),
]  # fmt: skip


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(ROWS)
def test_another_engine_says_the_same(spark: SparkSession, rows: list[tuple[Any, ...]]) -> None:
    table = pa.table(dict(zip(ARROW.names, zip(*rows, strict=True), strict=True)), schema=ARROW)
    with duckdb.connect() as engine:
        engine.register("data", table)
        theirs = engine.execute(
            f"SELECT {', '.join(sql for _, sql in QUESTIONS)} FROM data"
        ).fetchone()
    ours = told(spark.createDataFrame(rows, COLUMNS), *(check for check, _ in QUESTIONS))
    wrong = [
        (sql, expected, got)
        for (_, sql), expected, got in zip(QUESTIONS, theirs, ours, strict=True)
        if not (got == "no_data" if expected is None else got != "no_data" and same(expected, got))
    ]
    assert not wrong
