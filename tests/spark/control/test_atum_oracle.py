"""Every measure that the real Atum gave, line by line, against ours, with ANSI on as Spark has it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from oracle.atum_differences import MEASURES as DIFFERENCES
from pyspark.sql import SparkSession

from airflow_metorikku.results.reconcile import NOT_MEASURED
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.control.measures import ControlRequest

ORACLE = Path(__file__).parents[2] / "oracle"
MEASURES = [json.loads(line) for line in (ORACLE / "atum/measures.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("data_set", ["shared", "empty"])
def test_measures_are_those_of_atum(spark: SparkSession, data_set: str) -> None:
    frame = spark.read.parquet(str(ORACLE / f"deequ/{data_set}.parquet"))
    records = [record for record in MEASURES if record["dataset"] == data_set]
    audit = Audit(
        data_set,
        controls=[
            ControlRequest(
                checkpoint="c", name=str(number), type=record["control"], column=record["column"]
            )
            for number, record in enumerate(records)
        ],
    )
    wrong = {}
    for record, got in zip(records, audit.scan(frame).measured, strict=True):
        case = (data_set, record["column"], record["control"])
        expected = (
            DIFFERENCES[case][0] if case in DIFFERENCES else record.get("value", NOT_MEASURED)
        )
        is_error = case not in DIFFERENCES and "error" in record
        if got.value.value != expected or bool(got.error) != is_error:
            wrong[case] = (expected, got.value.value, got.error)
    assert not wrong
    assert len(records) > 300


def test_every_difference_is_one(spark: SparkSession) -> None:
    known = {
        (record["dataset"], record["column"], record["control"]): record.get("value")
        for record in MEASURES
    }
    assert not [case for case, (ours, _) in DIFFERENCES.items() if known[case] == ours]
