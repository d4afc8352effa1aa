"""Frozen records from plain JSON data, strictly: unknown keys, missing keys and wrong types raise ValueError."""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

T = TypeVar("T")


@functools.cache
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def from_plain(cls: type[T], raw: object) -> T:
    """Build the record `cls` from what `dataclasses.asdict` and JSON made of one."""
    if not isinstance(raw, Mapping):
        raise ValueError(f"expected {cls.__name__} as a mapping, got {type(raw).__name__}")
    hints = _hints(cls)
    names = {field.name for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    if unknown := set(raw) - names:
        raise ValueError(f"{cls.__name__} has no {', '.join(sorted(map(str, unknown)))}")
    return cls(**{name: _value(hints[name], value, f"{cls.__name__}.{name}") for name, value in raw.items()})


def _value(kind: Any, value: Any, path: str) -> Any:  # noqa: PLR0911 - one return for each kind of type
    origin = get_origin(kind)
    if kind is Any or kind is object:
        return value
    if origin is Literal:
        if value not in get_args(kind):
            raise ValueError(f"{path}: got {value!r}, expected one of {', '.join(map(repr, get_args(kind)))}")
        return value
    if origin in (Union, types.UnionType):
        return _one_of(kind, value, path)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise ValueError(f"{path}: expected a list, got {value!r}")
        return tuple(_value(get_args(kind)[0], item, path) for item in value)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return from_plain(kind, value)
    if kind is float and type(value) is int:
        return float(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{path}: expected {kind.__name__}, got {value!r}")
    return value


def _one_of(kind: Any, value: Any, path: str) -> Any:
    if value is None and types.NoneType in get_args(kind):
        return None
    exact = [option for option in get_args(kind) if option is type(value)]
    if exact:
        return value
    for option in get_args(kind):
        if option is types.NoneType:
            continue
        try:
            return _value(option, value, path)
        except ValueError:
            continue
    raise ValueError(f"{path}: expected {kind}, got {value!r}")
