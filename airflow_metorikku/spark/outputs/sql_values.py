"""Columns as a database takes them: what SQL has no type for becomes JSON text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType

from airflow_metorikku.spark.names import quoted

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType

    from airflow_metorikku.spark.databases import Database

_NESTED = ("array", "map", "struct", "variant")


def for_database(frame: DataFrame, database: Database) -> DataFrame:
    """The same rows; arrays stay arrays where the database has them, other nested values are JSON texts."""
    fields = frame.schema.fields
    by_place = frame.toDF(*(f"c{place}" for place in range(len(fields))))
    columns = [
        _column(f"c{place}", field.dataType, arrays=database.is_postgresql).alias(field.name)
        for place, field in enumerate(fields)
    ]
    return by_place.select(*columns)


def in_order(frame: DataFrame, places: tuple[int, ...]) -> DataFrame:
    """The columns at these places, which may repeat, as `c0`, `c1` and so on."""
    by_place = frame.toDF(*(f"p{place}" for place in range(len(frame.columns))))
    return by_place.select(*(F.col(f"p{p}").alias(f"c{i}") for i, p in enumerate(places)))


def _column(name: str, found: DataType, *, arrays: bool) -> Column:
    column = F.col(quoted(name))
    if arrays and isinstance(found, ArrayType) and _is_plain(found.elementType):
        return column
    if found.typeName() in _NESTED:
        return F.to_json(column)
    return column.cast("string") if _is_only_text(found) else column


def _is_plain(element: DataType) -> bool:
    return element.typeName() not in (*_NESTED, "binary") and not _is_only_text(element)


def _is_only_text(found: DataType) -> bool:
    """Nulls alone, and intervals, whose names say of what."""
    return found.typeName() == "void" or "interval" in found.typeName()
