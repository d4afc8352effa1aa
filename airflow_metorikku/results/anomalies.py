"""Anomalies in a series of values, by Deequ's seven strategies (Deequ, `anomalydetection/`) and DQDL's dynamic thresholds.

Pure: a gate, a run and a report ask the same functions. Values come in the order of their times, without gaps.
"""

from __future__ import annotations

import itertools
import math
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.number_texts import short_text
from airflow_metorikku.config.records.strategies import (
    AbsoluteChange,
    BatchNormal,
    DynamicThreshold,
    HoltWinters,
    OnlineNormal,
    RateOfChange,
    RelativeRateOfChange,
    SimpleThreshold,
    Strategy,
)
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.results.forecast import forecast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_MOST = sys.float_info.max
# Of a residual's standard deviation; Deequ's.
_FORECAST_WIDTH = 1.96


class TooFewValuesError(MetorikkuError):
    """A strategy has too little to go by: how many values it needs, and how many there are."""


@dataclass(frozen=True)
class Interval:
    """Values from `start` up to, not including, `end` are judged; the others only tell what is usual."""

    start: int = 0
    end: int = sys.maxsize

    def __post_init__(self) -> None:
        if self.start > self.end:
            raise ValueError(f"an interval starts before it ends, got {self.start} to {self.end}")


