"""Values made comparable: what Spark computed and what the YAML expects, both as the column's type has it.

Equal values have equal and hashable forms: NaN is itself, decimals and whole numbers count by their value, a
timestamp is an instant, an array a tuple, a map a set of pairs. An expected value that the type cannot
have is `Unfit` and equals nothing.
"""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from decimal import Decimal, InvalidOperation
from typing import Any

from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegralType,
    MapType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from airflow_metorikku.spark.tester.texts import actual_text, binary_text, expected_text

NAN = "NaN"
_WORDS = {"true": True, "false": False}


@dataclass(frozen=True)
class Unfit:
    """An expected value that a column of this type cannot have."""

    text: str


def comparable(value: Any, kind: DataType) -> Any:
    """A value that Spark computed."""
    if value is None:
        return None
    for found, convert in _ACTUAL.items():
        if isinstance(kind, found):
            return convert(value, kind)
    return value if isinstance(value, str) else str(value)


def read_as(value: Any, kind: DataType, zone: tzinfo) -> Any:
    """An expected value, read as a column's type; a timestamp without a zone is the session's."""
    if value is None:
        return None
    for found, convert in _EXPECTED.items():
        if isinstance(kind, found):
            try:
                return convert(value, kind, zone)
            except (ValueError, InvalidOperation, OverflowError):
                return Unfit(expected_text(value))
    if isinstance(value, Mapping) or (isinstance(value, Sequence) and not isinstance(value, str)):
        return Unfit(expected_text(value))
    return expected_text(value)


def _double(value: Any) -> Any:
    number = float(value)
    return NAN if number != number else number  # noqa: PLR0124 - NaN


def _float(value: Any) -> Any:
    number = float(value)
    return _double(struct.unpack("f", struct.pack("f", number))[0])


def _micros(value: dt.datetime) -> int:
    """Microseconds since 1970; one without a zone is UTC, as the tester's Python is set to."""
    aware = value if value.tzinfo else value.replace(tzinfo=dt.UTC)
    return (aware - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) // dt.timedelta(microseconds=1)


def _struct(value: Any, kind: Any) -> Any:
    return tuple(
        comparable(item, field.dataType) for item, field in zip(value, kind.fields, strict=True)
    )


_ACTUAL: dict[type[DataType], Callable[[Any, Any], Any]] = {
    IntegralType: lambda value, _: int(value),
    DecimalType: lambda value, _: Decimal(value),
    DoubleType: lambda value, _: _double(value),
    FloatType: lambda value, _: _float(value),
    BooleanType: lambda value, _: bool(value),
    DateType: lambda value, _: value,
    TimestampNTZType: lambda value, _: _micros(value),
    TimestampType: lambda value, _: _micros(value),
    BinaryType: lambda value, _: bytes(value),
    ArrayType: lambda value, kind: tuple(comparable(item, kind.elementType) for item in value),
    StructType: _struct,
    MapType: lambda value, kind: frozenset(
        (comparable(key, kind.keyType), comparable(item, kind.valueType))
        for key, item in value.items()
    ),
}


