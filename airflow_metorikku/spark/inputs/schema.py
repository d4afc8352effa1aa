"""Metorikku's dialect of JSON Schema for `schemaPath` (Metorikku: `SchemaConverter`)."""

from __future__ import annotations

import json
from typing import Any

from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DoubleType,
    FloatType,
    LongType,
    StringType,
    StructField,
    StructType,
)

_TYPES: dict[str, DataType] = {
    "string": StringType(), "number": DoubleType(), "float": FloatType(),
    "integer": LongType(), "boolean": BooleanType(),
}  # fmt: skip
_NULL = "null"
_TYPE_AND_NULL = 2


def schema_from_text(text: str) -> StructType:
    """Columns of a schema file; raises ValueError with the place in it."""
    try:
        raw = json.loads(text)
    except ValueError as error:
        raise ValueError(f"is no JSON: {error}") from error
    if not isinstance(raw, dict):
        raise ValueError(  # noqa: TRY004 - all mistakes of the file are of one kind
            f"expected a mapping, got {type(raw).__name__}"
        )
    if raw.get("name") != "/" or raw.get("type") != "object":
        raise ValueError(
            f"expected the root's name '/' and type 'object', got name {raw.get('name')!r} and type {raw.get('type')!r}"
        )
    return _struct(raw, "")


def _struct(raw: dict[str, Any], place: str) -> StructType:
    properties = raw.get("properties")
    if not isinstance(properties, dict):
        raise ValueError(  # noqa: TRY004 - as above
            f"{place or '/'}: expected properties, a mapping of columns"
        )
    return StructType([_field(value, f"{place}/{key}") for key, value in properties.items()])


def _field(raw: Any, place: str) -> StructField:
    if not isinstance(raw, dict) or not isinstance(raw.get("name"), str):
        raise ValueError(  # noqa: TRY004 - as above
            f"{place}: expected a mapping with the column's name and type"
        )
    kind, nullable = _kind(raw.get("type"), place)
    return StructField(raw["name"], _type(kind, raw, place), nullable)


def _kind(given: Any, place: str) -> tuple[str, bool]:
    """The type's name, and whether nulls are allowed: only as `[type, "null"]`."""
    if isinstance(given, str):
        return given, False
    if isinstance(given, list) and len(given) == _TYPE_AND_NULL and _NULL in given:
        return next((str(kind) for kind in given if kind != _NULL), _NULL), True
    raise ValueError(f"{place}: got type {given!r}, expected a name, or two of which one is 'null'")


def _type(kind: str, raw: dict[str, Any], place: str) -> DataType:
    if kind in _TYPES:
        return _TYPES[kind]
    if kind == "object":
        return _struct(raw, place)
    if kind == "array":
        items = raw.get("items")
        if not isinstance(items, dict):
            raise ValueError(f"{place}: expected items, with the properties of an array's elements")
        # Elements of simple types, which the original cannot say, are written as any column's.
        return ArrayType(
            _struct(items, place)
            if "properties" in items
            else _type(_kind(items.get("type"), place)[0], items, place)
        )
    raise ValueError(
        f"{place}: got type {kind!r}, expected one of {', '.join([*_TYPES, 'object', 'array'])}"
    )
