"""Plan to JSON data and back, exactly: keys in the YAML's words, kinds by their names, defaults left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.shapes import Shape, fields_of, has_place
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.plan.records import FORMAT, Plan

_AT = "at:"  # no YAML key ends in a colon, and controlMeasures' renames have an `at` of their own


class UnreadablePlanError(MetorikkuError):
    """The data is not a plan of a known format."""


def to_plain(record: Any) -> dict[str, Any]:
    """Plain JSON data of a record of `config/records` or `plan/records`."""
    plain: dict[str, Any] = {}
    for field in fields_of(type(record)):
        value = getattr(record, field.name)
        if field.required or value != field.default():
            plain[field.key] = _plain(field.shape, value)
    if has_place(type(record)) and record.at is not None:
        plain[_AT] = str(record.at)
    return plain


def plan_from_plain(data: object) -> Plan:
    """A plan from what `to_plain` made of one; raises UnreadablePlanError on anything else."""
    found = data.get("format", FORMAT) if isinstance(data, Mapping) else None
    if found != FORMAT:
        raise UnreadablePlanError(f"got a plan of format {found!r}, expected {FORMAT}")
    try:
        plan: Plan = record_from_plain(Plan, data)
    except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError) as error:
        raise UnreadablePlanError(f"not a whole plan: {error}") from error
    return plan


def record_from_plain(record: type[Any], data: Any) -> Any:
    """One record from its plain data; raises ValueError or TypeError on unknown or missing keys and wrong types."""
    if not isinstance(data, Mapping):
        raise TypeError(f"expected {record.__name__} as a mapping, got {data!r}")
    known = {field.key: field for field in fields_of(record)}
    values = {
        known[key].name: _value(known[key].shape, value)
        for key, value in data.items()
        if key in known
    }
    odd = set(data) - set(known) - {_AT}
    if odd:
        raise ValueError(f"{record.__name__} has no {', '.join(sorted(map(str, odd)))}")
    if _AT in data:
        values["at"] = _where(data[_AT])
    return record(**values)


def _plain(shape: Shape, value: Any) -> Any:
    """Plain data of one value."""
    encode = _ENCODERS.get(shape.kind)
    return value if value is None or encode is None else encode(shape, value)


def _tagged(shape: Shape, value: Any) -> dict[str, Any]:
    for name, record in _kinds(shape).items():
        if type(value) is record:
            return {name: to_plain(value)}
    raise TypeError(f"{type(value).__name__} is not one of {', '.join(_kinds(shape))}")


def _value(shape: Shape, data: Any) -> Any:
    """One value from its plain data."""
    return None if data is None else _DECODERS[shape.kind](shape, data)


def _untagged(shape: Shape, data: Any) -> Any:
    ((name, options),) = _of_type(data, dict).items()
    return record_from_plain(_kinds(shape)[name], options)


def _option(shape: Shape, found: type[Any]) -> Shape:
    """The option of a choice that a value of this type is one of: each choice has one for texts and one for mappings."""
    texts = found is str
    return next(option for option in shape.options if (option.kind in ("text", "words")) == texts)


def _item(shape: Shape) -> Shape:
    if shape.item is None:
        raise TypeError(f"a {shape.kind} without items")
    return shape.item


def _record(shape: Shape) -> type[Any]:
    if shape.record is None:
        raise TypeError(f"a {shape.kind} without a record")
    return shape.record


def _kinds(shape: Shape) -> Mapping[str, type[Any]]:
    if shape.kinds is None:
        raise TypeError(f"a {shape.kind} without kinds")
    return shape.kinds.table


def _of_type(data: Any, expected: type[Any]) -> Any:
    if not isinstance(data, expected) or (isinstance(data, bool) and expected is not bool):
        raise TypeError(f"expected {expected.__name__}, got {data!r}")
    return data


def _word(shape: Shape, data: Any) -> Any:
    if data not in shape.words:
        raise ValueError(f"expected one of {', '.join(shape.words)}, got {data!r}")
    return data


def _where(data: Any) -> Where:
    file, _, line = _of_type(data, str).rpartition(":")
    return Where(file=file, line=int(line))


_Convert = Callable[[Shape, Any], Any]
_ENCODERS: dict[str, _Convert] = {
    "record": lambda _, value: to_plain(value),
    "kinds": _tagged,
    "list": lambda shape, value: [_plain(_item(shape), item) for item in value],
    "map": lambda shape, value: {key: _plain(_item(shape), item) for key, item in value.items()},
    "choice": lambda shape, value: _plain(_option(shape, type(value)), value),
    "decimal": lambda _, value: str(value),
    "assertion": lambda _, value: str(value),
}
_DECODERS: dict[str, _Convert] = {
    "record": lambda shape, data: record_from_plain(_record(shape), data),
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
    "float": lambda _, data: _of_type(data, float),
    "decimal": lambda _, data: Decimal(_of_type(data, str)),
    "assertion": lambda _, data: Assertion.from_text(_of_type(data, str)),
    "plain": lambda _, data: data,
}
