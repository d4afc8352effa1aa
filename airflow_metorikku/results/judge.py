"""What a gate makes of a result: pure, fail closed, without Airflow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from airflow_metorikku.config.assertion import NotComparableError
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.results.records import (
    ConstraintResult,
    ConstraintStatus,
    MetricResult,
    ReconciliationResult,
    Result,
    Verdict,
)
from airflow_metorikku.results.verdict import SCALE, of_constraint, of_reconciliation, worst

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from airflow_metorikku.config.assertion import Assertion

MOST_NAMED = 10
LONGEST = 300


class NoVerdictError(MetorikkuError):
    """There is no verdict of this attempt on this metric; a gate stays shut."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is not good, for texts and alerts."""

    id: str
    """Constraint id, `checkpoint.control`, or what broke: `run`, `metric`, `checks`, `gate`."""
    label: str
    """Data frame, or the metric or job where no data frame is concerned."""
    subject: str
    """What was asked, as `isComplete(v) == 1`."""
    level: Verdict
    message: str
    value: float | int | str | None = None

    def __str__(self) -> str:
        value = (
            "" if self.value is None or str(self.value) in self.message else f"value {self.value}; "
        )
        text = " ".join(f"{self.subject} : {value}{self.message}".split())
        named = f"{text} (id {self.id})" if self.id not in text else text
        return named if len(named) <= LONGEST else f"{named[: LONGEST - 1]}…"


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """The verdict of one gate, with everything that is not good."""

    verdict: Verdict
    findings: tuple[Finding, ...] = ()

    def at(self, levels: Iterable[Verdict]) -> tuple[Finding, ...]:
        """The findings of some levels."""
        wanted = frozenset(levels)
        return tuple(finding for finding in self.findings if finding.level in wanted)


def listed(findings: Iterable[Finding]) -> str:
    """A line a finding, bounded: task logs and alerts stay readable when everything fails."""
    all_of_them = tuple(findings)
    lines = [str(finding) for finding in all_of_them[:MOST_NAMED]]
    if (more := len(all_of_them) - MOST_NAMED) > 0:
        lines.append(f"and {more} more, see the result")
    return "\n".join(lines)


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
    return _judgement(findings)


def judge_control_measures(result: Result, metric: str, *, where: str = "result") -> Judgement:
    """Judge the reconciliations that belong to a metric; raises NoVerdictError when the result does not know it."""
    record = _metric(result, metric, where)
    rules = [rule for rule in result.reconciliation if rule.metric == metric]
    findings = [
        *_broken(result, record),
        *(_of_rule(rule) for rule in rules if rule.status != "passed"),
    ]
    if not rules and record.ran and not record.error:
        findings.append(
            _about(record, "checks", "the run reported no reconciliation, though its plan has some")
        )
    findings += _unexplained(result, record, findings)
    return _judgement(findings)


def _judgement(findings: list[Finding]) -> Judgement:
    return Judgement(verdict=worst(finding.level for finding in findings), findings=tuple(findings))


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
    )


def _of_rule(rule: ReconciliationResult) -> Finding:
    message = f"expected {rule.expected} as at {rule.against}, got {rule.actual}"
    return Finding(
        id=f"{rule.checkpoint}.{rule.control}",
        label=rule.data_frame,
        subject=f"{rule.control} at {rule.checkpoint}",
        level=of_reconciliation(rule),
        message=f"{message}; {rule.message}" if rule.message else message,
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
    unpublished = [output.target for output in record.outputs if not output.published]
    pairs = zip(record.constraints, judged, strict=True)
    forgiven = [
        c.id
        for c, anew in pairs
        if of_constraint(c) == "critical" and of_constraint(anew) == "good"
    ]
    if forgiven and unpublished:
        yield _about(
            record,
            "outputs",
            f"the threshold of this gate forgives {', '.join(forgiven)}, but the run withheld {', '.join(unpublished)} "
            "for it; change the check in the metric file and run again",
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
