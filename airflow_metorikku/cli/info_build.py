"""`metorikku info build`: a first `_INFO` of data, as Atum's builder makes it, by Spark."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow_metorikku.cli.arguments import add_data, variable
from airflow_metorikku.cli.info_files import info_at, wrong
from airflow_metorikku.cli.run import submit
from airflow_metorikku.config.fields import yaml_name
from airflow_metorikku.config.records.controls import (
    CONTROL_TYPES,
    ControlMeasures,
    Metadata,
    Source,
)
from airflow_metorikku.config.records.inputs import FileInput
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.remote import is_remote, path_of
from airflow_metorikku.config.words import unknown
from airflow_metorikku.errors import ConfigError, RunError
from airflow_metorikku.plan.records import Plan

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping

CALLED = "metorikku info build"
_ADDITIONAL = "additionalInfo."
_BY_LOWER_NAME = {name.lower(): name for name in CONTROL_TYPES}


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "build",
        help="measure data and make their first file",
        description="Measures data by Spark, the rows and a control for each column, and makes the _INFO file that a "
        "pipeline starts from: one checkpoint named Source, as Atum's builder makes it.",
        epilog="exit codes: 0 built, 1 wrong arguments, 3 the data could not be read or measured; "
        "as: metorikku info build --path trades --format csv --columns price,isin:hashCrc32 "
        "--metadata sourceApplication=Feed --metadata country=ZA --output trades",
    )
    add_data(parser, required=True)
    _add_what(parser)
    parser.add_argument(
        "--output",
        metavar="FILE|DIR",
        help="where it is written, in a folder as _INFO; default: printed",
    )
    parser.add_argument("--pretty", action="store_true", help="print it indented")
    parser.add_argument(
        "--master", default="local[*]", metavar="URL", help="Spark master; default local[*]"
    )
    parser.set_defaults(command=build)


def _add_what(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--columns",
        default="",
        metavar="NAME[:TYPE],...",
        help=f"columns to measure; types: {', '.join(CONTROL_TYPES)}; "
        "default absAggregatedTotal of numbers, hashCrc32 of all else",
    )
    parser.add_argument(
        "--metadata",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        type=variable,
        help=f"{', '.join(_metadata_fields())}, or {_ADDITIONAL}NAME (may be repeated)",
    )


def build(options: argparse.Namespace) -> int:
    """Run Spark on the data; print the file, or write it where it was asked for."""
    plan = _plan(options)
    with tempfile.TemporaryDirectory(prefix="metorikku-info-") as scratch:
        target = _absolute(options.output) if options.output else f"{scratch}/_INFO"
        code = submit(plan, options.master, {}, "--info", target)
        if code != 0:
            raise RunError(
                f"{options.path}: not measured, Spark ended with code {code}; see its lines above"
            )
        if not options.output:
            sys.stdout.write(info_at(target).to_json(pretty=options.pretty) + "\n")
    return 0


def _plan(options: argparse.Namespace) -> Plan:
    try:
        name = "data"
        given = FileInput(
            path=_absolute(options.path), format=options.format, options=dict(options.option)
        )
        source = Source(
            input=name, columns=_columns(options.columns), metadata=_metadata(options.metadata)
        )
        settings = JobFile(
            metrics=(CALLED,), inputs={name: given}, control_measures=ControlMeasures(source=source)
        )
    except ConfigError:
        raise
    except ValueError as error:
        raise wrong(CALLED, str(error)) from error
    return Plan(
        job="info build",
        file=CALLED,
        base=str(Path.cwd()),
        settings=settings,
        metrics=(),
        reads=(name,),
    )


def _absolute(path: str) -> str:
    return path if is_remote(path) else str(path_of(path).absolute())


def _columns(text: str) -> tuple[str | Mapping[str, str], ...]:
    """`a,b:type`; types in any case."""
    found: list[str | Mapping[str, str]] = []
    for item in (part.strip() for part in text.split(",") if part.strip()):
        column, sign, kind = item.rpartition(":")
        if not sign:
            found.append(item)
            continue
        if kind.lower() not in _BY_LOWER_NAME:
            sentence = unknown("control type", kind, CONTROL_TYPES)
            raise wrong(CALLED, f"--columns: {column}: {sentence}")
        found.append({column: _BY_LOWER_NAME[kind.lower()]})
    return tuple(found)


def _metadata_fields() -> dict[str, str]:
    names = {yaml_name(field): field.name for field in fields(Metadata)}
    return {name: field for name, field in names.items() if not _ADDITIONAL.startswith(name)}


def _metadata(given: Iterable[tuple[str, str]]) -> Metadata:
    known = _metadata_fields()
    values: dict[str, Any] = {}
    texts: dict[str, str] = {}
    for name, value in given:
        if name.startswith(_ADDITIONAL):
            texts[name.removeprefix(_ADDITIONAL)] = value
        elif name not in known:
            raise wrong(
                CALLED, f"--metadata: {unknown('name', name, [*known, _ADDITIONAL + 'NAME'])}"
            )
        else:
            values[known[name]] = value
    if "version" in values:
        if not values["version"].isdecimal():
            raise wrong(
                CALLED, f"--metadata: version: got {values['version']!r}, expected a whole number"
            )
        values["version"] = int(values["version"])
    return replace(Metadata(), **values, additional_info=texts)
