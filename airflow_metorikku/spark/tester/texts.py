"""Values as the texts that Metorikku's tester compares: Scala's and Java's `toString`."""

from __future__ import annotations

import datetime as dt
import math
import struct
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pyspark.sql.types import (
    ArrayType,
    DataType,
    DoubleType,
    FloatType,
    MapType,
    StructType,
)

if TYPE_CHECKING:
    from collections.abc import Callable

# Java writes doubles between these with a point, others with an exponent.
_PLAIN_FROM, _PLAIN_TO = 1e-3, 1e7
_FLOAT_DIGITS = 9


def java_number(value: float, digits: str | None = None) -> str:
    """Java's text of a double: `1.0`, `1.0E7`, `NaN`."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    exact = Decimal(digits or repr(value))
    if value == 0:
        return "-0.0" if math.copysign(1, value) < 0 else "0.0"
    if _PLAIN_FROM <= abs(value) < _PLAIN_TO:
        text = f"{exact:f}"
        return text if "." in text else f"{text}.0"
    mantissa, _, exponent = f"{exact.normalize():E}".partition("E")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}E{int(exponent)}"


def java_float(value: float) -> str:
    """Java's text of a float: the fewest digits that still name it."""
    if not math.isfinite(value):
        return java_number(value)
    digits = next(
        text
        for precision in range(1, _FLOAT_DIGITS + 1)
        if struct.pack("f", float(text := f"{value:.{precision}g}")) == struct.pack("f", value)
    )
    return java_number(value, digits)


def binary_text(value: bytes | bytearray) -> str:
    """Bytes as SQL writes them."""
    return f"X'{bytes(value).hex().upper()}'"


def timestamp_text(value: dt.datetime) -> str:
    """As java.sql.Timestamp: at least one digit of the second's fraction."""
    fraction = f"{value.microsecond:06d}".rstrip("0") or "0"
    return f"{value:%Y-%m-%d %H:%M:%S}.{fraction}"


def actual_text(value: Any, kind: DataType) -> str:
    """Text of a value that Spark computed."""
    if value is None:
        return "null"
    for found, write in _BY_KIND.items():
        if isinstance(kind, found):
            return write(value, kind)
    for found, write_plain in _BY_VALUE.items():
        if isinstance(value, found):
            return write_plain(value)
    return str(value)


def expected_text(value: object) -> str:
    """Text of a value that was read from YAML."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return java_number(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{key} -> {expected_text(item)}" for key, item in value.items())
        return f"Map({inner})"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"List({', '.join(map(expected_text, value))})"
    return str(value)


def _array(value: Any, kind: Any) -> str:
    return f"WrappedArray({', '.join(actual_text(item, kind.elementType) for item in value)})"


def _struct(value: Any, kind: Any) -> str:
    texts = [
        actual_text(item, field.dataType) for item, field in zip(value, kind.fields, strict=True)
    ]
    return f"[{','.join(texts)}]"


def _map(value: Any, kind: Any) -> str:
    texts = [
        f"{actual_text(key, kind.keyType)} -> {actual_text(item, kind.valueType)}"
        for key, item in value.items()
    ]
    return f"Map({', '.join(texts)})"


_BY_KIND: dict[type[DataType], Callable[[Any, Any], str]] = {
    ArrayType: _array,
    StructType: _struct,
    MapType: _map,
    DoubleType: lambda value, _: java_number(value),
    FloatType: lambda value, _: java_float(value),
}
_BY_VALUE: dict[type, Callable[[Any], str]] = {
    bool: lambda value: str(value).lower(),
    dt.datetime: timestamp_text,
    bytes: binary_text,
    bytearray: binary_text,
}
