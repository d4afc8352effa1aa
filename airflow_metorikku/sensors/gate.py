"""What both gates share: they wait for the result of one attempt, judge it, and fail closed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.providers.common.compat.sdk import AirflowSkipException
from airflow.sdk import PokeReturnValue
from airflow.sdk.bases.sensor import BaseSensorOperator

from airflow_metorikku.notifications.alerts import Announcement
from airflow_metorikku.notifications.attach import alerters_of, attach, failing_levels, notifiers_of
from airflow_metorikku.operators.metorikku import XCOM_KEY
from airflow_metorikku.results.findings import Judgement, NoVerdictError, listed
from airflow_metorikku.results.judge import require_own
from airflow_metorikku.results.records import Result, UnreadableResultError, Verdict
from airflow_metorikku.store import read_text
from airflow_metorikku.verdicts import GateClosedError, require_good

if TYPE_CHECKING:
    from airflow.sdk import Context

try:
    from airflow.sdk.exceptions import TaskDeferralError
except ImportError:  # Airflow 3.1
    from airflow.exceptions import TaskDeferralError  # type: ignore[no-redef]  # one of the two

ENDED = frozenset({"success", "failed", "upstream_failed", "skipped", "removed"})


class Gate(BaseSensorOperator):
    """Holds back what follows until a metric's verdict is known and good enough.

    :param metric: name of the metric. (templated)
    :param run_task_id: whole id of the MetorikkuSubmitOperator task whose last attempt is judged.
    :param result: address of a `result.json` to judge instead, whatever wrote it. (templated)
    :param alerters: who is told of what is not good: as in YAML, notifiers, or callables; `exception` says what fails.
    """

    template_fields: Sequence[str] = ("metric", "run_task_id", "result")
    closed: ClassVar[type[GateClosedError]]
    about: ClassVar[str]

    def __init__(
        self,
        *,
        metric: str | None = None,
        run_task_id: str | None = None,
        result: str | None = None,
        alerters: Iterable[Any] = (),
        **kwargs: Any,
    ) -> None:
        self.require_place(metric=metric, run_task_id=run_task_id, result=result)
        if kwargs.pop("deferrable", False):
            # A result is there as soon as its run has ended: where one must be waited for, this frees the worker too.
            kwargs["mode"] = "reschedule"
        self.fails_on: frozenset[Verdict] = frozenset({"critical"})
        if alerters:
            alerters = alerters_of(alerters)
            self.fails_on = failing_levels(alerters)
            attach(kwargs, notifiers_of(alerters))
        super().__init__(**kwargs)
        self.metric = metric
        self.run_task_id = run_task_id
        self.result = result
        self.announcement: Announcement | None = None

    def require_place(
        self, *, metric: str | None, run_task_id: str | None, result: str | None
    ) -> None:
        """Raise ValueError unless the arguments name one thing to judge."""
        if metric is None:
            raise ValueError("metric: expected the name of the metric that the gate judges")
        if (run_task_id is None) == (result is None):
            raise ValueError(
                f"gate of metric '{metric}': expected run_task_id or result, one of the two"
            )

    @abstractmethod
    def judge(
        self, result: Result, metric: str, planned: Mapping[str, int] | None, where: str
    ) -> Judgement:
        """Judge the metric; `planned` is how many constraints each of its data frames has, where that is known."""

    def execute(self, context: Context) -> Any:
        """Poke; a verdict that is there and no pass fails the task, whatever soft_fail and never_fail say."""
        try:
            return super().execute(context)
        except AirflowSkipException as skip:
            if isinstance(skip.__cause__, GateClosedError | NoVerdictError):
                raise skip.__cause__ from None
            raise

    def resume_execution(
        self, next_method: str, next_kwargs: dict[str, Any] | None, context: Context
    ) -> Any:
        """Go on after the triggerer; neither a verdict nor a trigger that broke becomes a skip."""
        try:
            return super().resume_execution(next_method, next_kwargs, context)
        except AirflowSkipException as skip:
            if isinstance(skip.__cause__, GateClosedError | NoVerdictError | TaskDeferralError):
                raise skip.__cause__ from None
            raise

    def poke(self, context: Context) -> PokeReturnValue | bool:
        """Judge the result when it is there; raises the gate's own error on a bad verdict, NoVerdictError on none."""
        self.announcement = None
        found = self._find(context)
        if found is None and self._run_has_ended(context):
            # It may have ended between the two questions.
            found = self._find(context)
            if found is None:
                raise NoVerdictError(
                    f"{self.run_task_id} has ended and left no result of its attempt: no verdict on {self._subject()}"
                )
        if found is None:
            self.log.info("No result yet of %s", self.run_task_id or self.result)
            return False
        return self._decide(*found)

    def _find(self, context: Context) -> tuple[dict[str, Any], str] | None:
        """What the run task pushed, and the text of the result of that attempt."""
        if self.result is not None:
            run: dict[str, Any] = {"result": self.result}
        else:
            pushed = context["ti"].xcom_pull(task_ids=self.run_task_id, key=XCOM_KEY)
            if pushed is None:
                return None
            if not isinstance(pushed, Mapping) or not {
                "attempt",
                "result",
                "job",
                "metrics",
            } <= set(pushed):
                raise NoVerdictError(
                    f"{self.run_task_id} pushed {str(pushed)[:100]!r}, expected an attempt and its result's address"
                )
            run = dict(pushed)
        try:
            text = read_text(run["result"])
        except UnicodeDecodeError as error:
            raise NoVerdictError(f"{run['result']}: not text in UTF-8: {error}") from error
        return None if text is None else (run, text)

    def _run_has_ended(self, context: Context) -> bool:
        if self.run_task_id is None:
            return False
        ti = context["ti"]
        states = ti.get_task_states(
            dag_id=ti.dag_id, task_ids=[self.run_task_id], run_ids=[ti.run_id]
        )
        state = (states.get(ti.run_id) or {}).get(self.run_task_id)
        return str(getattr(state, "value", state)) in ENDED

    def _subject(self) -> str:
        return f"'{self.metric}'" if self.metric else "its metric"

    def _metric_of(self, result: Result, where: str) -> str:
        if self.metric is not None:
            return self.metric
        names = [metric.name for metric in result.metrics]
        if len(names) != 1:
            raise NoVerdictError(
                f"{where}: has the metrics {', '.join(names) or 'none'}, expected metric= to name one"
            )
        return names[0]

    def _decide(self, run: dict[str, Any], text: str) -> PokeReturnValue:
        where = str(run["result"])
        try:
            result = Result.from_json(text)
        except UnreadableResultError as error:
            raise NoVerdictError(f"{where}: {error}") from error
        require_own(result, attempt=run.get("attempt"), job=run.get("job"), where=where)
        metric = self._metric_of(result, where)
        judgement = self.judge(result, metric, (run.get("metrics") or {}).get(metric), where)
        announcement = Announcement(
            job=result.job,
            metric=metric,
            findings=judgement.findings,
            folder=where.rpartition("/")[0],
        )
        self.conclude(judgement, announcement, f"metric '{metric}'", f"result {where}")
        return PokeReturnValue(
            is_done=True,
            xcom_value={"verdict": judgement.verdict, "attempt": result.attempt, "result": where},
        )

    def conclude(
        self, judgement: Judgement, announcement: Announcement, subject: str, where: str
    ) -> None:
        """Announce what is not good; raise the gate's own error where that is bad enough."""
        if judgement.findings:
            self.announcement = announcement
        require_good(
            judgement,
            fails_on=self.fails_on,
            closed=self.closed,
            about=f"{self.about} of {subject}",
            where=where,
        )
        if judgement.findings:
            self.log.warning("Passed with warnings:\n%s", listed(judgement.findings))
