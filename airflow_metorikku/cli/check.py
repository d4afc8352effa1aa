"""`metorikku check PATH...`: every problem of job, metric and test files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from airflow_metorikku.config.check import check_paths
from airflow_metorikku.plan.problems import find_problems

if TYPE_CHECKING:
    import argparse


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "check",
        help="read files and print every problem",
        description="Reads job, metric and test files, or folders of them, and prints every problem "
        "as file:line: path: got, expected, did you mean. Nothing is run.",
        epilog="exit codes: 0 no problem, 1 problems",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="file or folder")
    parser.set_defaults(command=check)


def check(options: argparse.Namespace) -> int:
    """Print the problems, then how many files were read."""
    files, problems = check_paths(options.paths, find=find_problems)
    for problem in problems:
        sys.stdout.write(f"{problem}\n")
    noun = "problem" if len(problems) == 1 else "problems"
    sys.stderr.write(f"{len(files)} files read, {len(problems)} {noun}\n")
    return 1 if problems else 0
