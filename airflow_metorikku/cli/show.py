"""`metorikku show RESULT`: a result as a table."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.results.paths import RESULT
from airflow_metorikku.results.records import Result, UnreadableResultError
from airflow_metorikku.results.table import render

if TYPE_CHECKING:
    import argparse


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "show",
        help="show a result as a table",
        description="Shows outputs, constraints, control measures and verdict of a result file, or of the "
        "newest result below a folder.",
        epilog="exit codes: 0 shown, 3 no readable result",
    )
    parser.add_argument("result", metavar="RESULT|DIR", help="result.json, or a folder of results")
    parser.set_defaults(command=show)


def show(options: argparse.Namespace) -> int:
    """Print the table."""
    path = newest(Path(options.result))
    sys.stdout.write(render(read(path), shutil.get_terminal_size((120, 24)).columns) + "\n")
    return 0


def newest(path: Path) -> Path:
    """The file itself, or the newest result below a folder; raises RunError when there is none."""
    if path.is_file():
        return path
    found = sorted(path.rglob(RESULT), key=lambda result: result.stat().st_mtime)
    if not found:
        raise RunError(f"{path}: no {RESULT} there or below")
    return found[-1]


def read(path: Path) -> Result:
    """Read a result; raises RunError with the path."""
    try:
        return Result.from_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, UnreadableResultError) as error:
        raise RunError(f"{path}: {error}") from error
