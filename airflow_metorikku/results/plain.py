"""Frozen records from plain JSON data, strictly: unknown keys, missing keys and wrong types raise ValueError."""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

T = TypeVar("T")


@functools.cache
def _hints(cls: Any) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def from_plain(cls: type[T], raw: object) -> T:
    """Build the record `cls` from what `dataclasses.asdict` and JSON made of one; raises ValueError."""
    if not isinstance(raw, Mapping):
        text = f"expected {cls.__name__} as a mapping, got {type(raw).__name__}"
        raise ValueError(text)  # noqa: TRY004 - one error for whatever is wrong with the data
    record: Any = cls
    hints = _hints(record)
    if unknown := set(raw) - set(hints):
        raise ValueError(f"{cls.__name__} has no {', '.join(sorted(map(str, unknown)))}")
    values = {
        name: _value(hints[name], value, f"{cls.__name__}.{name}") for name, value in raw.items()
    }
    return cls(**values)


def _value(kind: Any, value: Any, path: str) -> Any:
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return from_plain(kind, value)
    read = _READERS.get(get_origin(kind), _scalar)
    return read(kind, value, path)


def _scalar(kind: Any, value: Any, path: str) -> Any:
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise ValueError(f"{path}: expected {kind.__name__}, got {value!r}")
    return value


def _word(kind: Any, value: Any, path: str) -> Any:
    if value not in get_args(kind):
        expected = ", ".join(map(repr, get_args(kind)))
        raise ValueError(f"{path}: got {value!r}, expected one of {expected}")
    return value


def _list(kind: Any, value: Any, path: str) -> Any:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{path}: expected a list, got {value!r}")  # noqa: TRY004
    return tuple(_value(get_args(kind)[0], item, path) for item in value)


def _union(kind: Any, value: Any, path: str) -> Any:
    options = get_args(kind)
    if type(value) in options:
        return value
    rest = [option for option in options if option is not types.NoneType]
    if len(rest) != 1:
        raise ValueError(f"{path}: expected {kind}, got {value!r}")
    return _value(rest[0], value, path)


_READERS: dict[Any, Callable[[Any, Any, str], Any]] = {
    Literal: _word,
    tuple: _list,
    Union: _union,
    types.UnionType: _union,
}
