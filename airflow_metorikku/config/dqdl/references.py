"""Rules that read SQL, or another data frame. The one that is checked is `primary` in their SQL, as in DQDL."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.dqdl.assertions import assertion_of

if TYPE_CHECKING:
    from airflow_metorikku.config.dqdl.records import Rule

Given = dict[str, Any]
_AGGREGATE = re.compile(r"\s*(sum|avg)\s*\(\s*(.+?)\s*\)\s*", re.IGNORECASE | re.DOTALL)
_REFERENCE = re.compile(r"(.+)\.(?:\{(.*)\}|([^.{}]+))", re.DOTALL)


def custom_sql(rule: Rule) -> Given:
    """The number of a query; or, without an expression, the rows that it gives as a share of all rows."""
    (query,) = rule.parameters
    if rule.condition is not None:
        if rule.threshold is not None:
            raise ValueError(
                f"{rule.type}: a threshold is about the rows of a query; leave out the expression"
            )
        return {"sql": query, "assertion": assertion_of(rule.condition, rule.type)}
    return {
        # The query is the user's, and is asked as it stands.
        "sql": f"SELECT try_divide((SELECT count(*) FROM (\n{query}\n)), (SELECT count(*) FROM primary))",  # noqa: S608 - a query of the user's
        "name": query,
        "assertion": Assertion("==", Decimal(1)),
    }


def dataset_match(rule: Rule) -> Given:
    """Another data frame, keys, and columns to compare."""
    other, keys, *columns = rule.parameters
    given: Given = {"other": other, "keys": _pairs(keys)}
    if columns:
        given["match"] = _pairs(columns[0])
    return given


def referential_integrity(rule: Rule) -> Given:
    """Key columns, and those of another data frame: `frame.column` or `frame.{a, b}`."""
    columns, reference = rule.parameters
    match = _REFERENCE.fullmatch(reference.strip())
    if not match:
        raise ValueError(
            f"{rule.type}: got {reference!r}, expected a data frame and its columns, as reference.id or reference.{{a, b}}"
        )
    return {
        "columns": tuple(_names(columns)),
        "other": match[1],
        "other_columns": tuple(_names(match[2] or match[3])),
    }


def aggregate_match(rule: Rule) -> Given:
    """A sum or mean of a column, per that of another: `sum(column)` or `sum(frame.column)`."""
    one, other = (_aggregate(rule, text) for text in rule.parameters)
    return {"sql": f"SELECT try_divide({one}, {other})", "name": " per ".join(rule.parameters)}


def _aggregate(rule: Rule, text: str) -> str:
    match = _AGGREGATE.fullmatch(text)
    if not match:
        raise ValueError(f"{rule.type}: got {text!r}, expected sum(column) or avg(frame.column)")
    frame, _, column = match[2].rpartition(".")
    names = ".".join(map(_quoted, frame.split("."))) if frame else "primary"
    return f"(SELECT {match[1].lower()}({_quoted(column)}) FROM {names})"  # noqa: S608 - names are quoted


def _quoted(name: str) -> str:
    plain = name.strip().strip('`"')
    return "`" + plain.replace("`", "``") + "`"


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _pairs(text: str) -> dict[str, str]:
    """`a->b, c` as names and their names on the other side."""
    found = {}
    for name in _names(text):
        one, arrow, other = name.partition("->")
        found[one.strip()] = other.strip() if arrow else one.strip()
    return found
