"""Outputs of the rows that pass and of those that fail: what goes where, and when nothing goes anywhere."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from made_runs import Run, dq, metric, output, rows, step
from pyspark.sql import SparkSession

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.checks.keys import IsUnique
from airflow_metorikku.config.records.checks.numbers import HasMean
from airflow_metorikku.config.records.checks.rows import HasCompleteness, IsComplete, Satisfies
from airflow_metorikku.config.records.metric import Output

ORDERS = (
    "SELECT * FROM VALUES (1, 'a', 5), (2, NULL, 5), (3, 'c', -1), (4, 'd', 7), (4, NULL, -2)"
    " AS v(id, customer, amount)"
)
CHECKS = (
    IsComplete(column="customer", id="customer"),
    Satisfies(predicate="amount > 0", id="amount"),
    IsUnique(column="id", id="id"),
    HasMean(column="amount", assertion=Assertion.from_text("> 0"), id="mean"),
)


def parts(kind: str = "Parquet", **more: Any) -> tuple[Output, Output]:
    return (
        output("t", "good", kind, rows="passed", save_mode="overwrite", **more),
        output("t", "bad", kind, rows="failed", save_mode="overwrite", **more),
    )


def json_rows(folder: Path) -> list[dict[str, Any]]:
    lines = [line for part in folder.glob("part-*") for line in part.read_text().splitlines()]
    return sorted((json.loads(line) for line in lines), key=str)


@pytest.mark.parametrize("whole", [(), (output("t", "all"),), (output("t", "all", "CSV"),)])
def test_every_row_is_in_one_of_two_outputs(
    run: Run, spark: SparkSession, tmp_path: Path, whole: tuple[Output, ...]
) -> None:
    result = run(metric(step("t", ORDERS, dq=dq("warn", *CHECKS)), out=(*parts(), *whole)))
    assert (result.verdict, result.error) == ("warning", None)
    assert rows(spark, tmp_path / "good") == [(1, "a", 5)]
    assert rows(spark, tmp_path / "bad") == [
        (2, None, 5, ["customer"]),
        (3, "c", -1, ["amount"]),
        (4, None, -2, ["customer", "amount", "id"]),
        (4, "d", 7, ["id"]),
    ]
    made = result.metrics[0]
    assert [(one.rows, one.published) for one in made.outputs][:2] == [(1, True), (4, True)]
    assert {one.id: one.value for one in made.constraints} == {
        "customer": 0.6, "amount": 0.6, "id": 0.6, "mean": 2.8,
    }  # fmt: skip
    assert sorted(os.listdir(tmp_path)) == sorted(["good", "bad", *(["all"] if whole else [])])


def test_rows_that_a_random_step_makes_are_made_once(
    run: Run, spark: SparkSession, tmp_path: Path
) -> None:
    sql = "SELECT id, rand() AS r FROM range(2000)"
    checks = dq("warn", Satisfies(predicate="r < 0.5", id="small"))
    result = run(metric(step("t", sql, dq=checks), out=parts()))
    good, bad = (rows(spark, tmp_path / name) for name in ("good", "bad"))
    assert sorted(row[0] for row in [*good, *bad]) == list(range(2000))
    assert all(row[1] < 0.5 for row in good)
    assert all(row[1] >= 0.5 for row in bad)
    assert result.metrics[0].constraints[0].value == pytest.approx(len(good) / 2000)


def test_an_error_withholds_both(run: Run, tmp_path: Path) -> None:
    result = run(metric(step("t", ORDERS, dq=dq("error", *CHECKS)), out=parts()))
    assert result.verdict == "critical"
    assert os.listdir(tmp_path) == []


def test_rows_at_warn_and_a_bound_on_how_many_at_error(
    run: Run, spark: SparkSession, tmp_path: Path
) -> None:
    def go(least: str) -> str:
        enough = HasCompleteness(
            column="customer", assertion=Assertion.from_text(f">= {least}"), level="error"
        )
        checks = dq("warn", *CHECKS, enough)
        return run(metric(step("t", ORDERS, dq=checks), out=parts())).verdict

    assert (go("0.7"), os.listdir(tmp_path)) == ("critical", [])
    assert (go("0.5"), sorted(os.listdir(tmp_path))) == ("warning", ["bad", "good"])
    assert rows(spark, tmp_path / "good") == [(1, "a", 5)]


@pytest.mark.parametrize(
    ("sql", "good", "bad"),
    [
        ("SELECT 1 AS id, 'a' AS customer, 2 AS amount", 1, 0),
        ("SELECT 1 AS id, NULL AS customer, 2 AS amount", 0, 1),
    ],
)
def test_a_part_without_rows_replaces_what_was_there(
    run: Run, spark: SparkSession, tmp_path: Path, sql: str, good: int, bad: int
) -> None:
    run(metric(step("t", ORDERS, dq=dq("warn", *CHECKS)), out=parts()))
    sql = sql.replace("NULL", "CAST(NULL AS STRING)")
    run(metric(step("t", sql, dq=dq("warn", *CHECKS)), out=parts()), run_id="r2")
    assert spark.read.parquet(f"{tmp_path}/good").count() == good
    found = spark.read.parquet(f"{tmp_path}/bad")
    assert (found.count(), found.columns[-1]) == (bad, "failedChecks")


def test_no_rows_at_all(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    checks = dq("warn", *CHECKS[:3])
    result = run(metric(step("t", f"{ORDERS} WHERE id > 9", dq=checks), out=parts()))
    assert (result.verdict, {one.status for one in result.metrics[0].constraints}) == (
        "warning",
        {"no_data"},
    )
    assert spark.read.parquet(f"{tmp_path}/good").count() == 0
    assert spark.read.parquet(f"{tmp_path}/bad").count() == 0


def test_protection_from_an_empty_part(run: Run, tmp_path: Path) -> None:
    good, bad = parts(protect_from_empty_output=True)
    sql = "SELECT 1 AS id, 'a' AS customer, 2 AS amount"
    result = run(metric(step("t", sql, dq=dq("warn", *CHECKS)), out=(good, bad)))
    assert "empty dataframe output is not allowed" in (result.metrics[0].error or "")
    assert os.listdir(tmp_path) == []


def test_no_row_passes_a_check_that_cannot_be_evaluated(
    run: Run, spark: SparkSession, tmp_path: Path
) -> None:
    sql = "SELECT id, 1 AS one FROM range(3)"
    checks = dq(
        "warn",
        IsComplete(column="nosuch", id="gone"),
        Satisfies(predicate="one / (id - 1) > 0", id="divided"),
        HasMean(column="nosuch", assertion=Assertion.from_text("> 0"), id="mean"),
    )
    run(metric(step("t", sql, dq=checks), out=parts(), name="m"))
    assert rows(spark, tmp_path / "good") == []
    failed = {"gone", "divided"} if spark.conf.get("spark.sql.ansi.enabled") == "true" else {"gone"}
    assert all(failed <= set(row[2]) for row in rows(spark, tmp_path / "bad"))
    assert len(rows(spark, tmp_path / "bad")) == 3


def test_partitions_and_other_formats(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    checks = dq("warn", *CHECKS)
    good = output("t", "good", "File", rows="passed", format="orc", partition_by=("amount",))
    bad = output("t", "bad", "CSV", rows="failed")
    as_json = output("t", "json", "JSON", rows="failed", partition_by=("customer",))
    run(metric(step("t", ORDERS, dq=checks), out=(good, bad, as_json)))
    assert [name for name in os.listdir(tmp_path / "good") if "=" in name] == ["amount=5"]
    assert ("4", None, "-2", "customer, amount, id") in rows(spark, tmp_path / "bad", "csv")
    assert json_rows(tmp_path / "json/customer=c") == [
        {"id": 3, "amount": -1, "failedChecks": ["amount"]}
    ]


def test_dynamic_partitions_leave_the_others(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    good, bad = parts(partition_by=("id",), partition_overwrite="dynamic")
    checks = dq("warn", CHECKS[0])
    run(metric(step("t", ORDERS, dq=checks), out=(good, bad)))
    run(metric(step("t", f"{ORDERS} WHERE id = 3", dq=checks), out=(good, bad)), run_id="r2")
    assert sorted(row[-1] for row in rows(spark, tmp_path / "good")) == [1, 3, 4]


def test_a_name_that_is_taken(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    sql = "SELECT id, 'mine' AS FailedChecks FROM range(2)"
    checks = dq("warn", Satisfies(predicate="id > 0", id="positive"))
    run(metric(step("t", sql, dq=checks), out=parts()))
    assert spark.read.parquet(f"{tmp_path}/bad").columns == ["id", "FailedChecks", "_failedChecks"]
    assert spark.read.parquet(f"{tmp_path}/good").columns == ["id", "FailedChecks"]


def test_a_frame_that_is_replaced_after_its_checks(run: Run, tmp_path: Path) -> None:
    result = run(
        metric(
            step("t", ORDERS, dq=dq("warn", *CHECKS)),
            step("t", "SELECT id FROM t"),
            out=parts(),
        )
    )
    assert "was replaced after its checks" in (result.metrics[0].error or "")
    assert os.listdir(tmp_path) == []


def test_checks_that_the_job_ignores_fail_no_row(
    run: Run, spark: SparkSession, tmp_path: Path
) -> None:
    run(
        metric(step("t", ORDERS, dq=dq("error", *CHECKS)), out=parts()),
        ignore_deequ_validations=True,
    )
    assert len(rows(spark, tmp_path / "good")) == 5
    assert rows(spark, tmp_path / "bad") == []


def test_what_an_assertion_tolerates_is_published(
    run: Run, spark: SparkSession, tmp_path: Path
) -> None:
    def go(least: str) -> tuple[int, int]:
        share = HasCompleteness(column="customer", assertion=Assertion.from_text(f">= {least}"))
        run(metric(step("t", ORDERS, dq=dq("warn", share)), out=parts()), run_id=f"r{least}")
        return len(rows(spark, tmp_path / "good")), len(rows(spark, tmp_path / "bad"))

    assert go("0.6") == (5, 0)
    assert go("0.7") == (3, 2)


def test_a_check_under_a_condition_fails_no_row_outside_of_it(
    run: Run, spark: SparkSession, tmp_path: Path
) -> None:
    checks = dq("warn", IsComplete(column="customer", where_="amount > 0", id="paid"))
    run(metric(step("t", ORDERS, dq=checks), out=parts()))
    assert [row[0] for row in rows(spark, tmp_path / "bad")] == [2]
