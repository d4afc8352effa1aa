"""Aggregates that Spark computes while it writes a data frame."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from pyspark.sql import Observation

from airflow_metorikku.spark.accumulated import Accumulated, accumulated
from airflow_metorikku.spark.aggregates import Aggregate, Key, named, values_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame

# The values arrive a moment after the action; an optimised-away plan may never send any.
_SECONDS_TO_WAIT = 30.0


class Observed:
    """A data frame whose first action also computes aggregates."""

    def __init__(self, frame: DataFrame, aggregates: Sequence[Aggregate]) -> None:
        self._aggregates = tuple(aggregates)
        self._observation = Observation()
        self.frame = frame.observe(self._observation, *named(self._aggregates))

    @property
    def added(self) -> int:
        """Accumulators of its own: none."""
        return 0

    def values(self) -> dict[Key, Any] | None:
        """Values by key, after an action on `frame`; None where Spark told none."""
        got: list[dict[str, Any]] = []
        # `get` waits for ever where nothing was observed, and takes no limit of its own.
        reader = threading.Thread(target=lambda: got.append(self._observation.get), daemon=True)
        reader.start()
        reader.join(_SECONDS_TO_WAIT)
        return values_of(self._aggregates, got[0]) if got else None


def observed(
    frame: DataFrame, aggregates: Sequence[Aggregate], room: int
) -> Accumulated | Observed:
    """Aggregates in the next action, in the cheapest way there is; accumulators only where there is room for all."""
    return accumulated(frame, aggregates, room) or Observed(frame, aggregates)
