"""Schemas: share of rows that hold what is declared, and of columns that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.spark.aggregates import SPARK_ERRORS
from airflow_metorikku.spark.asks import Ask
from airflow_metorikku.spark.jvm import java_class
from airflow_metorikku.spark.quality.columns import UnknownColumnError
from airflow_metorikku.spark.quality.predicates import require_pattern
from airflow_metorikku.spark.quality.row_schema import rows_hold
from airflow_metorikku.spark.quality.subject import share
from airflow_metorikku.spark.quality.values import MetricValue, no_data, ratio, share_of_columns
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from airflow_metorikku.config.records.analyzers.declared import (
        ColumnNames,
        DeclaredColumns,
        RowSchema,
    )
    from airflow_metorikku.spark.quality.subject import Subject


class BadTypeError(MetorikkuError):
    """Spark knows no such type."""


def row_schema(analyzer: RowSchema, subject: Subject) -> Ask[MetricValue]:
    """Share of rows in which every declared column holds what it must."""
    for column in analyzer.columns:
        if column.pattern is not None:
            require_pattern(subject.frame, column.pattern)
    holds = rows_hold(analyzer.columns, subject.columns)
    return share(subject, subject.count(holds, "row schema", analyzer.columns), risky=True)


def declared_columns(analyzer: DeclaredColumns, subject: Subject) -> Ask[MetricValue]:
    """Share of the declared columns that are there, from the schema alone."""
    frame = subject.frame
    types = {
        name: type_named(frame, text) for name, text in analyzer.columns.items() if text.strip()
    }
    found: dict[str, str] = {}
    for name in analyzer.columns:
        try:
            path = subject.columns.find(name).path
        except UnknownColumnError:
            continue
        if len(path) == 1:
            found[name] = path[0]
    there = [name for name in frame.columns if name in found.values()]
    ordered = list(found.values())
    matching = [
        name
        for name, real in found.items()
        if types.get(name) in (None, frame.schema[real].dataType.simpleString())
        and (analyzer.order == "any" or there.index(real) == ordered.index(real))
    ]
    there_are = len(frame.columns) if analyzer.extra == "fail" else 0
    value = share_of_columns(len(matching), len(analyzer.columns), there_are)
    return Ask(answer=lambda _: value)


def column_names(analyzer: ColumnNames, subject: Subject) -> Ask[MetricValue]:
    """Share of the columns whose name matches, by Java's own expressions."""
    require_pattern(subject.frame, analyzer.pattern)
    matches = java_class(subject.frame.sparkSession, "java.util.regex.Pattern").matches
    names = subject.frame.columns
    if not names:
        return Ask(answer=lambda _: no_data("the data frame has no columns"))
    value = ratio(sum(bool(matches(analyzer.pattern, name)) for name in names), len(names))
    return Ask(answer=lambda _: value)


def type_named(frame: DataFrame, text: str) -> str:
    """A type of SQL as Spark spells it; raises BadTypeError for what is none."""
    try:
        kind = java_class(frame.sparkSession, "org.apache.spark.sql.types.DataType").fromDDL(text)
    except SPARK_ERRORS as error:
        raise BadTypeError(f"type {text!r}: {sentence(error)}") from error
    return str(kind.catalogString())
