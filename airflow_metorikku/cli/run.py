"""`metorikku run -c JOB`: a job here and now, without Airflow, by the same spark-submit."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import uuid
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from airflow_metorikku.cli import periodic
from airflow_metorikku.cli.arguments import add_job
from airflow_metorikku.cli.jobs import job_of
from airflow_metorikku.cli.show import read
from airflow_metorikku.config.connections import connection_from
from airflow_metorikku.errors import ConfigError, Problem, RunError
from airflow_metorikku.fast_start import FastStart
from airflow_metorikku.plan.addresses import local_path
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.credentials import credentials
from airflow_metorikku.plan.paths import resolve
from airflow_metorikku.results.paths import LOCAL_DAG
from airflow_metorikku.results.table import render
from airflow_metorikku.submission import (
    ENTRYPOINT,
    SubmitOptions,
    end_session,
    identify,
    is_local,
    spark_environment,
    write_archive,
    write_plan,
    write_secrets,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Mapping
    from types import FrameType

    from airflow_metorikku.config.records.job import Job, JobFile
    from airflow_metorikku.plan.records import Plan
    from airflow_metorikku.results.records import Result

FAILED_VERDICT = 2
RESULTS = "metorikku-results"
# spark-submit mixes the driver's log into its output; ours is the table alone, for whoever reads on.
STDERR = 2
# How long a driver that was told to stop may take to say so before it is killed.
GRACE_SECONDS = 20


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "run",
        help="run a job here, without Airflow",
        description="Runs a job by spark-submit, prints its outputs, constraints, control measures and verdict, "
        "and keeps result.json below the results folder.",
        epilog="exit codes: 0 good or warnings, 1 mistakes in the files, 2 a failed verdict, 3 the run broke, 4 a bug of ours",
    )
    add_job(parser)
    parser.add_argument(
        "--results",
        metavar="DIR",
        help=f"where results are kept; default the job's, else ./{RESULTS}",
    )
    parser.add_argument(
        "--metric",
        action="append",
        default=[],
        metavar="NAME",
        help="run only this metric (may be repeated)",
    )
    parser.add_argument(
        "--master", default="local[*]", metavar="URL", help="Spark master; default local[*]"
    )
    parser.add_argument(
        "--run-id",
        metavar="ID",
        help="name of this run: an append of the same run replaces its earlier one; default a new one",
    )
    periodic.add_options(parser)
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """The job once, or round after round where it is periodic."""
    job = _only(job_of(options, final=True), options.metric)
    if job.settings.periodic is None or options.once:
        return run_once(options, job)
    if options.run_id:
        text = "--run-id: names one run, and a periodic job has many; leave it out, or add --once"
        raise ConfigError([Problem(file=job.file, line=0, path="periodic", text=text)])
    return periodic.run_rounds(
        lambda: _only(job_of(options, final=True), options.metric),
        lambda read: run_once(options, read),
        most_failed=options.max_failed_rounds,
    )


def run_once(options: argparse.Namespace, job: Job) -> int:
    """Compile, submit, show."""
    (plan,) = compile_job(job)
    plan, secrets = credentials(plan, partial(connection_from, os.environ))
    results = _results_root(options, job)
    plan, address = identify(
        plan,
        results=results,
        dag_id=LOCAL_DAG,
        run_id=options.run_id or f"manual__{datetime.now(UTC).isoformat()}",
        task_id=job.name,
        attempt=uuid.uuid4().hex,
    )
    path = local_path(address)
    if path is None:
        raise RunError(
            f"results: got {address}, expected a local folder; results elsewhere are written by Airflow's operator"
        )
    code = submit(plan, options.master, secrets)
    return _report(Path(path), plan, code)


def _only(job: Job, names: list[str]) -> Job:
    """The job with the metrics that were asked for."""
    known = [metric.name for metric in job.metrics]
    unknown = [name for name in names if name not in known]
    if unknown:
        text = f"--metric: got {', '.join(unknown)}, expected {', '.join(known)}"
        raise ConfigError([Problem(file=job.file, line=0, path="metrics", text=text)])
    return replace(job, metrics=tuple(m for m in job.metrics if m.name in names)) if names else job


def _results_root(options: argparse.Namespace, job: Job) -> str:
    if options.results:
        return str(Path(options.results).absolute())
    return (
        resolve(job.base, job.settings.results)
        if job.settings.results
        else str(Path(RESULTS).absolute())
    )


def submit(plan: Plan, master: str, secrets: Mapping[str, str], *arguments: str) -> int:
    """Run a plan by spark-submit to its end and return its exit code.

    :param arguments: the entrypoint's, beside the plan.
    """
    return submit_file(
        "--plan", partial(write_plan, plan), plan.settings, master, secrets, *arguments
    )


def submit_file(
    flag: str,
    write: Callable[[Path], Path],
    settings: JobFile,
    master: str,
    secrets: Mapping[str, str],
    *arguments: str,
) -> int:
    """Run spark-submit of the entrypoint with a file to its end and return its exit code; nothing of it outlives this call.

    :param write: writes the file into a folder that is gone with the call.
    """
    with tempfile.TemporaryDirectory(prefix="metorikku-") as scratch:
        folder = Path(scratch)
        given = write(folder)
        secrets_file = write_secrets(secrets, folder)
        # A driver on this machine takes it from its place, and leaves no copy when it is killed.
        shipped = None if is_local(master) else secrets_file
        files = [file for file in (given, shipped) if file]
        options = SubmitOptions.of(settings, files=files, archive=write_archive(folder))
        start = FastStart.of(master, options.conf, spark_environment(os.environ))
        command = spark_submit(
            start.environment, options, master, settings.app_name, flag, str(given), *arguments
        )
        # A session of its own: the driver's Python outlives a JVM that was killed, unless all are told to go.
        child = subprocess.Popen(
            command,
            env=start.environment,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=STDERR,
        )
        with _forwarding_signals(child):
            code = child.wait()
        end_session(child.pid, GRACE_SECONDS)
        start.keep(code=code)
        return code


def spark_submit(
    environment: dict[str, str], options: SubmitOptions, master: str, name: str, *arguments: str
) -> list[str]:
    """The command that runs the entrypoint with its arguments."""
    given: dict[str, str | int | None] = {
        "packages": options.packages,
        "jars": options.jars,
        "py-files": options.py_files,
        "files": options.files or None,
        "driver-memory": options.driver_memory,
        "executor-memory": options.executor_memory,
        "executor-cores": options.executor_cores,
        "num-executors": options.num_executors,
    }
    return [
        str(Path(environment["SPARK_HOME"]) / "bin" / "spark-submit"),
        *("--master", master, "--name", name),
        *(part for name, value in options.conf.items() for part in ("--conf", f"{name}={value}")),
        *(
            part
            for name, value in given.items()
            if value is not None
            for part in (f"--{name}", str(value))
        ),
        *(str(ENTRYPOINT), *arguments),
    ]


@contextmanager
def _forwarding_signals(child: subprocess.Popen[bytes]) -> Iterator[None]:
    """Ctrl-C and SIGTERM stop the driver, so that it can end its run as one that broke."""

    def forward(number: int, frame: FrameType | None) -> None:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, number)
        handler = before[signal.Signals(number)]
        if callable(handler) and handler is not signal.default_int_handler:
            handler(number, frame)  # of a job that would go on with its next round

    before = {number: signal.signal(number, forward) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _report(path: Path, plan: Plan, code: int) -> int:
    """Show the result of this attempt and return the exit code that its verdict asks for."""
    if not path.exists():
        raise RunError(
            f"Spark ended with code {code} before it wrote a result; see its lines above"
        )
    result = read(path)
    _check_attempt(result, plan)
    width = shutil.get_terminal_size((120, 24)).columns
    sys.stdout.write(f"{render(result, width)}\n")
    sys.stderr.write(f"result {path}\n")
    if result.error or code != 0:
        raise RunError(result.error or f"Spark ended with code {code}")
    return FAILED_VERDICT if result.verdict in ("critical", "no_data") else 0


def _check_attempt(result: Result, plan: Plan) -> None:
    attempt = plan.identity.attempt if plan.identity else ""
    if result.attempt != attempt:
        raise RunError(f"the result is of attempt {result.attempt}, not of this one, {attempt}")
