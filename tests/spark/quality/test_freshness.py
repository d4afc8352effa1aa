"""How new the rows are, whatever type the times have and whatever zone the session is in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from asked_checks import asked, satisfying, scan
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.records.checks.freshness import HasFreshness
from airflow_metorikku.spark.audit import Audit


@pytest.fixture(params=["UTC", "America/New_York"])
def frame(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[DataFrame]:
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", request.param)
    yield spark.sql(
        "SELECT * FROM VALUES"
        " (TIMESTAMP'2026-01-01 06:00:00Z', TIMESTAMP_NTZ'2026-01-01 06:00:00', DATE'2026-01-01', 'x'),"
        " (TIMESTAMP'2025-12-31 06:00:00Z', TIMESTAMP_NTZ'2025-12-31 06:00:00', DATE'2025-12-31', NULL),"
        " (TIMESTAMP'9999-12-31 00:00:00Z', TIMESTAMP_NTZ'9999-12-31 00:00:00', DATE'9999-12-31', NULL),"
        " (NULL, NULL, NULL, NULL) AS v(instant, local, day, text)"
    )
    spark.conf.set("spark.sql.session.timeZone", before)


def fresh(column: str, **other: str) -> HasFreshness:
    return HasFreshness(column=column, assertion=satisfying("<= 24"), **other)


def test_the_age_of_the_newest_row_that_is_not_in_the_future(frame: DataFrame) -> None:
    now = "2026-01-01T12:30:00"
    results = scan(
        frame,
        fresh("instant", id="utc", now=now),
        fresh("instant", id="zone of now", now=now, zone="Africa/Johannesburg"),
        fresh("instant", id="offset", now=f"{now}+02:00", zone="Asia/Tokyo"),
        fresh("local", id="local", now=now),
        fresh("local", id="local elsewhere", now=f"{now}Z", zone="Africa/Johannesburg"),
        fresh("day", id="day", now=now),
        fresh("day", id="day in minutes", now=now, unit="minutes"),
        fresh("instant", id="old", now="2026-02-01T06:00:00", unit="days"),
    )
    assert {id_: result.value for id_, result in results.items()} == {
        "utc": 6.5,
        "zone of now": 4.5,
        "offset": 4.5,
        "local": 6.5,
        "local elsewhere": 8.5,
        "day": 12.5,
        "day in minutes": 750,
        "old": 31,
    }
    assert results["old"].status == "failed"


def test_nothing_before_now_is_no_data_and_a_text_is_no_time(frame: DataFrame) -> None:
    results = scan(
        frame,
        fresh("instant", id="all later", now="2020-01-01T00:00:00"),
        fresh("instant", id="all null", where_="day IS NULL"),
        fresh("text", id="text"),
    )
    assert [result.status for result in results.values()] == ["no_data", "no_data", "error"]
    assert "expected a timestamp or a date" in results["text"].message


def test_now_is_the_moment_of_the_run_where_none_is_given(spark: SparkSession) -> None:
    made = datetime.now(UTC) - timedelta(hours=2)
    frame = spark.range(1).selectExpr(f"TIMESTAMP'{made.isoformat()}' AS made")
    (result,) = Audit("t", asked(fresh("made"))).scan(frame).constraints
    assert result.value == pytest.approx(2, abs=0.1)
