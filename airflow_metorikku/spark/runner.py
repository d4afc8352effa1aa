"""A plan from its start to its result: all that can be wrong is looked for before anything runs, then metric after metric."""

from __future__ import annotations

import logging
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from airflow_metorikku.config.records.inputs import FileInput
from airflow_metorikku.config.records.own_settings import PUBLISH_WAIT, seconds_to_wait
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.addresses import before_glob
from airflow_metorikku.plan.checkpoints import checkpoints
from airflow_metorikku.plan.records import Plan
from airflow_metorikku.plan.references import made_by, used_by
from airflow_metorikku.results.records import Application, MetricResult, Result
from airflow_metorikku.results.side_by_side import as_result
from airflow_metorikku.results.verdict import worst
from airflow_metorikku.spark.caching import Caches
from airflow_metorikku.spark.catalog import use_database
from airflow_metorikku.spark.control.listeners import find_listeners
from airflow_metorikku.spark.control.tracker import Tracker
from airflow_metorikku.spark.history import MetricHistory
from airflow_metorikku.spark.inputs import read_input
from airflow_metorikku.spark.instrumentation import Instrumentation
from airflow_metorikku.spark.metric_run import not_run, run_metric
from airflow_metorikku.spark.names import frame_named
from airflow_metorikku.spark.outputs.direct_kinds import direct_outputs
from airflow_metorikku.spark.outputs.file import check_free, file_outputs
from airflow_metorikku.spark.outputs.owner import Pulse, this_owner
from airflow_metorikku.spark.outputs.publish import Publisher
from airflow_metorikku.spark.outputs.table import settle_unfinished
from airflow_metorikku.spark.outputs.target import Target, target_at
from airflow_metorikku.spark.result_file import ResultFile
from airflow_metorikku.spark.run import Run
from airflow_metorikku.spark.sentences import sentence
from airflow_metorikku.spark.session import application_of, configure
from airflow_metorikku.spark.step_run import run_step
from airflow_metorikku.spark.steps import prepare
from airflow_metorikku.spark.steps.prepared import Scene
from airflow_metorikku.spark.steps.python import ship_modules
from airflow_metorikku.spark.stopping import STOPPED, check, is_stopped
from airflow_metorikku.spark.variables import Variables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession

    from airflow_metorikku.config.records.controls import ControlMeasures
    from airflow_metorikku.config.records.metric import Metric
    from airflow_metorikku.spark.outputs.direct import Direct
    from airflow_metorikku.spark.outputs.file import FileOutput
    from airflow_metorikku.spark.steps.prepared import Prepared

logger = logging.getLogger(__name__)

WAIT_SECONDS = 3600.0


def run_plan(plan: Plan, session: SparkSession) -> Result:
    """Run a plan and write its result, last and in one move; a run that broke says so in the result's `error`."""
    progress = _Progress(plan=plan, application=application_of(session))
    file = ResultFile.of(plan, session)
    error: str | None = None
    try:
        with _running(plan, session) as run:
            progress.run = run
            _run_metrics(run, progress)
    except Exception as caught:
        error = sentence(caught)
        logger.error("%s", error)  # noqa: TRY400 - a sentence; the stack is for the debug log
        logger.debug("the run broke", exc_info=True)
    result = progress.result(STOPPED if is_stopped() else error)
    file.write(result)
    if progress.run:
        progress.run.listeners.end(result)
    return result


