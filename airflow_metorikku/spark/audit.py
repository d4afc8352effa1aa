"""All that is asked of one data frame, constraints and controls, from as few passes over it as can be.

The same aggregate asked by many is computed once; all aggregates share one pass, those without
generated code another; each set of key columns costs one shuffle; nothing is cached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airflow_metorikku.errors import MetorikkuError, RunError
from airflow_metorikku.results.records import ConstraintResult, How
from airflow_metorikku.spark.accumulated import room_of
from airflow_metorikku.spark.aggregates import (
    ROWS,
    SPARK_ERRORS,
    Aggregate,
    Key,
    count_rows,
)
from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.cheap_keys import count_keys
from airflow_metorikku.spark.control import measures
from airflow_metorikku.spark.control.measures import ControlRequest, MeasuredControl
from airflow_metorikku.spark.observed import Observed, observed
from airflow_metorikku.spark.quality import evaluate
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.composites import of_wholes
from airflow_metorikku.spark.quality.values import MetricValue
from airflow_metorikku.spark.scanning import compute
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyspark.sql import DataFrame

    from airflow_metorikku.plan.constraints import Constraint
    from airflow_metorikku.results.records import ControlValue
    from airflow_metorikku.spark.accumulated import Accumulated
    from airflow_metorikku.spark.footers import Footers
    from airflow_metorikku.spark.grouping import Grouping, KeyCounts, Wanted
    from airflow_metorikku.spark.quality.evaluate import Past


@dataclass(frozen=True, kw_only=True)
class AuditResult:
    """What one audit found. `measured` has the controls with what a reconciliation must know of them."""

    constraints: tuple[ConstraintResult, ...] = ()
    values: tuple[MetricValue | str, ...] = ()
    """What the analyzer of each constraint that is computed gave, those of composites among them, before its check picked a number from it; a sentence where nothing."""
    measured: tuple[MeasuredControl, ...] = ()
    rows: int | None = None

    @property
    def controls(self) -> tuple[ControlValue, ...]:
        """The controls' values alone, in the order of the requests."""
        return tuple(control.value for control in self.measured)


class Audit:
    """All that is asked of one data frame.

    `scan(frame)` computes it; or `observe(frame)`, an action on what that returns, and `collect(frame)`,
    which computes from `frame` only what a write cannot: key counts, and what a row may make fail.
    `past` tells the values before this run's to anomaly checks; without it there are none.
    """

    def __init__(
        self,
        data_frame: str,
        constraints: Sequence[Constraint] = (),
        controls: Sequence[ControlRequest] = (),
        past: Past | None = None,
    ) -> None:
        self._past = past
        self._data_frame = data_frame
        self._constraints = tuple(constraints)
        self._computed = tuple(part for one in self._constraints for part in one.computed)
        self._controls = tuple(controls)
        self._observed: Accumulated | Observed | None = None
        self._observed_keys: frozenset[Key] = frozenset()
        self._told: frozenset[Key] = frozenset()

    @property
    def empty(self) -> bool:
        """Whether nothing is asked."""
        return not (self._constraints or self._controls)

    def observable(self, limit: int) -> bool:
        """Whether all of it can be observed in a write, and is at most `limit` questions."""
        return (
            len(self._computed) + len(self._controls) <= limit
            and not any(
                constraint.analyzer.COST not in ("schema", "cheap") or constraint.analyzer.where_
                for constraint in self._computed
            )
            and not any(control.is_grouped for control in self._controls)
        )

    def scan(self, frame: DataFrame, footers: Footers | None = None) -> AuditResult:
        """Compute all of it from a data frame, but what its files' footers tell; raises RunError where the data frame itself cannot be read."""
        self._observed_keys = frozenset()
        return self._finish(frame, {}, footers)

    def observe(self, frame: DataFrame, room: int | None = None) -> DataFrame:
        """The data frame, whose next action also computes what it can.

        :param room: for accumulators, where others take some in the same action, or it writes other columns.
        """
        safe = [asked for asked in self._asks(frame) if isinstance(asked, Ask) and not asked.risky]
        aggregates = _distinct(
            [
                count_rows(),
                *(one for asked in safe for one in asked.aggregates if not one.imperative),
            ]
        )
        self._observed = observed(frame, aggregates, room_of(frame) if room is None else room)
        self._observed_keys = frozenset(aggregate.key for aggregate in aggregates)
        return self._observed.frame

    @property
    def added(self) -> int:
        """Accumulators that it takes in the action."""
        return self._observed.added if self._observed else 0

    def collect(self, frame: DataFrame, written: int | None = None) -> AuditResult:
        """After the action: what was observed, and the rest computed from `frame`, which has the same rows.

        :param written: rows of the action, where it was a write and they are known; where other rows were observed, nothing of it counts.
        """
        values = self._observed.values() if self._observed else None
        if values is None or written not in (None, values[ROWS]):
            return self.scan(frame)
        return self._finish(frame, values)

    def _asks(self, frame: DataFrame) -> list[Ask[Any] | str]:
        """What each constraint, then each control, asks; a sentence for one that asks for what is not there."""
        columns = Columns(frame, self._data_frame)
        asks: list[Ask[Any] | str] = []
        for make, item in [
            *((evaluate.ask, constraint) for constraint in self._computed),
            *((measures.ask, control) for control in self._controls),
        ]:
            try:
                asks.append(make(item, frame, columns))  # type: ignore[operator]
            except (MetorikkuError, *SPARK_ERRORS) as error:
                asks.append(sentence(error))
        return asks

    def _finish(
        self, frame: DataFrame, values: dict[Key, Any], footers: Footers | None = None
    ) -> AuditResult:
        asks = self._asks(frame)
        if footers:
            values = footers.values(_keys(asks))
            self._told = frozenset(values)
        facts, why_not = gather(frame, [asked for asked in asks if isinstance(asked, Ask)], values)
        told = [
            asked if isinstance(asked, str) else why_not.get(id(asked)) or asked for asked in asks
        ]
        of_constraints, of_controls = told[: len(self._computed)], told[len(self._computed) :]
        pairs = list(zip(self._computed, of_constraints, strict=True))
        got = tuple(evaluate.value_of(one, asked, facts) for one, asked in pairs)
        return AuditResult(
            constraints=of_wholes(
                self._constraints,
                (
                    evaluate.judge(constraint, value, self._how(asked), self._past)
                    for (constraint, asked), value in zip(pairs, got, strict=True)
                ),
            ),
            values=got,
            measured=tuple(
                measures.measured(control, asked, facts)
                for control, asked in zip(self._controls, of_controls, strict=True)
            ),
            rows=facts.values.get(ROWS),
        )

    def _how(self, asked: Ask[Any] | str) -> How:
        if isinstance(asked, str) or asked.asks_nothing:
            return "none"
        if asked.grouping:
            return "grouped"
        keys = {aggregate.key for aggregate in asked.aggregates}
        if asked.query or not keys <= self._observed_keys | self._told:
            return "scanned"
        return "observed" if keys <= self._observed_keys else "footers"


