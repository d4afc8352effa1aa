"""Nodes to records, by the records' own fields: every mistake is reported, and reading goes on.

A reader takes a node, its path and the report, and returns the value, or BROKEN when the report says why.
Readers are made once a type, as a DAG file may hold a thousand jobs.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.document import ListNode, MapNode, Node, Scalar
from airflow_metorikku.config.fields import Kinds, Where
from airflow_metorikku.config.leaves import (
    LEAVES,
    Reader,
    expected,
    own_reader,
    sql_reader,
    words_reader,
)
from airflow_metorikku.config.report import BROKEN, Broken, Report
from airflow_metorikku.config.shapes import FieldShape, Shape, fields_of, has_place
from airflow_metorikku.config.words import unknown

if TYPE_CHECKING:
    from collections.abc import Callable

REFUSED = "known, but this version refuses it: "


def structure(record: type[Any], node: Node, path: str, report: Report) -> Any:
    """The record that a node describes, BROKEN when it cannot be made; parts that are broken are left out of it."""
    return _record_reader(record)(node, path, report)


def _record_reader(record: type[Any]) -> _RecordReader:
    if record not in _READERS:
        _READERS[record] = _RecordReader(record)
    return _READERS[record]


class _RecordReader:
    """Reads mappings as one type of record."""

    def __init__(self, record: type[Any]) -> None:
        self.record = record
        self.fields = fields_of(record)
        self.by_key = {key: field for field in self.fields for key in (field.key, *field.also)}
        self.required = tuple(field for field in self.fields if field.required)
        self.placed = has_place(record)
        self.readers = {field.name: _field_reader(field) for field in self.fields}
        self.dependent = [field for field in self.fields if field.options_of]

    def __call__(self, node: Node, path: str, report: Report) -> Any:
        if not isinstance(node, MapNode):
            keys = ", ".join(field.key for field in self.required or self.fields[:3])
            return expected(node, path, report, f"a mapping with {keys}")
        values: dict[str, Any] = {}
        sound = self.read_entries(node, path, report, values)
        for field in self.dependent:
            self.read_options(field, node, path, report, values)
        return self.made(node, path, report, values, sound=sound)

    def read_entries(
        self, node: MapNode, path: str, report: Report, values: dict[str, Any]
    ) -> bool:
        """Read what the mapping holds into `values`; whether nothing that the record itself judges is broken."""
        meant: set[str] = set()
        sound = True
        for key, (line, value) in node.entries.items():
            field = self.by_key.get(key)
            at = f"{path}.{key}" if path else key
            if field is None:
                meant.add(self.unknown(key, line, at, report, node))
                sound = False
            elif field not in self.dependent and not (isinstance(value, Scalar) and value.is_null):
                read = self.readers[field.name](value, at, report)
                if read is not BROKEN:
                    values[field.name] = read
                    self.refuse_later(field, read, line, at, report)
                else:  # its mistakes are told; what else the record asks would only repeat them
                    meant.add(field.key)
                    sound = False
        return self.missing(node, path, report, values, meant) and sound

    def unknown(self, key: str, line: int, path: str, report: Report, node: MapNode) -> str:
        """Report an unknown key; the key that was probably meant, or nothing."""
        free = [name for name in self.by_key if name not in node.entries]
        text = unknown("key", key, free or list(self.by_key))
        report.problem(line, path, text)
        return next((name for name in free if text.endswith(f"did you mean {name!r}?")), "")

    def missing(
        self, node: MapNode, path: str, report: Report, values: dict[str, Any], meant: set[str]
    ) -> bool:
        """Report required keys that are not there, unless a misspelt one explains it."""
        absent = [field for field in self.required if field.name not in values]
        for field in absent:
            doc = field.metadata["doc"].split(". ")[0].rstrip(".")
            if field.key in meant:
                continue
            if field.key in node.entries:
                at = f"{path}.{field.key}" if path else field.key
                report.problem(node.entries[field.key][0], at, f"got nothing, expected: {doc}")
            else:
                report.problem(node.line, path, f"key {field.key!r} is missing: {doc}")
        return not absent

    def refuse_later(
        self, field: FieldShape, read: Any, line: int, path: str, report: Report
    ) -> None:
        if field.later and (field.required or read != field.default()):
            report.problem(line, path, REFUSED + field.later)

    def read_options(
        self, field: FieldShape, node: MapNode, path: str, report: Report, values: dict[str, Any]
    ) -> None:
        """A field whose record is that of the kind which another field names; without it, the kind's defaults."""
        assert field.options_of is not None, field
        record = field.options_of.table.get(values.get(field.options_of.name, ""))
        if record is None:
            return
        entry = node.entries.get(field.key)
        at = f"{path}.{field.key}" if path else field.key
        if entry is None or (isinstance(entry[1], Scalar) and entry[1].is_null):
            line = entry[0] if entry else node.line
            values[field.name] = _record_reader(record)(MapNode(line=line, entries={}), at, report)
        else:
            values[field.name] = _record_reader(record)(entry[1], at, report)

    def made(
        self, node: MapNode, path: str, report: Report, values: dict[str, Any], *, sound: bool
    ) -> Any:
        """The record; its own rules are reported only where nothing else explains their failure."""
        if any(value is BROKEN for value in values.values()) or any(
            field.name not in values for field in self.required
        ):
            return BROKEN
        if self.placed:
            values["at"] = Where(file=report.file, line=node.line)
        try:
            return self.record(**values)
        except ValueError as error:
            if not sound or self.is_broken(str(error).partition(": ")[0], node, values):
                return BROKEN
            return self.rule(str(error), node, path, report)

    def is_broken(self, key: str, node: MapNode, values: dict[str, Any]) -> bool:
        """Whether a key that a rule misses, or finds too short, is there with mistakes of its own."""
        field, entry = self.by_key.get(key), node.entries.get(key)
        if field is None or entry is None:
            return False
        if isinstance(entry[1], ListNode) and isinstance(values.get(field.name), tuple):
            return len(values[field.name]) < len(entry[1].items)
        if field.name in values:
            return False
        return not (isinstance(entry[1], Scalar) and entry[1].is_null)

    def rule(self, text: str, node: MapNode, path: str, report: Report) -> Any:
        """Report a rule of the record's at the key that its text starts with, as `between: expected two numbers`."""
        keys, _, sentence = text.partition(": ")
        line, found, current = node.line, path, node
        for key in keys.split(".", 1) if sentence else ():
            entry = current.entries.get(key)
            if entry is None:
                return report.problem(line, found, text if found == path else sentence)
            line, found = entry[0], f"{found}.{key}" if found else key
            if not isinstance(entry[1], MapNode):
                break
            current = entry[1]
        return report.problem(line, found, sentence if found != path else text)


