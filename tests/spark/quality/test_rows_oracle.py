"""What the real Deequ said of row, number and text checks and their analyzers, record by record, against ours."""

from __future__ import annotations

import pytest
from deequ_oracle import Difference, records, wrong_checks, wrong_values
from pyspark.sql import SparkSession

CHECKS = records("checks_more.jsonl")
ANALYZERS = records("analyzers_more.jsonl")
DIFFERENCES: list[Difference] = []
VALUE_DIFFERENCES: list[Difference] = []


@pytest.mark.usefixtures("ansi")
@pytest.mark.parametrize("data_set", ["shared", "empty"])
def test_checks_are_those_of_deequ(spark: SparkSession, data_set: str) -> None:
    mine = [one for one in CHECKS if one["dataset"] == data_set and one.get("assertion") != "raise"]
    wrong = wrong_checks(spark, mine, data_set, DIFFERENCES)
    assert not wrong, "\n".join(wrong)


@pytest.mark.usefixtures("ansi")
@pytest.mark.parametrize("data_set", ["shared", "shared_single", "empty"])
def test_values_are_those_of_deequ(spark: SparkSession, data_set: str) -> None:
    mine = [one for one in ANALYZERS if one["dataset"] == data_set]
    wrong = wrong_values(spark, mine, data_set, VALUE_DIFFERENCES)
    assert not wrong, "\n".join(wrong)
