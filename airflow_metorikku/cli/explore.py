"""`metorikku profile` and `metorikku suggest`: a look at one data frame of a job, or at a path, by the same spark-submit as a run."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from airflow_metorikku.cli.arguments import add_data, add_job
from airflow_metorikku.cli.jobs import job_of, spark_settings
from airflow_metorikku.cli.run import submit_file
from airflow_metorikku.config.connections import connection_from
from airflow_metorikku.config.fields import check_count
from airflow_metorikku.config.records.analyzers.distributions import MOST_BUCKETS, Buckets
from airflow_metorikku.errors import ConfigError, Problem, RunError
from airflow_metorikku.plan.credentials import credentials
from airflow_metorikku.plan.explorations import OF_PATH, Exploration, plan_of_frame, plan_of_path
from airflow_metorikku.results.profiles import MOST_VALUES
from airflow_metorikku.submission import write_exploration

if TYPE_CHECKING:
    import argparse

    from airflow_metorikku.plan.records import Plan

_CODES = "exit codes: 0 shown, 1 mistakes in the files or arguments, 3 Spark or a step broke, 4 a bug of ours"


def add_profile(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `profile`."""
    parser = commands.add_parser(
        "profile",
        help="show what is in the columns of a data frame",
        description="Runs the steps of a job that make a data frame (or reads one of its inputs, or --path), and shows "
        "how complete its columns are, their types, numbers and most frequent values. Nothing is written, no check judged.",
        epilog=_CODES,
    )
    _add_common(parser)
    parser.add_argument(
        "--kll",
        nargs="?",
        type=int,
        const=MOST_BUCKETS,
        metavar="BUCKETS",
        help="sketch each column of numbers too: rows in so many equally wide buckets (1 to 100, default 100), and ranks",
    )
    parser.set_defaults(command=explore, asks="profile", rules="DEFAULT")


def add_suggest(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `suggest`."""
    parser = commands.add_parser(
        "suggest",
        help="suggest checks of a data frame, as YAML",
        description="Profiles a data frame as `metorikku profile` does, and prints checks to be put under `dq: checks:`, "
        "each with a comment that says why; each was evaluated, and holds on the data that it came from.",
        epilog=_CODES,
    )
    _add_common(parser)
    parser.add_argument(
        "--rules",
        choices=("DEFAULT", "EXTENDED"),
        default="DEFAULT",
        help="EXTENDED adds bounds of numbers and lengths, and keys; default DEFAULT",
    )
    parser.set_defaults(command=explore, asks="suggest", kll=None)


def _add_common(parser: argparse.ArgumentParser) -> None:
    add_job(parser)
    parser.add_argument(
        "-d", "--data-frame", metavar="NAME", help="data frame of a step, or an input"
    )
    add_data(parser)
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="NAME",
        help="only this column (may be repeated); a field of a struct is a.b",
    )
    parser.add_argument(
        "--most-values",
        type=int,
        default=MOST_VALUES,
        metavar="N",
        help=f"count the values of columns that have about N or fewer; default {MOST_VALUES}",
    )
    parser.add_argument("--json", action="store_true", help="Deequ's JSON")
    parser.add_argument(
        "--master", default="local[*]", metavar="URL", help="Spark master; default local[*]"
    )


def explore(options: argparse.Namespace) -> int:
    """Compile, submit, print the answer."""
    try:
        check_count("--most-values", options.most_values, least=0)
        kll = None if options.kll is None else Buckets(number_of_buckets=options.kll)
    except ValueError as error:
        raise _mistake(str(error)) from None
    plan, secrets = credentials(_plan(options), partial(connection_from, os.environ))
    with tempfile.TemporaryDirectory(prefix="metorikku-") as folder:
        answer = Path(folder, "answer")
        asked = Exploration(
            plan=plan,
            data_frame=options.data_frame or OF_PATH,
            asks=options.asks,
            form="json" if options.json else "text",
            columns=tuple(options.column),
            most_values=options.most_values,
            kll=kll,
            rules=options.rules,
            width=shutil.get_terminal_size((120, 24)).columns,
            answer=str(answer),
        )
        write = partial(write_exploration, asked)
        code = submit_file("--explore", write, plan.settings, options.master, secrets)
        if code or not answer.exists():
            raise RunError(f"Spark ended with code {code}; see its lines above")
        sys.stdout.write(answer.read_text(encoding="utf-8"))
    return 0


def _plan(options: argparse.Namespace) -> Plan:
    of_job = options.config or options.job is not None
    if bool(of_job) == bool(options.path):
        raise _mistake("expected a job (-c JOB) with --data-frame NAME, or --path P")
    if options.path:
        if options.data_frame:
            raise _mistake("--data-frame: names a data frame of a job; with --path there is none")
        if options.var:
            raise _mistake("--var: is a variable of a job; with --path there is none")
        try:
            return plan_of_path(
                options.path,
                options.format,
                dict(options.option),
                base=str(Path(options.base or "").absolute()),
                spark_conf={one.name: one.value for one in spark_settings(options)},
            )
        except ValueError as error:
            raise _mistake(str(error)) from None
    if not options.data_frame:
        raise _mistake("expected --data-frame NAME: a step's data frame, or an input")
    if options.format or options.option:
        raise _mistake("--format and --option go with --path; a job says itself how it reads")
    return plan_of_frame(job_of(options, final=True), options.data_frame)


def _mistake(text: str) -> ConfigError:
    return ConfigError([Problem(file="metorikku", line=0, path="", text=text)])
