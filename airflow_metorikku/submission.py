"""What one spark-submit of a plan needs, the same from Airflow and from the command line: archive, plan file, options, places."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.addresses import hadoop_uri
from airflow_metorikku.plan.credentials import SECRETS, is_secret
from airflow_metorikku.plan.records import Identity, Plan
from airflow_metorikku.results.paths import metrics_folder, result_file

if TYPE_CHECKING:
    from airflow_metorikku.config.records.job import JobFile
    from airflow_metorikku.plan.explorations import Exploration

PACKAGE = Path(__file__).parent
ENTRYPOINT = PACKAGE / "spark" / "entrypoint" / "metorikku_entrypoint.py"
PLAN = "plan.json"
EXPLORATION = "exploration.json"
ARCHIVE = "airflow_metorikku.zip"
# What runs inside Spark; the rest of the package would only invite imports that are not there.
_ROOMS = ("config", "plan", "results", "spark")
_POLL_SECONDS = 0.05
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_archive(folder: Path) -> Path:
    """The package as a pure-Python archive for `--py-files`; equal sources make equal bytes."""
    path = folder / ARCHIVE
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for source in _sources():
            name = f"{PACKAGE.name}/{source.relative_to(PACKAGE).as_posix()}"
            archive.writestr(
                zipfile.ZipInfo(name, _EPOCH), source.read_bytes(), zipfile.ZIP_DEFLATED
            )
    return path


def _sources() -> Iterator[Path]:
    yield PACKAGE / "__init__.py"
    yield PACKAGE / "errors.py"
    for room in _ROOMS:
        yield from sorted((PACKAGE / room).rglob("*.py"))


def write_plan(plan: Plan, folder: Path) -> Path:
    """`plan.json`, readable by its owner only."""
    return _write_private(folder / PLAN, plan.to_plain())


def write_exploration(exploration: Exploration, folder: Path) -> Path:
    """`exploration.json`, readable by its owner only."""
    return _write_private(folder / EXPLORATION, exploration.to_plain())


def write_secrets(secrets: Mapping[str, str], folder: Path) -> Path | None:
    """What the names of secrets in a plan stand for, readable by its owner only; no file where there are none."""
    return _write_private(folder / SECRETS, secrets) if secrets else None


def _write_private(path: Path, data: Mapping[str, object]) -> Path:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(data, file, ensure_ascii=False)
    return path


def identify(  # noqa: PLR0913 - one for each thing that names an attempt
    plan: Plan,
    *,
    results: str,
    dag_id: str,
    run_id: str,
    task_id: str,
    attempt: str,
    time: str | None = None,
) -> tuple[Plan, str]:
    """The plan for one attempt, and the address of the result that it will write; `time` is of when the data are."""
    address = result_file(results, dag_id, run_id, task_id, attempt)
    identity = Identity(
        dag_id=dag_id,
        run_id=run_id,
        task_id=task_id,
        attempt=attempt,
        result=hadoop_uri(address),
        metrics=hadoop_uri(plan.settings.quality.history.path or metrics_folder(results, plan.job)),
        time=time,
    )
    return plan.for_run(identity), address


@dataclass(frozen=True, kw_only=True)
class SubmitOptions:
    """The job's keys that spark-submit takes, by the names of SparkSubmitOperator's arguments; None where not given."""

    conf: Mapping[str, str]
    packages: str | None
    jars: str | None
    py_files: str
    files: str
    driver_memory: str | None
    executor_memory: str | None
    executor_cores: int | None
    num_executors: int | None

    @classmethod
    def of(cls, settings: JobFile, *, files: Sequence[Path], archive: Path) -> SubmitOptions:
        """Options of a job, with the archive, the plan file and that of its secrets added."""
        return cls(
            # What is secret is set in the driver, where no list of processes shows it.
            conf={k: v for k, v in settings.spark_conf.items() if not is_secret(k, v)},
            packages=",".join(settings.packages) or None,
            jars=",".join(settings.jars) or None,
            py_files=",".join([str(archive), *settings.py_files]),
            files=",".join([*map(str, files), *settings.files]),
            driver_memory=settings.driver_memory,
            executor_memory=settings.executor_memory,
            executor_cores=settings.executor_cores,
            num_executors=settings.num_executors,
        )


def is_local(master: str) -> bool:
    """Whether driver and executors are one process on this machine."""
    return master == "local" or master.startswith("local[")


def spark_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Environment for the spark-submit of the pyspark in this interpreter, where the user has not chosen another.

    pip's spark-submit looks for its home with whatever `python3` is on PATH, and fails under an
    interpreter that was started by its path; raises RunError when there is no Spark at all.
    """
    found = dict(environ)
    found["PATH"] = os.pathsep.join(
        [str(Path(sys.executable).parent), found.get("PATH", os.defpath)]
    )
    found.setdefault("PYSPARK_PYTHON", sys.executable)
    found.setdefault("PYSPARK_DRIVER_PYTHON", found["PYSPARK_PYTHON"])
    if "SPARK_HOME" not in found:
        spec = importlib.util.find_spec("pyspark")
        home = Path(spec.origin).parent if spec and spec.origin else None
        if home is None or not (home / "bin" / "spark-submit").exists():
            raise RunError(
                "no Spark here: install pyspark (pip install pyspark), or set SPARK_HOME"
            )
        found["SPARK_HOME"] = str(home)
    if "JAVA_HOME" not in found and shutil.which("java", path=found["PATH"]) is None:
        raise RunError("no Java here: Spark needs Java 17 or newer; install one, or set JAVA_HOME")
    return found


def end_session(group: int, seconds: float) -> None:
    """End what is left of spark-submit's processes, started as a session; they have so long to end by themselves."""
    for number, grace in ((signal.SIGTERM, seconds), (signal.SIGKILL, 0.0)):
        try:
            os.killpg(group, number)
            end = time.monotonic() + grace
            while time.monotonic() < end:
                time.sleep(_POLL_SECONDS)
                os.killpg(group, 0)
        except ProcessLookupError:
            return
