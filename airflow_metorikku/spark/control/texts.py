"""Totals in Atum's texts: decimals plain, without trailing zeros; doubles as Java writes them."""

from __future__ import annotations

import math
from decimal import Decimal

from airflow_metorikku.config.number_texts import decimal_text

_PLAIN_FROM, _PLAIN_TO = 1e-3, 1e7
"""Java writes doubles between these without an exponent."""


def total_text(total: Decimal | float) -> str:
    """`600`, `2001.5` for decimals, never `6E+2`; `600.0`, `1.0E10` for doubles."""
    if isinstance(total, float):
        return double_text(total)
    return decimal_text(total)


def double_text(value: float) -> str:
    """A double as `Double.toString` writes it: the shortest digits that read back to it."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0 or _PLAIN_FROM <= abs(value) < _PLAIN_TO:
        return repr(value) if "e" not in repr(value) else f"{Decimal(repr(value)):f}"
    # Java takes the nearest of two digits where one would do: 4.9E-324, not 5E-324.
    two_digits = f"{value:.1e}"
    shortest = two_digits if float(two_digits) == value else repr(value)
    sign, digits, exponent = Decimal(shortest).normalize().as_tuple()
    shown = "".join(map(str, digits))
    return f"{'-' if sign else ''}{shown[0]}.{shown[1:] or '0'}E{int(exponent) + len(shown) - 1}"
