"""What a gate makes of a history of metrics, ours or Deequ's: the newest run, against thresholds and against the runs before it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from airflow_metorikku.config.assertion import NotComparableError
from airflow_metorikku.results.findings import Finding, Judgement, NoVerdictError
from airflow_metorikku.results.history import Selection, anomalies, current, series
from airflow_metorikku.results.verdict import worst

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from airflow_metorikku.config.assertion import Assertion
    from airflow_metorikku.config.records.checks.anomaly import Anomaly
    from airflow_metorikku.results.records import Level
    from airflow_metorikku.results.repository import StoredMetric, StoredRun

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def newest_run(runs: Iterable[StoredRun]) -> StoredRun | None:
    """The run whose data are the newest; of a repaired one the repair."""
    return max(current(runs), key=lambda run: run.time, default=None)


def time_of(run: StoredRun) -> datetime:
    """Of when a run's data are."""
    return _EPOCH + timedelta(milliseconds=run.time)


def judge_history(
    runs: Sequence[StoredRun],
    *,
    label: str,
    thresholds: Mapping[str, Assertion] | None = None,
    watched: Iterable[tuple[Anomaly, Level]] = (),
    level: Level = "critical",
    where: str = "repository",
) -> Judgement:
    """Judge the newest run of a history.

    :param thresholds: constraint ids, or metrics as `Size` and `Completeness(v)`, to assertions.
    :param watched: anomaly checks, with the level of a failure; with some, what the run said of its constraints is left to others.
    :param level: of failures whose own the history does not keep, as in Deequ's files.
    :raises NoVerdictError: there is no run, or nothing of a threshold's name.
    """
    watches = tuple(watched)
    run = newest_run(runs)
    if run is None:
        raise NoVerdictError(f"{where}: there is no run in it")
    asked = dict(thresholds or {})
    named = {name: metric for metric in run.metrics for name in _names(metric)}
    if unknown := sorted(set(asked) - set(named)):
        known = ", ".join(sorted(named)) or "none"
        raise NoVerdictError(
            f"{where}: thresholds: got {', '.join(unknown)}, the run of {_shown(run)} has {known}"
        )
    findings = [
        *(
            _of_threshold(name, asked[name], named[name], label, level)
            for name in asked
            if not _holds(asked[name], named[name])
        ),
        *(
            _of_status(metric, label, level)
            for metric in run.metrics
            if not watches
            and metric.status not in (None, "passed")
            and not set(_names(metric)) & set(asked)
        ),
        *(found for check, own in watches for found in _watch(runs, run, check, label, own)),
    ]
    return Judgement(verdict=worst(finding.level for finding in findings), findings=tuple(findings))


def _names(metric: StoredMetric) -> Iterator[str]:
    """What a threshold may call a metric."""
    if metric.constraint_id:
        yield metric.constraint_id
    yield f"{metric.name}({metric.instance}){metric.filter}"
    if metric.instance == "*":
        yield f"{metric.name}{metric.filter}"


def _holds(asked: Assertion, metric: StoredMetric) -> bool:
    """Of a number; what is none, or is to be compared with a date, holds nothing."""
    try:
        return metric.number is not None and asked.holds(metric.number)
    except NotComparableError:
        return False


def _of_threshold(
    name: str, asked: Assertion, metric: StoredMetric, label: str, level: Level
) -> Finding:
    value = metric.number
    got = f"value {value}" if value is not None else metric.message or "has no value"
    return Finding(
        id=name,
        label=label,
        subject=metric.constraint or f"{metric.name}({metric.instance})",
        level=metric.level or level,
        message=f"{got}, expected {asked} at this gate",
        value=value,
    )


def _of_status(metric: StoredMetric, label: str, level: Level) -> Finding:
    """A constraint that did not pass; one without data that has no effect in its run has none here."""
    return Finding(
        id=metric.constraint_id or metric.name,
        label=label,
        subject=metric.constraint or f"{metric.name}({metric.instance})",
        level=(metric.level or level) if metric.counts else "information",
        message=metric.message or str(metric.status),
        value=metric.number,
    )


def _watch(
    runs: Sequence[StoredRun], run: StoredRun, check: Anomaly, label: str, level: Level
) -> Iterator[Finding]:
    analyzer, last = check.analyzer(), check.last_time()
    selection = Selection(
        after=check.first_time(),
        before=run.time if last is None else max(run.time, last),
        tags=check.with_tag_values,
    )

    def finding(text: str, of: Level | None, value: float | None = None) -> Finding:
        subject = f"anomaly({analyzer.name}({analyzer.instance})) {check.strategy}"
        return Finding(
            id=check.id or f"anomaly.{analyzer.name}.{analyzer.instance}",
            label=label,
            subject=subject,
            level=of or "information",
            message=text,
            value=value,
        )

    points = series(runs, analyzer, selection)
    if not points or points[-1].time != run.time:
        yield finding(f"the run of {_shown(run)} has no value of it", level)
        return
    needed = check.strategy.least_history()
    if len(points) <= needed:
        yield finding(f"too little history to tell: {len(points) - 1} values before this one", None)
        return
    found = anomalies(
        runs, analyzer, check.strategy, selection, include_anomalies=check.include_anomalies
    )
    if found and found[-1].time == run.time:
        yield finding(found[-1].detail, level, found[-1].value)


def _shown(run: StoredRun) -> str:
    return time_of(run).isoformat(timespec="seconds")
