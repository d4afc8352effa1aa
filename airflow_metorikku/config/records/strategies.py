"""Strategies that tell an anomaly in a series of values, by Deequ's names, and DQDL's: one record a strategy, one line in STRATEGIES.

`results/anomalies.py` applies them.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from airflow_metorikku.config.fields import Kinds, Where, key, where, yaml_name
from airflow_metorikku.config.number_texts import short_text
from airflow_metorikku.config.past_bounds import PastAssertion

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_FACTOR = "`.inf` is no bound"


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """What every strategy says of itself."""

    at: Where | None = where()

    @abstractmethod
    def least_history(self) -> float:
        """Values before a new one, without which it says nothing of the new one; infinite where it never does."""

    def __str__(self) -> str:
        """As `RateOfChange(maxRateIncrease 2)`: its name, and what is not the default."""
        given = [
            f"{yaml_name(field)} {_shown(getattr(self, field.name))}"
            for field in fields(self)
            if "doc" in field.metadata and getattr(self, field.name) != field.default
        ]
        return f"{type(self).__name__}({', '.join(given)})"


@dataclass(frozen=True, kw_only=True)
class SimpleThreshold(Strategy):
    """A value outside two fixed bounds; a bound itself is inside."""

    lower_bound: float | None = key("Smallest value.", default=None)
    upper_bound: float | None = key("Largest value.", default=None)

    def __post_init__(self) -> None:
        _check_bounds(lowerBound=self.lower_bound, upperBound=self.upper_bound)

    def least_history(self) -> int:
        """None: the bounds are known."""
        return 0


@dataclass(frozen=True, kw_only=True)
class _Change(Strategy):
    """Bounds of a change, and of how many steps."""

    max_rate_decrease: float | None = key(
        "Smallest change that is none too many.", name="maxRateDecrease", default=None
    )
    max_rate_increase: float | None = key("Largest change.", name="maxRateIncrease", default=None)
    order: int = key("Steps: how often differences are taken, or how far back to look.", default=1)

    def __post_init__(self) -> None:
        _check_bounds(
            maxRateDecrease=self.max_rate_decrease, maxRateIncrease=self.max_rate_increase
        )
        if self.order < 0:
            raise ValueError(f"order: expected 0 or more, got {self.order}")

    def least_history(self) -> int:
        """As many as it looks back."""
        return self.order


@dataclass(frozen=True, kw_only=True)
class AbsoluteChange(_Change):
    """A difference to the value before outside the bounds; of order 2 the difference of differences, and so on."""


@dataclass(frozen=True, kw_only=True)
class RateOfChange(_Change):
    """An old name of AbsoluteChange."""


@dataclass(frozen=True, kw_only=True)
class RelativeRateOfChange(_Change):
    """A value divided by the one `order` steps before outside the bounds: 0.5 is half of it. What follows a zero and is none is always outside."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.order < 1:
            raise ValueError(f"order: expected 1 or more, got {self.order}")


@dataclass(frozen=True, kw_only=True)
class _Normal(Strategy):
    """Bounds in standard deviations around a mean."""

    lower_deviation_factor: float = key(
        f"Standard deviations below the mean; {_NO_FACTOR}.", default=3.0
    )
    upper_deviation_factor: float = key(
        f"Standard deviations above the mean; {_NO_FACTOR}.", default=3.0
    )

    def __post_init__(self) -> None:
        named = {
            "lowerDeviationFactor": self.lower_deviation_factor,
            "upperDeviationFactor": self.upper_deviation_factor,
        }
        for name, factor in named.items():
            if not factor >= 0:
                raise ValueError(f"{name}: expected 0 or more, got {_shown(factor)}")
        if all(map(math.isinf, named.values())):
            raise ValueError("needs a lowerDeviationFactor or an upperDeviationFactor, got neither")


@dataclass(frozen=True, kw_only=True)
class BatchNormal(_Normal):
    """A value too far from the mean of the others, in standard deviations (of a sample)."""

    include_interval: bool = key(
        "Whether the values that are judged are part of the mean and deviation.", default=False
    )

    def least_history(self) -> int:
        """A deviation takes two values."""
        return 2


