"""Rules on the numbers of a column. Those that compare numbers read no texts: their column must be one of numbers."""

from __future__ import annotations

import math
from decimal import Decimal

from airflow_metorikku.plan.suggestions.seen import Found, Seen, around, bound, exact

MEAN_MOVES = Decimal("0.5")
"""Standard deviations that the mean may move: half of one is a change that can be seen (Cohen's d)."""
SPREAD_GROWS = Decimal(2)
"""How many times larger or smaller the standard deviation may become."""


def not_negative(seen: Seen) -> Found | None:
    """Numbers of which none is negative may stay so."""
    least = seen.numbers.minimum
    if least is None or math.isnan(least) or least < 0:
        return None
    return Found("isNonNegative", f"Minimum: {least}", f"the smallest value is {least}", {})


def minimum(seen: Seen) -> Found | None:
    """No number may be smaller than the smallest."""
    return _extreme(seen, "hasMin", "Minimum", ">=", seen.numbers.minimum)


def maximum(seen: Seen) -> Found | None:
    """No number may be larger than the largest."""
    return _extreme(seen, "hasMax", "Maximum", "<=", seen.numbers.maximum)


def _extreme(
    seen: Seen, check: str, name: str, operator: str, value: float | Decimal | None
) -> Found | None:
    if value is None or not seen.has_number_type or not math.isfinite(value):
        return None
    word = "smallest" if operator == ">=" else "largest"
    keys = {"assertion": bound(operator, value)}
    return Found(check, f"{name}: {value}", f"the {word} value is {value}", keys)


def mean(seen: Seen) -> Found | None:
    """The mean may move by half a standard deviation."""
    mean, spread = seen.numbers.mean, seen.numbers.std_dev
    if not _are_finite(seen, mean, spread):
        return None
    assert mean is not None
    assert spread is not None
    half = exact(spread) * MEAN_MOVES
    keys = {"assertion": around(exact(mean) - half, exact(mean) + half, half)}
    why = f"the mean is {mean}, and may move by half a standard deviation"
    return Found("hasMean", f"Mean: {mean}", why, keys)


def standard_deviation(seen: Seen) -> Found | None:
    """The standard deviation may become half or twice as large."""
    spread = seen.numbers.std_dev
    if not _are_finite(seen, spread):
        return None
    assert spread is not None
    now = exact(spread)
    keys = {"assertion": around(now / SPREAD_GROWS, now * SPREAD_GROWS, now)}
    why = f"it is {spread}, and may become half or twice as large"
    return Found("hasStandardDeviation", f"stdDev: {spread}", why, keys)


def _are_finite(seen: Seen, *numbers: float | Decimal | None) -> bool:
    return seen.has_number_type and all(one is not None and math.isfinite(one) for one in numbers)
