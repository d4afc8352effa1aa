"""Every measure that the real Atum gave, line by line, against ours, with ANSI on as Spark has it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from airflow_metorikku.results.reconcile import NOT_MEASURED
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.control.measures import ControlRequest

ORACLE = Path(__file__).parents[2] / "oracle"
MEASURES = [json.loads(line) for line in (ORACLE / "atum/measures.jsonl").read_text().splitlines()]

WRAPS = "Atum sums truncated values in 64 bits, which wrap; ours are exact"
NARROW = "Atum's abs keeps the column's type, in which the smallest number has no positive; ours widens first"
SATURATES = "Atum takes an infinite number for the largest of 64 bits; ours is not finite, as the total itself"
CASTS = (
    "Atum's own bug: truncated totals of texts end in a ClassCastException; ours truncates and sums"
)
TOTALS = ("aggregatedTruncTotal", "absAggregatedTruncTotal")
# (data set, column, control): what ours is, and why. Values by hand from the data, see each reason.
DIFFERENCES: dict[tuple[str, str, str], tuple[str, str]] = {
    ("shared", "i", "absAggregatedTotal"): ("4294967551", NARROW),
    ("shared", "lwrap", "aggregatedTruncTotal"): ("110680464442257309690", WRAPS),
    ("shared", "lwrap", "absAggregatedTruncTotal"): ("110680464442257309690", WRAPS),
    ("shared", "dinf", "aggregatedTruncTotal"): ("NaN", SATURATES),
    ("shared", "dinf", "absAggregatedTruncTotal"): ("Infinity", SATURATES),
    # 12345678901234567890 and 14 more: -6101065172474983712 is that less 2^64.
    ("shared", "dec", "aggregatedTruncTotal"): ("12345678901234567904", WRAPS),
    ("shared", "dec", "absAggregatedTruncTotal"): ("12345678901234567904", WRAPS),
    # Without fractions, the truncated total is Atum's own total.
    ("shared", "s_int", "aggregatedTruncTotal"): ("37037036703703703697", CASTS),
    ("shared", "s_int", "absAggregatedTruncTotal"): ("37037036703703703709", CASTS),
    ("shared", "s_boolint", "aggregatedTruncTotal"): ("5", CASTS),
    ("shared", "s_boolint", "absAggregatedTruncTotal"): ("5", CASTS),
    ("shared", "ssn", "aggregatedTruncTotal"): ("1642710168", CASTS),
    ("shared", "ssn", "absAggregatedTruncTotal"): ("1642710168", CASTS),
    ("shared", "card", "aggregatedTruncTotal"): ("86229751107110110", CASTS),
    ("shared", "card", "absAggregatedTruncTotal"): ("86229751107110110", CASTS),
    ("shared", "s_frac", "aggregatedTruncTotal"): ("75000300006", CASTS),
    ("shared", "s_frac", "absAggregatedTruncTotal"): ("75000300018", CASTS),
    ("shared", "s_num", "aggregatedTruncTotal"): ("-8", CASTS),
    ("shared", "s_num", "absAggregatedTruncTotal"): ("48", CASTS),
    ("shared", "s_odd", "aggregatedTruncTotal"): ("100011", CASTS),
    ("shared", "s_odd", "absAggregatedTruncTotal"): ("100011", CASTS),
}


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