def _is_nested(shape: Shape | None) -> bool:
    """Whether a value holds records, whose mistakes are their own."""
    if shape is None:
        return False
    return (
        shape.kind in ("record", "kinds")
        or _is_nested(shape.item)
        or any(map(_is_nested, shape.options))
    )


def _field_reader(field: FieldShape) -> Reader:
    if read := field.metadata.get("read"):
        return own_reader(read)
    kinds: Kinds | None = field.metadata.get("kinds")
    if kinds:
        return functools.partial(_named_kind, kinds)
    return _reader(field.shape, field)


def _reader(shape: Shape, field: FieldShape) -> Reader:
    """Reader of a shape; what a field says of itself holds for the items of its lists and maps."""
    compose = _COMPOSED.get(shape.kind)
    if compose is not None:
        return compose(shape, field)
    return sql_reader if shape.kind == "text" and field.metadata.get("sql") else LEAVES[shape.kind]


def _map_reader(shape: Shape, field: FieldShape) -> Reader:
    read, null = _reader(_the(shape.item), field), field.metadata.get("null")
    return functools.partial(
        _read_map, read if null is None else functools.partial(_or_null, null, read)
    )


def _or_null(null: str, read: Reader, node: Node, path: str, report: Report) -> Any:
    return null if isinstance(node, Scalar) and node.is_null else read(node, path, report)


def _words_reader(shape: Shape, field: FieldShape) -> Reader:
    return words_reader(shape.words, any_case=bool(field.metadata.get("any_case")))


def _choice_reader(shape: Shape, field: FieldShape) -> Reader:
    return functools.partial(
        _read_choice, tuple((option.kind, _reader(option, field)) for option in shape.options)
    )


def _the(part: Any) -> Any:
    if part is None:
        raise TypeError("a shape lacks its part")
    return part


def _list_reader(shape: Shape, field: FieldShape) -> Reader:
    read_list = _read_some if _is_nested(shape.item) else _read_all
    return functools.partial(read_list, _reader(_the(shape.item), field))


