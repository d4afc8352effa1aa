"""Waimak's four checks on data: values and verdicts by arithmetic; recency by kinds of columns and zones."""

from __future__ import annotations

from decimal import Decimal

import pytest

from airflow_metorikku.config.records.checks.waimak import (
    CompletenessCheck,
    GenericSqlCheck,
    RecentTimestampCheck,
    UniquenessCheck,
)
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.spark.audit import Audit

ROWS = "VALUES (1, 'a', 'x'), (2, NULL, 'x'), (3, 'c', NULL), (4, 'd', 'y'), (5, 'e', 'y')"


def audited(frame, *checks):
    asked = constraints("t", DataQuality(checks=checks), "fail")
    return {one.id: one for one in Audit("t", asked).scan(frame).constraints}


def test_thresholds_are_inclusive_and_a_failure_has_the_hint(spark):
    frame = spark.sql(f"SELECT * FROM {ROWS} AS t(id, name, side)")
    got = audited(
        frame,
        CompletenessCheck(
            columns=("name", "side"),
            warning_threshold=Decimal("0.81"),
            critical_threshold=Decimal("0.8"),
        ),
        UniquenessCheck(columns=("side",), critical_threshold=Decimal("0.2")),
    )
    assert {id_: (one.status, one.value, one.level) for id_, one in got.items()} == {
        "completenessCheck.name.warning": ("failed", 0.8, "warning"),
        "completenessCheck.name.critical": ("passed", 0.8, "critical"),
        "completenessCheck.side.warning": ("failed", 0.8, "warning"),
        "completenessCheck.side.critical": ("passed", 0.8, "critical"),
        # x, x, null, y, y: no key occurs once among four rows with one.
        "uniquenessCheck.side.warning": ("failed", 0.0, "warning"),
        "uniquenessCheck.side.critical": ("failed", 0.0, "critical"),
    }
    assert got["completenessCheck.name.warning"].message.endswith(
        "; Less than 81.0% of name values were complete."
    )


def test_a_predicate_that_is_null_in_a_row_does_not_hold_there(spark):
    frame = spark.sql(f"SELECT * FROM {ROWS} AS t(id, name, side)")
    got = audited(
        frame, GenericSqlCheck(warning_checks=("name != 'z'",), critical_checks=("id > 0",))
    )
    assert sorted((one.level, one.status, one.value) for one in got.values()) == [
        ("critical", "passed", 1.0),
        ("warning", "failed", 0.8),
    ]


COLUMNS = {
    "instant": "TIMESTAMP'{} UTC'",
    "local": "TIMESTAMP_NTZ'{}'",
    "text": "'{} UTC'",
}


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize(("at", "status"), [("06:00:00", "passed"), ("05:59:59.999999", "failed")])
def test_the_bound_itself_is_recent(spark, kind, at, status):
    frame = spark.sql(f"SELECT {COLUMNS[kind].format(f'2026-03-29 {at}')} AS `at x`")
    check = RecentTimestampCheck(column="at x", now_override="2026-03-29 12:00:00", zone="UTC")
    (one,) = audited(frame, check).values()
    assert (one.status, one.value) == (status, 1 if status == "passed" else 0)


def test_a_local_column_is_of_the_checks_zone_and_a_date_of_its_day(spark):
    frame = spark.sql("SELECT TIMESTAMP_NTZ'2026-01-01 12:00:00' AS local, DATE'2026-01-01' AS day")
    now = "2026-01-01T17:30:00Z"  # 18:30 in Amsterdam, 12:30 there is six hours before
    got = audited(
        frame,
        RecentTimestampCheck(id="utc", column="local", now_override=now, zone="UTC"),
        RecentTimestampCheck(id="ams", column="local", now_override=now, zone="Europe/Amsterdam"),
        RecentTimestampCheck(id="day", column="day", now_override=now, zone="UTC"),
        RecentTimestampCheck(
            id="next", column="day", now_override="2026-01-02T06:00:00Z", zone="UTC"
        ),
    )
    assert {id_: one.status for id_, one in got.items()} == {
        "utc": "passed", "ams": "failed", "day": "passed", "next": "failed",
    }  # fmt: skip


def test_without_an_override_now_is_the_clock(spark):
    frame = spark.sql(
        "SELECT current_timestamp() AS fresh, current_timestamp() - INTERVAL 2 HOURS AS old"
    )
    got = audited(
        frame,
        RecentTimestampCheck(column="fresh", hours_to_look_back=1),
        RecentTimestampCheck(column="old", hours_to_look_back=1),
    )
    assert [one.status for one in got.values()] == ["passed", "failed"]


def test_nothing_recent_can_be_said_of_no_rows_nulls_and_numbers(spark):
    check = RecentTimestampCheck(column="at", now_override="2026-01-01 00:00:00")
    (empty,) = audited(
        spark.sql("SELECT TIMESTAMP'2026-01-01 00:00:00' AS at WHERE false"), check
    ).values()
    assert (empty.status, empty.counts) == ("no_data", True)
    (null,) = audited(spark.sql("SELECT CAST(NULL AS TIMESTAMP) AS at"), check).values()
    assert (null.status, null.value) == ("failed", 0)
    assert null.message == "value 0, expected > 0; No new data in the last 6 hours."
    (text,) = audited(spark.sql("SELECT 'no time' AS at"), check).values()
    assert (text.status, text.value) == ("failed", 0)
    (number,) = audited(spark.sql("SELECT 1 AS at"), check).values()
    assert number.status == "error"
    assert "column 'at' is int, expected a timestamp" in number.message
    nobody = RecentTimestampCheck(column="at", where_="false", now_override="2026-01-01 00:00:00")
    (filtered,) = audited(spark.sql("SELECT TIMESTAMP'2026-01-01 00:00:00' AS at"), nobody).values()
    assert filtered.status == "failed"
