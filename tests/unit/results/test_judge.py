"""What a gate makes of a result: nothing but a whole, own, good result is a pass."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.results.findings import LONGEST, Finding, NoVerdictError, listed
from airflow_metorikku.results.judge import judge_control_measures, judge_data_quality, require_own
from airflow_metorikku.results.records import (
    ConstraintResult,
    MetricResult,
    OutputResult,
    ReconciliationResult,
    Result,
    StepResult,
)


def constraint(**given: Any) -> ConstraintResult:
    return ConstraintResult(
        **{
            "id": "v_complete",
            "data_frame": "t",
            "check": "isComplete",
            "constraint": "isComplete(v) == 1",
            "level": "critical",
            "status": "passed",
            "value": 1.0,
            "message": "",
            "how": "scanned",
            **given,
        }
    )


def metric(*constraints: ConstraintResult, **given: Any) -> MetricResult:
    return MetricResult(
        **{"name": "m", "verdict": "good", "seconds": 1.0, "constraints": constraints, **given}
    )


def result(*metrics: MetricResult, **given: Any) -> Result:
    return Result(
        **{
            "job": "job",
            "attempt": "a",
            "plan_hash": "h",
            "verdict": "good",
            "started": "2026-01-01T00:00:00Z",
            "ended": "2026-01-01T00:00:01Z",
            "application": None,
            "metrics": metrics,
            **given,
        }
    )


def rule(**given: Any) -> ReconciliationResult:
    return ReconciliationResult(
        **{
            "checkpoint": "Enriched",
            "against": "Loaded",
            "control": "recordCount",
            "expected": "100",
            "actual": "100",
            "metric": "m",
            "data_frame": "t",
            "level": "critical",
            "status": "passed",
            **given,
        }
    )


def test_all_passed_is_good():
    assert judge_data_quality(result(metric(constraint())), "m", planned={"t": 1}).verdict == "good"


@pytest.mark.parametrize(
    ("status", "level", "counts", "verdict"),
    [
        ("failed", "critical", True, "critical"),
        ("failed", "warning", True, "warning"),
        ("error", "critical", True, "critical"),
        ("no_data", "critical", True, "critical"),
        ("no_data", "warning", True, "warning"),
        ("no_data", "critical", False, "information"),
        ("failed", "critical", False, "information"),
    ],
)
def test_what_did_not_pass_counts_at_its_own_level(status, level, counts, verdict):
    judged = judge_data_quality(
        result(metric(constraint(status=status, level=level, counts=counts, value=None))), "m"
    )
    assert judged.verdict == verdict
    assert [finding.id for finding in judged.findings] == ["v_complete"]


@pytest.mark.parametrize(
    ("broken", "says", "verdict"),
    [
        (metric(constraint(), ran=False), "did not run", "critical"),
        (metric(ran=False, verdict="no_data"), "did not run", "critical"),
        (metric(constraint(), error="step t: no such table"), "no such table", "critical"),
        (metric(), "no constraint", "critical"),
        (
            metric(constraint(), verdict="critical"),
            "a reason that its result does not name",
            "critical",
        ),
        (
            metric(constraint(), verdict="no_data"),
            "a reason that its result does not name",
            "critical",
        ),
        (
            metric(constraint(), verdict="warning"),
            "a reason that its result does not name",
            "warning",
        ),
    ],
)
def test_a_metric_that_did_not_come_to_its_end_is_no_pass(broken, says, verdict):
    judged = judge_data_quality(result(broken), "m", planned={"t": 1})
    assert judged.verdict == verdict
    assert says in listed(judged.findings)


def test_a_run_that_broke_is_no_pass_for_any_metric():
    judged = judge_data_quality(result(metric(constraint()), error="Spark was killed"), "m")
    assert judged.verdict == "critical"
    assert "Spark was killed" in listed(judged.findings)


def test_a_planned_constraint_without_a_result_is_no_pass():
    judged = judge_data_quality(result(metric(constraint())), "m", planned={"t": 1, "u": 2})
    assert judged.verdict == "critical"
    assert "0 constraints of data frame u, its plan has 2" in listed(judged.findings)


def test_a_step_that_may_fail_needs_no_constraints():
    ignored = StepResult(data_frame="u", status="ignored", seconds=0.1, error="x")
    assert (
        judge_data_quality(
            result(metric(constraint(), steps=(ignored,))), "m", planned={"t": 1, "u": 2}
        ).verdict
        == "good"
    )


def test_the_constraints_behind_a_critical_one_need_no_result():
    failed = metric(constraint(status="failed", value=0.5), verdict="critical")
    assert [
        f.id for f in judge_data_quality(result(failed), "m", planned={"t": 1, "u": 1}).findings
    ] == ["v_complete"]


def test_an_unknown_metric_is_no_verdict():
    with pytest.raises(NoVerdictError, match="no metric 'other' in the result, it has m"):
        judge_data_quality(result(metric(constraint())), "other")


@pytest.mark.parametrize(("attempt", "job"), [("b", "job"), ("a", "other")])
def test_a_foreign_result_is_no_verdict(attempt, job):
    with pytest.raises(NoVerdictError, match="expected"):
        require_own(result(metric(constraint())), attempt=attempt, job=job, where="x")


@pytest.mark.parametrize("name", ["v_complete", "t.v_complete"])
@pytest.mark.parametrize(
    ("value", "text", "verdict"),
    [
        (0.9, ">= 0.95", "critical"),
        (0.97, ">= 0.95", "good"),
        (0.95, ">= 0.95", "good"),
        ("Infinity", "<= 10", "critical"),
    ],
)
def test_thresholds_judge_the_value_anew(name, value, text, verdict):
    given = result(metric(constraint(status="failed", value=value), verdict="critical"))
    judged = judge_data_quality(given, "m", thresholds={name: Assertion.from_text(text)})
    assert judged.verdict == verdict


def test_a_threshold_may_be_stricter_than_the_file():
    judged = judge_data_quality(
        result(metric(constraint(value=0.99))),
        "m",
        thresholds={"v_complete": Assertion("==", Decimal(1))},
    )
    assert judged.verdict == "critical"
    assert "value 0.99, expected == 1 at this gate" in listed(judged.findings)


@pytest.mark.parametrize("status", ["no_data", "error"])
def test_a_threshold_does_not_forgive_what_has_no_value(status):
    given = result(metric(constraint(status=status, value=None), verdict="critical"))
    assert (
        judge_data_quality(
            given, "m", thresholds={"v_complete": Assertion(">=", Decimal(0))}
        ).verdict
        == "critical"
    )


def test_a_threshold_cannot_publish_what_the_run_withheld():
    withheld = OutputResult(data_frame="t", type="Parquet", target="/out", rows=1, published=False)
    given = result(
        metric(constraint(status="failed", value=0.9), verdict="critical", outputs=(withheld,))
    )
    judged = judge_data_quality(
        given, "m", thresholds={"v_complete": Assertion(">=", Decimal("0.5"))}
    )
    assert judged.verdict == "critical"
    assert "withheld /out" in listed(judged.findings)


def test_a_threshold_of_no_constraint_is_no_verdict():
    with pytest.raises(
        NoVerdictError, match="got v_compleet, expected ids of metric 'm': v_complete"
    ):
        judge_data_quality(
            result(metric(constraint())),
            "m",
            thresholds={"v_compleet": Assertion("==", Decimal(1))},
        )


@pytest.mark.parametrize(
    ("rules", "verdict"),
    [
        ((rule(),), "good"),
        ((rule(), rule(status="failed", actual="99")), "critical"),
        ((rule(status="failed", level="warning"),), "warning"),
        ((rule(status="error", message="no such column"),), "critical"),
        ((), "critical"),
        ((rule(metric="other"),), "critical"),
    ],
)
def test_reconciliations_of_the_metric_are_judged(rules, verdict):
    assert judge_control_measures(result(metric(), reconciliation=rules), "m").verdict == verdict


def test_the_gates_do_not_answer_for_each_other():
    both = result(
        metric(constraint(), verdict="critical"),
        reconciliation=(rule(status="failed", actual="99"),),
    )
    assert judge_data_quality(both, "m").verdict == "good"
    assert judge_control_measures(both, "m").verdict == "critical"
    other_way = result(
        metric(constraint(status="failed"), verdict="critical"), reconciliation=(rule(),)
    )
    assert judge_control_measures(other_way, "m").verdict == "good"


def test_texts_are_bounded():
    findings = [
        Finding(
            id=f"c{n}",
            label="t",
            subject="isComplete(v) == 1",
            level="critical",
            message="x" * 5000,
        )
        for n in range(500)
    ]
    text = listed(findings)
    assert text.endswith("and 490 more, see the result")
    assert max(map(len, text.splitlines())) <= LONGEST
