"""Job to plans: a pure function."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from airflow_metorikku.plan import references
from airflow_metorikku.plan.caching import cached_frames, requests_of
from airflow_metorikku.plan.checkpoints import checkpoints
from airflow_metorikku.plan.paths import resolve_metric, resolve_settings
from airflow_metorikku.plan.records import Plan
from airflow_metorikku.plan.split import Group, Split, groups

if TYPE_CHECKING:
    from airflow_metorikku.config.records.job import Job
    from airflow_metorikku.config.records.metric import Metric


def compile_job(job: Job, *, split: Split = "job") -> tuple[Plan, ...]:
    """One plan for each Spark run of a job that `require_sound` has let pass."""
    return tuple(_plan(job, group) for group in groups(job, split))


def _plan(job: Job, group: Group) -> Plan:
    base = job.base
    settings = replace(resolve_settings(base, job.settings), alerters=())
    if not _takes_checkpoints(job, group):
        settings = replace(settings, control_measures=None)
    reads = _reads(job, group)
    metrics = tuple(
        _without_checks(metric) if settings.ignore_deequ_validations else metric
        for metric in group.metrics
    )
    return Plan(
        job=job.name,
        file=job.file,
        base=base,
        settings=settings,
        metrics=tuple(resolve_metric(base, metric) for metric in metrics),
        reads=reads,
        cached=cached_frames(requests_of(settings, job.more_caches), reads, metrics),
        together=group.together,
    )


def _without_checks(metric: Metric) -> Metric:
    return replace(metric, steps=tuple(replace(step, dq=None) for step in metric.steps))


def _reads(job: Job, group: Group) -> tuple[str, ...]:
    """Inputs of a run: all of a whole job's, as in Metorikku; of a part's, those that it may use."""
    names = tuple(job.settings.inputs)
    if len(group.metrics) == len(job.metrics) or any(
        s.runs_code for m in group.metrics for s in m.steps
    ):
        return names
    used = frozenset[str]().union(*(references.used_by(metric) for metric in group.metrics))
    controls = job.settings.control_measures
    if controls and _takes_checkpoints(job, group):
        used |= {(controls.source.input or "").lower()} | {
            c.data_frame_name.lower() for c in controls.checkpoints
        }
    return tuple(name for name in names if name.lower() in used)


def _takes_checkpoints(job: Job, group: Group) -> bool:
    names = {metric.name for metric in group.metrics}
    return any(one.metric in names for one in checkpoints(job.settings, job.metrics))
