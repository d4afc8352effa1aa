"""One step: run it, checkpoint, register its view, show it. Its checks come when the outputs are staged."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from airflow_metorikku.config.records.metric import Step
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.constraints import Constraint, constraints
from airflow_metorikku.results.records import StepResult, StepStatus
from airflow_metorikku.spark.jvm import java_frame
from airflow_metorikku.spark.names import register
from airflow_metorikku.spark.quality.filled import filled
from airflow_metorikku.spark.sentences import sentence
from airflow_metorikku.spark.session import has_checkpoints
from airflow_metorikku.spark.steps import where

if TYPE_CHECKING:
    from airflow_metorikku.config.records.metric import Metric
    from airflow_metorikku.spark.run import Run
    from airflow_metorikku.spark.steps.prepared import Prepared

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class StepRun:
    """A step that ran; no frame when it failed, or only registered a function."""

    step: Step
    frame: DataFrame | None
    result: StepResult
    may_fail: bool
    constraints: tuple[Constraint, ...] = ()
    """What its checks ask, variables filled in."""


def run_step(run: Run, metric: Metric, step: Step, prepared: Prepared) -> StepRun:
    """Run a step; a failure that may not be ignored is in the result too, for the caller to stop at."""
    may_fail = step.ignore_on_failures or run.plan.settings.continue_on_failed_step
    started = time.monotonic()
    frame, error = None, None
    asked = _asked(run, step)
    try:
        asked = tuple(filled(one, run.scene.variables) for one in asked)
        frame = _frame(run, step, prepared)
        logger.info("metric '%s': step '%s' is ready", metric.name, step.data_frame_name)
    except Exception as caught:  # whatever a step's SQL or code raises is this step's failure
        error = f"{where(metric, step)}: {sentence(caught)}"
        if may_fail:
            logger.error("%s; ignored, as the job says", error)  # noqa: TRY400 - a sentence; the stack is for the debug log
        logger.debug("the step's failure", exc_info=True)
    status: StepStatus = "ok" if error is None else "ignored" if may_fail else "failed"
    result = StepResult(
        data_frame=step.data_frame_name,
        status=status,
        seconds=round(time.monotonic() - started, 3),
        error=error,
    )
    return StepRun(step=step, frame=frame, result=result, may_fail=may_fail, constraints=asked)


def _asked(run: Run, step: Step) -> tuple[Constraint, ...]:
    settings = run.plan.settings
    if step.dq is None or settings.ignore_deequ_validations:
        return ()
    return constraints(step.data_frame_name, step.dq, settings.quality.empty_data)


def _frame(run: Run, step: Step, prepared: Prepared) -> DataFrame | None:
    frame = prepared(run.scene)
    if frame is None:
        return None
    if step.checkpoint:
        if has_checkpoints(run.session):
            frame = frame.checkpoint(eager=True)
        else:
            logger.warning(
                "step '%s': checkpoint does nothing without a checkpointStorageLocation",
                step.data_frame_name,
            )
    settings = run.plan.settings
    lines = settings.show_preview_lines
    frame = run.caches.keep(step.data_frame_name, frame)
    if settings.cache_on_preview and lines > 0 and not run.caches.wanted(step.data_frame_name):
        frame = run.caches.in_spark(step.data_frame_name, frame)
    try:
        register(frame, step.data_frame_name)
    except Exception as error:
        raise RunError(
            f"dataFrameName {step.data_frame_name!r} cannot be the name of a view: {sentence(error)}"
        ) from error
    _show(frame, step.data_frame_name, lines, explain=settings.explain)
    return frame


def _show(frame: DataFrame, name: str, lines: int, *, explain: bool) -> None:
    if lines > 0:
        logger.info(
            "data frame '%s':\n%s\n%s",
            name,
            java_frame(frame).schema().treeString(),
            java_frame(frame).showString(lines, 0, False),  # noqa: FBT003 - Java has no keyword arguments
        )
    if explain:
        logger.info("plan of '%s':\n%s", name, java_frame(frame).queryExecution().toString())
