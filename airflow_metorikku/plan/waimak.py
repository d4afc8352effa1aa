"""Waimak's extensions, from Spark settings: checks on labels, alerters, caches (Waimak, `spark.waimak.dataflow.extensions`).

A label is a data frame. What the settings ask for becomes part of the job, as if its files said so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.document import MapNode, Scalar
from airflow_metorikku.config.records.alerters import (
    CustomAlerter,
    EmailAlerter,
    ExceptionAlerter,
    SlackAlerter,
)
from airflow_metorikku.config.records.caching import Cache, CacheRequest
from airflow_metorikku.config.records.checks import WAIMAK_CHECKS
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.config.records.job import Job
from airflow_metorikku.config.records.metric import Step
from airflow_metorikku.config.words import unknown
from airflow_metorikku.errors import Problem
from airflow_metorikku.plan.properties import Settings
from airflow_metorikku.plan.references import used_by
from airflow_metorikku.plan.sql import select_all

if TYPE_CHECKING:
    from airflow_metorikku.config.fields import Where
    from airflow_metorikku.config.records.checks.base import Check
    from airflow_metorikku.config.records.metric import Metric

PREFIX = "spark.waimak."
EXTENSIONS = f"{PREFIX}dataflow.extensions"
REUSED_ONLY = f"{PREFIX}dataflow.cacheOnlyReusedLabels"
QUALITY = f"{PREFIX}dataquality."
ALERTERS = f"{QUALITY}alerters"
DEEQU = f"{QUALITY}deequ."
LABELS = f"{DEEQU}labelsToMonitor"
STORAGE = f"{DEEQU}metricsStoragePath"
CACHES = {"sparkcache": "spark", "cacheasparquet": "parquet"}
KNOWN = ("deequ", *CACHES)
_ALERTERS: dict[str, type[Any]] = {
    "exception": ExceptionAlerter,
    "slack": SlackAlerter,
    "email": EmailAlerter,
}
# A semicolon in a text or in backticks does not end a predicate.
_PREDICATE = re.compile(r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|[^;])+""", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Extended:
    """A job with what the extensions add, and what is wrong with their settings."""

    job: Job
    problems: tuple[Problem, ...] = ()


def extended(job: Job, *, alerted: bool = True) -> Extended:
    """The job with the extensions that its Spark settings turn on; settings of alerters, which hold secrets, are taken out of them in any case.

    :param alerted: whether checks need an alerter; False where those of the job are not used.
    """
    settings = Settings(job=job, problems=[])
    names = settings.words(EXTENSIONS)
    if settings.known("extension", names, KNOWN, EXTENSIONS):
        _require_known_caches(settings)
        for name in names:
            if name in CACHES:
                job = _with_cache(job, settings, name)
            else:
                job = _with_quality(job, settings, alerted=alerted)
    conf = {
        name: value
        for name, value in job.settings.spark_conf.items()
        if not name.startswith(f"{ALERTERS}.")
    }
    job = replace(job, settings=replace(job.settings, spark_conf=conf))
    return Extended(job=job, problems=tuple(settings.problems))


def _require_known_caches(settings: Settings) -> None:
    for rest in settings.below(f"{EXTENSIONS}."):
        kind, _, key = rest.partition(".")
        name = f"{EXTENSIONS}.{rest}"
        if settings.known("extension", [kind], KNOWN, name) and kind in CACHES:
            settings.known("setting", [key], ("cacheAll", "cacheLabels"), name)


def _with_cache(job: Job, settings: Settings, name: str) -> Job:
    prefix = f"{EXTENSIONS}.{name}."
    all_of_them = settings.flag(f"{prefix}cacheAll", default=False)
    labels = settings.words(f"{prefix}cacheLabels")
    only_reused = settings.flag(REUSED_ONLY, default=True)
    if all_of_them is None or only_reused is None:
        return job
    if not labels and not all_of_them:
        text = f"caches nothing without {prefix}cacheLabels or {prefix}cacheAll=true"
        settings.add(EXTENSIONS, f"{name}: {text}")
        return job
    cache = Cache(
        kind="parquet" if CACHES[name] == "parquet" else "spark",
        data_frames="all" if all_of_them else labels,
        only_reused=only_reused,
    )
    path = f"{prefix}cacheLabels"
    request = CacheRequest(cache=cache, at=settings.at(path), path=path)
    return replace(job, more_caches=(*job.more_caches, request))


def _with_quality(job: Job, settings: Settings, *, alerted: bool) -> Job:
    _require_known_settings(settings)
    if alerted:
        job = _with_alerters(job, settings)
    labels = settings.require_words(LABELS, "the labels to check, as `a,b`", EXTENSIONS)
    for label in labels:
        checks = _checks(settings, label)
        if checks:
            job = _with_checks(job, settings, label, checks)
    return job


def _require_known_settings(settings: Settings) -> None:
    for rest in settings.below(QUALITY):
        settings.known("setting", [rest.split(".")[0]], ("alerters", "deequ"), QUALITY + rest)
    for rest in settings.below(DEEQU):
        words = ("labelsToMonitor", "metricsStoragePath", "labels")
        settings.known("setting", [rest.split(".")[0]], words, DEEQU + rest)


