"""The data frames of a metric that are checked or measured, and the cheapest exact way to do it for each."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from airflow_metorikku.config.records.metric import Step
from airflow_metorikku.plan.constraints import Constraint
from airflow_metorikku.spark.audit import Audit, AuditResult
from airflow_metorikku.spark.names import frame_named
from airflow_metorikku.spark.quality.evaluate import broken
from airflow_metorikku.spark.run import same_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from airflow_metorikku.config.records.metric import Metric
    from airflow_metorikku.results.records import ConstraintResult
    from airflow_metorikku.spark.control.measures import ControlRequest
    from airflow_metorikku.spark.run import Run
    from airflow_metorikku.spark.step_run import StepRun

logger = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Checked:
    """One data frame with all that is asked of it."""

    name: str
    frame: DataFrame | None
    audit: Audit
    constraints: tuple[Constraint, ...]
    step: Step | None
    """None for an input with a control checkpoint."""
    counts: bool
    checkpoints: tuple[tuple[str, int], ...] = ()
    """Control checkpoints taken of it, and how many controls each asks."""
    result: AuditResult | None = None
    started: datetime | None = None
    ended: datetime | None = None

    def ask(self, question: Callable[[], AuditResult]) -> None:
        """Have it audited, and note from when to when."""
        self.started = datetime.now(UTC)
        self.result = question()
        self.ended = datetime.now(UTC)

    @property
    def results(self) -> tuple[ConstraintResult, ...]:
        """The constraints' results; failures of a step that may fail have no effect."""
        if self.result is None:
            found = tuple(
                broken(one, "its step failed or made no data frame") for one in self.constraints
            )
        else:
            found = self.result.constraints
        if self.counts:
            return found
        return tuple(one if one.status == "passed" else replace(one, counts=False) for one in found)


def checked_frames(run: Run, metric: Metric, steps: Sequence[StepRun]) -> list[Checked]:
    """Every data frame of a metric of which something is asked, in order."""
    found = [_of_step(run, metric, step, last=_is_last(step, steps)) for step in steps]
    made = [step.step.data_frame_name for step in steps]
    return [*_of_inputs(run, metric, made), *(one for one in found if not one.audit.empty)]


def _is_last(step: StepRun, steps: Sequence[StepRun]) -> bool:
    same = [one for one in steps if same_name(one.step.data_frame_name, step.step.data_frame_name)]
    return same[-1] is step


def _of_step(run: Run, metric: Metric, made: StepRun, *, last: bool) -> Checked:
    step = made.step
    return _checked(
        run, metric, step.data_frame_name, made.frame, made if step.dq else None, measured=last
    )


def _of_inputs(run: Run, metric: Metric, made: Sequence[str]) -> list[Checked]:
    """Checkpoints on data frames that no step of the metric makes: inputs, or another metric's."""
    if run.tracker is None:
        return []
    planned = dict.fromkeys(
        one.data_frame for one in run.planned_checkpoints if one.metric == metric.name
    )
    names = [name for name in planned if not any(same_name(name, one) for one in made)]
    return [
        _checked(run, metric, name, frame_named(run.session, name), None, measured=True)
        for name in names
    ]


def _checked(
    run: Run,
    metric: Metric,
    name: str,
    frame: DataFrame | None,
    made: StepRun | None,
    *,
    measured: bool,
) -> Checked:
    asked = made.constraints if made else ()
    requests = _requests(run, metric, name) if measured else []
    return Checked(
        name=name,
        frame=frame,
        audit=Audit(
            name, asked, [control for _, wanted in requests for control in wanted], run.history.past
        ),
        constraints=asked,
        step=made.step if made else None,
        counts=not (made and made.may_fail),
        checkpoints=tuple((checkpoint, len(wanted)) for checkpoint, wanted in requests),
    )


def _requests(run: Run, metric: Metric, name: str) -> list[tuple[str, list[ControlRequest]]]:
    """Controls to measure here: a checkpoint belongs to one metric, whoever else has a data frame of the name."""
    mine = any(
        one.metric == metric.name and same_name(one.data_frame, name)
        for one in run.planned_checkpoints
    )
    return run.tracker.requests(name) if run.tracker and mine else []
