"""The gate for data quality: of a metric's checks, of any result, of any history of metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from airflow.sdk import PokeReturnValue

from airflow_metorikku.config.assertion import assertions_of
from airflow_metorikku.config.given import read_given, without_templates
from airflow_metorikku.notifications.alerts import Announcement
from airflow_metorikku.plan.constraints import LEVELS
from airflow_metorikku.results.findings import NoVerdictError
from airflow_metorikku.results.history_judge import judge_history, newest_run, time_of
from airflow_metorikku.results.judge import judge_data_quality
from airflow_metorikku.results.repository import UnreadableRepositoryError
from airflow_metorikku.sensors.gate import Gate
from airflow_metorikku.sensors.history import read_history
from airflow_metorikku.verdicts import DataQualityFailed

if TYPE_CHECKING:
    from airflow.sdk import Context

    from airflow_metorikku.config.records.checks.anomaly import Anomaly
    from airflow_metorikku.results.findings import Judgement
    from airflow_metorikku.results.records import Level, Result
    from airflow_metorikku.results.repository import StoredRun

__all__ = ["DataQualityFailed", "DataQualitySensor"]


class DataQualitySensor(Gate):
    """Judges the constraints of one metric, of a result that anything wrote, or the newest run of a metrics repository.

    :param metric: name of the metric; not needed where the run has only one. (templated)
    :param thresholds: constraint ids (or `dataFrame.id`, or of a repository `Completeness(v)`) to assertions, judged
        anew from the values. (templated)
    :param repository: instead of a task or result: a repository file of Deequ's, or a folder of our history. (templated)
    :param data_frame: whose history it is, in a job's folder. (templated)
    :param anomaly: with `repository`: anomaly checks of the newest run, as in YAML: `{"metric": ..., "strategy": ...}`, or a list;
        then the run's own constraints are not judged, only these and `thresholds`.
    :param max_age: with `repository`: how old the newest run's data may be; an older one is waited for.
    :param level: with `repository`: level of failures whose own the history does not keep, as in Deequ's files, and of `anomaly`.
    """

    template_fields: Sequence[str] = (
        *Gate.template_fields,
        "thresholds",
        "repository",
        "data_frame",
    )
    closed = DataQualityFailed
    about = "data quality"

    def __init__(
        self,
        *,
        thresholds: Mapping[str, str] | None = None,
        repository: str | None = None,
        data_frame: str | None = None,
        anomaly: Mapping[str, Any] | Iterable[Mapping[str, Any]] = (),
        max_age: timedelta | None = None,
        level: str = "error",
        **kwargs: Any,
    ) -> None:
        self.repository = repository
        if repository is None and (anomaly or max_age or data_frame):
            raise ValueError("anomaly, max_age and data_frame: need repository")
        if level.lower() not in LEVELS:
            raise ValueError(f"level: got {level!r}, expected one of {', '.join(LEVELS)}")
        super().__init__(**kwargs)
        self.thresholds = thresholds
        self.data_frame = data_frame
        self.anomaly = [anomaly] if isinstance(anomaly, Mapping) else list(anomaly)
        self.max_age = max_age
        self.level = level
        self._watched()
        assertions_of(without_templates(thresholds))

    def require_place(
        self, *, metric: str | None, run_task_id: str | None, result: str | None
    ) -> None:
        """Raise ValueError unless the arguments name one thing to judge."""
        if [run_task_id, result, self.repository].count(None) != len(("two", "others")):
            raise ValueError("expected one of run_task_id, result and repository")
        if metric and self.repository:
            raise ValueError("metric: a repository has none; leave it out")

    def judge(
        self, result: Result, metric: str, planned: Mapping[str, int] | None, where: str
    ) -> Judgement:
        """Judge the constraints, by the gate's thresholds where it has some."""
        return judge_data_quality(
            result,
            metric,
            planned=planned,
            thresholds=assertions_of(self.thresholds),
            where=where,
        )

    def poke(self, context: Context) -> PokeReturnValue | bool:
        """Judge what is there, when it is; raises DataQualityFailed on a bad verdict."""
        if self.repository is None:
            return super().poke(context)
        self.announcement = None
        try:
            runs = read_history(self.repository, self.data_frame, whole=bool(self.anomaly))
        except UnreadableRepositoryError as error:
            raise NoVerdictError(f"{self.repository}: {error}") from error
        newest = newest_run(runs or ())
        if newest is None:
            self.log.info("No run yet in %s", self.repository)
            return False
        age = datetime.now(UTC) - time_of(newest)
        if self.max_age is not None and age > self.max_age:
            self.log.info(
                "The newest run in %s is of %s, older than %s",
                self.repository, time_of(newest).isoformat(), self.max_age,
            )  # fmt: skip
            return False
        return self._decide_history(runs or (), newest)

    def _decide_history(self, runs: Sequence[StoredRun], newest: StoredRun) -> PokeReturnValue:
        where = str(self.repository)
        origin = newest.origin
        label = origin.data_frame if origin else self.data_frame or where.rpartition("/")[2]
        judgement = judge_history(
            runs,
            label=label,
            thresholds=assertions_of(self.thresholds),
            watched=self._watched(),
            level=LEVELS[self.level.lower()],
            where=where,
        )
        announcement = Announcement(
            job=origin.job if origin else label, findings=judgement.findings, file=where
        )
        self.conclude(judgement, announcement, label, f"repository {where}")
        found = {
            "verdict": judgement.verdict,
            "repository": where,
            "time": time_of(newest).isoformat(),
        }
        return PokeReturnValue(is_done=True, xcom_value=found)

    def _watched(self) -> list[tuple[Anomaly, Level]]:
        from airflow_metorikku.config.records.checks.anomaly import Anomaly

        read = [read_given(Anomaly, one, "anomaly of the DAG file") for one in self.anomaly]
        return [(one, LEVELS[(one.level or self.level).lower()]) for one in read]
