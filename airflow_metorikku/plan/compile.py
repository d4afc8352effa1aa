"""Job to plans: a pure function that finds what is wrong between the files before anything runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.records.job import Job
from airflow_metorikku.config.records.metric import Metric
from airflow_metorikku.config.words import suggestion
from airflow_metorikku.errors import ConfigError, Problem
from airflow_metorikku.plan import references
from airflow_metorikku.plan.checkpoints import checkpoints
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.plan.paths import resolve_metric, resolve_settings, target
from airflow_metorikku.plan.records import Plan
from airflow_metorikku.plan.split import Group, Split, groups
from airflow_metorikku.plan.variables import undefined_in_sql


def compile_job(
    job: Job, *, split: Split = "job", final: bool = False, variables: Mapping[str, str] | None = None,
) -> tuple[Plan, ...]:
    """One plan for each Spark run of a job; raises ConfigError with every problem.

    :param final: all variables are known now, so that an undefined one is a problem.
    :param variables: win over the job's own, key by key.
    """
    settings = replace(job.settings, variables={**job.settings.variables, **(variables or {})})
    job = replace(job, settings=settings)
    if found := find_problems(job, final=final):
        raise ConfigError(found)
    return tuple(_plan(job, group) for group in groups(job, split))


def find_problems(job: Job, *, final: bool = False, declared: Iterable[str] = ()) -> list[Problem]:
    """What is wrong between the files of a job.

    :param declared: names of data frames in files that could not be read whole.
    """
    found = [*_same_names(job), *references.problems(job, declared), *_outputs(job), *_same_ids(job)]
    found += _controls(job, {name.lower() for name in declared})
    return found + ([*job.undefined, *undefined_in_sql(job)] if final else [])


def _plan(job: Job, group: Group) -> Plan:
    base = job.base
    settings = replace(resolve_settings(base, job.settings), alerters=())
    metrics = tuple(_without_checks(metric) if settings.ignore_deequ_validations else metric for metric in group.metrics)
    return Plan(
        job=job.name, file=job.file, base=base, settings=settings,
        metrics=tuple(resolve_metric(base, metric) for metric in metrics),
        reads=_reads(job, group), together=group.together,
    )


def _without_checks(metric: Metric) -> Metric:
    return replace(metric, steps=tuple(replace(step, dq=None) for step in metric.steps))


def _reads(job: Job, group: Group) -> tuple[str, ...]:
    """Inputs of a run: all of a whole job's, as in Metorikku; of a part's, those that it may use."""
    names = tuple(job.settings.inputs)
    if len(group.metrics) == len(job.metrics) or any(not s.sql for m in group.metrics for s in m.steps):
        return names
    used = frozenset[str]().union(*(references.used_by(metric) for metric in group.metrics))
    controls = job.settings.control_measures
    if controls and any(c.metric in {m.name for m in group.metrics} for c in checkpoints(job.settings, job.metrics)):
        used |= {(controls.source.input or "").lower()} | {c.data_frame_name.lower() for c in controls.checkpoints}
    return tuple(name for name in names if name.lower() in used)


def _same_names(job: Job) -> list[Problem]:
    counts = Counter(metric.name for metric in job.metrics)
    files = {name: [m.file for m in job.metrics if m.name == name] for name in counts}
    at = job.settings.at
    return [
        Problem(
            file=job.file, line=at.line if at else 0, path="metrics",
            text=f"metric '{name}' is named twice, by {' and '.join(files[name])}; "
            "a metric is named by its file, so give one file another name",
        )
        for name, count in counts.items() if count > 1
    ]


def _same_ids(job: Job) -> list[Problem]:
    """Constraint ids must be unique within their data frame."""
    found = []
    for metric in job.metrics:
        seen: set[tuple[str, str]] = set()
        for step in metric.steps:
            if not step.dq:
                continue
            for constraint in constraints(step.data_frame_name, step.dq, job.settings.quality.empty_data):
                key = (constraint.data_frame.lower(), constraint.id)
                if key in seen:
                    text = f"id '{constraint.id}' stands twice for data frame '{constraint.data_frame}'; give one another id"
                    found.append(_problem(constraint.options.at or step.at, metric.file, "dq.checks", text))
                seen.add(key)
    return found


def _outputs(job: Job) -> list[Problem]:
    found = []
    written: dict[str, str] = {}
    for metric in job.metrics:
        for output in metric.output:
            if output.name and output.name not in job.settings.outputs:
                text = f"got '{output.name}', expected one of the job's outputs{_known(output.name, job.settings.outputs)}"
                found.append(_problem(output.at, metric.file, "output.name", text))
                continue
            place = target(job.base, job.settings, output, "unique")
            if place is None:
                continue
            if place in written and output.output_options.save_mode in ("error", "errorifexists", "default"):
                text = f"writes {place}, which {written[place]} has written by then; give it another path or a saveMode"
                found.append(_problem(output.at, metric.file, "output", text))
            else:
                written[place] = f"the output '{output.data_frame_name}' of metric '{metric.name}'"
    return found


def _controls(job: Job, declared: set[str]) -> list[Problem]:
    controls = job.settings.control_measures
    if not controls:
        return []
    found = []

    def missing(at: Where | None, path: str, name: str, noun: str, known: Iterable[str]) -> None:
        known = list(known)
        if name.lower() not in {text.lower() for text in known}:
            text = f"got '{name}', expected the name of {noun}{_known(name, known)}"
            found.append(_problem(at or controls.at, job.file, f"controlMeasures.{path}", text))

    source = controls.source
    if source.input:
        missing(source.at, "source.input", source.input, "an input", job.settings.inputs)
    frames = [*job.settings.inputs, *(step.data_frame_name for m in job.metrics for step in m.steps), *declared]
    for checkpoint in controls.checkpoints:
        missing(checkpoint.at, "checkpoints.dataFrameName", checkpoint.data_frame_name, "a data frame", frames)
    planned = checkpoints(job.settings, job.metrics)
    for name, count in Counter(c.name for c in planned).items():
        if count > 1:
            at = [c.at for c in planned if c.name == name][1]
            found.append(_problem(at, job.file, "controlMeasures.checkpoints", f"checkpoint '{name}' is taken twice"))
    names = [c.name for c in planned]
    for change in (*controls.renames, *controls.drops):
        missing(None, "renames/drops.at", change.at_checkpoint, "a checkpoint", names)
    for rule in controls.reconcile:
        missing(rule.at, "reconcile.checkpoint", rule.checkpoint, "a checkpoint", names)
    return found


def _known(name: str, known: Iterable[str]) -> str:
    known = sorted(known)
    if near := suggestion(name, known):
        return f"; did you mean '{near}'?"
    return f" ({', '.join(known[:10])})" if known else " (there is none)"


def _problem(at: Where | None, file: str, path: str, text: str) -> Problem:
    return Problem(file=at.file if at else file, line=at.line if at else 0, path=path, text=text)
