"""The history of a job's metrics on disk: one file a run and data frame, written by the driver in one move, so that runs at the same time lose nothing of each other.

Whatever goes wrong with it, of whatever kind of store, is logged and changes no verdict; an anomaly check that cannot read it is an error of its own.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pyspark.sql import SparkSession

from airflow_metorikku.config.moments import Moment
from airflow_metorikku.config.records.checks.anomaly import Anomaly
from airflow_metorikku.errors import MetorikkuError, RunError
from airflow_metorikku.plan.records import Identity, Plan
from airflow_metorikku.results.history import Selection, series
from airflow_metorikku.results.paths import encoded, metrics_file, time_of_metrics
from airflow_metorikku.results.repository import (
    Origin,
    StoredMetric,
    StoredRun,
    UnreadableRepositoryError,
    runs_from,
    runs_of,
    text_of,
)
from airflow_metorikku.spark.files import Files, files_at, name, parent
from airflow_metorikku.spark.quality.values import MetricValue
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from airflow_metorikku.plan.constraints import Constraint
    from airflow_metorikku.results.anomalies import Point
    from airflow_metorikku.spark.audit import AuditResult

logger = logging.getLogger(__name__)

_SECONDS_A_DAY = 86_400


@dataclass(kw_only=True)
class MetricHistory:
    """The history of the job that a plan runs; without an identity there is none, and nothing is kept."""

    plan: Plan
    session: SparkSession
    time: int = field(init=False)
    """Of when the run's data are, in milliseconds since 1970."""
    _saved: dict[str, list[StoredMetric]] = field(default_factory=dict)
    _read: dict[str, tuple[StoredRun, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given = self.plan.identity.time if self.plan.identity else None
        self.time = Moment.from_text(given).micros // 1000 if given else round(time.time() * 1000)

    def past(self, constraint: Constraint) -> tuple[Point, ...]:
        """Values of an anomaly check's metric before this run's, oldest first; raises RunError where they cannot be read."""
        check = constraint.options
        assert isinstance(check, Anomaly), check
        last = check.last_time()
        return series(
            self._before(constraint.data_frame),
            check.analyzer(),
            Selection(
                after=check.first_time(),
                before=self.time if last is None else min(self.time, last),
                tags=check.with_tag_values,
            ),
            without_anomalies_of=None if check.include_anomalies else constraint.id,
        )

    def save(
        self,
        data_frame: str,
        constraints: Sequence[Constraint],
        audit: AuditResult | None,
        *,
        counts: bool = True,
    ) -> None:
        """Keep what an audit found: every constraint's value, or why it has none; `counts` is False of a step that may fail."""
        identity, keep = self.plan.identity, self.plan.settings.quality.history.keep
        if identity is None or identity.metrics is None or keep == 0 or not constraints:
            return
        # A store may throw anything, and what a run has found must not be lost over what is told of it.
        try:
            self._keep(identity, data_frame, stored(constraints, audit, counts=counts))
        except Exception as error:
            logger.warning("metric history of '%s' cannot be kept: %s", data_frame, sentence(error))
            logger.debug("metric history of '%s'", data_frame, exc_info=True)

    def _keep(self, identity: Identity, data_frame: str, found: Iterable[StoredMetric]) -> None:
        metrics = self._saved.setdefault(data_frame, [])
        metrics.extend(found)
        run = StoredRun(
            time=self.time,
            tags=self.plan.settings.quality.tags,
            metrics=tuple(metrics),
            origin=Origin(
                job=self.plan.job,
                data_frame=data_frame,
                dag_id=identity.dag_id,
                run_id=identity.run_id,
                attempt=identity.attempt,
                written=round(time.time() * 1000),
            ),
        )
        files, folder = self._folder(data_frame)
        own = metrics_file(self.time, identity.attempt)
        files.write_text(f"{folder}/{own}", text_of([run]))
        try:
            self._remove_replaced(files, folder, own)
            self._remove_old(files, folder)
        except Exception as error:
            logger.warning(
                "metric history of '%s' is kept, but files that should go cannot be removed: %s",
                data_frame,
                sentence(error),
            )
            logger.debug("metric history of '%s'", data_frame, exc_info=True)

    def _folder(self, data_frame: str) -> tuple[Files, str]:
        assert self.plan.identity is not None
        return files_at(self.session, f"{self.plan.identity.metrics}/{encoded(data_frame)}")

    def _before(self, data_frame: str) -> tuple[StoredRun, ...]:
        """All stored runs of a data frame but this one."""
        if data_frame not in self._read:
            try:
                self._read[data_frame] = self._load(data_frame)
            except MetorikkuError:
                raise
            except Exception as error:
                raise RunError(f"the metric history cannot be read: {sentence(error)}") from error
        return self._read[data_frame]

    def _load(self, data_frame: str) -> tuple[StoredRun, ...]:
        identity = self.plan.identity
        foreign = self._foreign(data_frame)
        if identity is None or identity.metrics is None:
            return foreign
        files, folder = self._folder(data_frame)
        return tuple(
            run
            for run in (*foreign, *runs_of(_texts_in(files, folder)))
            if run.origin is None
            or (run.origin.dag_id, run.origin.run_id) != (identity.dag_id, identity.run_id)
        )

    def _foreign(self, data_frame: str) -> tuple[StoredRun, ...]:
        """The runs of a repository that the job names: one that cannot be read is no short history."""
        repository = self.plan.settings.quality.history.repositories.get(data_frame)
        if repository is None:
            return ()
        files, path = files_at(self.session, repository)
        try:
            return runs_from(files.read_text(path))
        except UnreadableRepositoryError as error:
            raise RunError(f"{repository}: {error}") from error
        except UnicodeDecodeError as error:
            raise RunError(
                f"{repository}: not a metrics repository: it is no text in UTF-8"
            ) from error

    def _remove_replaced(self, files: Files, folder: str, own: str) -> None:
        """The files of earlier attempts of this run: a repaired rerun takes their place."""
        assert self.plan.identity is not None
        results, task = files_at(self.session, parent(parent(self.plan.identity.result)))
        attempts = {f"{attempt}.json" for attempt in results.names(task)}
        for each in files.names(folder):
            if each != own and each.partition("Z-")[2] in attempts:
                files.remove(f"{folder}/{each}")

    def _remove_old(self, files: Files, folder: str) -> None:
        kept = self.plan.settings.quality.history
        if kept.keep is None and kept.days is None:
            return
        known = _names(files, folder)
        old = set(known[: -kept.keep]) if kept.keep else set()
        if kept.days is not None:
            first = round((time.time() - kept.days * _SECONDS_A_DAY) * 1000)
            old |= {each for each in known if (time_of_metrics(each) or 0) < first}
        for each in old:
            files.remove(f"{folder}/{each}")


def stored(
    constraints: Sequence[Constraint], audit: AuditResult | None, *, counts: bool = True
) -> Iterator[StoredMetric]:
    """What the history holds of each constraint; without an audit only that it could not be evaluated.

    Of a composite also the values of its parts, as of no constraint: only the whole has a verdict.
    """
    values = iter(audit.values if audit else ())
    for number, constraint in enumerate(constraints):
        result = audit.constraints[number] if audit else None
        status = result.status if result else "error"
        value: MetricValue | str = "its step failed or made no data frame"
        if result and constraint.parts:
            yield from (_value_of(part, next(values)) for part in constraint.computed)
            held = result.value
            value = MetricValue(number=held) if isinstance(held, int) else result.message
        elif result:
            value = next(values)
        yield replace(
            _value_of(constraint, value),
            constraint_id=constraint.id,
            constraint=constraint.text,
            status=status,
            message=None if status == "passed" else result.message if result else str(value),
            counts=status == "passed" or (counts and (result is None or result.counts)),
            level=result.level if result else constraint.level,
        )


def _value_of(constraint: Constraint, value: MetricValue | str) -> StoredMetric:
    analyzer = constraint.analyzer
    return StoredMetric(
        analyzer=analyzer,
        entity=analyzer.entity,
        instance=analyzer.instance,
        name=analyzer.name,
        value=None if isinstance(value, str) else value.stored(),
    )


def _names(files: Files, folder: str) -> list[str]:
    """Files of a history, oldest first; what a writer is about to move there is none."""
    return [each for each in files.names(folder) if time_of_metrics(each) is not None]


def _texts_in(files: Files, folder: str) -> Iterator[tuple[str, str]]:
    for each in _names(files, folder):
        try:
            yield each, files.read_text(f"{folder}/{each}")
        except FileNotFoundError:  # another run has just removed it
            logger.debug("%s is gone", name(f"{folder}/{each}"))
        except UnicodeDecodeError:  # cut off within a letter, or no text at all
            logger.warning(
                "metric history: %s: it is no text in UTF-8; it is left out",
                name(f"{folder}/{each}"),
            )