def _read_some(item: Reader, node: Node, path: str, report: Report) -> Any:
    """A list of records: those that are whole, BROKEN when none is."""
    values = _read_items(item, node, path, report)
    return values and (tuple(value for value in values if value is not BROKEN) or BROKEN)


def _read_all(item: Reader, node: Node, path: str, report: Report) -> Any:
    """A list of texts and the like: all of it, or BROKEN."""
    values = _read_items(item, node, path, report)
    return BROKEN if values and any(value is BROKEN for value in values) else values


def _read_items(item: Reader, node: Node, path: str, report: Report) -> Any:
    if not isinstance(node, ListNode):
        example = f", as [{node.text}]" if isinstance(node, Scalar) and not node.is_null else ""
        return expected(node, path, report, f"a list{example}")
    return tuple(item(each, f"{path}[{i}]", report) for i, each in enumerate(node.items))


def _read_map(item: Reader, node: Node, path: str, report: Report) -> Any:
    if not isinstance(node, MapNode):
        return expected(node, path, report, "a mapping")
    values: dict[str, Any] = {}
    for raw, (line, value) in node.entries.items():
        key = report.text(Scalar(raw, line), path) if "${" in raw else raw
        read = item(value, f"{path}.{key}", report)
        if read is not BROKEN:
            values[key] = read
    return values


def _read_choice(
    options: tuple[tuple[str, Reader], ...], node: Node, path: str, report: Report
) -> Any:
    scalar = isinstance(node, Scalar)
    for kind, reader in options:
        if (kind in ("text", "words")) == scalar:
            return reader(node, path, report)
    return expected(node, path, report, "a text or a mapping")


def _named_kind(kinds: Kinds, node: Node, path: str, report: Report) -> Any:
    """The name of a kind, as `outputType`."""
    name = LEAVES["text"](node, path, report)
    if name is BROKEN or name in kinds.table or "${" in name:
        return name
    if name in kinds.later:
        return report.problem(node.line, path, f"{name}: {REFUSED}{kinds.later[name]}")
    return report.problem(node.line, path, unknown(kinds.noun, name, [*kinds.table, *kinds.later]))


def _read_kind(kinds: Kinds, node: Node, path: str, report: Report) -> Any:
    """A mapping of a kind's name to its options."""
    known = [*kinds.table, *(name for name in kinds.later if name not in kinds.table)]
    if kinds.bare and isinstance(node, Scalar) and node.text in kinds.table:
        return structure(kinds.table[node.text], MapNode({}, node.line), path, report)
    if not isinstance(node, MapNode):
        return expected(
            node,
            path,
            report,
            f"a mapping with the kind of {kinds.noun}, one of {', '.join(known)}",
        )
    odd = [key for key in node.entries if key not in known]
    for key in odd:
        report.problem(node.entries[key][0], f"{path}.{key}", unknown(kinds.noun, key, known))
    named = [key for key in known if key in node.entries]
    if not named:
        return (
            BROKEN
            if odd
            else report.problem(
                node.line, path, f"got an empty mapping, expected the kind of {kinds.noun}"
            )
        )
    if len(named) > 1 and not kinds.first_wins:
        line = max(node.entries[key][0] for key in named)
        return report.problem(
            line, path, f"got {' and '.join(named)}, expected one {kinds.noun} an item"
        )
    return _read_named(kinds, named[0], node.entries[named[0]], f"{path}.{named[0]}", report)


def _read_named(kinds: Kinds, name: str, entry: tuple[int, Node], path: str, report: Report) -> Any:
    line, options = entry
    if name in kinds.later:
        report.problem(line, path, REFUSED + kinds.later[name])
    record = kinds.table.get(name)
    if record is None:
        return BROKEN
    if isinstance(options, Scalar) and options.is_null:
        options = MapNode({}, line)
    read = structure(record, options, path, report)
    return BROKEN if isinstance(read, Broken) or name in kinds.later else read


_READERS: dict[type[Any], _RecordReader] = {}
_COMPOSED: dict[str, Callable[[Shape, FieldShape], Reader]] = {
    "record": lambda shape, _: functools.partial(structure, _the(shape.record)),
    "kinds": lambda shape, _: functools.partial(_read_kind, _the(shape.kinds)),
    "list": _list_reader,
    "map": _map_reader,
    "words": _words_reader,
    "choice": _choice_reader,
}
