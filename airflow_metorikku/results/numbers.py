"""The numbers of a metric that ran, by Metorikku's names: for InfluxDB, and for Airflow's own metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from airflow_metorikku.results.records import MetricResult

NANOSECONDS = 1_000_000_000

Name = Literal["successfulSteps", "failedSteps", "counter", "lag", "timer"]


@dataclass(frozen=True, kw_only=True)
class Number:
    """One number: steps and rows are counts, `timer` is in nanoseconds, `lag` in milliseconds."""

    name: Name
    value: int
    tags: Mapping[str, str]


def numbers_of(metric: MetricResult) -> Iterator[Number]:
    """Numbers of a metric: none when it did not run, and none of an output that was withheld."""
    if not metric.ran:
        return
    of_metric = {"metric": metric.name}
    for step in metric.steps:
        name: Name = "successfulSteps" if step.status == "ok" else "failedSteps"
        yield Number(name=name, value=1, tags=of_metric)
    for output in metric.outputs:
        tags = {**of_metric, "dataframe": output.data_frame, "output_type": output.type}
        if output.published and output.rows is not None:
            yield Number(name="counter", value=output.rows, tags=tags)
        if output.published and output.lag is not None:
            yield Number(name="lag", value=output.lag, tags=tags)
    yield Number(name="timer", value=round(metric.seconds * NANOSECONDS), tags=of_metric)
