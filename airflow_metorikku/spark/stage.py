"""Outputs of a metric into their staging folders, each checked data frame audited by the way."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.accumulated import room_of
from airflow_metorikku.spark.footers import Footers
from airflow_metorikku.spark.lag import Lag
from airflow_metorikku.spark.names import frame_named, plain
from airflow_metorikku.spark.on_the_way import OnTheWay, inner_frames
from airflow_metorikku.spark.outputs.file import FileOutput, can_reread, partitioned, reread, write
from airflow_metorikku.spark.outputs.moves import Staged
from airflow_metorikku.spark.outputs.parts import part_of, write_aside
from airflow_metorikku.spark.outputs.rows import last_execution, rows_written
from airflow_metorikku.spark.outputs.staging import Staging, open_staging
from airflow_metorikku.spark.run import Run, same_name
from airflow_metorikku.spark.sentences import sentence
from airflow_metorikku.spark.stopping import check
from airflow_metorikku.spark.written_outputs import (
    DirectWrite,
    StagedOutput,
    make_tables,
    register_tables,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airflow_metorikku.config.records.metric import Metric
    from airflow_metorikku.spark.checked import Checked
    from airflow_metorikku.spark.outputs.direct import Direct

logger = logging.getLogger(__name__)

# Above so many measures, reading the frame again is cheaper than observing them row by row.
MOST_OBSERVED = 20


@dataclass(kw_only=True)
class Stage:
    """The outputs of one metric: those that are staged, to publish together or to discard, and those that are written directly."""

    run: Run
    outputs: list[StagedOutput] = field(default_factory=list)
    direct: list[DirectWrite] = field(default_factory=list)
    _same: dict[int, DataFrame] = field(default_factory=dict)
    """By the id of a checked data frame: files that hold it, to read again what was audited."""

    def write_all(self, checked: Sequence[Checked]) -> None:
        """Write every output once; then every checked data frame has its answers. Raises RunError naming the output."""
        self._check_frames()
        ways = self._ways([one for one in checked if one.result is None])
        # Which rows pass is known when all outputs of whole data frames are written, and audited by the way.
        parts = [(one, self._parted(one, checked)) for one in self.outputs if one.output.rows]
        of_parts = [one for _, one in parts]
        taken = [one for one in [*ways.values(), *of_parts] if one]
        inner = inner_frames(self._outer_frames(ways), checked, taken, MOST_OBSERVED)
        taken += [one for some in inner.values() for one in some]
        for one in checked:
            if not any(one is other for other in taken):
                _scan(one)
        written: set[str] = set()
        for output in self.outputs:
            if not output.output.rows:
                number = output.output.number
                self._write(output, ways.get(number), written, inner.get(number, ()))
        for output, parted in parts:
            self._write(output, parted, written)
        for one in checked:
            _scan(one)
        for direct in self.direct:
            direct.frame = self._direct_frame(direct.output)
            direct.lag = self._lag(direct.output, direct.frame)

    def _outer_frames(self, ways: Mapping[int, Checked]) -> dict[int, DataFrame]:
        """What is written whole, by the number of its output: checks of what it is made of can be answered by the way."""
        found = {}
        for output in (one.output for one in self.outputs):
            if output.rows or output.mode == "ignore":
                continue
            way = ways.get(output.number)
            frame = way.frame if way and way.frame else self._frame(output)
            found[output.number] = partitioned(frame, output)
        return found

    def _check_frames(self) -> None:
        """Raise RunError for columns that are not as an output needs them, before anything is written."""
        for direct in self.direct:
            direct.output.check_frame(self._frame(direct.output))
        every: list[StagedOutput | DirectWrite] = [*self.outputs, *self.direct]
        for output in (one.output for one in every):
            if output.output.report_lag:
                Lag.of(output, self._frame(output))

    def _lag(self, output: FileOutput | Direct, frame: DataFrame) -> int | None:
        lag = Lag.of(output, frame)
        return lag.measure(frame) if lag else None

    def _ways(self, checked: Sequence[Checked]) -> dict[int, Checked]:
        """Which checked frame is audited with which output: with the first that keeps types and columns, else with the first."""
        found: dict[int, Checked] = {}
        for one in checked:
            mine = [
                output.output
                for output in self.outputs
                if not output.output.rows and self._writes(output.output, one)
            ]
            best = [
                output for output in mine if one.frame is not None and can_reread(one.frame, output)
            ]
            if best or mine:
                found[(best or mine)[0].number] = one
        return found

    def _writes(self, output: FileOutput, checked: Checked) -> bool:
        name = output.output.data_frame_name
        if checked.frame is None or not same_name(name, checked.name):
            return False
        if output.mode == "ignore" and output.target.exists():
            return False
        # A later step, or code, may have replaced the view: then these checks are not of what is written.
        return checked.frame.sameSemantics(frame_named(self.run.session, name))

    def _parted(self, part: StagedOutput, checked: Sequence[Checked]) -> Checked | None:
        """The checked data frame of which an output takes the rows that pass, or that fail; None where the job ignores its checks."""
        output = part.output
        named = [
            one
            for one in checked
            if one.step and same_name(output.output.data_frame_name, one.name)
        ]
        if not named:
            return None
        last = named[-1]
        if last.frame is None or not last.frame.sameSemantics(self._frame(output)):
            raise RunError(
                f"{output.where}: '{last.name}' was replaced after its checks, so that which rows "
                "pass them is not known; check the data frame that is written"
            )
        return last

    def _write(
        self,
        staged: StagedOutput,
        checked: Checked | None,
        written: set[str],
        inner: Sequence[Checked] = (),
    ) -> None:
        check()
        output = staged.output
        path = output.target.path
        if output.mode == "ignore" and (path in written or output.target.exists()):
            logger.info("%s: %s exists, so it is left as it is", output.where, path)
            return
        written.add(path)
        staged.staging = self._open(output)
        frame = checked.frame if checked else None
        if frame is None:
            frame = self._frame(output)
        if output.rows:
            frame = part_of(
                self._audited_rows(output, staged.staging, frame, checked), checked, output
            )
        self._check_columns(output, frame)
        staged.schema = frame.schema
        # Before anything is observed: of a shuffle that is done again, Spark counts the rows below it twice.
        way = OnTheWay(partitioned(frame, output), inner)
        if checked is None or output.rows:
            self._plain(staged, way.frame, staged.staging)
        else:
            room = room_of(way.frame) - sum(one.audit.added for one in way.inner)
            self._audited(staged, frame, way.frame, checked, room)
        way.collect(staged.rows)
        if output.protected and staged.rows == 0:
            raise output.refuse_empty()
        if not output.output.report_lag:
            return
        if can_reread(frame, output):  # what was written is cheaper to read than to make again
            frame = reread(self.run.session, frame, output, staged.staging)
        staged.lag = self._lag(output, frame)

    def _check_columns(self, output: FileOutput, frame: DataFrame) -> None:
        table = output.table
        if table and table.own_files and (output.mode == "append" or output.dynamic):
            try:
                table.check_columns(self.run.session, frame.schema)
            except RunError as error:
                raise RunError(f"{output.where}: {error}") from error

    def _direct_frame(self, output: Direct) -> DataFrame:
        frame = self._frame(output)
        given = output.output
        if given.coalesce:
            frame = frame.coalesce(1)
        elif given.repartition:
            frame = frame.repartition(given.repartition)
        if output.protected and frame.isEmpty():
            raise output.refuse_empty()
        return frame

    def _frame(self, output: FileOutput | Direct) -> DataFrame:
        try:
            return frame_named(self.run.session, output.output.data_frame_name)
        except Exception as error:
            raise RunError(f"{output.where}: {sentence(error)}") from error

    def _open(self, output: FileOutput) -> Staging:
        try:
            return open_staging(
                output.target, self.run.attempt, output.number, self.run.owner, self.run.pulse
            )
        except OSError as error:
            raise RunError(f"{output.where}: cannot write beside the target: {error}") from error

    def _plain(self, staged: StagedOutput, frame: DataFrame, staging: Staging) -> None:
        session = self.run.session
        before = last_execution(session)
        write(session, frame, staged.output, staging)
        staged.rows = rows_written(session, before)

    def _audited(
        self,
        staged: StagedOutput,
        frame: DataFrame,
        to_write: DataFrame,
        checked: Checked,
        room: int,
    ) -> None:
        """What is to write adds up others by the way: computed from it, they would count again."""
        session, audit, staging = self.run.session, checked.audit, staged.staging
        assert staging is not None
        if can_reread(frame, staged.output):
            self._plain(staged, to_write, staging)
            same = self._same[id(checked)] = reread(session, frame, staged.output, staging)
            footers = Footers(same) if staged.output.format == "parquet" else None
            checked.ask(lambda: audit.scan(same, footers))
        elif audit.observable(MOST_OBSERVED):
            self._plain(staged, audit.observe(to_write, room), staging)
            checked.ask(lambda: audit.collect(frame, staged.rows))
        else:
            _scan(checked)
            self._plain(staged, to_write, staging)

    def _audited_rows(
        self, output: FileOutput, staging: Staging, frame: DataFrame, checked: Checked | None
    ) -> DataFrame:
        """The rows that were audited: written once, as a data frame computed again may have others."""
        if checked is None:
            return frame
        if id(checked) not in self._same:
            self._same[id(checked)] = write_aside(self.run.session, frame, output, staging)
        same = self._same[id(checked)]
        if checked.result is None:
            checked.ask(lambda: checked.audit.scan(same, Footers(same)))
        return same

    def staged(self) -> list[Staged]:
        """What there is to publish."""
        return [
            self._for_publishing(one.output, one.staging) for one in self.outputs if one.staging
        ]

    def _for_publishing(self, output: FileOutput, staging: Staging) -> Staged:
        return Staged(
            staging=staging,
            mode=output.mode,
            dynamic=output.dynamic,
            mark=self.run.mark(output.metric, output.number),
            token=self.run.owner.token[:8],
        )

    def publish(self) -> None:
        """Write and publish all: first what leaves the files as they were when it fails, last what needs them published."""
        self._write_direct(after_publish=False)
        make_tables(self.run, self.outputs)
        self._publish_staged()
        register_tables(self.run, self.outputs)
        self._write_direct(after_publish=True)

    def _write_direct(self, *, after_publish: bool) -> None:
        for one in self.direct:
            if one.output.after_publish == after_publish:
                one.write()
                if one.published:
                    logger.info(
                        "%s: wrote %s rows to %s", one.output.where, one.rows, one.output.target
                    )

    def _publish_staged(self) -> None:
        staged = self.staged()
        done = {
            one.staging.folder: published
            for one, published in zip(staged, self.run.publisher.publish(staged), strict=True)
        }
        for one in self.outputs:
            one.published = bool(one.staging and done[one.staging.folder])
            if one.published:
                place = one.output.target.path
                logger.info("%s: published %s rows to %s", one.output.where, one.rows, place)

    def discard(self) -> None:
        """Remove what is staged."""
        for one in self.outputs:
            if one.made_table and one.output.table and not one.published:
                one.output.table.drop(self.run.session)
            if one.staging:
                try:
                    one.staging.discard(self.run.pulse)
                except OSError as error:
                    logger.warning(
                        "%s: cannot remove %s: %s; the next run tries again",
                        one.output.where,
                        one.staging.folder,
                        error,
                    )


def rounds(run: Run, metric: Metric) -> list[Stage]:
    """The outputs of a metric, in their order: those that read a table that the metric writes come once it is published."""
    staged = [StagedOutput(output=one) for one in run.outputs[metric.name]]
    direct = [DirectWrite(output=one) for one in run.direct[metric.name]]
    found = [Stage(run=run)]
    tables: set[str] = set()
    made = {plain(step.data_frame_name).lower() for step in metric.steps}
    every: list[StagedOutput | DirectWrite] = [*staged, *direct]
    for one in sorted(every, key=lambda one: one.output.number):
        name = one.output.output.data_frame_name.replace("`", "").lower()
        if name in tables and name not in made:
            found.append(Stage(run=run))
            tables.clear()
        if isinstance(one, DirectWrite):
            found[-1].direct.append(one)
            continue
        found[-1].outputs.append(one)
        if one.output.table:
            table = one.output.table.name
            tables |= {str(table), table.table}
    return found


def _scan(checked: Checked) -> None:
    frame = checked.frame
    if frame is not None and checked.result is None:
        checked.ask(lambda: checked.audit.scan(frame))
