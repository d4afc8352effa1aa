"""Columns as a check's flags make them: NaN or empty texts taken for null."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F
from pyspark.sql.types import DoubleType, FloatType, StringType

if TYPE_CHECKING:
    from airflow_metorikku.spark.quality.columns import FoundColumn

# Marks in a path, which no column's name can hold: the cleaned column is another one to all who share aggregates.
_NO_NAN, _NO_EMPTY = "\0no NaN", "\0no empty text"


def is_floating(found: FoundColumn) -> bool:
    """Whether NaN may be in it."""
    return isinstance(found.type, FloatType | DoubleType)


def cleaned(found: FoundColumn, flags: Any) -> FoundColumn:
    """The column by the flags `nan` and `empty_as_null` of an analyzer, as far as it has them."""
    if getattr(flags, "nan", "keep") == "ignore" and is_floating(found):
        found = replace(
            found,
            path=(*found.path, _NO_NAN),
            column=F.when(~F.isnan(found.column), found.column),
        )
    if getattr(flags, "empty_as_null", False) and isinstance(found.type, StringType):
        found = replace(
            found,
            path=(*found.path, _NO_EMPTY),
            column=F.when(found.column != F.lit(""), found.column),
        )
    return found
