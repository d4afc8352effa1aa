"""Looking at one data frame of a job: the part of its plan that makes the data frame, and what is asked of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from airflow_metorikku.config.plain import from_plain, to_plain
from airflow_metorikku.config.records.analyzers.distributions import Buckets
from airflow_metorikku.config.records.inputs import FileInput
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.words import unknown
from airflow_metorikku.errors import ConfigError, Problem
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.paths import resolve_settings
from airflow_metorikku.plan.records import Plan
from airflow_metorikku.plan.references import made_by, used_by
from airflow_metorikku.plan.suggestions.rules import RuleSet
from airflow_metorikku.results.profiles import MOST_VALUES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airflow_metorikku.config.records.job import Job
    from airflow_metorikku.config.records.metric import Metric

OF_PATH = "data"
"""Name of the data frame that is read from a path, without a job."""


@dataclass(frozen=True, kw_only=True)
class Exploration:
    """One question about one data frame, resolved and self-contained."""

    plan: Plan
    data_frame: str
    asks: Literal["profile", "suggest"]
    form: Literal["text", "json"] = "text"
    """How the answer is written: for people (a table, YAML), or Deequ's JSON."""
    columns: tuple[str, ...] = ()
    """Only these, where any are given."""
    most_values: int = MOST_VALUES
    kll: Buckets | None = None
    """How a profile sketches its numbers; not at all without."""
    rules: RuleSet = "DEFAULT"
    width: int = 120
    answer: str
    """Local file that the driver writes the answer to."""

    def to_plain(self) -> dict[str, object]:
        """Plain data."""
        return to_plain(self)

    @classmethod
    def from_plain(cls, data: object) -> Exploration:
        """The exploration of what `to_plain` made; raises ValueError on anything else."""
        return from_plain(cls, data)


def plan_of_frame(job: Job, data_frame: str) -> Plan:
    """What a job does to make a data frame, or to read an input: no outputs, no checks, no measures.

    Metrics that have nothing to do with it are left out. Raises ConfigError where nothing makes it.
    """
    metrics = _making(job, data_frame)
    found = next((n for n in job.settings.inputs if n.lower() == _plain(data_frame)), None)
    if not metrics and found is None:
        made = [step.data_frame_name for metric in job.metrics for step in metric.steps]
        text = unknown("data frame", data_frame, [*dict.fromkeys([*made, *job.settings.inputs])])
        raise ConfigError([Problem(file=job.file, line=0, path="--data-frame", text=text)])
    settings = replace(
        job.settings,
        control_measures=None,
        instrumentation=None,
        periodic=None,
        results=None,
        show_preview_lines=0,
        explain=False,
    )
    (plan,) = compile_job(replace(job, settings=settings, metrics=tuple(metrics)))
    if not metrics:
        return replace(plan, reads=(found,) if found else ())
    if any(_runs_code(metric) for metric in metrics):
        return plan
    used = frozenset[str]().union(*(used_by(metric) for metric in metrics))
    return replace(plan, reads=tuple(name for name in plan.reads if name.lower() in used))


def plan_of_path(
    path: str,
    format_name: str | None,
    options: Mapping[str, str],
    *,
    base: str,
    spark_conf: Mapping[str, str],
) -> Plan:
    """What reads a path, which may be relative to `base`, as an input of a job would read it."""
    given = FileInput(path=path, format=format_name, options=dict(options))
    settings = JobFile(metrics=(OF_PATH,), inputs={OF_PATH: given}, spark_conf=dict(spark_conf))
    return Plan(
        job=OF_PATH,
        file=path,
        base=base,
        settings=resolve_settings(base, settings),
        metrics=(),
        reads=(OF_PATH,),
    )


def _plain(name: str) -> str:
    return name.strip("`").lower()


def _making(job: Job, data_frame: str) -> list[Metric]:
    """The metrics that make it, as far as its last step; each without what it writes and checks."""
    wanted = _plain(data_frame)
    places = [
        (number, place)
        for number, metric in enumerate(job.metrics)
        for place, step in enumerate(metric.steps)
        if _plain(step.data_frame_name) == wanted
    ]
    if not places:
        return []
    number, place = places[-1]
    last = _bare(job.metrics[number], place + 1)
    kept = [last]
    used = used_by(last)
    everything = _runs_code(last)
    for metric in reversed(job.metrics[:number]):
        bare = _bare(metric, len(metric.steps))
        if everything or _runs_code(bare) or made_by(bare) & used:
            kept.insert(0, bare)
            used |= used_by(bare)
            everything = everything or _runs_code(bare)
    return kept


def _bare(metric: Metric, steps: int) -> Metric:
    kept = tuple(replace(step, dq=None) for step in metric.steps[:steps])
    return replace(metric, steps=kept, output=())


def _runs_code(metric: Metric) -> bool:
    return any(step.runs_code for step in metric.steps)
