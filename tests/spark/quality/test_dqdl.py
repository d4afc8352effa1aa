"""A text of DQDL on data: each rule with its verdict, as arithmetic gives it."""

from __future__ import annotations

import pytest
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.dqdl.checks import read_dqdl
from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.results.records import ConstraintResult
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.quality.row_results import row_results


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> DataFrame:
    return spark.sql(
        "SELECT * FROM VALUES"
        " (1, 'a', 10, '5', current_timestamp() - INTERVAL 1 HOUR),"
        " (2, 'b', 20, 'x', current_timestamp() - INTERVAL 2 HOURS),"
        " (3, NULL, 30, '7', current_timestamp() - INTERVAL 50 HOURS),"
        " (4, 'dd', 0, '8', NULL)"
        " AS v(`order-id`, code, amount, text, at)"
    )


RULES: list[tuple[str, str, float | None]] = [
    ("RowCount between 3 and 5", "passed", 4),
    ("RowCount between 4 and 6", "failed", 4),
    ("RowCount in [2, 4]", "passed", 4),
    ('IsComplete "order-id"', "passed", 1),
    ('IsComplete "code"', "failed", 0.75),
    ('IsComplete "code" where "amount < 30"', "passed", 1),
    ('Completeness "code" > 0.7', "passed", 0.75),
    ('IsUnique "order-id"', "passed", 1),
    ('Uniqueness "code" "amount" = 1.0', "passed", 1),
    ('Mean "amount" not between 10 and 20', "failed", 15),
    ('Sum "amount" = 60', "passed", 60),
    ('ZerosCount "amount" <= 1', "passed", 1),
    ('Range "amount" = 30', "passed", 30),
    ("ColumnCount = 5", "passed", 5),
    ('ColumnExists "code"', "passed", 1),
    ('ColumnExists "nosuch"', "failed", 0),
    ('ColumnNamesMatchPattern "[a-z]+"', "failed", 0.8),
    ('ColumnValues "amount" >= 0', "passed", 1),
    ('ColumnValues "code" in ["a", "b"] with threshold >= 0.5', "passed", 0.5),
    ('ColumnValues "code" != "a"', "failed", 0.75),
    ('ColumnLength "code" between 0 and 3', "failed", 0.75),
    ('ColumnDataType "text" = "Integer" with threshold > 0.7', "passed", 0.75),
    ('ColumnDataType "text" != "Date"', "passed", 0),
    ('DataFreshness "at" <= 24 hours with threshold >= 0.5', "passed", 0.5),
    ('ColumnValues "at" > (now() - 3 days)', "failed", 0.75),
    ('Mean "nosuch" > 0', "error", None),
]


def test_every_rule_has_its_verdict(frame: DataFrame) -> None:
    text = "Rules = [\n" + ",\n".join(rule for rule, _, _ in RULES) + "\n]"
    checks, mistakes = read_dqdl(text, lambda line: Where(file="m.yaml", line=line))
    assert mistakes == []
    asked = constraints("t", DataQuality(dqdl=checks), "fail")
    found = Audit("t", asked).scan(frame).constraints
    got = [
        (rule, result.status, result.value)
        for (rule, _, _), result in zip(RULES, found, strict=True)
    ]
    assert got == RULES