def _number(value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("no number")  # noqa: TRY004 - the caller asks for one kind of error
    number = Decimal(repr(value) if isinstance(value, float) else value)
    if not number.is_finite():
        raise ValueError("no finite number")
    return number


def _read_whole(value: Any, _kind: Any, _zone: tzinfo) -> int:
    number = _number(value)
    if number != number.to_integral_value():
        raise ValueError("no whole number")
    return int(number)


def _read_float(value: Any, kind: Any, _zone: tzinfo) -> Any:
    if isinstance(value, bool):
        raise ValueError("no number")  # noqa: TRY004 - as above
    return _float(value) if isinstance(kind, FloatType) else _double(value)


def _read_bool(value: Any, _kind: Any, _zone: tzinfo) -> bool:
    found = value if isinstance(value, bool) else _WORDS.get(str(value).lower())
    if found is None:
        raise ValueError("no boolean")
    return found


def _read_date(value: Any, _kind: Any, _zone: tzinfo) -> dt.date:
    return dt.date.fromisoformat(str(value).strip())


def _read_timestamp(value: Any, kind: Any, zone: tzinfo) -> int:
    found = dt.datetime.fromisoformat(str(value).strip())
    if isinstance(kind, TimestampNTZType):
        if found.tzinfo:
            raise ValueError("a timestamp without time zone has none")
        return _micros(found)
    return _micros(found if found.tzinfo else found.replace(tzinfo=zone))


def _read_binary(value: Any, _kind: Any, _zone: tzinfo) -> bytes:
    """Text as UTF-8, or SQL's `X'6162'`."""
    text = str(value)
    if text[:2].upper() == "X'" and text.endswith("'"):
        return bytes.fromhex(text[2:-1])
    return text.encode()


def _read_array(value: Any, kind: Any, zone: tzinfo) -> Any:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError("no list")  # noqa: TRY004 - as above
    return _fitting(tuple(read_as(item, kind.elementType, zone) for item in value))


def _read_struct(value: Any, kind: Any, zone: tzinfo) -> Any:
    """By name, each field of it; or a list, by place."""
    items = value
    if isinstance(value, Mapping):
        by_name = {str(name).lower(): item for name, item in value.items()}
        names = [name.lower() for name in kind.names]
        if by_name.keys() != set(names):
            raise ValueError("other fields")
        items = [by_name[name] for name in names]
    if isinstance(items, str) or not isinstance(items, Sequence) or len(items) != len(kind.fields):
        raise ValueError("no struct")
    read = [
        read_as(item, field.dataType, zone) for item, field in zip(items, kind.fields, strict=True)
    ]
    return _fitting(tuple(read))


def _read_map(value: Any, kind: Any, zone: tzinfo) -> Any:
    if not isinstance(value, Mapping):
        raise ValueError("no mapping")  # noqa: TRY004 - as above
    pairs = frozenset(
        (read_as(key, kind.keyType, zone), read_as(item, kind.valueType, zone))
        for key, item in value.items()
    )
    _fitting(tuple(part for pair in pairs for part in pair))
    return pairs


def _fitting(parts: tuple[Any, ...]) -> tuple[Any, ...]:
    """The parts; raises ValueError when one of them does not fit."""
    if any(isinstance(part, Unfit) for part in parts):
        raise ValueError("a part does not fit")
    return parts


_EXPECTED: dict[type[DataType], Callable[[Any, Any, tzinfo], Any]] = {
    IntegralType: _read_whole,
    DecimalType: lambda value, _kind, _zone: _number(value),
    DoubleType: _read_float,
    FloatType: _read_float,
    BooleanType: _read_bool,
    DateType: _read_date,
    TimestampNTZType: _read_timestamp,
    TimestampType: _read_timestamp,
    BinaryType: _read_binary,
    ArrayType: _read_array,
    StructType: _read_struct,
    MapType: _read_map,
}


def shown(value: Any, kind: DataType | None = None) -> str:
    """A cell for people: YAML's spelling of a nested value, `null`, and texts that could be taken for something else in quotes."""
    if value is None:
        return "null"
    if isinstance(value, str):
        odd = value == "" or value != value.strip() or value.lower() in ("null", "~")
        return f'"{value}"' if odd else value
    return _typed(value, kind) if kind is not None else _yaml(value)


def _typed(value: Any, kind: DataType) -> str:
    if isinstance(kind, ArrayType):
        return f"[{', '.join(shown(item, kind.elementType) for item in value)}]"
    if isinstance(kind, StructType):
        inner = ", ".join(
            f"{field.name}: {shown(item, field.dataType)}"
            for item, field in zip(value, kind.fields, strict=True)
        )
        return f"{{{inner}}}"
    if isinstance(kind, MapType):
        inner = ", ".join(
            f"{shown(key, kind.keyType)}: {shown(item, kind.valueType)}"
            for key, item in value.items()
        )
        return f"{{{inner}}}"
    return binary_text(value) if isinstance(kind, BinaryType) else actual_text(value, kind)


def _yaml(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {shown(item)}' for key, item in value.items())}}}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(shown, value))}]"
    return expected_text(value)
