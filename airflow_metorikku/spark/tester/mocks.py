"""Mocks: files as tables of the catalog, as Metorikku's tester makes them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql.types import StringType, StructField, StructType

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.formats import CSV_READ
from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from airflow_metorikku.config.records.test_settings import Mock

# One of plain names, which need no parser: letters, digits and underscores between commas.
_PLAIN_HEADER = re.compile(r"\w+(?:,\w+)*", re.ASCII)
_LONGEST_HEADER = 65536
_FORMATS = {".json": "json", ".jsonl": "json", ".csv": "csv"}
_OPTIONS = {"csv": {name: CSV_READ[name] for name in ("header", "quote", "escape")}}


def make_mock(session: SparkSession, mock: Mock) -> None:
    """Make the table; a CSV's empty fields are nulls, unlike in a job. Raises RunError naming the mock."""
    where = f"mock '{mock.name}'" + (f" ({mock.at})" if mock.at else "")
    *database, table = mock.name.split(".")
    name = ".".join(map(quoted, [*database, table]))
    kind = _FORMATS.get(Path(mock.path).suffix, "parquet")
    try:
        if database:
            session.sql(f"CREATE DATABASE IF NOT EXISTS {'.'.join(map(quoted, database))}")
        _require_free(session, name)
        options: dict[str, Any] = _OPTIONS.get(kind, {})
        schema = _plain_header(Path(mock.path)) if kind == "csv" else None
        session.catalog.createTable(name, path=mock.path, source=kind, schema=schema, **options)
        if _is_partitioned(Path(mock.path)):
            session.catalog.recoverPartitions(name)
    except Exception as error:
        raise RunError(f"{where}: {mock.path}: {sentence(error)}") from error


def _require_free(session: SparkSession, name: str) -> None:
    if session.catalog.tableExists(name):
        raise RunError("a table of this name is there already, and is left alone")


def _plain_header(path: Path) -> StructType | None:
    """The columns of a CSV file whose first line says them plainly; None where Spark must look.

    All are texts, as Spark takes them; a query of Spark's for the first line is half of what a small test costs.
    """
    if not path.is_file() or path.name.startswith(("_", ".")):  # Spark passes over such a name
        return None
    with path.open(encoding="utf-8", errors="replace", newline=None) as file:
        line = file.readline(_LONGEST_HEADER)
    if len(line) == _LONGEST_HEADER:  # there may be more of it
        return None
    line = line.removesuffix("\n")
    names = line.split(",")
    if not _PLAIN_HEADER.fullmatch(line) or len({name.lower() for name in names}) < len(names):
        return None
    return StructType([StructField(name, StringType()) for name in names])


def _is_partitioned(path: Path) -> bool:
    """Whether a folder has one by column, as `day=2024-01-01`."""
    return path.is_dir() and any("=" in each.name for each in path.iterdir() if each.is_dir())
