"""Jobs as task groups and DAGs."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow.sdk import DAG, TaskGroup, get_parsing_context

from airflow_metorikku.broken_job import BrokenJob
from airflow_metorikku.config.records.job import job_name
from airflow_metorikku.config.text import may_be_ours
from airflow_metorikku.errors import ConfigError, Problem
from airflow_metorikku.folders import dag_file
from airflow_metorikku.job_tasks import JobTasks, key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import timedelta

    from airflow_metorikku.config.records.job import Job
    from airflow_metorikku.config.records.periodic import Periodic

# What Metorikku reads. Metric and test files may lie beside the jobs, and are told by their keys.
SUFFIXES = (".yaml", ".yml", ".json")
OTHER_ARGUMENTS = ("gate", "thresholds", "alerters", "results", "base")
_KEY = re.compile(rb"""^["']?(metrics|steps|tests)["']?\s*:""", re.MULTILINE)
_JSON_KEY = re.compile(rb'"(metrics|steps|tests)"\s*:')


class MetorikkuTaskGroup(TaskGroup):
    """A job as a group of tasks: its Spark runs, and behind them the gates of its metrics.

    :param job: job file, relative to the DAG file.
    :param variables: values for the job's variables; they win over the file's, and may be templates.
    :param split: `job` for one Spark run, `metric` for one for each metric that can be parted from the others.
    :param gates: `after` the run.
    :param spark: SparkSubmitOperator's own arguments, as `conn_id`, `conf`, `driver_memory`, `retries`.
    :param gate: the sensors' arguments, as `mode`, `poke_interval`, `timeout`, `on_failure_callback`.
    :param thresholds: constraint ids to assertions, judged by the gates instead of the file's.
    :param alerters: instead of the job's: as in YAML, notifiers, or callables.
    :param results: instead of the job's.
    :param base: instead of the job's.
    """

    def __init__(  # noqa: PLR0913 - the documented signature
        self,
        group_id: str,
        job: str | os.PathLike[str],
        *,
        variables: Mapping[str, str] | None = None,
        split: str = "job",
        gates: str = "after",
        spark: Mapping[str, Any] | None = None,
        gate: Mapping[str, Any] | None = None,
        thresholds: Mapping[str, str] | None = None,
        alerters: Iterable[Any] | None = None,
        results: str | None = None,
        base: str | None = None,
        **group_arguments: Any,
    ) -> None:
        tasks = JobTasks(
            variables=variables,
            split=split,
            gates=gates,
            spark=spark,
            gate=gate,
            thresholds=thresholds,
            alerters=alerters,
            results=results,
            base=base,
        )
        super().__init__(group_id=group_id, **group_arguments)
        made = tasks.read(os.fspath(job), dag_file(self.dag.fileloc))
        with self:
            tasks.add(made)


class MetorikkuDag(DAG):
    """A job as a whole DAG; takes all of MetorikkuTaskGroup's arguments and DAG's own.

    Without a `schedule` the job's `periodic` is the schedule.

    :param dag_id: name of the DAG; the job's if none is given: its file's, or for `job.yaml` its folder's.
    """

    def __init__(
        self,
        job: str | os.PathLike[str],
        *,
        dag_id: str | None = None,
        variables: Mapping[str, str] | None = None,
        split: str = "job",
        gates: str = "after",
        spark: Mapping[str, Any] | None = None,
        **dag_arguments: Any,
    ) -> None:
        others = {
            name: dag_arguments.pop(name) for name in OTHER_ARGUMENTS if name in dag_arguments
        }
        tasks = JobTasks(variables=variables, split=split, gates=gates, spark=spark, **others)
        fileloc = _caller_file()
        # Before the DAG exists: a DAG that has been entered is registered, whatever comes of it.
        made = tasks.read(os.fspath(job), dag_file(fileloc))
        if made.job.settings.periodic:
            dag_arguments.setdefault("schedule", _schedule_of(made.job, made.job.settings.periodic))
        super().__init__(dag_id or key_of(made.job.name), **dag_arguments)
        self.fileloc = fileloc
        with self:
            tasks.add(made)


def load_dags(folder: str | os.PathLike[str], **arguments: Any) -> None:
    """Put one MetorikkuDag for each job file in or below a folder (relative to the DAG file) into the caller's namespace.

    A file that cannot be read is an import error under its own name, and costs no other DAG. A
    worker builds only the DAG that it runs.

    :param arguments: MetorikkuDag's, the same for all.
    """
    if "dag_id" in arguments:
        raise ValueError("load_dags: dag_id: each job file has its own name; leave it out")
    here = dag_file(_caller_file()).parent
    place = here / folder
    if not place.is_dir():
        text = "no such folder; expected one with job files, relative to the DAG file"
        raise ConfigError([Problem(file=str(place), line=0, path="", text=text)])
    namespace = sys._getframe(1).f_globals  # noqa: SLF001 - the documented purpose
    wanted = get_parsing_context().dag_id
    taken: dict[str, Path] = {}
    for file in _job_files(place):
        dag_id = key_of(job_name(file))
        if wanted and dag_id != wanted:
            continue
        job = str(file) if Path(folder).is_absolute() else os.path.relpath(file, here)
        dag = _broken_twin(dag_id, file, taken) or _dag_or_broken(dag_id, file, job, arguments)
        taken.setdefault(dag_id, file)
        namespace[_free_name(dag.dag_id, namespace)] = dag


def _dag_or_broken(dag_id: str, file: Path, job: str, arguments: Mapping[str, Any]) -> DAG:
    try:
        return MetorikkuDag(job, dag_id=dag_id, **arguments)
    except ConfigError as error:
        return BrokenJob(dag_id, file, str(error))
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one file, the others are built; Airflow shows it
        return BrokenJob(dag_id, file, f"{file}: {type(error).__name__}: {error}")


def _broken_twin(dag_id: str, file: Path, taken: Mapping[str, Path]) -> DAG | None:
    if dag_id not in taken:
        return None
    text = f"{file}: its DAG would be '{dag_id}', as that of {taken[dag_id].name}; give one file another name"
    return BrokenJob(key_of(file.name), file, text)


def _job_files(place: Path) -> Iterator[Path]:
    """Job files by path; hidden folders are passed by.

    Directly in the folder, all but the files that are plainly of another kind: a broken job file is
    one still. Below it, where metrics and data lie too, only what plainly is a job.
    """
    for root, folders, names in os.walk(place):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(root, name)
            if file.suffix not in SUFFIXES:
                continue
            keys = _top_keys(file)
            if b"metrics" in keys or (not keys and Path(root) == place):
                yield file


def _top_keys(file: Path) -> list[bytes]:
    """Keys that tell what a file is; none where it cannot be read."""
    try:
        text = file.read_bytes() if may_be_ours(file) else b""
    except OSError:
        return []
    return (_JSON_KEY if text.lstrip().startswith(b"{") else _KEY).findall(text)


def _schedule_of(job: Job, periodic: Periodic) -> timedelta:
    """The time between a periodic job's runs; raises ConfigError where only a run will know it."""
    try:
        return periodic.duration
    except ValueError as error:
        text = f"{error}; or give the DAG a schedule"
        raise ConfigError([Problem(file=job.file, line=0, path="periodic", text=text)]) from None


def _free_name(dag_id: str, namespace: Mapping[str, Any]) -> str:
    """A name that hides nothing of the DAG file's own."""
    name = dag_id
    while name in namespace and not isinstance(namespace[name], DAG):
        name += "_dag"
    return name


def _caller_file() -> str:
    """File of the first frame outside this module: where the user names the job."""
    frame = sys._getframe(1)  # noqa: SLF001 - as DAG itself finds its file
    while frame.f_back is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return frame.f_code.co_filename
