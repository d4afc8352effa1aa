"""The tasks of a job: Spark runs and, behind each, the gates of its metrics."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from airflow_metorikku.config.assertion import assertions_of
from airflow_metorikku.config.given import without_templates
from airflow_metorikku.config.load import read_job
from airflow_metorikku.config.plain import to_plain
from airflow_metorikku.config.records.job import Job
from airflow_metorikku.config.remote import is_remote
from airflow_metorikku.config.words import unknown
from airflow_metorikku.folders import ends_of, job_file
from airflow_metorikku.notifications.attach import prepared
from airflow_metorikku.operators.extension_settings import extension_settings
from airflow_metorikku.operators.metorikku import MetorikkuSubmitOperator
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.plan.gates import gates
from airflow_metorikku.plan.jobs import require_sound
from airflow_metorikku.plan.records import Plan
from airflow_metorikku.sensors.control_measures import ControlMeasureSensor
from airflow_metorikku.sensors.data_quality import DataQualitySensor
from airflow_metorikku.store import ObjectStore

if TYPE_CHECKING:
    from airflow_metorikku.config.records.metric import Metric
    from airflow_metorikku.plan.split import Split
    from airflow_metorikku.sensors.gate import Gate

SPLITS = ("job", "metric")
_NOT_IN_KEYS = re.compile(r"[^\w.-]")


@dataclass(frozen=True, kw_only=True)
class Compiled:
    """A job file, read at parse."""

    job: Job
    plans: tuple[Plan, ...]
    path: str
    """As the user names it: it stays relative in the serialised DAG."""
    hash: str


@dataclass(frozen=True, kw_only=True)
class JobTasks:
    """What a DAG file says of a job beside its file; makes the tasks."""

    variables: Mapping[str, str] | None = None
    split: str = "job"
    gates: str = "after"
    spark: Mapping[str, Any] | None = None
    gate: Mapping[str, Any] | None = None
    thresholds: Mapping[str, str] | None = None
    alerters: Iterable[Any] | None = None
    results: str | None = None
    base: str | None = None

    def __post_init__(self) -> None:
        for name in ("variables", "spark", "gate", "thresholds"):
            if not isinstance(value := getattr(self, name) or {}, Mapping):
                raise ValueError(f"{name}: got {value!r}, expected a mapping")  # noqa: TRY004 - all wrong arguments are of one kind
        if self.split not in SPLITS:
            raise ValueError(f"split: got {self.split!r}, expected 'job' or 'metric'")
        if self.gates == "watch":
            raise ValueError("gates: 'watch' comes with a later version; use 'after'")
        if self.gates != "after":
            raise ValueError(f"gates: got {self.gates!r}, expected 'after'")
        assertions_of(without_templates(self.thresholds))

    def read(self, path: str, dag_file: Path) -> Compiled:
        """Read and compile the job file; raises ConfigError."""
        file = job_file(path, dag_file)
        known = without_templates(self.variables)
        reading = read_job(
            file, variables=known, base=self.base, ends=ends_of(file), store=ObjectStore()
        )
        job = require_sound(
            reading,
            alerted=self.alerters is None,
            overrides=extension_settings((self.spark or {}).get("conf")),
        )
        plans = compile_job(job, split=cast("Split", self.split))
        if self.thresholds:
            _require_known(self.thresholds, job)
        return Compiled(job=job, plans=plans, path=path, hash=_hash_of(file, job))

    def add(self, made: Compiled) -> None:
        """Add the tasks to the DAG and group that are entered."""
        alerters = prepared(made.job.settings.alerters if self.alerters is None else self.alerters)
        keys = _keys_of(metric.name for plan in made.plans for metric in plan.metrics)
        for plan in made.plans:
            names = [metric.name for metric in plan.metrics]
            whole = self.split == "job"
            run = MetorikkuSubmitOperator(
                task_id="run" if whole else f"run_{keys[names[0]]}",
                job=made.path,
                metrics=None if whole else names,
                variables=self.variables,
                base=self.base,
                results=self.results,
                job_hash=made.hash,
                alerters=alerters,
                **(self.spark or {}),
            )
            gates_of_run = self._gates(plan, run.task_id, keys, alerters)
            if gates_of_run:
                run.set_downstream(gates_of_run)

    def _gates(
        self, plan: Plan, run_task_id: str, keys: Mapping[str, str], alerters: Sequence[Any]
    ) -> list[Gate]:
        made: list[Gate] = []
        metrics = {metric.name: metric for metric in plan.metrics}
        for gate in gates(plan):
            shared = {
                "metric": gate.metric,
                "run_task_id": run_task_id,
                "alerters": alerters,
                **(self.gate or {}),
            }
            if gate.data_quality:
                own = (
                    _thresholds_of(metrics[gate.metric], plan, self.thresholds)
                    if self.thresholds
                    else None
                )
                made.append(
                    DataQualitySensor(
                        task_id=f"{keys[gate.metric]}.data_quality", thresholds=own, **shared
                    )
                )
            if gate.control_measures:
                made.append(
                    ControlMeasureSensor(task_id=f"{keys[gate.metric]}.control_measures", **shared)
                )
        return made


def key_of(name: str) -> str:
    """A name as an id that Airflow takes: letters, digits, dashes, dots and underscores."""
    return _NOT_IN_KEYS.sub("_", name)


def _keys_of(names: Iterable[str]) -> dict[str, str]:
    """An id for each name; a hash parts names that would be the same."""
    keys: dict[str, str] = {}
    for name in names:
        key = key_of(name)
        if key in keys.values():
            key = f"{key}_{hashlib.sha256(name.encode()).hexdigest()[:6]}"
        keys[name] = key
    return keys


def _names_of(metric: Metric, job_or_plan: Job | Plan) -> set[str]:
    """What thresholds may call the constraints of a metric: by id, or by data frame and id."""
    found: set[str] = set()
    for step in metric.steps:
        if step.dq:
            for constraint in constraints(
                step.data_frame_name, step.dq, job_or_plan.settings.quality.empty_data
            ):
                found |= {constraint.id, f"{constraint.data_frame}.{constraint.id}"}
    return found


def _thresholds_of(
    metric: Metric, plan: Plan, thresholds: Mapping[str, str]
) -> dict[str, str] | None:
    names = _names_of(metric, plan)
    return {name: text for name, text in thresholds.items() if name in names} or None


def _require_known(thresholds: Mapping[str, str], job: Job) -> None:
    known = sorted(set().union(*(_names_of(metric, job) for metric in job.metrics)))
    for name in thresholds:
        if name not in known:
            raise ValueError(f"{job.file}: thresholds: {unknown('constraint', name, known)}")


def _hash_of(file: Path, job: Job) -> str:
    """Hash of what the files say, and of nothing that changes from one parse or bundle to the next."""
    digest = hashlib.sha256()
    if is_remote(file) or any(is_remote(metric.file) for metric in job.metrics):
        said = [to_plain(job.settings), *map(to_plain, job.metrics)]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]
    for path in (file, *(Path(metric.file) for metric in job.metrics)):
        digest.update(path.read_bytes())
    for metric in job.metrics:
        for step in metric.steps:
            if step.file and step.sql:
                digest.update(step.sql.encode())
    return digest.hexdigest()[:16]
