"""Arguments that several commands share."""

from __future__ import annotations

import argparse


def add_job(parser: argparse.ArgumentParser) -> None:
    """Which job: `-c FILE` or `--job JSON`, `--var`, `--base`."""
    parser.add_argument("-c", "--config", metavar="JOB", help="job file")
    parser.add_argument(
        "-j", "--job", metavar="JSON", help="the job itself, as JSON text; wins over -c"
    )
    parser.add_argument(
        "--var",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        type=variable,
        help="a variable; wins over the job's own and over the environment (may be repeated)",
    )
    parser.add_argument(
        "--properties-file",
        metavar="FILE",
        help="Spark settings in Java's properties format; those of the job's sparkConf win (may be repeated, the last wins)",
        action="append",
        default=[],
    )
    parser.add_argument(
        "--base", metavar="DIR", help="folder that the job's relative paths start from"
    )


def add_data(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Which data, without a job: `--path`, `--format`, `--option`."""
    parser.add_argument(
        "--path", metavar="P", required=required, help="the data: a file, a folder or a pattern"
    )
    parser.add_argument(
        "--format", metavar="F", help="any Spark format; default by the name's end, else parquet"
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        type=variable,
        help="an option of Spark's reader for --path, as sep=; (may be repeated)",
    )


def variable(text: str) -> tuple[str, str]:
    """`name=value` as a pair; the value may be empty and hold further `=`."""
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected NAME=VALUE")
    return name, value