# Rules that are joined, their verdict, and how many of their parts hold: None where too many are unknown.
JOINED: list[tuple[str, str, int | None]] = [
    ('(IsComplete "order-id") and (IsUnique "order-id")', "passed", 2),
    ('(IsComplete "code") and (IsUnique "order-id")', "failed", 1),
    ('(IsComplete "code") or (IsUnique "order-id")', "passed", 1),
    ('(IsComplete "code") or (RowCount > 4)', "failed", 0),
    ('(RowCount = 4) and ((IsComplete "code") or (Completeness "code" > 0.7))', "passed", 2),
    ('(IsComplete "code") or ((RowCount = 4) AND (ColumnCount = 6))', "failed", 0),
    # What cannot be evaluated is an error, unless the others decide.
    ('(Mean "nosuch" > 0) and (RowCount = 4)', "error", None),
    ('(Mean "nosuch" > 0) and (RowCount = 5)', "failed", 0),
    ('(Mean "nosuch" > 0) or (RowCount = 4)', "passed", 1),
    ('(Mean "nosuch" > 0) or (RowCount = 5)', "error", None),
    # And what has no data, none.
    ('(Mean "nothing" > 0) and (RowCount = 4)', "no_data", None),
    ('(Mean "nothing" > 0) or (RowCount = 4)', "passed", 1),
    ('(Mean "nothing" > 0) or (RowCount = 5)', "no_data", None),
    ('(Mean "nothing" > 0) or (Mean "nosuch" > 0)', "error", None),
    ('(RowCount = 4) and ((Mean "nosuch" > 0) or (RowCount = 5))', "error", None),
    ('(RowCount = 5) and ((Mean "nosuch" > 0) or (RowCount = 5))', "failed", 0),
]


def audited(frame: DataFrame, *rules: str) -> tuple[ConstraintResult, ...]:
    text = "Rules = [\n" + ",\n".join(rules) + "\n]"
    checks, mistakes = read_dqdl(text, lambda line: Where(file="m.yaml", line=line))
    assert mistakes == []
    asked = constraints("t", DataQuality(dqdl=checks), "fail")
    return Audit("t", asked).scan(frame).constraints


def test_joined_rules_are_one_constraint_each(frame: DataFrame) -> None:
    found = audited(
        frame.selectExpr("*", "CAST(NULL AS int) AS nothing").drop("at"),
        *(rule for rule, _, _ in JOINED),
    )
    got = [
        (rule, result.status, result.value)
        for (rule, _, _), result in zip(JOINED, found, strict=True)
    ]
    assert got == JOINED


def test_a_joined_constraint_names_the_value_of_each_part(frame: DataFrame) -> None:
    (found,) = audited(frame, '(IsComplete "code") or ((RowCount > 4) and (Mean "nosuch" > 0))')
    assert found.constraint == (
        "(isComplete(code) == 1) or ((hasSize() > 4) and (hasMean(nosuch) > 0))"
    )
    assert "isComplete(code) == 1 fails: value 0.75, expected == 1" in found.message
    assert "hasSize() > 4 fails: value 4, expected > 4" in found.message
    assert "hasMean(nosuch) > 0 is an error: could not be evaluated: " in found.message
    (broken,) = audited(frame, '(IsComplete "code") or (Mean "nosuch" > 0)')
    assert broken.message.startswith("could not be evaluated: one of its checks could not; ")


def test_joined_rules_cost_no_job_more_than_their_parts(
    spark: SparkSession, frame: DataFrame
) -> None:
    def jobs(name: str, *rules: str) -> int:
        spark.sparkContext.setJobGroup(name, name)
        audited(frame, *rules)
        spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)
        return len(spark.sparkContext.statusTracker().getJobIdsForGroup(name))

    parts = ['IsComplete "code"', 'Mean "amount" > 1', 'Uniqueness "code" = 1', "ColumnCount = 5"]
    joined = " or ".join(f"({part})" for part in parts)
    assert jobs("joined", joined, f"(RowCount > 1) and ({joined})", *parts) == jobs("apart", *parts)


def test_rows_fail_what_must_all_hold(frame: DataFrame) -> None:
    checks, _ = read_dqdl(
        'Rules = [ (IsComplete "code") and (ColumnValues "amount" > 5) and (RowCount > 1),'
        ' (IsComplete "code") or (RowCount > 1) ]',
        lambda line: Where(file="m.yaml", line=line),
    )
    asked = constraints("t", DataQuality(dqdl=checks), "fail")
    rows = row_results(frame, asked)
    (name,) = set(rows.columns) - set(frame.columns)
    assert [row[name] for row in rows.orderBy("order-id").collect()] == [True, True, False, False]
