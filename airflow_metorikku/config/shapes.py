"""The shape of each record, from its type hints: what `structure` reads from YAML and `plain` from JSON."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.fields import Kinds, Where, yaml_name

ShapeKind = Literal[
    "text", "words", "bool", "int", "float", "decimal", "assertion", "where", "plain",
    "list", "map", "record", "kinds", "choice",
]  # fmt: skip
_LEAVES: dict[Any, ShapeKind] = {
    str: "text", bool: "bool", int: "int", float: "float", Decimal: "decimal",
    Assertion: "assertion", Where: "where", object: "plain", Any: "plain",
}  # fmt: skip
# By record, as hints cost a thousand times what reading a file does.
_FIELDS: dict[type[Any], tuple[FieldShape, ...]] = {}


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What one value looks like."""

    kind: ShapeKind
    words: tuple[str, ...] = ()
    """Of a Literal."""
    item: Shape | None = None
    """Of a list or a map, whose keys are texts."""
    record: type[Any] | None = None
    kinds: Kinds | None = None
    options: tuple[Shape, ...] = ()
    """Of a choice."""
    optional: bool = False
    """Whether None is a value too."""


@dataclass(frozen=True, kw_only=True)
class OptionsOf:
    """That a field's record is that of the kind which another field of the same record names."""

    name: str
    """The other field."""
    key: str
    table: Mapping[str, type[Any]]

    def record(self, values: Mapping[str, Any]) -> type[Any]:
        """Record of the options, given the other fields' values; raises ValueError for an unknown kind."""
        kind = values.get(self.name)
        if kind not in self.table:
            raise ValueError(f"expected options of one of {', '.join(self.table)}, got {kind!r}")
        return self.table[str(kind)]


@dataclass(frozen=True, kw_only=True)
class FieldShape:
    """One field of a record, under its YAML key."""

    name: str
    key: str
    shape: Shape
    required: bool
    default: Callable[[], Any]
    metadata: Mapping[str, Any]
    options_of: OptionsOf | None = None

    @property
    def also(self) -> tuple[str, ...]:
        """Other spellings of the key."""
        return self.metadata.get("also") or ()

    @property
    def later(self) -> str | None:
        """What the user of a key that comes later is told."""
        return self.metadata.get("later")


def fields_of(record: type[Any]) -> tuple[FieldShape, ...]:
    """The fields of a record that users write, in its order; not the place that it was read from."""
    if record not in _FIELDS:
        hints = typing.get_type_hints(record, include_extras=True)
        fields = [field for field in dataclasses.fields(record) if not field.metadata.get("where")]
        named = {field.name: field for field in fields}
        _FIELDS[record] = tuple(_field(field, hints[field.name], named) for field in fields)
    return _FIELDS[record]


def has_place(record: type[Any]) -> bool:
    """Whether the record keeps the place that it was read from, in `at`."""
    return "at" in record.__dataclass_fields__


def _field(
    field: dataclasses.Field[Any], hint: Any, named: Mapping[str, dataclasses.Field[Any]]
) -> FieldShape:
    default = field.default
    make = field.default_factory
    required = default is dataclasses.MISSING and make is dataclasses.MISSING
    return FieldShape(
        name=field.name,
        key=yaml_name(field),
        shape=shape_of(hint),
        required=required,
        default=(lambda: default) if make is dataclasses.MISSING else make,
        metadata=field.metadata,
        options_of=_options_of(named.get(field.metadata.get("options_of") or "")),
    )


def _options_of(other: dataclasses.Field[Any] | None) -> OptionsOf | None:
    if other is None:
        return None
    return OptionsOf(name=other.name, key=yaml_name(other), table=other.metadata["kinds"].table)


def shape_of(hint: Any) -> Shape:
    """Shape of a type hint."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is None:
        return Shape(kind=_LEAVES[hint]) if hint in _LEAVES else Shape(kind="record", record=hint)
    if origin in (Union, types.UnionType):
        options = tuple(
            shape_of(argument) for argument in arguments if argument is not types.NoneType
        )
        shape = options[0] if len(options) == 1 else Shape(kind="choice", options=options)
        return dataclasses.replace(shape, optional=types.NoneType in arguments)
    return _COMPOSED[origin](arguments)


_COMPOSED: dict[Any, Callable[[tuple[Any, ...]], Shape]] = {
    Annotated: lambda arguments: Shape(kind="kinds", kinds=arguments[1]),
    Literal: lambda arguments: Shape(kind="words", words=arguments),
    tuple: lambda arguments: Shape(kind="list", item=shape_of(arguments[0])),
    Mapping: lambda arguments: Shape(kind="map", item=shape_of(arguments[1])),
}