@contextmanager
def made_frame(plan: Plan, session: SparkSession, name: str) -> Iterator[DataFrame]:
    """A data frame as the steps of a plan make it: nothing is written and no check judged, whatever the plan says of them.

    Raises RunError where a step that may not fail does, or no step and no input has the name.
    """
    with _running(plan, session) as run:
        for metric in plan.metrics:
            for step, prepared in zip(metric.steps, run.prepared[metric.name], strict=True):
                check()
                made = run_step(run, metric, step, prepared)
                if made.result.status == "failed":
                    raise RunError(made.result.error or "")
        try:
            frame = frame_named(session, name)
        except Exception as error:
            raise RunError(f"data frame '{name}': {sentence(error)}") from error
        yield frame


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(kw_only=True)
class _Progress:
    """What is known of a run so far."""

    plan: Plan
    application: Application | None
    started: str = field(default_factory=_now)
    metrics: list[MetricResult] = field(default_factory=list)
    run: Run | None = None

    def result(self, error: str | None) -> Result:
        """The result as of now; metrics without one did not run."""
        error = error or next((one.error for one in self.metrics if one.ran and one.error), None)
        known = {one.name for one in self.metrics}
        missing = [
            not_run(one, error or "did not run")
            for one in self.plan.metrics
            if one.name not in known
        ]
        metrics = (*self.metrics, *missing)
        identity = self.plan.identity
        return Result(
            job=self.plan.job,
            attempt=identity.attempt if identity else "",
            plan_hash=self.plan.hash,
            verdict="critical" if error else worst(one.verdict for one in metrics),
            started=self.started,
            ended=_now(),
            application=self.application,
            metrics=metrics,
            checkpoints=tuple(self.run.checkpoints) if self.run else (),
            reconciliation=tuple(self.run.reconciliation) if self.run else (),
            error=error,
        )


def failed_to_start(plan: Plan, error: str) -> Result:
    """The result of a run that has no Spark."""
    return _Progress(plan=plan, application=None).result(error)


@contextmanager
def _running(plan: Plan, session: SparkSession) -> Iterator[Run]:
    """A run that is ready for its metrics."""
    pulse = Pulse()
    caches = Caches(session=session, plan=plan)
    run: Run | None = None
    try:
        run = _ready(plan, session, pulse, caches)
        yield run
    finally:
        pulse.stop()
        caches.forget()
        if run is not None:
            run.instrumentation.close()


def _ready(plan: Plan, session: SparkSession, pulse: Pulse, caches: Caches) -> Run:
    """Everything that can be wrong at the start, cheapest first."""
    settings = plan.settings
    instrumentation = Instrumentation.of(plan)
    configure(session, plan)
    if settings.catalog:
        use_database(session, settings.catalog.database)
    owner = this_owner(_name(plan), session)
    publisher = Publisher(session, owner, pulse, _seconds_to_wait(session))
    prepared = _prepared(plan)
    outputs = _file_outputs(plan, session, publisher)
    direct = _direct_outputs(plan, session)
    variables = Variables(session, quotes=settings.quote_spark_variables)
    variables.define(settings.variables)
    for name in plan.reads:
        read_input(session, name, settings.inputs[name], caches)
    run = Run(
        plan=plan,
        session=session,
        owner=owner,
        pulse=pulse,
        publisher=publisher,
        prepared=prepared,
        outputs=outputs,
        direct=direct,
        scene=Scene(session=session, variables=variables, show_query=settings.show_query),
        planned_checkpoints=checkpoints(settings, plan.metrics),
        instrumentation=instrumentation,
        history=MetricHistory(plan=plan, session=session),
        caches=caches,
    )
    if settings.control_measures:
        _start_tracking(run, settings.control_measures)
    return run


def _start_tracking(run: Run, measures: ControlMeasures) -> None:
    run.listeners = find_listeners(
        measures.listeners, job=run.plan.job, application=application_of(run.session).id
    )
    run.listeners.status("running")
    run.tracker = Tracker(run.plan.settings, run.plan.metrics)
    try:
        for first in run.tracker.start(run.session):
            run.listeners.tell("load", info=first.info, path=first.path)
            run.checkpoints.extend(map(as_result, first.info.checkpoints))
    except Exception as error:
        run.listeners.broke(sentence(error))
        raise


def _file_outputs(
    plan: Plan, session: SparkSession, publisher: Publisher
) -> dict[str, tuple[FileOutput, ...]]:
    """Outputs to files by metric, what killed runs left at their targets finished."""
    unique = str(int(time.time() * 1000))
    found = {metric.name: file_outputs(session, plan, metric, unique) for metric in plan.metrics}
    every = tuple(output for of_metric in found.values() for output in of_metric)
    publisher.recover([*(output.target for output in every), *_read_targets(plan, session)])
    for output in every:
        if output.table and output.table.own_files:
            settle_unfinished(session, output.table, output.target)
    check_free(every)
    return found


