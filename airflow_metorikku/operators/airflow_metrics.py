"""A run's numbers among Airflow's own metrics (StatsD, OpenTelemetry), where those are on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow.providers.common.compat.sdk import Stats

from airflow_metorikku.results.numbers import NANOSECONDS, numbers_of

if TYPE_CHECKING:
    from airflow_metorikku.results.records import Result

_MILLISECONDS = 1000


def emit(result: Result) -> None:
    """Send every number of a run as `metorikku.NAME`, tagged; steps and rows as counters, `timer` as a time, `lag` as a gauge."""
    for metric in result.metrics:
        for one in numbers_of(metric):
            name, tags = f"metorikku.{one.name}", {"job": result.job, **one.tags}
            if one.name == "timer":
                Stats.timing(name, one.value * _MILLISECONDS / NANOSECONDS, tags=tags)
            elif one.name == "lag":
                Stats.gauge(name, one.value, tags=tags)
            else:
                Stats.incr(name, one.value, tags=tags)