def _keys(asks: Iterable[Ask[Any] | str]) -> set[Key]:
    """Of all aggregates, and of the number of rows, which every audit needs."""
    asked = [one for one in asks if isinstance(one, Ask)]
    return {ROWS, *(aggregate.key for one in asked for aggregate in one.aggregates)}


def _distinct(aggregates: Iterable[Aggregate]) -> list[Aggregate]:
    return list(dict.fromkeys(aggregates))


def gather(
    frame: DataFrame, asks: list[Ask[Any]], values: dict[Key, Any]
) -> tuple[Facts, dict[int, str]]:
    """Compute what is not known yet, and why some could not be, by the id of the ask; raises RunError where the data frame cannot be read."""
    why_not: dict[int, str] = {}
    values = dict(values)
    scanned = [asked for asked in asks if asked.aggregates]
    # First, since it tells which keys are dense; left out where groups can count the rows.
    if scanned or ROWS in values:
        _scan(frame, scanned, values, why_not)
    keys = _group(frame, asks, values, why_not)
    queries: dict[Key, Any] = {}
    for query in dict.fromkeys(asked.query for asked in asks if asked.query):
        try:
            queries[query.key] = query.run(frame)
        except (*SPARK_ERRORS, MetorikkuError) as error:
            why_not |= {id(asked): sentence(error) for asked in asks if asked.query == query}
    if asks and all(asked.asks_nothing for asked in asks):
        return Facts(values=values, rows=values.get(ROWS, 0)), why_not
    if ROWS not in values:
        whole = [counts.rows for grouping, counts in keys.items() if grouping.where is None]
        if whole:
            values[ROWS] = whole[0]
        else:
            _scan(frame, [], values, why_not)
    return Facts(values=values, keys=keys, queries=queries, rows=values[ROWS]), why_not


def _group(
    frame: DataFrame, asks: list[Ask[Any]], values: dict[Key, Any], why_not: dict[int, str]
) -> dict[Grouping, KeyCounts]:
    """One answer for each grouping, of all that is wanted of it."""
    wanted: dict[Grouping, Wanted] = {}
    for asked in asks:
        if asked.grouping:
            before = wanted.get(asked.grouping, asked.wanted)
            wanted[asked.grouping] = before.joined(asked.wanted)
    keys: dict[Grouping, KeyCounts] = {}
    for grouping, all_wanted in wanted.items():
        try:
            keys[grouping] = count_keys(frame, grouping, all_wanted, values)
        except SPARK_ERRORS as error:
            why_not |= {id(asked): sentence(error) for asked in asks if asked.grouping == grouping}
    return keys


def _scan(
    frame: DataFrame, asks: list[Ask[Any]], values: dict[Key, Any], why_not: dict[int, str]
) -> None:
    """Add the values of all; when the pass fails, look for those that made it fail by halves."""
    missing = _distinct(
        aggregate
        for aggregate in [
            count_rows(),
            *(aggregate for asked in asks for aggregate in asked.aggregates),
        ]
        if aggregate.key not in values
    )
    if not missing:
        return
    try:
        values |= compute(frame, missing)
    except SPARK_ERRORS as error:
        if not asks:
            raise RunError(sentence(error)) from error
        if ROWS not in values:
            _scan(frame, [], values, why_not)
        if len(asks) == 1:
            why_not[id(asks[0])] = sentence(error)
            return
        half = len(asks) // 2
        _scan(frame, asks[:half], values, why_not)
        _scan(frame, asks[half:], values, why_not)