@dataclass(frozen=True, kw_only=True)
class Anomaly:
    """One value that is none of the usual: `measured` (itself, its change, its distance from a forecast) is not in `lower` to `upper`."""

    index: int
    value: float
    measured: float
    lower: float
    upper: float
    detail: str
    """A sentence."""
    time: int | None = None
    """Of the value, where the series has times: milliseconds since 1970."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """A value at a time, in milliseconds since 1970; None where there was none."""

    time: int
    value: float | None


def detect(
    strategy: Strategy, series: Sequence[float], interval: Interval | None = None
) -> tuple[Anomaly, ...]:
    """The anomalies among the values of the interval, in order; raises TooFewValuesError."""
    values = [float(value) for value in series]
    return tuple(_DETECTORS[type(strategy)](strategy, values, interval or Interval()))


def detect_in(
    strategy: Strategy, points: Sequence[Point], start: int | None = None, end: int | None = None
) -> tuple[Anomaly, ...]:
    """The anomalies among points in any order: those from the time `start` up to `end` are judged, those without a value left out."""
    known = in_order(points)
    first = sum(1 for one in known if start is not None and one.time < start)
    last = sum(1 for one in known if end is None or one.time < end)
    if start is not None and end is not None and start > end:
        raise ValueError(f"an interval starts before it ends, got {start} to {end}")
    found = detect(strategy, [one.value or 0.0 for one in known], Interval(first, last))
    return tuple(replace(one, time=known[one.index].time) for one in found)


def in_order(points: Sequence[Point]) -> list[Point]:
    """Points that have a value, by their times."""
    return sorted((one for one in points if one.value is not None), key=lambda one: one.time)


def judge_newest(strategy: Strategy, history: Sequence[float], value: float) -> Anomaly | None:
    """The anomaly that a new value is, against those before it.

    Raises TooFewValuesError where they are too few for the strategy to tell. A NaN is always one, and none is part of what is usual.
    """
    if math.isnan(value):
        return _anomaly(len(history), value, value, (-_MOST, _MOST), "is not a number")
    usual = [float(one) for one in history if not math.isnan(one)]
    least = strategy.least_history()
    if len(usual) < least:
        raise TooFewValuesError(_too_few(strategy, least, len(usual)))
    newest = len(usual)
    found = detect(strategy, [*usual, float(value)], Interval(newest, newest + 1))
    return found[0] if found else None


def _too_few(strategy: Strategy, least: float, known: int) -> str:
    if math.isinf(least):
        return f"{strategy} never tells an anomaly"
    needed = "one value" if least == 1 else f"{least} values"
    return f"{type(strategy).__name__} needs {needed} before this one, the history has {known or 'none'}"


def _anomaly(
    index: int, value: float, measured: float, bounds: tuple[float, float], what: str
) -> Anomaly:
    return Anomaly(
        index=index,
        value=value,
        measured=measured,
        lower=bounds[0],
        upper=bounds[1],
        detail=f"value {short_text(value)} {what}",
    )


def _expected(bounds: tuple[float, float]) -> str:
    """As `between 1 and 3`, or with the one bound that there is."""
    lower, upper = bounds
    if upper >= _MOST:
        return f"at least {short_text(lower)}"
    if lower <= -_MOST:
        return f"at most {short_text(upper)}"
    return f"between {short_text(lower)} and {short_text(upper)}"


def _bounds(lower: float | None, upper: float | None) -> tuple[float, float]:
    return (
        -_MOST if lower is None else float(lower),
        _MOST if upper is None else float(upper),
    )


def _threshold(
    strategy: SimpleThreshold, values: list[float], interval: Interval
) -> Iterator[Anomaly]:
    bounds = _bounds(strategy.lower_bound, strategy.upper_bound)
    for index, value in _judged(values, interval):
        if value < bounds[0] or value > bounds[1]:
            yield _anomaly(index, value, value, bounds, f"is not {_expected(bounds)}")


def _judged(values: list[float], interval: Interval) -> Iterator[tuple[int, float]]:
    return (
        (index, values[index]) for index in range(interval.start, min(interval.end, len(values)))
    )


def _absolute(
    strategy: AbsoluteChange | RateOfChange, values: list[float], interval: Interval
) -> Iterator[Anomaly]:
    return _changes(strategy, values, interval, _differences)


def _relative(
    strategy: RelativeRateOfChange, values: list[float], interval: Interval
) -> Iterator[Anomaly]:
    return _changes(strategy, values, interval, _ratios)


def _changes(
    strategy: AbsoluteChange | RateOfChange | RelativeRateOfChange,
    values: list[float],
    interval: Interval,
    changes: Callable[[list[float], int], list[float]],
) -> Iterator[Anomaly]:
    bounds = _bounds(strategy.max_rate_decrease, strategy.max_rate_increase)
    start = max(interval.start - strategy.order, 0)
    found = changes(values[start : interval.end], strategy.order)
    steps = "" if strategy.order == 1 else f" of order {strategy.order}"
    for index, change in enumerate(found, start + strategy.order):
        if change < bounds[0] or change > bounds[1]:
            what = f"is a change{steps} of {short_text(change)}, expected {_expected(bounds)}"
            yield _anomaly(index, values[index], change, bounds, what)


def _differences(values: list[float], order: int) -> list[float]:
    for _ in range(order):
        values = [after - before for before, after in itertools.pairwise(values)]
    return values


def _ratios(values: list[float], order: int) -> list[float]:
    return [_divided(after, before) for before, after in zip(values, values[order:], strict=False)]


def _divided(dividend: float, divisor: float) -> float:
    """As IEEE 754 has it: by zero is infinite, zero by zero no number."""
    if divisor:
        return dividend / divisor
    if not dividend or math.isnan(dividend):
        return math.nan
    return math.copysign(math.inf, dividend) * math.copysign(1, divisor)


def _around(
    strategy: BatchNormal | OnlineNormal, mean: float, deviation: float
) -> tuple[float, float]:
    """Bounds; a factor that is infinite gives none, whatever the deviation."""
    lower, upper = strategy.lower_deviation_factor, strategy.upper_deviation_factor
    return (
        -math.inf if math.isinf(lower) and not math.isnan(mean) else mean - lower * deviation,
        math.inf if math.isinf(upper) and not math.isnan(mean) else mean + upper * deviation,
    )


def _batch_normal(
    strategy: BatchNormal, values: list[float], interval: Interval
) -> Iterator[Anomaly]:
    rest = values
    if not strategy.include_interval:
        rest = values[: interval.start] + values[interval.end :]
    if not rest:
        raise TooFewValuesError(
            "BatchNormal needs values outside of those that it judges, or includeInterval"
        )
    mean = math.fsum(rest) / len(rest) if all(map(math.isfinite, rest)) else sum(rest) / len(rest)
    squares = sum((value - mean) ** 2 for value in rest)
    bounds = _around(strategy, mean, math.sqrt(squares / max(len(rest) - 1, 1)))
    for index, value in _judged(values, interval):
        if value < bounds[0] or value > bounds[1]:
            yield _anomaly(index, value, value, bounds, f"is not {_expected(bounds)}")


def _online_normal(
    strategy: OnlineNormal, values: list[float], interval: Interval
) -> Iterator[Anomaly]:
    skipped = len(values) * strategy.ignore_start_percentage
    mean = squares = 0.0
    for index, value in enumerate(values):
        before = mean, squares
        # The value is part of the mean and the deviation that it is judged by (Deequ's way).
        mean = value if index == 0 else mean + (value - mean) / (index + 1)
        squares += (value - before[0]) * (value - mean)
        bounds = _around(strategy, mean, math.sqrt(squares / (index + 1)))
        judged = index >= skipped and interval.start <= index < interval.end
        if judged and not bounds[0] <= value <= bounds[1]:
            if strategy.ignore_anomalies:
                mean, squares = before
            yield _anomaly(index, value, value, bounds, f"is not {_expected(bounds)}")


def _holt_winters(
    strategy: HoltWinters, values: list[float], interval: Interval
) -> Iterator[Anomaly]:
    if interval.start >= interval.end or not values:
        raise TooFewValuesError("HoltWinters has no value to judge")
    least = strategy.least_history()
    if min(interval.start, len(values)) < least:
        raise TooFewValuesError(_too_few(strategy, least, min(interval.start, len(values))))
    judged = dict(_judged(values, interval))
    if not judged:
        return
    expected = forecast(values[: interval.start], strategy.period, len(judged))
    width = _FORECAST_WIDTH * expected.residual_deviation
    for (index, value), foreseen in zip(judged.items(), expected.values, strict=True):
        if abs(value - foreseen) > width:
            bounds = (foreseen - width, foreseen + width)
            what = f"is not {_expected(bounds)}, forecast was {short_text(foreseen)}"
            yield _anomaly(index, value, value, bounds, what)


def _dynamic(
    strategy: DynamicThreshold, values: list[float], interval: Interval
) -> Iterator[Anomaly]:
    expected = strategy.read()
    for index, value in _judged(values, interval):
        if index < expected.least:
            raise TooFewValuesError(_too_few(strategy, expected.least, index))
        asked = expected.after(values[:index])
        if not asked.holds(value):
            bounds = [float(str(one)) for one in asked.bounds]
            yield _anomaly(index, value, value, (bounds[0], bounds[-1]), f"is not {asked}")


_Detector = Any
_DETECTORS: Mapping[type[Strategy], _Detector] = {
    SimpleThreshold: _threshold,
    AbsoluteChange: _absolute,
    RateOfChange: _absolute,
    RelativeRateOfChange: _relative,
    BatchNormal: _batch_normal,
    OnlineNormal: _online_normal,
    HoltWinters: _holt_winters,
    DynamicThreshold: _dynamic,
}
