"""What a gate makes of a result: pure, fail closed, without Airflow."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from airflow_metorikku.config.assertion import NotComparableError
from airflow_metorikku.results.findings import Finding, Judgement, NoVerdictError, judgement_of
from airflow_metorikku.results.reconcile import difference, gap
from airflow_metorikku.results.verdict import SCALE, of_constraint, of_reconciliation, worst

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from airflow_metorikku.config.assertion import Assertion
    from airflow_metorikku.results.reconcile import Expected
    from airflow_metorikku.results.records import (
        ConstraintResult,
        ConstraintStatus,
        MetricResult,
        ReconciliationResult,
        Result,
        Verdict,
    )


def require_own(result: Result, *, attempt: str | None, job: str | None, where: str) -> None:
    """Raise NoVerdictError unless the result is of this attempt and job."""
    if attempt is not None and result.attempt != attempt:
        raise NoVerdictError(
            f"{where}: got the result of attempt {result.attempt}, expected that of {attempt}"
        )
    if job is not None and result.job != job:
        raise NoVerdictError(
            f"{where}: got a result of job '{result.job}', expected one of '{job}'"
        )


def judge_data_quality(
    result: Result,
    metric: str,
    *,
    planned: Mapping[str, int] | None = None,
    thresholds: Mapping[str, Assertion] | None = None,
    where: str = "result",
) -> Judgement:
    """Judge a metric's constraints.

    :param planned: how many constraints each data frame has; without, the metric must have at least one.
    :param thresholds: constraint ids (or `dataFrame.id`) to assertions, judged anew from the values.
    :raises NoVerdictError: the result does not know the metric, or a threshold's constraint.
    """
    record = _metric(result, metric, where)
    asked = dict(thresholds or {})
    _require_known(asked, record, where)
    judged = [_judge_anew(constraint, asked) for constraint in record.constraints]
    findings = [
        *_broken(result, record),
        *(_of_constraint(c) for c in judged if of_constraint(c) != "good"),
    ]
    if record.ran and not record.error:
        findings += _missing(record, planned)
        findings += _withheld(record, judged)
    findings += _unexplained(result, record, findings)
    return judgement_of(findings)


def judge_control_measures(
    result: Result,
    metric: str,
    *,
    thresholds: Mapping[str, Expected] | None = None,
    where: str = "result",
) -> Judgement:
    """Judge the reconciliations that belong to a metric.

    :param thresholds: what is expected of `checkpoint.control`, or of a control everywhere, instead of what the job says.
    :raises NoVerdictError: the result does not know the metric, or a threshold's control.
    """
    record = _metric(result, metric, where)
    rules = [rule for rule in result.reconciliation if rule.metric == metric]
    asked = dict(thresholds or {})
    if record.ran and not record.error:
        require_controls(asked, rules, where)
    judged = [rejudged(rule, asked) for rule in rules]
    findings = [
        *_broken(result, record),
        *(of_rule(rule) for rule in judged if rule.status != "passed"),
        *_kept_back(record, rules, judged),
    ]
    if not rules and record.ran and not record.error:
        findings.append(
            _about(record, "checks", "the run reported no reconciliation, though its plan has some")
        )
    findings += _unexplained(result, record, findings)
    return judgement_of(findings)


def rejudged(
    rule: ReconciliationResult, thresholds: Mapping[str, Expected]
) -> ReconciliationResult:
    """A rule's result by a gate's own expectation, where it has one; what could not be compared stays an error."""
    expect = thresholds.get(f"{rule.checkpoint}.{rule.control}", thresholds.get(rule.control))
    if expect is None or rule.status == "error":
        return rule
    wrong = None if expect == "ignore" else difference(rule.expected, rule.actual, expect)
    message = f"{wrong} at this gate" if wrong else ""
    return replace(rule, status="failed" if wrong else "passed", message=message)


def require_controls(
    thresholds: Mapping[str, Expected], rules: Iterable[ReconciliationResult], where: str
) -> None:
    """Raise NoVerdictError for a threshold whose control was not compared."""
    known = {name for rule in rules for name in (rule.control, f"{rule.checkpoint}.{rule.control}")}
    if unknown := sorted(set(thresholds) - known):
        controls = ", ".join(sorted(name for name in known if "." in name)) or "none"
        raise NoVerdictError(
            f"{where}: thresholds: got {', '.join(unknown)}, expected controls that were compared: {controls}"
        )


def _metric(result: Result, metric: str, where: str) -> MetricResult:
    record = result.metric(metric)
    if record is None:
        known = ", ".join(m.name for m in result.metrics) or "none"
        broke = f"; the run broke: {result.error}" if result.error else ""
        raise NoVerdictError(f"{where}: no metric '{metric}' in the result, it has {known}{broke}")
    return record


def _about(record: MetricResult, what: str, message: str) -> Finding:
    return Finding(
        id=what,
        label=record.name,
        subject=f"metric {record.name}",
        level="critical",
        message=message,
    )


def _broken(result: Result, record: MetricResult) -> Iterator[Finding]:
    """The run, or the metric in it, did not come to its end: nothing that it says is a pass."""
    if record.error:
        yield _about(record, "metric", record.error)
    elif not record.ran:
        yield _about(
            record,
            "metric",
            f"did not run{f': {result.error}' if result.error else ', because an earlier metric failed'}",
        )
    elif result.error:
        yield _about(record, "run", f"the run broke: {result.error}")


def _require_known(thresholds: Mapping[str, Assertion], record: MetricResult, where: str) -> None:
    if not record.ran or record.error:
        return
    known = {name for c in record.constraints for name in (c.id, f"{c.data_frame}.{c.id}")}
    if unknown := sorted(set(thresholds) - known):
        ids = ", ".join(sorted(c.id for c in record.constraints)) or "none"
        raise NoVerdictError(
            f"{where}: thresholds: got {', '.join(unknown)}, expected ids of metric '{record.name}': {ids}"
        )


def _judge_anew(
    constraint: ConstraintResult, thresholds: Mapping[str, Assertion]
) -> ConstraintResult:
    asked = thresholds.get(
        f"{constraint.data_frame}.{constraint.id}", thresholds.get(constraint.id)
    )
    if asked is None or constraint.value is None or constraint.status not in ("passed", "failed"):
        return constraint
    try:
        status: ConstraintStatus = "passed" if asked.holds(constraint.value) else "failed"
    except (NotComparableError, ValueError) as error:
        return replace(constraint, status="error", message=f"{error}; asked at this gate")
    return replace(
        constraint,
        status=status,
        message=f"value {constraint.value}, expected {asked} at this gate",
    )


def _of_constraint(constraint: ConstraintResult) -> Finding:
    return Finding(
        id=constraint.id,
        label=constraint.data_frame,
        subject=constraint.constraint,
        level=of_constraint(constraint),
        message=constraint.message or constraint.status,
        value=constraint.value,
        rows=constraint.rows,
        failing=constraint.failing,
        sample=constraint.sample,
    )


def of_rule(rule: ReconciliationResult) -> Finding:
    """What a reconciliation that did not pass says: control, checkpoints, both values."""
    off = gap(rule.expected, rule.actual)
    message = f"expected {rule.expected or 'a value'} as at {rule.against or 'another checkpoint'}, got {rule.actual or 'no value'}"
    message += f", {off}" if off else ""
    told = rule.message == f"got {rule.actual}, expected {rule.expected}"
    return Finding(
        id=f"{rule.checkpoint}.{rule.control}",
        label=rule.data_frame,
        subject=f"{rule.control} at {rule.checkpoint}",
        level=of_reconciliation(rule),
        message=f"{message}; {rule.message}" if rule.message and not told else message,
        value=rule.actual,
    )


def _missing(record: MetricResult, planned: Mapping[str, int] | None) -> Iterator[Finding]:
    """A planned constraint without a result is not a pass; the run of a critical metric stops early, and says so itself."""
    if not record.constraints and planned != {}:
        yield _about(record, "checks", "the run reported no constraint, though its plan has some")
        return
    if worst(of_constraint(c) for c in record.constraints) == "critical":
        return
    ignored = {step.data_frame for step in record.steps if step.status == "ignored"}
    for data_frame, count in (planned or {}).items():
        got = sum(c.data_frame == data_frame for c in record.constraints)
        if got < count and data_frame not in ignored:
            text = f"the run reported {got} constraints of data frame {data_frame}, its plan has {count}"
            yield _about(record, "checks", text)


def _withheld(record: MetricResult, judged: list[ConstraintResult]) -> Iterator[Finding]:
    """A gate's threshold can forgive a value, but not publish what the run withheld for it."""
    pairs = zip(record.constraints, judged, strict=True)
    forgiven = [
        c.id
        for c, anew in pairs
        if of_constraint(c) == "critical" and of_constraint(anew) == "good"
    ]
    yield from _unpublished(record, forgiven, "change the check in the metric file")


