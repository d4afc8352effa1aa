"""The JSON Schema of job, metric and test files, for editors: made from the records that files are read with.

What an editor flags by it, `metorikku check` refuses too; rules between keys only `check` knows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import MetricFile
from airflow_metorikku.config.records.test_settings import TestSettings
from airflow_metorikku.config.shapes import FieldShape, OptionsOf, Shape, ShapeKind, fields_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from airflow_metorikku.config.fields import Kinds

Schema = dict[str, Any]
SCHEMA_FILES: dict[str, type[Any]] = {"job": JobFile, "metric": MetricFile, "test": TestSettings}
# The newest that the YAML plugins of editors know whole.
DRAFT = "http://json-schema.org/draft-07/schema#"
NULL: Schema = {"type": "null"}
# What stands for a number or a word may come from a variable.
VARIABLE: Schema = {"type": "string", "pattern": r"\$\{"}
_LEAVES: dict[ShapeKind, Schema] = {
    # A text is taken as it is written: editors read `010` and `yes` as number and boolean.
    "text": {"type": ["string", "number", "boolean"]},
    "bool": {"anyOf": [{"type": "boolean"}, {"enum": ["true", "false"]}, VARIABLE]},
    "int": {
        "anyOf": [
            {"type": "integer"},
            {"type": "string", "pattern": r"^\s*[-+]?\d+\s*$"},
            VARIABLE,
        ]
    },
    "float": {"anyOf": [{"type": "number"}, VARIABLE]},
    "decimal": {
        "anyOf": [
            {"type": "number"},
            {"type": "string", "pattern": r"^\s*[-+]?(\d|\.\d)[\d_.eE+-]*\s*$"},
            VARIABLE,
        ]
    },
    "assertion": {
        "anyOf": [
            {
                "type": "string",
                "pattern": r"^\s*(==|!=|>=|<=|>|<|=|[bB][eE][tT][wW][eE][eE][nN]\s)\s*[-+.\d]",
            },
            VARIABLE,
        ]
    },
    "plain": {},
}


def json_schema(kind: str) -> Schema:
    """The schema of `job`, `metric` or `test` files."""
    definitions: dict[str, Schema] = {}
    root = _reference(SCHEMA_FILES[kind], definitions)
    return {
        "$schema": DRAFT,
        "title": f"Metorikku {kind} file",
        **root,
        "definitions": definitions,
    }


def _reference(record: type[Any], definitions: dict[str, Schema]) -> Schema:
    name = record.__name__
    if name not in definitions:
        definitions[name] = {}  # a record may hold its own kind
        definitions[name].update(_record(record, definitions))
    return {"$ref": f"#/definitions/{name}"}


def _record(record: type[Any], definitions: dict[str, Schema]) -> Schema:
    fields = fields_of(record)
    schema: Schema = {
        "type": "object",
        "description": _plain_words(record.__doc__ or ""),
        "properties": {
            key: _field(field, definitions) for field in fields for key in (field.key, *field.also)
        },
        "additionalProperties": False,
    }
    if required := [field.key for field in fields if field.required and not field.also]:
        schema["required"] = required
    choices = [
        {"anyOf": [{"required": [key]} for key in (field.key, *field.also)]}
        for field in fields
        if field.required and field.also
    ]
    options = [
        rule
        for field in fields
        if field.options_of
        for rule in _options(field.key, field.options_of, definitions)
    ]
    return schema | ({"allOf": [*choices, *options]} if choices or options else {})


def _field(field: FieldShape, definitions: dict[str, Schema]) -> Schema:
    about = {"description": _plain_words(field.metadata["doc"])}
    if field.later:
        about["description"] += f" Refused by this version: {field.later}."
        default = field.default()
        return {**about, **(NULL if default in (None, ()) else {"enum": [default, None]})}
    if field.metadata.get("read"):
        return {**about, "type": ["string", "null"]}
    if field.options_of:
        return {**about, "type": ["object", "null"]}
    if kinds := field.metadata.get("kinds"):
        return {**about, "anyOf": [{"enum": list(kinds.table)}, VARIABLE]}
    value = _value(field.shape, field, definitions)
    if field.required:
        return {**about, "allOf": [value]}
    return {**about, "anyOf": [value, NULL]}


def _options(key: str, options: OptionsOf, definitions: dict[str, Schema]) -> list[Schema]:
    """For each kind that the other field can name, the options of that kind."""
    return [
        {
            "if": {"properties": {options.key: {"const": name}}, "required": [options.key]},
            "then": {"properties": {key: {"anyOf": [_reference(record, definitions), NULL]}}},
        }
        for name, record in options.table.items()
    ]


def _value(shape: Shape, field: FieldShape, definitions: dict[str, Schema]) -> Schema:
    compose = _COMPOSED.get(shape.kind)
    return compose(shape, field, definitions) if compose else _LEAVES[shape.kind]


def _words(shape: Shape, field: FieldShape, _: dict[str, Schema]) -> Schema:
    words: list[Schema] = [{"enum": list(shape.words)}]
    if field.metadata.get("any_case"):
        spelt = ("".join(f"[{c.upper()}{c.lower()}]" for c in word) for word in shape.words)
        words.append({"type": "string", "pattern": f"^({'|'.join(spelt)})$"})
    return {"anyOf": [*words, VARIABLE]}


def _map(shape: Shape, field: FieldShape, definitions: dict[str, Schema]) -> Schema:
    item = _value(_the(shape.item), field, definitions)
    null = field.metadata.get("null") is not None
    return {
        "type": "object",
        "additionalProperties": {"anyOf": [item, NULL]} if null else item,
    }


def _kinds(shape: Shape, _: FieldShape, definitions: dict[str, Schema]) -> Schema:
    kinds: Kinds = _the(shape.kinds)
    table = {name: record for name, record in kinds.table.items() if name not in kinds.later}
    schema: Schema = {
        "type": "object",
        "properties": {
            name: {"anyOf": [_reference(record, definitions), NULL]}
            if not any(field.required for field in fields_of(record))
            else _reference(record, definitions)
            for name, record in table.items()
        },
        "additionalProperties": False,
        "minProperties": 1,
    }
    if not kinds.first_wins:
        schema["maxProperties"] = 1
    return {"anyOf": [schema, {"enum": list(table)}]} if kinds.bare else schema


def _the(part: Any) -> Any:
    if part is None:
        raise TypeError("a shape lacks its part")
    return part


def _plain_words(text: str) -> str:
    """A docstring on one line."""
    return re.sub(r"\s+", " ", text).strip()


_COMPOSED: dict[ShapeKind, Callable[[Shape, FieldShape, dict[str, Schema]], Schema]] = {
    "record": lambda shape, _, definitions: _reference(_the(shape.record), definitions),
    "kinds": _kinds,
    "list": lambda shape, field, definitions: {
        "type": "array",
        "items": _value(_the(shape.item), field, definitions),
    },
    "map": _map,
    "words": _words,
    "choice": lambda shape, field, definitions: {
        "anyOf": [_value(option, field, definitions) for option in shape.options]
    },
}
