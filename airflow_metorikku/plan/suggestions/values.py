"""Rules on what is there and what is not: nulls, types of texts, the values themselves and how long they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.plan.suggestions.intervals import wald
from airflow_metorikku.plan.suggestions.seen import Found, Seen, bound
from airflow_metorikku.results.profiles import BOOLEAN, FRACTIONAL, INTEGRAL, STRING, ValueCount

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_COMPLETENESS = 0.2
"""Below it, a column that is mostly null tells nothing about how complete it should be."""
MOST_SINGLES = 0.1
"""Share of values that may occur once where all values are taken for the allowed ones."""
COVERAGE = 0.9
"""Share of rows that the most frequent values must cover to be taken for the usual ones."""
MOST_SINGLES_OF_TOP = 0.4
UNIQUE_ERROR = 0.08
"""How far the approximate count of values may be from the count of rows."""


def complete(seen: Seen) -> Found | None:
    """A column without a null may stay so."""
    if not seen.is_complete:
        return None
    why = f"no null in {seen.rows} rows"
    if seen.column.min_length == 0:
        # What CSV leaves empty is read as an empty text: who sees "no null" takes it for filled in.
        why += "; some are empty texts, which `emptyAsNull: true` would take for nulls"
    return Found("isComplete", "Completeness: 1.0", why, {})


def retain_completeness(seen: Seen) -> Found | None:
    """A column with nulls may not have many more."""
    share = seen.column.completeness
    if share is None or not LEAST_COMPLETENESS < share < 1:
        return None
    low, _ = wald(share, seen.rows)
    if low <= 0:
        return None  # which would hold of anything
    missing = round((1 - low) * 100)
    why = f"{seen.column.nulls} of {seen.rows} rows are null; a 95 % interval allows up to {missing} %"
    return Found("hasCompleteness", f"Completeness: {share}", why, {"assertion": bound(">=", low)})


def retain_type(seen: Seen) -> Found | None:
    """Texts that all are of another type may stay so."""
    column = seen.column
    if not column.inferred or column.data_type not in (INTEGRAL, FRACTIONAL, BOOLEAN):
        return None
    # A column with whole numbers and fractions in it is of fractions to Deequ, and its own check fails on it.
    kind = "Numeric" if len(column.types) > 1 else column.data_type
    why = f"each text that is not null can be read as {kind}"
    return Found("hasDataType", f"DataType: {column.data_type}", why, {"data_type": kind})


def categories(seen: Seen) -> Found | None:
    """Few values, nearly all of them seen several times, are the allowed ones."""
    values = _of_categories(seen)
    if not values or _singles(values) > MOST_SINGLES:
        return None
    why = f"the only {len(values)} values of {seen.rows} rows"
    return Found("isContainedIn", "Compliance: 1", why, {"allowed_values": _texts(values)})


def usual_categories(seen: Seen) -> Found | None:
    """The most frequent values are the usual ones."""
    values = _of_categories(seen)
    nulls = seen.column.nulls or 0
    top: list[ValueCount] = []
    covered = nulls  # a null contradicts no list
    for one in values:
        if covered >= COVERAGE * seen.rows:
            break
        top.append(one)
        covered += one.count
    if not top or covered >= seen.rows or _singles(top) > MOST_SINGLES_OF_TOP:
        return None
    share = covered / seen.rows
    low, _ = wald(share, seen.rows)
    why = f"the {len(top)} most frequent values cover {share:.1%} of {seen.rows} rows"
    keys = {"allowed_values": _texts(top), "assertion": bound(">=", low)}
    return Found("isContainedIn", f"Compliance: {share}", why, keys) if low > 0 else None


def _of_categories(seen: Seen) -> tuple[ValueCount, ...]:
    return seen.column.values if seen.column.data_type in (STRING, INTEGRAL) else ()


def _singles(values: Sequence[ValueCount]) -> float:
    return sum(one.count == 1 for one in values) / len(values)


def _texts(values: Sequence[ValueCount]) -> tuple[str, ...]:
    return tuple(one.value for one in values if one.value is not None)


def unique(seen: Seen) -> Found | None:
    """A complete column with about as many values as rows may be a key."""
    count = seen.column.distinct
    if not seen.is_complete or count is None or abs(1 - count / seen.rows) > UNIQUE_ERROR:
        return None
    about = "" if seen.column.histogram is not None else "about "
    why = f"{about}{count} different values in {seen.rows} rows; counted again, exactly"
    return Found("isUnique", f"ApproxDistinctness: {count / seen.rows}", why, {})


def shortest(seen: Seen) -> Found | None:
    """No text may be shorter than the shortest."""
    return _length("hasMinLength", "MinLength", ">=", seen.column.min_length)


def longest(seen: Seen) -> Found | None:
    """No text may be longer than the longest."""
    return _length("hasMaxLength", "MaxLength", "<=", seen.column.max_length)


def _length(check: str, name: str, operator: str, length: int | None) -> Found | None:
    if length is None or (operator == ">=" and length == 0):
        return None
    word = "shortest" if operator == ">=" else "longest"
    keys = {"assertion": bound(operator, length)}
    return Found(check, f"{name}: {length}", f"the {word} text has {length} characters", keys)
