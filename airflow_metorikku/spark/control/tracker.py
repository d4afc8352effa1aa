"""The control measures of one run: where they start, what each checkpoint measures, what must agree, and the `_INFO` of it all."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Literal

from airflow_metorikku import __version__
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.checkpoints import checkpoints
from airflow_metorikku.plan.constraints import LEVELS
from airflow_metorikku.results.info import Control, Info, InfoCheckpoint, time_text
from airflow_metorikku.results.records import ReconciliationResult
from airflow_metorikku.spark.control.measures import ControlRequest, MeasuredControl
from airflow_metorikku.spark.control.reconcile import difference, rules_for
from airflow_metorikku.spark.control.source import SOFTWARE, source_info

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from pyspark.sql import SparkSession

    from airflow_metorikku.config.records.job import JobFile
    from airflow_metorikku.config.records.metric import Metric

logger = logging.getLogger(__name__)


class Tracker:
    """Control measures of one run, in the job's order whatever the order of measuring."""

    def __init__(self, settings: JobFile, metrics: Iterable[Metric]) -> None:
        if settings.control_measures is None:
            raise RunError("the job has no controlMeasures")
        self._settings = settings
        self._measures = settings.control_measures
        self._planned = checkpoints(settings, metrics)
        self._source: Info | None = None
        self._taken: dict[str, tuple[InfoCheckpoint, tuple[MeasuredControl, ...]]] = {}

    def start(self, session: SparkSession) -> None:
        """Read or build the first `_INFO`; raises RunError where that cannot be."""
        self._source = source_info(session, self._settings, self._measures)

    def requests(self, data_frame: str) -> list[tuple[str, list[ControlRequest]]]:
        """What to measure on a data frame: the controls of each of its checkpoints."""
        wanted = [one for one in self._planned if one.data_frame.lower() == data_frame.lower()]
        return [
            (
                one.name,
                [
                    ControlRequest(
                        checkpoint=one.name,
                        name=control.name,
                        type=control.type,
                        column=control.column,
                    )
                    for control in self._controls_at(one.name)
                ],
            )
            for one in wanted
        ]

    def taken(
        self,
        checkpoint: str,
        controls: Sequence[MeasuredControl],
        started: datetime,
        ended: datetime,
    ) -> None:
        """Note what was measured at a checkpoint; measured again, the later values stand."""
        values = [one.value for one in controls]
        measured = InfoCheckpoint(
            name=checkpoint,
            software=SOFTWARE,
            version=__version__,
            started=time_text(started),
            ended=time_text(ended),
            workflow_name=self._measures.workflow_name,
            order=0,
            controls=tuple(
                Control(name=one.name, type=one.type, column=one.column, value=one.value)
                for one in values
            ),
        )
        self._taken[checkpoint] = (measured, tuple(controls))
        for one in controls:
            if one.error:
                logger.warning(
                    "checkpoint '%s': control %s: %s", checkpoint, one.value.name, one.error
                )

    def reconcile(self, checkpoint: str) -> list[ReconciliationResult]:
        """Compare a taken checkpoint as the rules say; a control that cannot be compared is an error, never a pass."""
        if checkpoint not in self._taken:
            raise RunError(f"checkpoint {checkpoint!r} was not taken")
        _, controls = self._taken[checkpoint]
        results = []
        for control in controls:
            for against, expect in rules_for(
                self._measures.reconcile, checkpoint, control.value.name
            ):
                if expect == "ignore":
                    continue
                other = self._other(checkpoint, against)
                name = other.name if other else str(against)
                results.append(
                    self._result(
                        checkpoint,
                        name,
                        control.value.name,
                        *self._compared(control, other, expect, name),
                    )
                )
        return [*results, *self._without_control(checkpoint, {one.value.name for one in controls})]

    def info_text(self) -> str:
        """The `_INFO` with every checkpoint so far, compact, as Atum writes it."""
        info = self._started
        for planned in self._planned:
            if planned.name in self._taken:
                info = info.with_checkpoint(self._taken[planned.name][0])
        return info.to_json()

    @property
    def _started(self) -> Info:
        if self._source is None:
            raise RunError("control measures were not started")
        return self._source

    def _controls_at(self, checkpoint: str) -> list[Control]:
        """The last controls of the first file, renamed and dropped as far as this checkpoint."""
        last = self._started.last
        controls = list(last.controls) if last else []
        names = [one.name for one in self._planned]
        until = set(names[: names.index(checkpoint) + 1])
        # In the order of the checkpoints, so that a column can be renamed twice.
        for name in names:
            if name not in until:
                continue
            for drop in self._measures.drops:
                if drop.at_checkpoint == name:
                    controls = [one for one in controls if not _same(one.column, drop.column)]
            for rename in self._measures.renames:
                if rename.at_checkpoint == name:
                    controls = [_renamed(one, rename.source, rename.target) for one in controls]
        return controls

    def _other(self, checkpoint: str, against: str | None) -> InfoCheckpoint | None:
        """The checkpoint to compare with: the named one, else the last one before; None where it is not there."""
        names = [one.name for one in self._planned]
        before = [
            self._taken[name][0] for name in names[: names.index(checkpoint)] if name in self._taken
        ]
        known = [*sorted(self._started.checkpoints, key=lambda one: one.order), *before]
        if against is None:
            return known[-1] if known else None
        every = [*known, *(one for one, _ in self._taken.values())]
        itself = self._taken[checkpoint][0]
        return next(
            (one for one in reversed(every) if one.name == against and one is not itself), None
        )

    def _compared(
        self,
        control: MeasuredControl,
        other: InfoCheckpoint | None,
        expect: object,
        against: str,
    ) -> tuple[str, str, Literal["passed", "failed", "error"], str]:
        """Expected text, actual text, status and message."""
        actual = control.value.value
        if other is None:
            return (
                "",
                actual,
                "error",
                f"checkpoint {against} was not taken, so there is nothing to compare with",
            )
        expected = next(
            (one.value for one in other.controls if one.name == control.value.name), None
        )
        if expected is None:
            return "", actual, "error", f"checkpoint {against} has no control {control.value.name}"
        if control.error:
            return expected, actual, "error", control.error
        wrong = difference(expected, actual, expect, floating=control.is_floating)  # type: ignore[arg-type]
        return expected, actual, "failed" if wrong else "passed", wrong or ""

    def _without_control(self, checkpoint: str, measured: set[str]) -> list[ReconciliationResult]:
        """Rules for controls that the checkpoint does not have."""
        asked = [
            rule
            for rule in self._measures.reconcile
            if rule.checkpoint == checkpoint
            and rule.control
            and rule.control not in measured
            and rule.expect != "ignore"
        ]
        return [
            self._result(
                checkpoint,
                rule.against or "",
                str(rule.control),
                "",
                "",
                "error",
                f"checkpoint {checkpoint} has no control {rule.control}; it has {', '.join(sorted(measured)) or 'none'}",
            )
            for rule in asked
        ]

    def _result(  # noqa: PLR0913, PLR0917 - the fields of the record
        self,
        checkpoint: str,
        against: str,
        control: str,
        expected: str,
        actual: str,
        status: Literal["passed", "failed", "error"],
        message: str,
    ) -> ReconciliationResult:
        planned = next(one for one in self._planned if one.name == checkpoint)
        return ReconciliationResult(
            checkpoint=checkpoint,
            against=against,
            control=control,
            expected=expected,
            actual=actual,
            metric=planned.metric,
            data_frame=planned.data_frame,
            level=LEVELS[self._measures.level.lower()],
            status=status,
            message=message,
        )


def _same(one: str, other: str) -> bool:
    return one.strip().lower() == other.strip().lower()


def _renamed(control: Control, source: str, target: str) -> Control:
    if not _same(control.column, source):
        return control
    return Control(name=control.name, type=control.type, column=target.strip(), value=control.value)
