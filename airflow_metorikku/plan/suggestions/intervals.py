"""Where a share lies that was seen in a sample: intervals of 95 % (Deequ, `suggestions/rules/interval/`), bounds rounded outward to two decimals."""

from __future__ import annotations

import math

# The quantile 0.975 of the normal distribution.
_Z = 1.959963984540054
_UNITS = 100
# What floating point may add to a number that is a round one.
_SLACK = 1e-9


def wald(share: float, count: int) -> tuple[float, float]:
    """The normal approximation around the share that was seen; of 0 and 1 it has no width."""
    half = _Z * math.sqrt(share * (1 - share) / count)
    return _outward(share - half, share + half)


def wilson(share: float, count: int) -> tuple[float, float]:
    """Wilson's score interval, which has a width everywhere."""
    weight = 1 + _Z**2 / count
    middle = (share + _Z**2 / (2 * count)) / weight
    half = _Z * math.sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2)) / weight
    return _outward(middle - half, middle + half)


def _outward(low: float, high: float) -> tuple[float, float]:
    lower = math.floor(low * _UNITS + _SLACK) / _UNITS
    upper = math.ceil(high * _UNITS - _SLACK) / _UNITS
    return max(lower, 0.0), min(upper, 1.0)
