"""Files of expected totals, as source systems send them: CSV or JSON to values by control."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.words import suggestion
from airflow_metorikku.errors import MetorikkuError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from airflow_metorikku.config.records.reconciliation import Against, TotalsFormat

Pair = tuple[str, str]
_SHOWN = 60


class UnreadableTotalsError(MetorikkuError):
    """The text is no whole file of totals; says what was found, and what was expected."""


def read_totals(text: str, against: Against) -> dict[str, str]:
    """The totals of a file, as it writes them, by our names of the controls; raises UnreadableTotalsError."""
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise _wrong(against, "is empty, expected totals")
    pairs = list((_json if format_of(against) == "json" else _csv)(text, against))
    ours = {theirs: name for name, theirs in against.names.items()}
    values: dict[str, str] = {}
    for theirs, value in pairs:
        name = ours.get(theirs, theirs)
        if name in values:
            raise _wrong(against, f"has {theirs!r} twice, expected one value for each control")
        values[name] = value
    if not values:
        raise _wrong(against, "has no totals")
    absent = [theirs for theirs in against.names.values() if ours[theirs] not in values]
    if absent:
        found = ", ".join(theirs for theirs, _ in pairs)
        raise _wrong(against, f"names: has no {', '.join(absent)}; it has {found}")
    return values


def format_of(against: Against) -> TotalsFormat:
    """As the rule says, else by the ending of the path."""
    if against.format:
        return against.format
    return "json" if against.path.lower().endswith(".json") else "csv"


def _wrong(against: Against, text: str) -> UnreadableTotalsError:
    return UnreadableTotalsError(f"{against.path}: {text}")


def _csv(text: str, against: Against) -> Iterator[Pair]:
    try:
        rows = list(
            csv.reader(io.StringIO(text, newline=""), delimiter=against.separator, strict=True)
        )
    except csv.Error as error:
        raise _wrong(against, f"not CSV: {error}; it may be half written") from error
    numbered = [(line, [cell.strip() for cell in row]) for line, row in enumerate(rows, 1) if row]
    if against.header:
        (_, head), *numbered = numbered
    else:
        head = [str(number) for number in range(1, len(numbered[0][1]) + 1)]
    for line, row in numbered:
        if len(row) != len(head):
            raise _wrong(
                against,
                f"row {line}: got {_counted(row)}, expected {len(head)}; the file may be half written",
            )
    if against.layout == "columns":
        yield from _one_row(head, numbered, against)
        return
    name, value = (_column(key, head, against) for key in (against.name_key, against.value_key))
    for line, row in numbered:
        yield _pair(row[name], row[value], f"row {line}", against)


def _one_row(
    head: list[str], rows: list[tuple[int, list[str]]], against: Against
) -> Iterator[Pair]:
    if len(rows) != 1:
        raise _wrong(against, f"has {len(rows)} rows of totals, expected one with layout: columns")
    for name, value in zip(head, rows[0][1], strict=True):
        yield _pair(name, value, f"row {rows[0][0]}", against)


def _column(key: str, head: list[str], against: Against) -> int:
    if key in head:
        return head.index(key)
    near = suggestion(key, head)
    hint = f"; did you mean {near!r}?" if near else "; say which by nameKey, valueKey or layout"
    raise _wrong(against, f"has no column {key!r}, it has {_cut(', '.join(head))}{hint}")


def _counted(row: list[str]) -> str:
    return "1 column" if len(row) == 1 else f"{len(row)} columns"


def _json(text: str, against: Against) -> Iterator[Pair]:
    try:
        # Numbers stay as they are written: a total of 38 digits is not a float.
        found: Any = json.loads(text, parse_int=str, parse_float=str, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        raise _wrong(against, f"not JSON: {error}; it may be half written") from error
    for key in against.inside.split(".") if against.inside else ():
        at = dict(found).get(key) if isinstance(found, _Pairs) else None
        if at is None:
            raise _wrong(against, f"inside: has no {key!r} of {against.inside!r}")
        found = at
    if isinstance(found, _Pairs):
        for name, value in found:
            yield _pair(name, value, name, against)
    elif isinstance(found, list):
        for number, item in enumerate(found):
            yield _of_object(item, f"[{number}]", against)
    else:
        raise _wrong(against, f"got {_cut(found)}, expected an object or a list of objects")


def _of_object(item: object, place: str, against: Against) -> Pair:
    if not isinstance(item, _Pairs):
        raise _wrong(against, f"{place}: got {_cut(item)}, expected an object")
    keys: Mapping[str, object] = dict(item)
    for key in (against.name_key, against.value_key):
        if key not in keys:
            text = f"{place}: has no {key!r}, it has {_cut(', '.join(keys))}"
            raise _wrong(against, f"{text}; say which by nameKey and valueKey")
    return _pair(keys[against.name_key], keys[against.value_key], place, against)


def _pair(name: object, value: object, place: str, against: Against) -> Pair:
    if not isinstance(name, str) or not name:
        raise _wrong(against, f"{place}: got {_cut(name)}, expected the name of a control")
    if not isinstance(value, str) or not value.strip():
        raise _wrong(against, f"{place}: got {_cut(value)} for {name!r}, expected a value")
    return name, value.strip()


class _Pairs(list[tuple[str, Any]]):
    """A JSON object with all its keys: one that stands twice is seen."""


def _cut(value: object) -> str:
    if value is None or value == "":
        return "nothing"
    shown = (
        value
        if isinstance(value, str)
        else "an object"
        if isinstance(value, _Pairs)
        else str(value)
    )
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
