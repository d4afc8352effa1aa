"""Numbers for people. Three ways, as each reader needs another one.

A decimal is its digits, in sentences and in Atum's texts; a number of a sentence is short; in a table digits stand in groups.
What a check got is told by `spark.quality.values.as_text`, which leaves a double its point: `10.0` is no count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal

# Up to there every whole number is a double.
_EXACT = 1e15


def decimal_text(number: Decimal) -> str:
    """No exponent, no trailing zeros, no negative zero: `600`, `2001.5`."""
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def short_text(number: float) -> str:
    """Whole numbers without a point, others as short as they are exact: `3`, `0.5`."""
    return f"{number:.0f}" if _is_whole(number) else repr(number)


def grouped_text(number: float) -> str:
    """The same with whole numbers in groups of three: `1,000`."""
    return f"{int(number):,}" if isinstance(number, int) or _is_whole(number) else repr(number)


def _is_whole(number: float) -> bool:
    return number.is_integer() and abs(number) < _EXACT