def _kept_back(
    record: MetricResult, rules: list[ReconciliationResult], judged: list[ReconciliationResult]
) -> Iterator[Finding]:
    forgiven = [
        f"{rule.checkpoint}.{rule.control}"
        for rule, anew in zip(rules, judged, strict=True)
        if of_reconciliation(rule) == "critical" and of_reconciliation(anew) == "good"
    ]
    yield from _unpublished(record, forgiven, "change reconcile in the job file")


def _unpublished(record: MetricResult, forgiven: list[str], change: str) -> Iterator[Finding]:
    unpublished = [output.target for output in record.outputs if not output.published]
    if forgiven and unpublished:
        yield _about(
            record,
            "outputs",
            f"the threshold of this gate forgives {', '.join(forgiven)}, but the run withheld {', '.join(unpublished)} "
            f"for it; {change} and run again",
        )


def _unexplained(
    result: Result, record: MetricResult, findings: list[Finding]
) -> Iterator[Finding]:
    """The metric's own verdict is worse than all that the result tells: believe the worse."""
    told = worst(
        [
            *(of_constraint(c) for c in record.constraints),
            *(
                of_reconciliation(rule)
                for rule in result.reconciliation
                if rule.metric == record.name
            ),
            *(finding.level for finding in findings),
        ]
    )
    if SCALE.index(record.verdict) > SCALE.index(told):
        level: Verdict = (
            record.verdict if record.verdict in ("information", "warning") else "critical"
        )
        text = f"the run judged it {record.verdict}, for a reason that its result does not name"
        yield replace(_about(record, "metric", text), level=level)
