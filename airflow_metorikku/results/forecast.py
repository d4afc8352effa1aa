"""Forecasts by additive Holt-Winters smoothing (Hyndman and Athanasopoulos, *Forecasting: principles and practice*, 8.3), fitted by SciPy, which an extra brings.

statsmodels keeps the trend's parameter below the level's, and so finds other parameters than Deequ, and
other anomalies; the bounds of SciPy's L-BFGS-B are Deequ's: each parameter from 0 to 1.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airflow_metorikku.errors import MetorikkuError

if TYPE_CHECKING:
    from collections.abc import Sequence

# Where the search for the parameters of level, trend and season starts; Deequ's.
_START = (0.3, 0.1, 0.1)
_EXTRA = "HoltWinters needs SciPy where the driver runs, and it is not there: pip install 'airflow-metorikku[anomaly]'"


class NoForecastError(MetorikkuError):
    """SciPy is not installed where it is needed."""


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """The values to come, and the standard deviation (of a sample) of how far the known ones were from theirs, in absolute numbers."""

    values: tuple[float, ...]
    residual_deviation: float


def forecast(known: Sequence[float], period: int, steps: int) -> Forecast:
    """What follows at least two whole cycles of `period` values; raises NoForecastError."""
    minimize = _minimize()

    def error(parameters: Sequence[float]) -> float:
        return sum(one * one for one in _smoothed(known, period, 0, parameters)[1])

    fitted = minimize(error, _START, method="L-BFGS-B", bounds=[(0, 1)] * len(_START))
    values, residuals = _smoothed(known, period, steps, [float(one) for one in fitted.x])
    return Forecast(
        values=tuple(values), residual_deviation=statistics.stdev(abs(one) for one in residuals)
    )


def _smoothed(
    known: Sequence[float], period: int, steps: int, parameters: Sequence[float]
) -> tuple[list[float], list[float]]:
    """The next `steps` values, and how far each known one is from what those before it foretell.

    Level and trend start from the means of the first two cycles, seasons from the first one's distances
    from its mean.
    """
    of_level, of_trend, of_season = parameters
    first, second = sum(known[:period]), sum(known[period : 2 * period])
    level, trend = first / period, (second - first) / period**2
    seasons = [value - level for value in known[:period]]
    residuals = []
    for now, value in enumerate(known):
        season = seasons[now % period]
        expected = level + trend
        residuals.append(value - (expected + season))
        seasons[now % period] = of_season * (value - expected) + (1 - of_season) * season
        before, level = level, of_level * (value - season) + (1 - of_level) * expected
        trend = of_trend * (level - before) + (1 - of_trend) * trend
    return [
        level + step * trend + seasons[(len(known) + step - 1) % period]
        for step in range(1, steps + 1)
    ], residuals


def _minimize() -> Any:
    try:
        from scipy.optimize import minimize
    except ImportError as error:
        raise NoForecastError(_EXTRA) from error
    return minimize
