"""`result.json`: what is written reads back, and nothing but a whole result reads at all."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.results.records import (
    Application,
    ConstraintResult,
    MetricResult,
    Result,
    UnreadableResultError,
)
from airflow_metorikku.results.verdict import of_constraint, worst


def constraint(**given: Any) -> ConstraintResult:
    return ConstraintResult(
        **{
            "id": "c",
            "data_frame": "t",
            "check": "hasMin",
            "constraint": "hasMin(x) >= 0",
            "level": "critical",
            "status": "failed",
            "value": 9007199254740993,
            "message": "",
            "how": "scanned",
            **given,
        }
    )


def result(*constraints: ConstraintResult) -> Result:
    return Result(
        job="j",
        attempt="a",
        plan_hash="h",
        verdict="critical",
        started="2024-01-01T00:00:00Z",
        ended="2024-01-01T00:00:01Z",
        application=Application(id="app", master="local", spark="4.2.0"),
        metrics=(MetricResult(name="m", verdict="critical", seconds=1.0, constraints=constraints),),
    )


def test_round_trip_keeps_every_digit() -> None:
    whole = result(constraint(), constraint(value=0.1), constraint(value=None, status="no_data"))
    assert Result.from_json(whole.to_json()) == whole


@pytest.mark.parametrize(
    ("value", "text", "passes"),
    [
        (float("nan"), "NaN", False),
        (float("inf"), "Infinity", True),
        (float("-inf"), "-Infinity", False),
    ],
)
def test_what_json_has_no_number_for_is_a_text_that_assertions_read(
    value: float, text: str, passes: bool
) -> None:
    (read,) = Result.from_json(result(constraint(value=value)).to_json()).metrics[0].constraints
    assert read.value == text
    assert Assertion(">=", Decimal(0)).holds(text) is passes


@pytest.mark.parametrize("cut", [0, 1, 100, -1])
def test_a_cut_file_is_no_result(cut: int) -> None:
    with pytest.raises(UnreadableResultError):
        Result.from_json(result(constraint()).to_json()[:cut])


def altered(**changes: Any) -> str:
    return json.dumps(json.loads(result(constraint()).to_json()) | changes)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        "[" * 100_000,
        altered(format=2),
        altered(format=None),
        altered(verdict="fine"),
        altered(metrics=None),
        altered(metrics=[{}]),
        altered(extra=1),
        altered(attempt=3),
        altered(attempt=None),
        altered(error=True),
    ],
)
def test_anything_else_is_no_result(text: str) -> None:
    with pytest.raises(UnreadableResultError):
        Result.from_json(text)


@pytest.mark.parametrize(
    ("status", "counts", "verdict"),
    [
        ("passed", True, "good"),
        ("failed", True, "critical"),
        ("error", True, "critical"),
        ("no_data", True, "critical"),
        ("failed", False, "information"),
        ("no_data", False, "information"),
    ],
)
def test_of_constraint(status: str, *, counts: bool, verdict: str) -> None:
    assert of_constraint(constraint(status=status, counts=counts)) == verdict


def test_worst() -> None:
    assert worst([]) == "good"
    assert worst(["good", "warning", "information"]) == "warning"
    assert worst(["warning", "critical", "no_data"]) == "critical"
    assert worst(["good", "no_data"]) == "no_data"
