"""`metorikku info build | show | compare`: `_INFO` files, Atum's control measures, on the command line."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Literal

from airflow_metorikku.cli import info_build
from airflow_metorikku.cli.info_files import info_at, wrong
from airflow_metorikku.config.records.reconciliation import Expectation, ReconcileRule
from airflow_metorikku.config.words import unknown
from airflow_metorikku.results.info_table import render_comparison, render_info
from airflow_metorikku.results.reconcile import Actual, Compared, Reference, reconcile
from airflow_metorikku.results.references import named, not_there, of_checkpoint

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airflow_metorikku.results.info import Info, InfoCheckpoint

DIFFER = 2
_LIMITS = {
    "tolerance": "ratio that a control may be off, either way: 0.01 is one in a hundred",
    "max_loss": "ratio that it may be lower",
    "max_gain": "ratio that it may be higher",
    "absolute_tolerance": "what it may be off, in its own unit",
    "max_absolute_loss": "what it may be lower",
    "max_absolute_gain": "what it may be higher",
}
_RATIOS = ("tolerance", "max_loss", "max_gain")
_EXITS = "exit codes: 0 {good}, 1 a file that cannot be read, or wrong arguments"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its own three."""
    parser = commands.add_parser(
        "info",
        help="build, show or compare _INFO files (Atum's control measures)",
        description="Works with _INFO files, which carry control measures (counts, totals, hashes) of data beside them.",
        epilog="as: metorikku info build --path trades --format csv --columns price,isin:hashCrc32 --output trades; "
        "metorikku info show trades/_INFO; metorikku info compare source/_INFO target/_INFO --tolerance 0.001",
    )
    own = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    info_build.add(own)
    _add_show(own)
    _add_compare(own)


def _add_show(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "show",
        help="show a file as a table",
        description="Shows the controls of an _INFO file, a row each, with a column for each checkpoint, and what is "
        "odd in it: unknown types, times that are none, checkpoints of the same order.",
        epilog=_EXITS.format(good="shown"),
    )
    parser.add_argument(
        "file", metavar="FILE|DIR", help="an _INFO file, or the folder that it is in"
    )
    parser.add_argument("--json", action="store_true", help="the file itself as indented JSON")
    parser.set_defaults(command=show)


def _add_compare(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "compare",
        help="reconcile two files",
        description="Compares the controls of a checkpoint of SECOND with those of a checkpoint of FIRST, the last of "
        "each unless named. Every control of both must be there and equal, as far as no limit allows more; of several "
        "limits the widest counts.",
        epilog=f"{_EXITS.format(good='all agree')}, 2 they do not",
    )
    parser.add_argument("first", metavar="FIRST", help="_INFO file that says what is expected")
    parser.add_argument("second", metavar="SECOND", help="_INFO file that is judged")
    parser.add_argument("--against", metavar="NAME", help="checkpoint of FIRST; default its last")
    parser.add_argument(
        "--checkpoint", metavar="NAME", help="checkpoint of SECOND; default its last"
    )
    for name, text in (
        ("control", "compare only this control (may be repeated)"),
        ("ignore", "leave this control out (may be repeated)"),
    ):
        parser.add_argument(f"--{name}", action="append", default=[], metavar="NAME", help=text)
    for name, text in _LIMITS.items():
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, metavar="N", type=_number, help=text)
    parser.add_argument("--json", action="store_true", help="a JSON list of what was compared")
    parser.set_defaults(command=compare)


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected a number") from None


def show(options: argparse.Namespace) -> int:
    """Print the file."""
    info = info_at(options.file)
    width = shutil.get_terminal_size((120, 24)).columns
    text = info.to_json(pretty=True) if options.json else render_info(info, width)
    sys.stdout.write(f"{text}\n")
    return 0


def compare(options: argparse.Namespace) -> int:
    """Print both side by side, and return whether they agree."""
    files = info_at(options.first), info_at(options.second)
    _require_there(options.ignore, files)
    first = _chosen(files[0], options.first, options.against)
    second = _chosen(files[1], options.second, options.checkpoint)
    reference = of_checkpoint(first, f"{first.name} of {options.first}", is_whole=True)
    compared = _compared(second, reference, options)
    if options.json:
        rows = [
            {
                "control": one.control,
                "expected": one.expected,
                "actual": one.actual,
                "status": one.status,
                "message": one.message,
            }
            for one in compared
        ]
        sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
    else:
        width = shutil.get_terminal_size((120, 24)).columns
        places = (reference.name, f"{second.name} of {options.second}")
        sys.stdout.write(render_comparison(compared, places, width) + "\n")
    agree = bool(compared) and all(one.status == "passed" for one in compared)
    return 0 if agree else DIFFER


def _require_there(ignored: Iterable[str], files: Iterable[Info]) -> None:
    """Refuse names of controls that no file has: what was meant would be compared."""
    known = {one.name: None for info in files for each in info.checkpoints for one in each.controls}
    for name in ignored:
        if name not in known:
            text = f"--ignore: neither file has it: {unknown('control', name, known)}"
            raise wrong("metorikku info compare", text)


def _compared(
    checkpoint: InfoCheckpoint, reference: Reference, options: argparse.Namespace
) -> list[Compared]:
    expect = _expectation(options)
    rules = [
        ReconcileRule(
            checkpoint=checkpoint.name, control=tuple(options.control) or None, expect=expect
        ),
        *(
            ReconcileRule(checkpoint=checkpoint.name, control=name, expect="ignore")
            for name in options.ignore
        ),
    ]
    controls = [Actual(name=one.name, value=one.value) for one in checkpoint.controls]
    found = reconcile(checkpoint.name, controls, rules, lambda _: reference)
    wanted = set(options.control)
    return [
        one
        for one in found
        if one.control not in options.ignore and (not wanted or one.control in wanted)
    ]


def _expectation(options: argparse.Namespace) -> Literal["equal"] | Expectation:
    given = {name: getattr(options, name) for name in _LIMITS}
    limits: dict[str, Any] = {
        name: float(limit) if name in _RATIOS else limit
        for name, limit in given.items()
        if limit is not None
    }
    try:
        return Expectation(**limits) if limits else "equal"
    except ValueError as error:
        raise wrong("metorikku info compare", str(error)) from None


def _chosen(info: Info, path: str, name: str | None) -> InfoCheckpoint:
    found = named(info.checkpoints, name) if name else info.last
    if found is None:
        text = (
            not_there(name, info.checkpoints).problem if name else "has no checkpoints to compare"
        )
        raise wrong(path, text)
    return found
