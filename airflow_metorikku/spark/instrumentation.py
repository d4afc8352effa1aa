"""A run's own numbers, sent to InfluxDB after each metric; a run never fails for them."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.results.numbers import numbers_of
from airflow_metorikku.spark.influxdb import Database, Point
from airflow_metorikku.spark.stopping import is_stopped

if TYPE_CHECKING:
    from airflow_metorikku.plan.records import Plan
    from airflow_metorikku.results.records import MetricResult

logger = logging.getLogger(__name__)

_NO_MEASUREMENT = "#\t"


@dataclass(kw_only=True)
class Clock:
    """Times in nanoseconds, each once: InfluxDB keeps one point of a series and time."""

    last: int = 0

    def now(self) -> int:
        """The time, or the next one that is free."""
        self.last = max(time.time_ns(), self.last + 1)
        return self.last


@dataclass(kw_only=True)
class Instrumentation:
    """Numbers on their way; without a database there is nothing to do."""

    measurement: str
    database: Database | None
    clock: Clock = field(default_factory=Clock)
    points: list[Point] = field(default_factory=list)
    failed: bool = False

    @classmethod
    def of(cls, plan: Plan) -> Instrumentation:
        """That of a plan; raises RunError for an address that is none."""
        return cls(measurement=plan.settings.app_name, database=database_of(plan))

    def record(self, metric: MetricResult) -> None:
        """Add a metric's numbers, and send what there is."""
        if self.database is None:
            return
        self.points += [
            Point(
                measurement=self.measurement,
                field=one.name,
                value=one.value,
                tags=one.tags,
                time=self.clock.now(),
            )
            for one in numbers_of(metric)
        ]
        # After a failure only once more, at the end: a server that is down would hold up each metric.
        if not self.failed:
            self._send()

    def close(self) -> None:
        """Send what could not be sent before; a run that is told to stop has no time to wait for a server."""
        if not is_stopped():
            self._send()
        if self.points:
            logger.info("instrumentation: %s points are lost", len(self.points))

    def _send(self) -> None:
        if self.database is None or not self.points:
            return
        try:
            self.database.send(self.points)
        except RunError as error:
            if not self.failed:
                logger.warning("instrumentation: %s; the job goes on without", error)
            self.failed = True
            return
        self.points.clear()


def database_of(plan: Plan) -> Database | None:
    """Where a plan's numbers go, if anywhere; raises RunError for an address that is none, or a name that InfluxDB cannot have."""
    given = plan.settings.instrumentation
    if not given or not given.influxdb:
        return None
    name = plan.settings.app_name
    if not name.strip("\\") or name[0] in _NO_MEASUREMENT:
        # It would say yes, and keep nothing: such a line is a comment.
        raise RunError(
            f"appName: got {name!r}, which InfluxDB takes for no measurement; "
            "give one that starts with neither # nor a tab"
        )
    return Database.of(given.influxdb)