@dataclass(frozen=True, kw_only=True)
class OnlineNormal(_Normal):
    """A value too far from the running mean, in running standard deviations (of a population). As in Deequ the value itself is part of both, so with a factor of 3 nothing before the 11th is told."""

    ignore_start_percentage: float = key("Share of the first values never told.", default=0.1)
    ignore_anomalies: bool = key(
        "Whether anomalies are left out of the running mean and deviation.", default=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.ignore_start_percentage <= 1:
            raise ValueError(
                "ignoreStartPercentage: expected a share from 0 to 1, "
                f"got {_shown(self.ignore_start_percentage)}"
            )

    def least_history(self) -> float:
        """Enough for a value that is part of its own deviation to lie outside: of n values at most sqrt(n-1) deviations."""
        if self.ignore_start_percentage == 1:
            return math.inf
        factor = min(self.lower_deviation_factor, self.upper_deviation_factor)
        return max(
            math.floor(factor * factor) + 1, math.ceil(1 / (1 - self.ignore_start_percentage)) - 1
        )


@dataclass(frozen=True, kw_only=True)
class HoltWinters(Strategy):
    """A value too far from what level, trend and season forecast (additive Holt-Winters); takes two full cycles of history, without gaps. Needs `pip install 'airflow-metorikku[anomaly]'` where the driver runs."""

    metric_interval: Literal["Daily", "Monthly", "Hourly"] = key(
        "How often a value comes.", any_case=True
    )
    seasonality: Literal["Weekly", "Yearly", "Daily"] = key(
        "Length of a cycle: `Weekly` of daily values, `Yearly` of monthly ones, `Daily` of hourly ones.",
        any_case=True,
    )

    def __post_init__(self) -> None:
        if (self.metric_interval, self.seasonality) not in _PERIODS:
            known = ", ".join(f"{season} with {interval}" for interval, season in _PERIODS)
            raise ValueError(
                f"seasonality: got {self.seasonality} with metricInterval {self.metric_interval}, "
                f"expected one of {known}"
            )

    @property
    def period(self) -> int:
        """Values a cycle."""
        return _PERIODS[self.metric_interval, self.seasonality]

    def least_history(self) -> int:
        """Two cycles."""
        return 2 * self.period


@dataclass(frozen=True, kw_only=True)
class DynamicThreshold(Strategy):
    """A value that does not satisfy an assertion whose bounds are made of the values before it, as DQDL's dynamic rules have them. Not one of Deequ's.

    `last(n)` are the last n values, or as many as there are; `avg`, `median`, `min`, `max`, `sum` and `std` (of the population)
    of them are a number, and so are `index(last(n), i)`, the i-th most recent from 0, and `last()`. Numbers may be added,
    multiplied and so on: `between avg(last(9)) - 2 * std(last(9)) and 1.5 * max(last(9))`.
    """

    assertion: str = key(
        "What the value must satisfy, as `> avg(last(3)) * 0.8`; `between` includes its bounds, `strictly between` does not."
    )

    def __post_init__(self) -> None:
        try:
            self.read()
        except ValueError as error:
            raise ValueError(f"assertion: {error}") from None

    def read(self) -> PastAssertion:
        """The assertion; raises ValueError."""
        return PastAssertion.from_text(self.assertion)

    def least_history(self) -> int:
        """What a bound is made of at least."""
        return self.read().least


_PERIODS = {("Daily", "Weekly"): 7, ("Monthly", "Yearly"): 12, ("Hourly", "Daily"): 24}

STRATEGIES: dict[str, type[Any]] = {
    "SimpleThreshold": SimpleThreshold,
    "AbsoluteChange": AbsoluteChange,
    "RateOfChange": RateOfChange,
    "RelativeRateOfChange": RelativeRateOfChange,
    "BatchNormal": BatchNormal,
    "OnlineNormal": OnlineNormal,
    "HoltWinters": HoltWinters,
    "DynamicThreshold": DynamicThreshold,
}
STRATEGY_KINDS = Kinds(noun="strategy", table=STRATEGIES)


def _check_bounds(**bounds: float | None) -> None:
    """Raise ValueError unless there is a bound, and the lower one is no larger than the upper one."""
    (lower_name, lower), (upper_name, upper) = bounds.items()
    if lower is None and upper is None:
        raise ValueError(f"needs {lower_name} or {upper_name}, got neither")
    for name, bound in _given(bounds):
        if math.isnan(bound):
            raise ValueError(f"{name}: expected a number, got NaN")
    if lower is not None and upper is not None and lower > upper:
        raise ValueError(
            f"{lower_name}: got {_shown(lower)}, more than {upper_name} {_shown(upper)}; "
            "nothing would ever be good"
        )


def _given(bounds: dict[str, float | None]) -> Iterator[tuple[str, float]]:
    return ((name, bound) for name, bound in bounds.items() if bound is not None)


def _shown(value: object) -> str:
    return short_text(value) if isinstance(value, float) else str(value)
