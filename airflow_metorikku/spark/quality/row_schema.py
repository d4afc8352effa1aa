"""Rows against a declared schema (Deequ's RowLevelSchemaValidator)."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import (
    DateType,
    NumericType,
    StringType,
    TimestampNTZType,
    TimestampType,
)

from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.quality.columns import Columns, FoundColumn
from airflow_metorikku.spark.quality.patterns import is_found
from airflow_metorikku.spark.quality.predicates import require_pattern
from airflow_metorikku.spark.quality.relations import text_of
from airflow_metorikku.spark.quality.subject import require_single_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import Column, DataFrame

    from airflow_metorikku.config.records.analyzers.declared import SchemaColumn

_NAMES = {"long": "bigint"}


def rows_hold(schema: Sequence[SchemaColumn], columns: Columns) -> Column:
    """Whether every declared column of a row holds what it must; true or false, never null."""
    return reduce(and_, (_holds(one, columns.find(one.name)) for one in schema))


def split_by_schema(
    frame: DataFrame, schema: Sequence[SchemaColumn]
) -> tuple[DataFrame, DataFrame]:
    """The valid rows with the declared columns in their types, and the invalid ones as they are.

    Raises UnknownColumnError, WrongTypeError or BadPredicateError for a schema that says nothing of the data frame.
    """
    columns = Columns(frame, "")
    for one in schema:
        if one.pattern is not None:
            require_pattern(frame, one.pattern)
    valid = rows_hold(schema, columns)
    declared = {columns.find(one.name).path: one for one in schema}
    cast = [
        _read(declared[(name,)], columns.find(quoted(name))).alias(name)
        if (name,) in declared
        else F.col(quoted(name))
        for name in frame.columns
    ]
    return frame.where(valid).select(*cast), frame.where(~valid)


def _holds(declared: SchemaColumn, found: FoundColumn) -> Column:
    require_single_values(found, declared.name)
    value = _read(declared, found)
    conditions = [value.isNotNull()]
    if declared.min is not None:
        conditions.append(value >= F.lit(declared.min))
    if declared.max is not None:
        conditions.append(value <= F.lit(declared.max))
    if declared.min_length is not None:
        conditions.append(F.length(value) >= F.lit(declared.min_length))
    if declared.max_length is not None:
        conditions.append(F.length(value) <= F.lit(declared.max_length))
    if declared.pattern is not None:
        conditions.append(is_found(value, declared.pattern))
    holds = F.coalesce(reduce(and_, conditions), F.lit(False))
    return found.column.isNull() | holds if declared.nullable else holds


def _read(declared: SchemaColumn, found: FoundColumn) -> Column:
    """The value in its declared type, null where it is none."""
    kind = _NAMES.get(declared.type, declared.type)
    if kind == "string":
        return text_of(found, declared.name)
    if kind in ("date", "timestamp"):
        return _moment(declared, found, kind)
    if kind == "decimal":
        kind = f"decimal({declared.digits[0]},{declared.digits[1]})"
    if kind in ("int", "bigint") and isinstance(found.type, NumericType):
        # A cast of Spark's would cut a fraction off.
        whole = found.tried(kind)
        return F.when(found.column == whole, whole)
    if isinstance(found.type, DateType | TimestampType | TimestampNTZType):
        return F.lit(None).cast(kind)
    return found.tried(kind)


def _moment(declared: SchemaColumn, found: FoundColumn, kind: str) -> Column:
    if isinstance(found.type, StringType) and declared.mask is not None:
        return F.try_to_timestamp(found.column, F.lit(declared.mask)).cast(kind)
    if isinstance(found.type, StringType | DateType | TimestampType | TimestampNTZType):
        return found.tried(kind)
    return F.lit(None).cast(kind)
