"""Input `file`: files and folders in any format that Spark reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.files import files_at
from airflow_metorikku.spark.formats import CSV_READ, format_sentence, spark_format, with_defaults
from airflow_metorikku.spark.inputs.schema import schema_from_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

    from airflow_metorikku.config.records.inputs import FileInput

_BY_EXTENSION = {"json": "json", "jsonl": "json", "csv": "csv"}
_NO_SCHEMA = "UNABLE_TO_INFER_SCHEMA"
_NO_PATH = "PATH_NOT_FOUND"
_NO_FILE = "FAILED_READ_FILE.FILE_NOT_EXIST"
_SHOWN = 3


def read_file(session: SparkSession, given: FileInput) -> DataFrame:
    """Read a file input; raises RunError with the path in it."""
    return read_paths(
        session,
        given.path.split(","),
        format_name=given.format,
        options=given.options,
        schema_path=given.schema_path,
    )


def read_paths(
    session: SparkSession,
    paths: Sequence[str],
    *,
    format_name: str | None,
    options: Mapping[str, str],
    schema_path: str | None,
) -> DataFrame:
    """Read several paths as one data frame.

    A CSV (spelt so) has Metorikku's defaults, and empty texts where it has nulls.
    """
    name = format_name or _BY_EXTENSION.get(_extension(paths[0]), "parquet")
    is_csv = name == "csv"
    reader = session.read.format(spark_format(session, name))
    reader = reader.options(**with_defaults(name, {**CSV_READ, **options} if is_csv else options))
    if schema_path:
        reader = reader.schema(_schema(session, schema_path))
    shown = ", ".join(paths[:_SHOWN]) + (
        f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    )
    try:
        frame = reader.load(list(paths))
    except Exception as error:
        raise RunError(f"{shown}: {_reason(session, name, error)}") from error
    if not frame.columns:
        raise RunError(
            f"{shown}: is empty, so it has no columns; expected "
            f"{'a line with their names' if is_csv else 'at least one record'}, or a schemaPath"
        )
    return frame.na.fill("") if is_csv else frame


def _extension(path: str) -> str:
    base = path.rsplit("/", 1)[-1]
    return base.rsplit(".", 1)[1] if "." in base else ""


def _schema(session: SparkSession, path: str) -> StructType:
    files, inside = files_at(session, path)
    try:
        if files.is_folder(inside):
            raise RunError(f"schemaPath {path}: there is a folder; expected a JSON file")
        text = files.read_text(inside)
    except FileNotFoundError as error:
        raise RunError(f"schemaPath {path}: there is no such file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"schemaPath {path}: cannot be read: {error}") from error
    try:
        return schema_from_text(text)
    except ValueError as error:
        raise RunError(f"schemaPath {path}: {error}") from error


def _reason(session: SparkSession, name: str, error: Exception) -> str:
    text = format_sentence(session, name, error)
    if _NO_PATH in text:
        found = re.search(r"Path does not exist: (.*?)\.?$", text)
        missing = found[1].removeprefix("file:") if found else ""
        return f"there is no file or folder {missing}".rstrip()
    if _NO_FILE in text:
        # Spark says so of a file without permission, too.
        return "a file of it cannot be read: it is gone meanwhile, or this user may not read it"
    if _NO_SCHEMA in text:
        return f"there is no {name} file in it to read the columns from"
    return text
