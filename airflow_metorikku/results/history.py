"""What a history of metrics says: its runs by time, tags and analyzers, its series, and their anomalies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from airflow_metorikku.results.anomalies import Anomaly, Point, TooFewValuesError, judge_newest
from airflow_metorikku.results.repository_analyzers import same_analyzer

if TYPE_CHECKING:
    from airflow_metorikku.config.records.analyzers.base import Analyzer
    from airflow_metorikku.config.records.strategies import Strategy
    from airflow_metorikku.results.repository import StoredMetric, StoredRun


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which runs count; times are milliseconds since 1970, both included."""

    after: int | None = None
    before: int | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    """Tags that a run must have, with these values."""

    def holds(self, run: StoredRun) -> bool:
        """Whether a run is among them."""
        return (
            (self.after is None or run.time >= self.after)
            and (self.before is None or run.time <= self.before)
            and self.tags.items() <= run.tags.items()
        )


EVERYTHING = Selection()


def load(
    runs: Iterable[StoredRun],
    selection: Selection = EVERYTHING,
    analyzers: Sequence[Analyzer] | None = None,
) -> tuple[StoredRun, ...]:
    """The runs of a selection, newest first, with the metrics of these analyzers only (Deequ's loader: `forAnalyzers`)."""
    found = (
        replace(run, metrics=tuple(one for one in run.metrics if _is_of(one, analyzers)))
        for run in current(runs)
        if selection.holds(run)
    )
    return tuple(sorted(found, key=lambda run: run.time, reverse=True))


def current(runs: Iterable[StoredRun]) -> tuple[StoredRun, ...]:
    """The runs without those that a repaired one of the same Airflow run has replaced, in their order."""
    every = tuple(runs)
    newest: dict[Any, int] = {}
    for run in every:
        if run.origin:
            key = _key(run)
            newest[key] = max(newest.get(key, run.origin.written), run.origin.written)
    return tuple(
        run for run in every if run.origin is None or run.origin.written == newest[_key(run)]
    )


def _key(run: StoredRun) -> tuple[str, ...]:
    assert run.origin is not None, run
    return run.origin.dag_id, run.origin.run_id, run.origin.job, run.origin.data_frame


def _is_of(metric: StoredMetric, analyzers: Sequence[Analyzer] | None) -> bool:
    if analyzers is None:
        return True
    mine = metric.analyzer
    return mine is not None and any(same_analyzer(mine, one) for one in analyzers)


def series(
    runs: Iterable[StoredRun],
    analyzer: Analyzer,
    selection: Selection = EVERYTHING,
    *,
    without_anomalies_of: str | None = None,
) -> tuple[Point, ...]:
    """The values of an analyzer by their times, oldest first; runs without a value have no point.

    With the id of an anomaly check, the values that it has found anomalous are left out.
    """
    points = []
    for run in load(runs, selection, [analyzer]):
        values = [one.number for one in run.metrics if one.number is not None]
        told = any(
            one.constraint_id == without_anomalies_of and one.status == "failed"
            for one in run.metrics
            if without_anomalies_of is not None
        )
        if values and not told:
            points.append(Point(time=run.time, value=values[-1]))
    return tuple(reversed(points))


def anomalies(
    history: Iterable[StoredRun],
    analyzer: Analyzer,
    strategy: Strategy,
    selection: Selection = EVERYTHING,
    *,
    include_anomalies: bool = False,
) -> tuple[Anomaly, ...]:
    """The values of an analyzer that were anomalous when they came, oldest first.

    Each is judged against those before it, of which the anomalous ones are left out unless
    `include_anomalies`; the first ones, with too few before them, are none.
    """
    found: list[Anomaly] = []
    usual: list[Point] = []
    for point in series(history, analyzer, selection):
        anomaly = judged(strategy, usual, point)
        if anomaly:
            found.append(anomaly)
        if include_anomalies or not anomaly:
            usual.append(point)
    return tuple(found)


def judged(strategy: Strategy, usual: Sequence[Point], point: Point) -> Anomaly | None:
    """The anomaly that a point is against those before it; None also where they are too few to tell."""
    try:
        found = newest(strategy, usual, point)
    except TooFewValuesError:
        return None
    return found


def newest(strategy: Strategy, usual: Sequence[Point], point: Point) -> Anomaly | None:
    """The anomaly that a point is against those before it; raises TooFewValuesError where they are too few to tell."""
    values = [one.value for one in usual if one.value is not None]
    if point.value is None:
        return None
    found = judge_newest(strategy, values, point.value)
    return found and replace(found, time=point.time)
