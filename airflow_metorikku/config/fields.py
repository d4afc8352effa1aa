"""How a record's field says what its YAML key is called, what it means, and who obeys it.

`structure` reads these to turn text into records, the reference documentation and the JSON Schema
are made from them: there is no second list of keys.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Kinds:
    """A registry for `Annotated[X, Kinds(...)]`: a mapping of one key, the kind's YAML name, to its record.

    `{file: {path: x}}` with `table={"file": FileInput}` becomes `FileInput(path="x")`.
    """

    noun: str
    table: Mapping[str, type]
    later: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Kinds that are known and refused, with what the user is told; they need not be in `table`."""
    first_wins: bool = False
    """Of several kinds in one mapping the first in the table's order counts, as in Metorikku's inputs; else several are a problem."""
    bare: bool = False
    """The kind may also stand alone as a text, with no options: `- exception`."""


@dataclass(frozen=True, kw_only=True)
class Where:
    """`file:line` that a record was read from, so that later errors can name it."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def key(  # noqa: PLR0913 - one parameter for each thing that a key may say of itself
    doc: str,
    *,
    name: str | None = None,
    default: Any = dataclasses.MISSING,
    later: str | None = None,
    any_case: bool = False,
    also: tuple[str, ...] = (),
    sql: bool = False,
    null: str | None = None,
    kinds: Kinds | None = None,
    options_of: str | None = None,
    secret: bool = False,
    read: Callable[..., Any] | None = None,
) -> Any:
    """Describe the YAML key of a field.

    :param doc: what it means, for the reference documentation.
    :param name: its spelling in YAML, where that is not the field's name in camelCase.
    :param default: the value without the key; a field without default is required.
    :param later: what the user is told: the key is known, checked and refused by this version.
    :param any_case: texts of a Literal match in any case (`Overwrite`, `overwrite`).
    :param also: other accepted spellings of the key.
    :param sql: SQL text: its `${name}` are left to Spark's variables.
    :param null: in a map of texts, what a value left empty stands for; else it is a problem.
    :param kinds: the text is the name of one of these kinds.
    :param options_of: the record is that of the kind which this other field names.
    :param read: it is written as a text, which this reads: called with the text and with what gives the place of
        a line of it, both from 0, it returns the value and the mistakes, each with its line.
    :param secret: left out of the record's repr, and so of logs and error texts; and of plans.
    """
    metadata = {
        "doc": doc, "name": name, "later": later, "any_case": any_case, "also": also,
        "sql": sql, "null": null, "kinds": kinds, "options_of": options_of, "secret": secret, "read": read,
    }  # fmt: skip
    if default is dataclasses.MISSING:
        return dataclasses.field(metadata=metadata, repr=not secret)
    if isinstance(default, dict | list):
        return dataclasses.field(default_factory=default.copy, metadata=metadata, repr=not secret)
    return dataclasses.field(default=default, metadata=metadata, repr=not secret)


def where() -> Any:
    """Field that `structure` fills with the place of the record; not a YAML key, not compared."""
    return dataclasses.field(default=None, compare=False, repr=False, metadata={"where": True})


def yaml_name(field: dataclasses.Field[Any]) -> str:
    """Spelling of a field in YAML: as given, else camelCase of its name; of one that is no YAML key, its name."""
    if "doc" not in field.metadata:
        return field.name
    if given := field.metadata["name"]:
        return str(given)
    first, *rest = field.name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def sql_texts(record: Any) -> Iterator[tuple[str, str]]:
    """SQL of the user's in a record and in those that it holds, each with its key, as `metric.where`."""
    for field, value in _held(record):
        if _is_record(value):
            yield from ((f"{yaml_name(field)}.{path}", text) for path, text in sql_texts(value))
        elif _are_records(value):
            for number, one in enumerate(value):
                at = f"{yaml_name(field)}[{number}]"
                yield from ((f"{at}.{path}", text) for path, text in sql_texts(one))
        elif value and field.metadata.get("sql"):
            yield yaml_name(field), value


def with_sql(record: T, change: Callable[[str], str]) -> T:
    """The record with each of its SQL texts changed, those of the records that it holds too."""
    changed: dict[str, Any] = {}
    for field, value in _held(record):
        if _is_record(value):
            changed[field.name] = with_sql(value, change)
        elif _are_records(value):
            changed[field.name] = tuple(with_sql(one, change) for one in value)
        elif value and field.metadata.get("sql"):
            changed[field.name] = change(value)
    return dataclasses.replace(record, **changed)  # type: ignore[type-var]  # a record


def _held(record: Any) -> Iterator[tuple[dataclasses.Field[Any], Any]]:
    for field in dataclasses.fields(record):
        if "doc" in field.metadata:
            yield field, getattr(record, field.name)


def _are_records(value: Any) -> bool:
    return isinstance(value, tuple) and any(map(_is_record, value))


def _is_record(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and any(
        "doc" in field.metadata for field in dataclasses.fields(value)
    )


_VIEW_NAME = re.compile(r"[A-Za-z0-9_]*[A-Za-z_][A-Za-z0-9_]*")


def check_view_name(path: str, name: str) -> None:
    """Raise ValueError unless Spark SQL can name a view so without quotes, which Metorikku's jobs rely on."""
    if "${" not in name and not _VIEW_NAME.fullmatch(name):
        raise ValueError(
            f"{path}: got {name!r}, expected letters, digits and _, a name that SQL can use unquoted"
        )


def check_columns(path: str, columns: Sequence[str]) -> None:
    """Raise ValueError unless there is a column, and none stands twice."""
    if not columns:
        raise ValueError(f"{path}: expected at least one column")
    if len(set(columns)) != len(columns):
        raise ValueError(f"{path}: a column stands twice")


# What Spark counts with: a Java int.
_MOST = 2**31 - 1


def check_count(path: str, count: int | None, *, least: int) -> None:
    """Raise ValueError unless a count is none, or from `least` to the most that Spark takes."""
    if count is not None and count < least:
        raise ValueError(f"{path}: expected {least} or more, got {count}")
    if count is not None and count > _MOST:
        raise ValueError(f"{path}: expected at most {_MOST}, got {count}")
