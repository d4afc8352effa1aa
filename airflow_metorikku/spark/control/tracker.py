"""The control measures of one run: where they start, what each checkpoint measures, what must agree, and the `_INFO` of it all."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from airflow_metorikku import __version__
from airflow_metorikku.config.records.reconciliation import Against
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.checkpoints import checkpoints
from airflow_metorikku.plan.constraints import LEVELS
from airflow_metorikku.results.info import Info, InfoCheckpoint
from airflow_metorikku.results.paths import encoded
from airflow_metorikku.results.reconcile import NOT_MEASURED, Actual, Reference, reconcile
from airflow_metorikku.results.records import ReconciliationResult
from airflow_metorikku.results.references import named, not_there, of_checkpoint, of_file
from airflow_metorikku.spark.control.builder import SOFTWARE
from airflow_metorikku.spark.control.measures import ControlRequest, MeasuredControl
from airflow_metorikku.spark.control.source import first_info
from airflow_metorikku.spark.control.track import FirstInfo, InfoFile, Taken, Track, as_controls
from airflow_metorikku.spark.files import files_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyspark.sql import SparkSession

    from airflow_metorikku.config.records.controls import Source
    from airflow_metorikku.config.records.job import JobFile
    from airflow_metorikku.config.records.metric import Metric

logger = logging.getLogger(__name__)
EVERY = "*"
"""What an error is about that leaves no control to name."""
_NO_FRAME = "the checkpoint was not taken: its step failed or made no data frame"
_NO_CONTROL = "the checkpoint was not taken: it has no controls left"


class Tracker:
    """Control measures of one run, in the job's order whatever the order of measuring."""

    def __init__(self, settings: JobFile, metrics: Iterable[Metric]) -> None:
        if settings.control_measures is None:
            raise RunError("the job has no controlMeasures")
        self._settings = settings
        self._measures = settings.control_measures
        self._planned = checkpoints(settings, metrics)
        self._created = datetime.now(UTC)
        self._tracks: tuple[Track, ...] = ()
        self._taken: dict[str, Taken] = {}
        self._session: SparkSession | None = None
        self._files: list[tuple[Against, Reference]] = []

    def start(self, session: SparkSession) -> tuple[FirstInfo, ...]:
        """Read or build the first `_INFO` of each source; raises RunError where that cannot be."""
        self._session = session
        self._tracks = tuple(
            Track(
                source=source.called,
                first=self._first(session, source),
                checkpoints=tuple(one.name for one in self._planned if one.source == source.called),
            )
            for source in self._measures.every_source
        )
        return tuple(track.first for track in self._tracks)

    def _first(self, session: SparkSession, source: Source) -> FirstInfo:
        measures = self._measures
        first = first_info(session, self._settings, measures, source)
        info = first.info.with_additional_info(
            measures.additional_info, replace_existing=measures.replace_additional_info
        )
        run_id = measures.run_unique_id or info.run_unique_id
        return replace(first, info=replace(info, run_unique_id=run_id))

    def requests(
        self, data_frame: str, metric: str | None = None
    ) -> list[tuple[str, list[ControlRequest]]]:
        """What to measure on a data frame: the controls of each of its checkpoints, or of one metric's."""
        wanted = [
            one
            for one in self._planned
            if one.data_frame.lower() == data_frame.lower() and metric in (None, one.metric)
        ]
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
                    for control in self._track(one.name).controls_at(one.name, self._measures)
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
        measured = InfoCheckpoint(
            name=checkpoint,
            software=SOFTWARE,
            version=__version__,
            started="",
            ended="",
            workflow_name=self._measures.workflow_name,
            order=0,
            controls=as_controls(one.value for one in controls),
        )
        self._taken[checkpoint] = Taken(
            checkpoint=measured, controls=tuple(controls), started=started, ended=ended
        )
        for one in controls:
            if one.error:
                logger.warning(
                    "checkpoint '%s': control %s: %s", checkpoint, one.value.name, one.error
                )

    def info(self, source: str | None = None) -> Info:
        """The `_INFO` of a source with every checkpoint so far; of the first source without a name."""
        found = [track for track in self._tracks if source in (None, track.source)]
        if not found:
            raise RunError("control measures were not started")
        return self._info(found[0])

    def info_of(self, checkpoint: str) -> Info:
        """The `_INFO` that a checkpoint is part of."""
        return self._info(self._track(checkpoint))

    def info_files(self, data_frame: str | None = None) -> tuple[InfoFile, ...]:
        """The info files that go with an output: of the sources measured on its data frame, else of all measured so far.

        The first has the job's `fileName`, others the name of their source behind it.
        """
        measured = [
            track
            for track in self._tracks
            if any(name in self._taken for name in track.checkpoints)
        ]
        here = {
            one.source
            for one in self._planned
            if one.name in self._taken and one.data_frame.lower() == (data_frame or "").lower()
        }
        own = [track for track in measured if track.source in here]
        name = self._measures.file_name
        return tuple(
            InfoFile(
                name=name if number == 0 else f"{name}_{encoded(track.source)}",
                info=self._info(track),
            )
            for number, track in enumerate(own or measured)
        )

    def _info(self, track: Track) -> Info:
        return track.info(self._taken, self._created, ZoneInfo(self._measures.time_zone))

    def _track(self, checkpoint: str) -> Track:
        """Whose controls a checkpoint measures."""
        found = next((track for track in self._tracks if checkpoint in track.checkpoints), None)
        if found is None:
            raise RunError("control measures were not started")
        return found

    def reconcile(self, checkpoint: str) -> list[ReconciliationResult]:
        """Compare a taken checkpoint as the rules say; a control that cannot be compared is an error, never a pass."""
        if checkpoint not in self._taken:
            raise RunError(f"checkpoint {checkpoint!r} was not taken")
        return self._compared(
            checkpoint,
            [
                Actual(
                    name=one.value.name,
                    value=one.value.value,
                    error=one.error,
                    is_floating=one.is_floating,
                )
                for one in self._taken[checkpoint].controls
            ],
        )

    def not_taken(self, metric: str) -> list[ReconciliationResult]:
        """What is missing of a metric whose steps have ended: each control of a checkpoint that was not taken is an error."""
        missing = [
            one.name
            for one in self._planned
            if one.metric == metric and one.name not in self._taken
        ]
        return [
            compared
            for checkpoint in missing
            for compared in self._compared(
                checkpoint,
                [
                    Actual(name=control.name, value=NOT_MEASURED, error=_NO_FRAME)
                    for control in self._track(checkpoint).controls_at(checkpoint, self._measures)
                ]
                or [Actual(name=EVERY, value=NOT_MEASURED, error=_NO_CONTROL)],
            )
        ]

    def _compared(self, checkpoint: str, controls: list[Actual]) -> list[ReconciliationResult]:
        planned = next(one for one in self._planned if one.name == checkpoint)
        compared = reconcile(
            checkpoint, controls, self._measures.reconcile, partial(self._reference, checkpoint)
        )
        return [
            ReconciliationResult(
                checkpoint=checkpoint,
                against=one.against,
                control=one.control,
                expected=one.expected,
                actual=one.actual,
                metric=planned.metric,
                data_frame=planned.data_frame,
                level=LEVELS[self._measures.level.lower()],
                status=one.status,
                message=one.message,
            )
            for one in compared
        ]

    def _reference(self, checkpoint: str, against: str | Against | None) -> Reference:
        """What a rule is against: a file, the named checkpoint, else the last one before."""
        if isinstance(against, Against):
            return self._of_file(against)
        known = self._track(checkpoint).before(checkpoint, self._taken)
        if against is None:
            return of_checkpoint(known[-1])
        others = [one.checkpoint for name, one in self._taken.items() if name != checkpoint]
        found = named([*known, *others], against)
        return of_checkpoint(found) if found else not_there(against, [*known, *others])

    def _of_file(self, against: Against) -> Reference:
        """Read once a run, though every control asks."""
        for known, reference in self._files:
            if known == against:
                return reference
        reference = of_file(against, self._read)
        logger.info("reconciliation against %s", against)
        self._files.append((against, reference))
        return reference

    def _read(self, address: str) -> str:
        files, place = files_at(self._session, address)
        return files.read_text(place)
