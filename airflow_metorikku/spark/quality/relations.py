"""Conditions on a row for values that must stand in a relation, or must be as a schema declares: true or false, never null."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import DateType, NumericType, StringType

from airflow_metorikku.spark.quality.predicates import of_whole_text
from airflow_metorikku.spark.quality.subject import require_single_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column

    from airflow_metorikku.config.records.analyzers.values import ColumnValues
    from airflow_metorikku.spark.quality.columns import Columns, FoundColumn

_COMPARE: dict[str, Callable[[Column, Column], Column]] = {
    "==": eq, "!=": ne, ">": gt, ">=": ge, "<": lt, "<=": le,
}  # fmt: skip
_NOW = re.compile(r"now\(\)(?: ([-+]) (\d+) (day|hour|minute)s?)?")
_DATE = len("2026-01-31")


def values_hold(analyzer: ColumnValues, columns: Columns) -> Column:
    """Whether a row's value stands in the relation."""
    found = columns.find(analyzer.column)
    return F.coalesce(_relation(analyzer, found, columns), F.lit(False))


def text_of(found: FoundColumn, name: str) -> Column:
    """A column as texts; raises WrongTypeError for what has several values."""
    require_single_values(found, name)
    return found.column if isinstance(found.type, StringType) else found.column.cast("string")


def _relation(analyzer: ColumnValues, found: FoundColumn, columns: Columns) -> Column:
    operator = analyzer.operator
    if operator.endswith("matches"):
        pattern = of_whole_text(columns.session, analyzer.texts[0])
        whole = text_of(found, analyzer.column).rlike(pattern)
        return ~whole if operator == "not matches" else whole
    value, given = _comparable(analyzer, found)
    if operator == "between":
        return (value > given[0]) & (value < given[1])
    if operator == "not between":
        return (value <= given[0]) | (value >= given[1])
    if operator in ("in", "not in") or analyzer.missing:
        listed = F.coalesce(_listed(analyzer, found, value, given), F.lit(False))
        return listed if operator in ("in", "==") else ~listed
    compared = _COMPARE[operator](value, given[0])
    return value.isNull() | compared if operator == "!=" else compared


def _listed(
    analyzer: ColumnValues, found: FoundColumn, value: Column, given: list[Column]
) -> Column:
    known = value.isin(given) if given else F.lit(False)
    conditions = [F.coalesce(known, F.lit(False))]
    for missing in analyzer.missing:
        if missing == "null":
            conditions.append(found.column.isNull())
        else:
            pattern = r"^\z" if missing == "empty" else r"^\s+\z"
            text = text_of(found, analyzer.column)
            conditions.append(F.coalesce(text.rlike(pattern), F.lit(False)))
    whole = conditions[0]
    for condition in conditions[1:]:
        whole = whole | condition
    return whole


def _comparable(analyzer: ColumnValues, found: FoundColumn) -> tuple[Column, list[Column]]:
    """The value, and what it is compared with, as one type."""
    if analyzer.of == "length":
        text = text_of(found, analyzer.column)
        return F.coalesce(F.length(text), F.lit(0)), [F.lit(one) for one in analyzer.numbers]
    if analyzer.times:
        return _times(analyzer, found)
    if analyzer.numbers:
        is_number = isinstance(found.type, NumericType)
        value = found.column if is_number else found.tried("double")
        return value, [F.lit(one) for one in analyzer.numbers]
    return text_of(found, analyzer.column), [F.lit(one) for one in analyzer.texts]


def _times(analyzer: ColumnValues, found: FoundColumn) -> tuple[Column, list[Column]]:
    """Dates where the column, or one of the given times, is a date; else moments."""
    plain = [_moment(one) for one in analyzer.times]
    dates = isinstance(found.type, DateType) or any(len(one) == _DATE for one in plain)
    kind = "date" if dates else "timestamp"
    # A moment of the clock becomes a date in the session's zone.
    return found.tried(kind), [F.lit(one).cast("timestamp").cast(kind) for one in plain]


def _moment(text: str) -> str:
    match = _NOW.fullmatch(text)
    if not match:
        return text
    moment = datetime.now(UTC)
    if match[1]:
        ago = timedelta(**{f"{match[3]}s": int(match[2])})
        moment = moment - ago if match[1] == "-" else moment + ago
    return moment.isoformat()
