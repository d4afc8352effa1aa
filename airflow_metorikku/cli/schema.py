"""`metorikku schema job|metric|test`: JSON Schema, for editors."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from airflow_metorikku.config.json_schema import SCHEMA_FILES, json_schema

if TYPE_CHECKING:
    import argparse


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "schema",
        help="print the JSON Schema of a kind of file, for editors",
        description="Prints a JSON Schema by which an editor completes and flags keys. In VS Code with the YAML "
        "extension: metorikku schema job > job.schema.json, and in the settings "
        '"yaml.schemas": {"./job.schema.json": "jobs/**/job.yaml"}; or in the file itself, as its first line, '
        "# yaml-language-server: $schema=../job.schema.json",
        epilog="exit codes: 0 printed",
    )
    parser.add_argument("kind", choices=SCHEMA_FILES, help="kind of file")
    parser.set_defaults(command=show_schema)


def show_schema(options: argparse.Namespace) -> int:
    """Print the schema."""
    json.dump(json_schema(options.kind), sys.stdout, ensure_ascii=False, indent=1)
    sys.stdout.write("\n")
    return 0
