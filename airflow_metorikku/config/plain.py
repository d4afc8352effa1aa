"""Records to plain JSON data and back, exactly: plans and results cross between Airflow and Spark so.

Keys are the YAML's words, or the fields' own names; kinds stand under their names; defaults are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeVar

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.shapes import FieldShape, Shape, ShapeKind, fields_of, has_place

T = TypeVar("T")
_AT = "at:"  # no YAML key ends in a colon, and controlMeasures' renames have an `at` of their own
_PYTHON: dict[ShapeKind, type[Any]] = {
    "text": str, "words": str, "bool": bool, "int": int, "float": float,
}  # fmt: skip


def to_plain(record: Any) -> dict[str, Any]:
    """Plain data of a record; what has its default is left out."""
    plain: dict[str, Any] = {}
    for field in fields_of(type(record)):
        value = getattr(record, field.name)
        if field.required or value != field.default():
            plain[field.key] = to_plain(value) if field.options_of else _plain(field.shape, value)
    if has_place(type(record)) and record.at is not None:
        plain[_AT] = str(record.at)
    return plain


def from_plain(record: type[T], data: object) -> T:
    """The record of some plain data; raises ValueError on unknown or missing keys and on wrong types."""
    name = record.__name__
    if not isinstance(data, Mapping):
        raise ValueError(f"expected {name} as a mapping, got {_shown(data)}")  # noqa: TRY004 - one error for whatever is wrong with the data
    fields = fields_of(record)
    known = {field.key: field for field in fields}
    if odd := data.keys() - known.keys() - {_AT}:
        raise ValueError(f"{name} has no {', '.join(sorted(map(str, odd)))}")
    if missing := [field.key for field in fields if field.required and field.key not in data]:
        raise ValueError(f"{name} lacks {', '.join(missing)}")
    values: dict[str, Any] = {}
    # Options come after the kind that they are of.
    for key, value in sorted(data.items(), key=lambda item: _is_options(known.get(item[0]))):
        try:
            if key == _AT:
                values["at"] = _where(value)
            elif options := known[key].options_of:
                values[known[key].name] = from_plain(options.record(values), value)
            else:
                values[known[key].name] = _value(known[key].shape, value)
        except (ValueError, ArithmeticError) as error:
            raise ValueError(f"{name}.{key}: {error}") from error
    return record(**values)


def _is_options(field: FieldShape | None) -> bool:
    return field is not None and field.options_of is not None


def _plain(shape: Shape, value: Any) -> Any:
    encode = _ENCODERS.get(shape.kind)
    return value if value is None or encode is None else encode(shape, value)


def _tagged(shape: Shape, value: Any) -> dict[str, Any]:
    name = next(name for name, record in _kinds(shape).items() if type(value) is record)
    return {name: to_plain(value)}


def _value(shape: Shape, data: Any) -> Any:
    if data is None and shape.optional:
        return None
    return _DECODERS[shape.kind](shape, data)


def _untagged(shape: Shape, data: Any) -> Any:
    kinds = _kinds(shape)
    if not isinstance(data, Mapping) or len(data) != 1 or not data.keys() <= kinds.keys():
        raise ValueError(f"expected one of {', '.join(kinds)}, got {_shown(data)}")
    ((name, options),) = data.items()
    return from_plain(kinds[name], options)


def _option(shape: Shape, found: type[Any]) -> Shape:
    """The option of a choice that a value of this type is one of; at most one is no scalar."""
    for option in shape.options:
        if _PYTHON.get(option.kind) is found:
            return option
    composed = [option for option in shape.options if option.kind not in _PYTHON]
    if not composed:
        raise ValueError(
            f"expected {' or '.join(o.kind for o in shape.options)}, got {found.__name__}"
        )
    return composed[0]


def _item(shape: Shape) -> Shape:
    assert shape.item is not None, shape
    return shape.item


def _kinds(shape: Shape) -> Mapping[str, type[Any]]:
    assert shape.kinds is not None, shape
    return shape.kinds.table


def _of_type(data: Any, expected: type[Any]) -> Any:
    if type(data) is not expected:
        raise ValueError(f"expected {expected.__name__}, got {_shown(data)}")
    return data


def _float(data: Any) -> float:
    return float(data if type(data) is int else _of_type(data, float))


def _word(shape: Shape, data: Any) -> Any:
    if data not in shape.words:
        raise ValueError(f"expected one of {', '.join(shape.words)}, got {_shown(data)}")
    return data


def _where(data: Any) -> Where:
    file, _, line = _of_type(data, str).rpartition(":")
    return Where(file=file, line=int(line))


def _record(shape: Shape, data: Any) -> Any:
    assert shape.record is not None, shape
    return from_plain(shape.record, data)


def _shown(data: object) -> str:
    text = repr(data)
    return text if len(text) <= 100 else f"{text[:100]}…"  # noqa: PLR2004 - what a sentence bears


_Convert = Callable[[Shape, Any], Any]
_ENCODERS: dict[ShapeKind, _Convert] = {
    "record": lambda _, value: to_plain(value),
    "kinds": _tagged,
    "list": lambda shape, value: [_plain(_item(shape), item) for item in value],
    "map": lambda shape, value: {key: _plain(_item(shape), item) for key, item in value.items()},
    "choice": lambda shape, value: _plain(_option(shape, type(value)), value),
    "decimal": lambda _, value: str(value),
    "assertion": lambda _, value: str(value),
}
_DECODERS: dict[ShapeKind, _Convert] = {
    "record": _record,
    "kinds": _untagged,
    "list": lambda shape, data: tuple(_value(_item(shape), item) for item in _of_type(data, list)),
    "map": lambda shape, data: {
        key: _value(_item(shape), item) for key, item in _of_type(data, dict).items()
    },
    "choice": lambda shape, data: _value(_option(shape, type(data)), data),
    "text": lambda _, data: _of_type(data, str),
    "words": _word,
    "bool": lambda _, data: _of_type(data, bool),
    "int": lambda _, data: _of_type(data, int),
    "float": lambda _, data: _float(data),
    "decimal": lambda _, data: Decimal(_of_type(data, str)),
    "assertion": lambda _, data: Assertion.from_text(_of_type(data, str)),
    "plain": lambda _, data: data,
}
