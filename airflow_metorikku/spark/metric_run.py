"""One metric: steps, audits, stage, verdict, publish, record."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from airflow_metorikku.config.records.metric import Metric
from airflow_metorikku.errors import MetorikkuError, RunError
from airflow_metorikku.results.records import (
    CheckpointResult,
    ConstraintResult,
    MetricResult,
    OutputResult,
    ReconciliationResult,
    StepResult,
    Verdict,
)
from airflow_metorikku.results.verdict import of_constraint, of_reconciliation, worst
from airflow_metorikku.spark.checked import Checked, checked_frames
from airflow_metorikku.spark.control.info_files import (
    add_to_staged,
    keep_with_result,
    tell_published,
    write_destination,
)
from airflow_metorikku.spark.outputs.publish import UnfinishedPublicationError
from airflow_metorikku.spark.quality.failing_rows import dump_failed
from airflow_metorikku.spark.quality.samples import with_samples
from airflow_metorikku.spark.run import Run
from airflow_metorikku.spark.sentences import sentence
from airflow_metorikku.spark.stage import Stage, rounds
from airflow_metorikku.spark.step_run import StepRun, run_step
from airflow_metorikku.spark.stopping import STOPPED, is_stopped

if TYPE_CHECKING:
    from airflow_metorikku.spark.written_outputs import DirectWrite, StagedOutput

logger = logging.getLogger(__name__)

_PARTS = ", those of passed and failed rows too; with the checks of rows at level warn they are published"


@dataclass(kw_only=True)
class MetricRun:
    """A metric on its way; what is known of it when it breaks is in its result."""

    run: Run
    metric: Metric
    steps: list[StepResult] = field(default_factory=list)
    constraints: list[ConstraintResult] = field(default_factory=list)
    reconciliation: list[ReconciliationResult] = field(default_factory=list)
    measured: bool = False
    stages: list[Stage] = field(init=False)
    """The outputs in rounds: one that reads a table of the same metric is in the next."""

    def __post_init__(self) -> None:
        self.stages = rounds(self.run, self.metric)

    def do(self) -> MetricResult:
        """Run it; whatever breaks it is in its result, with every target as it was."""
        started = time.monotonic()
        error: str | None = None
        finished = False
        try:
            self._do()
            finished = True
        except UnfinishedPublicationError as caught:
            error, finished = str(caught), True  # what is staged is still needed
        except MetorikkuError as caught:
            error = str(caught)
        except Exception as caught:
            error = f"metric '{self.metric.name}': {sentence(caught)}"
            logger.debug("metric '%s' broke", self.metric.name, exc_info=True)
        finally:
            if not finished:
                for stage in self.stages:
                    stage.discard()
        if error and is_stopped():
            error = STOPPED
        if error:
            logger.error("%s", error)
        return MetricResult(
            name=self.metric.name,
            verdict="critical" if error else self._verdict(),
            seconds=round(time.monotonic() - started, 3),
            steps=tuple(self.steps),
            constraints=tuple(self.constraints),
            outputs=self._results(),
            error=error,
        )

    def _do(self) -> None:
        made = self._run_steps()
        checked = checked_frames(self.run, self.metric, made)
        first, *others = self.stages
        first.write_all(checked)
        for one in checked:
            self._record(one)
            self.run.history.save(one.name, one.constraints, one.result, counts=one.counts)
        if self.run.tracker:
            self.reconciliation.extend(self.run.tracker.not_taken(self.metric.name))
        if self.measured:
            keep_with_result(self.run, self.metric)
        dump_failed(self.run, self.metric, checked)
        if self._verdict() == "critical":
            logger.error(
                "metric '%s': the verdict is critical; its outputs are withheld%s",
                self.metric.name,
                _PARTS if any(one.output.rows for one in first.outputs) else "",
            )
            first.discard()
            return
        self._publish(first)
        for stage in others:
            stage.write_all(checked)
            self._publish(stage)
        if self.measured:
            write_destination(self.run)

    def _results(self) -> tuple[OutputResult, ...]:
        """Of all outputs, in the metric's order."""
        every: list[StagedOutput | DirectWrite] = []
        for stage in self.stages:
            every += [*stage.outputs, *stage.direct]
        return tuple(one.result for one in sorted(every, key=lambda one: one.output.number))

    def _publish(self, stage: Stage) -> None:
        if self.measured:
            add_to_staged(self.run, stage)
        stage.publish()
        if self.measured:
            tell_published(self.run, stage)

    def _run_steps(self) -> list[StepRun]:
        made = []
        for step, prepared in zip(
            self.metric.steps, self.run.prepared[self.metric.name], strict=True
        ):
            one = run_step(self.run, self.metric, step, prepared)
            self.steps.append(one.result)
            if one.result.status == "failed":
                raise RunError(one.result.error or "")
            made.append(one)
        return made

    def _record(self, checked: Checked) -> None:
        sample_rows = self.run.plan.settings.quality.sample_rows
        self.constraints.extend(
            checked.results
            if checked.frame is None
            else with_samples(checked.results, checked.constraints, checked.frame, sample_rows)
        )
        tracker = self.run.tracker
        if (
            tracker is None
            or checked.result is None
            or checked.started is None
            or checked.ended is None
        ):
            return
        measured = list(checked.result.measured)
        for name, count in checked.checkpoints:
            if not count:
                continue
            mine, measured = tuple(measured[:count]), measured[count:]
            tracker.taken(name, mine, checked.started, checked.ended)
            self.run.checkpoints.append(
                CheckpointResult(name=name, controls=tuple(one.value for one in mine))
            )
            self.reconciliation.extend(tracker.reconcile(name))
            self.run.listeners.tell("update", info=tracker.info_of(name))
            self.measured = True

    def _verdict(self) -> Verdict:
        return worst(
            [*map(of_constraint, self.constraints), *map(of_reconciliation, self.reconciliation)]
        )


def run_metric(run: Run, metric: Metric) -> MetricResult:
    """Run one metric."""
    one = MetricRun(run=run, metric=metric)
    result = one.do()
    run.reconciliation.extend(one.reconciliation)
    run.instrumentation.record(result)
    return result


def not_run(metric: Metric, why: str) -> MetricResult:
    """The result of a metric that an earlier failure kept from running."""
    return MetricResult(name=metric.name, verdict="no_data", seconds=0.0, ran=False, error=why)