def _direct_outputs(plan: Plan, session: SparkSession) -> dict[str, tuple[Direct, ...]]:
    """Outputs that are not files by metric, as far as they can be checked before anything runs."""
    found = {metric.name: direct_outputs(plan, metric) for metric in plan.metrics}
    for of_metric in found.values():
        for output in of_metric:
            output.check(session)
    return found


def _seconds_to_wait(session: SparkSession) -> float:
    """How long to wait for another run that publishes the same target."""
    given = session.conf.get(PUBLISH_WAIT, str(WAIT_SECONDS)) or ""
    try:
        return seconds_to_wait(given)
    except ValueError as error:
        raise RunError(f"{PUBLISH_WAIT}: {error}") from None


def _prepared(plan: Plan) -> dict[str, tuple[Prepared, ...]]:
    """Steps by metric; modules of the job's own are found here, and go to the executors."""
    if plan.base not in sys.path:
        sys.path.append(plan.base)  # after everything that is installed
    prepared = {
        metric.name: tuple(prepare(metric, step) for step in metric.steps)
        for metric in plan.metrics
    }
    ship_modules(plan.base)
    return prepared


def _name(plan: Plan) -> str:
    identity = plan.identity
    if identity is None:
        return f"job '{plan.job}'"
    return f"run '{identity.run_id}' of task '{identity.task_id}' in '{identity.dag_id}', attempt {identity.attempt}"


def _read_targets(plan: Plan, session: SparkSession) -> list[Target]:
    """Folders that are read: what a killed run had begun to publish there is finished before."""
    given = [plan.settings.inputs[name] for name in plan.reads]
    paths = [path for one in given if isinstance(one, FileInput) for path in one.path.split(",")]
    targets = []
    for path in paths:
        # Of a file system that Spark has no way to, reading says so, with the input's name.
        with suppress(OSError):
            if before_glob(path) is None and path.strip("/"):
                targets.append(target_at(session, path))
    return targets


def _run_metrics(run: Run, progress: _Progress) -> None:
    """Metric after metric; after one that failed only those that share no data frame with it, if at all."""
    lost: frozenset[str] = frozenset()
    failed: str | None = None
    for number, metric in enumerate(run.plan.metrics):
        check()
        why = _why_not(run, metric, failed, lost)
        result = not_run(metric, why) if why else run_metric(run, metric)
        progress.metrics.append(result)
        run.listeners.metric_done(result)
        if result.verdict == "critical" or not result.ran:
            failed = failed or metric.name
            lost |= made_by(metric)
        elif number + 1 < len(run.plan.metrics):
            _read_again(run, result)


def _why_not(run: Run, metric: Metric, failed: str | None, lost: frozenset[str]) -> str | None:
    if failed is None:
        return None
    if run.plan.settings.on_failed_metric == "stop":
        return f"did not run, because metric '{failed}' failed before it"
    shared = sorted(used_by(metric) & lost)
    return (
        f"did not run, because a metric that failed makes its data frame '{shared[0]}'"
        if shared
        else None
    )


def _read_again(run: Run, result: MetricResult) -> None:
    """Views of inputs that were just written: they know the files that were there before."""
    written = [
        f"{output.target.path}/"
        for output in run.outputs[result.name]
        if result.outputs[output.number].published
    ]
    for name in run.plan.reads:
        given = run.plan.settings.inputs[name]
        if not isinstance(given, FileInput):
            continue
        paths = [f"{target_at(run.session, path).path}/" for path in given.path.split(",")]
        if any(path.startswith(one) or one.startswith(path) for path in paths for one in written):
            logger.info(
                "input '%s' was written by metric '%s': reading it again", name, result.name
            )
            try:
                run.caches.drop(name)
                read_input(run.session, name, given, run.caches)
            except RunError as error:
                raise RunError(f"after metric '{result.name}' had written it: {error}") from error
