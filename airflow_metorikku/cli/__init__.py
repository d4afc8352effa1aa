"""`metorikku check | run | test | plan | show | report | profile | suggest | info | schema | completion`: the command line.

Exit codes: 0 good, 1 the user's files, 2 the verdict, 3 the run broke, 4 our own bug.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import traceback
from typing import TYPE_CHECKING, Any, NoReturn

from airflow_metorikku import __version__
from airflow_metorikku.cli import (
    check,
    completion,
    explore,
    info,
    plan,
    report,
    run,
    schema,
    show,
    test,
)
from airflow_metorikku.errors import ConfigError, MetorikkuError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (
    check.add,
    run.add,
    test.add,
    plan.add,
    show.add,
    report.add,
    explore.add_profile,
    explore.add_suggest,
    info.add,
    schema.add,
    completion.add,
)
OUR_BUG = 4


class _Parser(argparse.ArgumentParser):
    """Ends with 1 for wrong arguments: argparse's own 2 would say that a verdict failed."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(ConfigError.exit_code, f"{self.prog}: {message}\n")


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    top = _Parser(
        prog="metorikku",
        description="Metorikku jobs on Spark, with data quality and control measures.",
        epilog="exit codes: 0 good or warnings; 1 mistakes in the files; 2 a failed verdict; "
        "3 the run broke; 4 a bug of ours",
    )
    top.add_argument("--version", action="version", version=f"metorikku {__version__}")
    commands: Any = top.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in COMMANDS:
        add(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; a user's mistake is sentences, never a traceback."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    ours = parser()
    completion.complete(ours)
    options = ours.parse_args(arguments)
    try:
        return int(options.command(options))
    except MetorikkuError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output has gone (`metorikku show | head`); nothing is wrong here.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return 3
    except Exception:  # noqa: BLE001 - the last place: whatever comes here is our bug, and is reported as one
        traceback.print_exc()
        sys.stderr.write(
            "this is a bug of airflow-metorikku; please report it with the lines above\n"
        )
        return OUR_BUG
