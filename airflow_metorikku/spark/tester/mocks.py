"""Mocks: files as tables of the catalog, as Metorikku's tester makes them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.formats import CSV_READ
from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from airflow_metorikku.config.records.test_settings import Mock

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
        session.catalog.createTable(name, path=mock.path, source=kind, **options)
        if _is_partitioned(Path(mock.path)):
            session.catalog.recoverPartitions(name)
    except Exception as error:
        raise RunError(f"{where}: {mock.path}: {sentence(error)}") from error


def _require_free(session: SparkSession, name: str) -> None:
    if session.catalog.tableExists(name):
        raise RunError("a table of this name is there already, and is left alone")


def _is_partitioned(path: Path) -> bool:
    """Whether a folder has one by column, as `day=2024-01-01`."""
    return path.is_dir() and any("=" in each.name for each in path.iterdir() if each.is_dir())
