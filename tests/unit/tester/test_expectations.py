"""`expect` of a test against a result."""

from __future__ import annotations

from airflow_metorikku.config.records.test_settings import Expect
from airflow_metorikku.results.expectations import unmet
from airflow_metorikku.results.records import (
    CheckpointResult,
    ConstraintResult,
    ControlValue,
    MetricResult,
    ReconciliationResult,
    Result,
)

CONSTRAINT = ConstraintResult(
    id="isComplete.id", data_frame="t", check="c", constraint="isComplete(id)", level="critical",
    status="failed", value=0.5, message="1 of 2 rows", how="scanned",
)  # fmt: skip
RULE = ReconciliationResult(
    checkpoint="End", against="Start", control="recordCount", expected="3", actual="2",
    metric="m", data_frame="t", level="critical", status="failed",
)  # fmt: skip


def result(**changes) -> Result:
    given = {
        "job": "a_test", "attempt": "", "plan_hash": "", "verdict": "critical", "started": "", "ended": "",
        "application": None,
        "metrics": (MetricResult(name="m", verdict="critical", seconds=0, constraints=(CONSTRAINT,)),),
        "checkpoints": (
            CheckpointResult(
                name="End",
                controls=(ControlValue(name="recordCount", type="count", column="*", value="2"),),
            ),
        ),
        "reconciliation": (RULE,),
    }  # fmt: skip
    return Result(**{**given, **changes})


def test_all_as_expected():
    expect = Expect(
        verdict="critical",
        metrics={"m": "critical"},
        constraints={"isComplete.id": "failed", "t.isComplete.id": "failed"},
        checkpoints={"End": {"recordCount": "2"}},
        reconciliation={"End": {"recordCount": "failed"}},
    )
    assert list(unmet(expect, result())) == []


def test_each_thing_that_is_not_as_expected_is_told():
    expect = Expect(
        verdict="good",
        metrics={"m": "good", "n": "good"},
        constraints={"isComplete.id": "passed", "isComplete.idd": "passed"},
        checkpoints={"End": {"recordCount": "3", "other": "1"}, "Start": {}},
        reconciliation={"End": {"recordCount": "passed", "x": "passed"}, "Middle": {}},
    )
    told = list(unmet(expect, result()))
    assert len(told) == 11
    assert told[0] == "expect.verdict: got critical, expected good"
    assert "did you mean 'isComplete.id'" in "\n".join(told)
    assert any("got failed, value 0.5 (1 of 2 rows), expected passed" in one for one in told)
    assert any("Start 3, End 2" in one for one in told)


def test_a_run_that_broke_is_told_unless_it_should():
    broke = result(error="step 't': no such column")
    assert list(unmet(None, broke)) == ["step 't': no such column"]
    assert list(unmet(Expect(error="no such column"), broke)) == []
    assert len(list(unmet(Expect(error="something else"), broke))) == 1
    assert len(list(unmet(Expect(error="no such column"), result()))) == 1
