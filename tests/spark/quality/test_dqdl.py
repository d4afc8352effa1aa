"""A text of DQDL on data: each rule with its verdict, as arithmetic gives it."""

from __future__ import annotations

import pytest
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.dqdl.checks import read_dqdl
from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.spark.audit import Audit


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
    ("RowCount between 4 and 5", "failed", 4),
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