def _with_alerters(job: Job, settings: Settings) -> Job:
    names = settings.words(ALERTERS)
    if not names:
        if not job.settings.alerters:
            settings.require_words(
                ALERTERS, "who is told of failed checks, as `slack,exception`", EXTENSIONS
            )
        return job
    made = [_alerter(settings, name) for name in names]
    alerters = (*job.settings.alerters, *(one for one in made if one))
    return replace(job, settings=replace(job.settings, alerters=alerters))


def _alerter(settings: Settings, name: str) -> Any:
    prefix = f"{ALERTERS}.{name}."
    values = settings.below(prefix)
    if name not in _ALERTERS and "class" not in values:
        known = unknown("alerter", name, _ALERTERS)
        text = f"{known}; one of your own has {prefix}class, a notifier or a callable"
        settings.add(ALERTERS, text)
        return None
    connections = [key for key, value in values.items() if "${conn." in value]
    for key in connections:
        text = f"got a part of a connection; name the connection itself: {prefix}connection=NAME"
        settings.add(prefix + key, text)
    if not values.get("alertOn", "").strip():
        text = "is missing, expected levels, as `warning,critical`"
        settings.add(ALERTERS, text, path=f"{prefix}alertOn")
    elif not connections:
        return _alerter_of(settings, name, prefix, values)
    return None


def _alerter_of(settings: Settings, name: str, prefix: str, values: dict[str, str]) -> Any:
    if name in _ALERTERS:
        return settings.record(_ALERTERS[name], prefix, ALERTERS, values=values)
    own = {key: value for key, value in values.items() if key in ("class", "alertOn")}
    params = {
        key: (0, Scalar(value, 0, quoted=True)) for key, value in values.items() if key not in own
    }
    nodes = {"params": MapNode(params, 0)}
    return settings.record(CustomAlerter, prefix, ALERTERS, values=own, nodes=nodes)


def _checks(settings: Settings, label: str) -> tuple[Check, ...]:
    prefix = f"{DEEQU}labels.{label}."
    asked = f"{prefix}checks"
    names = settings.require_words(
        asked, f"checks of label '{label}', as `completenessCheck`", LABELS
    )
    if not settings.known(f"check of label '{label}':", names, WAIMAK_CHECKS, asked):
        return ()
    for rest in settings.below(prefix):
        word = rest.split(".")[0]
        settings.known("check", [word], ("checks", *WAIMAK_CHECKS), prefix + rest)
    made = [_check(settings, f"{prefix}{name}.", asked, WAIMAK_CHECKS[name]) for name in names]
    return tuple(one for one in made if one)


def _check(settings: Settings, prefix: str, asked: str, record: type[Any]) -> Check | None:
    cut = dict.fromkeys(("warningChecks", "criticalChecks"), _predicates)
    made: Check | None = settings.record(
        record, prefix, asked, values=settings.below(prefix), separators=cut
    )
    return replace(made, at=settings.at(asked)) if made else None


def _predicates(text: str) -> list[str]:
    return [part.strip() for part in _PREDICATE.findall(text) if part.strip()]


def _with_checks(job: Job, settings: Settings, label: str, checks: tuple[Check, ...]) -> Job:
    """The checks in the last step that makes the label, or in a step that is put before an input's first reader."""
    wanted = label.lower()
    for number in reversed(range(len(job.metrics))):
        metric = job.metrics[number]
        for place in reversed(range(len(metric.steps))):
            step = metric.steps[place]
            if step.data_frame_name.lower() == wanted:
                steps = (*metric.steps[:place], _checked(step, checks), *metric.steps[place + 1 :])
                return _with_metric(job, number, replace(metric, steps=steps))
    for name in job.settings.inputs:
        if name.lower() == wanted:
            return with_checked_input(job, name, checks, settings.at(LABELS))
    frames = [*job.settings.inputs, *(s.data_frame_name for m in job.metrics for s in m.steps)]
    settings.add(
        LABELS, f"{unknown('label', label, frames)}; expected a data frame of a step or an input"
    )
    return job


def _checked(step: Step, checks: tuple[Check, ...]) -> Step:
    if step.dq is None:
        return replace(step, dq=DataQuality(checks=checks, at=step.at))
    return replace(step, dq=replace(step.dq, checks=(*step.dq.checks, *checks)))


def with_checked_input(job: Job, name: str, checks: tuple[Check, ...], at: Where | None) -> Job:
    """The job with checks of an input, in a step that gives the input its own rows, before the first metric that reads it."""
    dq = DataQuality(checks=checks, at=at)
    step = Step(data_frame_name=name, sql=select_all(name), dq=dq, at=at)
    readers = [n for n, metric in enumerate(job.metrics) if name.lower() in used_by(metric)]
    number = readers[0] if readers else 0
    metric = job.metrics[number]
    return _with_metric(job, number, replace(metric, steps=(step, *metric.steps)))


def _with_metric(job: Job, number: int, metric: Metric) -> Job:
    metrics = (*job.metrics[:number], metric, *job.metrics[number + 1 :])
    return replace(job, metrics=metrics)
