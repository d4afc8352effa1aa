"""What a gate makes of an `_INFO` file, of whatever system: pure, fail closed, without Airflow."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from airflow_metorikku.config.records.controls import CONTROL_TYPES
from airflow_metorikku.config.records.reconciliation import Against
from airflow_metorikku.results.findings import Finding, Judgement, judgement_of
from airflow_metorikku.results.info import is_date, time_of
from airflow_metorikku.results.judge import of_rule, rejudged, require_controls
from airflow_metorikku.results.reconcile import Actual, Reference, reconcile
from airflow_metorikku.results.records import Level, ReconciliationResult
from airflow_metorikku.results.references import (
    ReadText,
    named,
    not_there,
    of_checkpoint,
    of_file,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from airflow_metorikku.config.records.reconciliation import ReconcileRule
    from airflow_metorikku.results.info import Info, InfoCheckpoint
    from airflow_metorikku.results.reconcile import Expected


def not_yet(info: Info, checkpoints: Sequence[str], path: str) -> str | None:
    """Why a file is not judged yet, a sentence: it has no checkpoints, or not those that are waited for; None when it can be."""
    if not info.checkpoints:
        return f"{path}: has no checkpoints"
    there = {one.name for one in info.checkpoints}
    absent = [name for name in checkpoints if name not in there]
    if not absent:
        return None
    names = ", ".join(one.name for one in info.checkpoints)
    return f"{path}: has no checkpoint {', '.join(absent)}; it has {names}"


def wanted(rules: Sequence[ReconcileRule]) -> list[str]:
    """Names of the checkpoints that the rules need in the file."""
    names = [rule.checkpoint for rule in rules]
    names += [rule.against for rule in rules if isinstance(rule.against, str)]
    return list(dict.fromkeys(names))


def reconcile_info(
    info: Info, path: str, rules: Sequence[ReconcileRule], level: Level, read: ReadText
) -> list[ReconciliationResult]:
    """Compare each checkpoint as the rules say: by default with the one before, where there is one.

    :param read: reads what rules are `against`; it raises as `open` does.
    """
    files: list[tuple[Against, Reference]] = []
    results: list[ReconciliationResult] = []
    for number, checkpoint in enumerate(info.checkpoints):

        def reference(against: str | Against | None, at: int = number) -> Reference:
            if isinstance(against, Against):
                return _once(against, files, read)
            return _within(info.checkpoints, at, against)

        controls = [
            Actual(name=one.name, value=one.value)
            for one in checkpoint.controls
            if number or _is_ruled(rules, checkpoint.name, one.name)
        ]
        if number == 0 and not any(rule.checkpoint == checkpoint.name for rule in rules):
            continue
        results += [
            ReconciliationResult(
                checkpoint=checkpoint.name,
                against=one.against,
                control=one.control,
                expected=one.expected,
                actual=one.actual,
                metric="",
                data_frame=path,
                level=level,
                status=one.status,
                message=one.message,
            )
            for one in reconcile(checkpoint.name, controls, rules, reference)
        ]
    return results


def judge_info(
    results: Sequence[ReconciliationResult],
    path: str,
    thresholds: Mapping[str, Expected] | None = None,
) -> Judgement:
    """Judge what was compared; a file in which nothing was is no pass.

    :param thresholds: what is expected of `checkpoint.control`, or of a control everywhere, instead of what the rules say.
    :raises NoVerdictError: a threshold's control was not compared.
    """
    asked = dict(thresholds or {})
    require_controls(asked, results, path)
    judged = [rejudged(rule, asked) for rule in results]
    findings = [of_rule(rule) for rule in judged if rule.status != "passed"]
    if not results:
        text = f"{path}: nothing in it was compared; it has one checkpoint, or the rules ignore all controls"
        findings.append(
            Finding(
                id="checks", label=path, subject="control measures", level="critical", message=text
            )
        )
    return judgement_of(findings)


def oddities(info: Info) -> Iterator[str]:
    """What is odd in a file that can be read all the same, a sentence each."""
    for order, count in Counter(one.order for one in info.checkpoints).items():
        if count > 1:
            yield f"{count} checkpoints have the order {order}; the later in the file counts as the later one"
    for name, count in Counter(one.name for one in info.checkpoints).items():
        if count > 1:
            yield f"{count} checkpoints are named {name}; rules for it are for all of them"
    date = info.metadata.information_date
    if date and not is_date(date):
        yield f"informationDate {date!r} is no date as dd-MM-yyyy"
    for checkpoint in info.checkpoints:
        yield from _odd_checkpoint(checkpoint)


def _odd_checkpoint(checkpoint: InfoCheckpoint) -> Iterator[str]:
    for name, text in (
        ("processStartTime", checkpoint.started),
        ("processEndTime", checkpoint.ended),
    ):
        if text and time_of(text) is None:
            yield f"checkpoint {checkpoint.name}: {name} {text!r} is no time as dd-MM-yyyy HH:mm:ss"
    started, ended = time_of(checkpoint.started), time_of(checkpoint.ended)
    if started and ended and ended < started:
        yield f"checkpoint {checkpoint.name} ends before it starts"
    for control in checkpoint.controls:
        if control.type not in CONTROL_TYPES:
            yield f"checkpoint {checkpoint.name}: control {control.name} is of an unknown type, {control.type!r}"


def _once(against: Against, files: list[tuple[Against, Reference]], read: ReadText) -> Reference:
    for known, reference in files:
        if known == against:
            return reference
    files.append((against, of_file(against, read)))
    return files[-1][1]


def _within(checkpoints: Sequence[InfoCheckpoint], at: int, against: str | None) -> Reference:
    """A checkpoint of the same file, but not the judged one itself; by default the one before."""
    if against is None:
        if at == 0:
            return Reference(name="", problem="there is no checkpoint before the first")
        return of_checkpoint(checkpoints[at - 1], is_whole=True)
    others = [*checkpoints[at + 1 :], *checkpoints[:at]]
    found = named(others, against)
    return of_checkpoint(found, is_whole=True) if found else not_there(against, others)


def _is_ruled(rules: Sequence[ReconcileRule], checkpoint: str, control: str) -> bool:
    """Whether a rule is about a control of the first checkpoint, which by default has nothing to agree with."""
    here = [rule for rule in rules if rule.checkpoint == checkpoint]
    return any(not rule.controls or control in rule.controls for rule in here)
