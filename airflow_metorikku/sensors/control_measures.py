"""The gate for control measures: of a metric of ours, or of an `_INFO` file that any system writes."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import AirflowSensorTimeout, AirflowSkipException
from airflow.sdk import PokeReturnValue

from airflow_metorikku.config.given import without_templates
from airflow_metorikku.folders import dag_file
from airflow_metorikku.notifications.alerts import Announcement
from airflow_metorikku.plan.constraints import LEVELS
from airflow_metorikku.results.findings import Finding, Judgement, judgement_of
from airflow_metorikku.results.judge import judge_control_measures
from airflow_metorikku.results.judge_info import judge_info, oddities, reconcile_info, wanted
from airflow_metorikku.results.side_by_side import as_result, side_by_side
from airflow_metorikku.results.table import render_controls
from airflow_metorikku.sensors.gate import Gate
from airflow_metorikku.sensors.info_file import sighted
from airflow_metorikku.sensors.rules import expectations_of, rules_of
from airflow_metorikku.store import text_at
from airflow_metorikku.verdicts import GateClosedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from airflow.sdk import Context

    from airflow_metorikku.results.info import Info
    from airflow_metorikku.results.records import Result

INFO_FILE = "_INFO"
LOG_WIDTH = 120


class ControlMeasuresFailed(GateClosedError):  # noqa: N818 - a verdict, and the name that callbacks look for
    """Control measures do not reconcile, or the file of another system cannot be judged."""


class ControlMeasureSensor(Gate):
    """Judges the reconciliations of one metric of ours, or waits for an `_INFO` file of any system and judges that.

    :param info_path: address of an `_INFO` file to wait for, instead of a metric: a path, relative to the DAG file,
        or any address that ObjectStoragePath knows; one that ends in `/` is the file's folder. (templated)
    :param reconcile: rules as in YAML; default: every control equals the same control of the checkpoint before.
        A checkpoint that a rule names is waited for. (templated)
    :param thresholds: `checkpoint.control`, or a control, to what is expected of it (`equal`, `ignore`, or limits
        as in YAML), judged anew from the values. (templated)
    :param level: level of a difference in the file: `warning`, or `error`.
    :param stable_seconds: how long the file must stay as it is before it is judged.
    :param deferrable: wait for the file in the triggerer.
    """

    template_fields: Sequence[str] = (*Gate.template_fields, "info_path", "reconcile", "thresholds")
    closed = ControlMeasuresFailed
    about = "control measures"

    def __init__(
        self,
        *,
        info_path: str | None = None,
        reconcile: Iterable[Mapping[str, Any]] = (),
        thresholds: Mapping[str, Any] | None = None,
        level: str = "error",
        stable_seconds: float = 5.0,
        deferrable: bool = False,
        **kwargs: Any,
    ) -> None:
        self.info_path = info_path
        rules = list(reconcile)
        if info_path is None:
            if rules:
                raise ValueError(
                    "reconcile: is for info_path; the rules of a job stand in its file"
                )
            kwargs["deferrable"] = deferrable
        if level.lower() not in LEVELS:
            raise ValueError(f"level: got {level!r}, expected one of {', '.join(LEVELS)}")
        rules_of(rules)
        expectations_of(without_templates(thresholds))
        super().__init__(**kwargs)
        self.reconcile = rules
        self.thresholds = thresholds
        self.level = level
        self.stable_seconds = stable_seconds
        self.deferrable = deferrable and info_path is not None
        self._why: str | None = None

    def require_place(
        self, *, metric: str | None, run_task_id: str | None, result: str | None
    ) -> None:
        """Raise ValueError unless the arguments name one thing to judge."""
        if self.info_path is None:
            super().require_place(metric=metric, run_task_id=run_task_id, result=result)
        elif metric or run_task_id or result:
            raise ValueError(
                "info_path: names what is judged; leave metric, run_task_id and result out"
            )

    def judge(
        self,
        result: Result,
        metric: str,
        planned: Mapping[str, int] | None,  # noqa: ARG002 - the gates' contract
        where: str,
    ) -> Judgement:
        """Judge the reconciliations."""
        asked = expectations_of(self.thresholds)
        return judge_control_measures(result, metric, thresholds=asked, where=where)

    def execute(self, context: Context) -> Any:
        """Wait and judge; a file that is there and cannot be judged when the time is over is a bad verdict."""
        if self.info_path is None:
            return super().execute(context)
        if self.deferrable:
            return self._defer_or_end(context, time.time() + self.timeout, ended=False)
        try:
            return super().execute(context)
        except (AirflowSensorTimeout, AirflowSkipException) as end:
            raise self._at_the_end(end) from None

    def execute_complete(self, context: Context, event: Mapping[str, Any]) -> Any:
        """Judge what the trigger has seen, or go on waiting for it."""
        return self._defer_or_end(context, float(event["deadline"]), ended=bool(event["ended"]))

    def poke(self, context: Context) -> PokeReturnValue | bool:
        """Judge the file when it is whole and at rest; raises ControlMeasuresFailed on a bad verdict."""
        if self.info_path is None:
            return super().poke(context)
        self.announcement, self._why = None, None
        seen = sighted(self._address, rules_of(self.reconcile), self.stable_seconds)
        if seen.info is not None:
            return self._decide_info(seen.info)
        self._why = seen.why
        self.log.info("%s", seen.why or f"{self._address} is not there yet")
        return False

    @property
    def _address(self) -> str:
        path = self._absolute(str(self.info_path))
        return f"{path}{INFO_FILE}" if path.endswith("/") else path

    def _absolute(self, path: str) -> str:
        """A path of the DAG file's, where that lies now: bundles move."""
        if path.startswith("/") or "://" in path:
            return path
        return f"{dag_file(self.dag.fileloc).parent}/{path}"

    def _text_at(self, path: str) -> str:
        return text_at(self._absolute(path))

    def _defer_or_end(self, context: Context, deadline: float, *, ended: bool) -> Any:
        done = self.poke(context)
        if isinstance(done, PokeReturnValue):
            return done.xcom_value
        left = deadline - time.time()
        if ended or left <= 0:
            text = f"{self._address} did not come within {self.timeout:g} seconds"
            raise self._at_the_end(AirflowSensorTimeout(text))
        from airflow_metorikku.triggers.info_file import InfoFileTrigger

        trigger = InfoFileTrigger(
            path=self._address,
            checkpoints=wanted(rules_of(self.reconcile)),
            poke_interval=max(self.poke_interval, 1.0),
            deadline=deadline,
        )
        # The trigger ends by itself; this is for one that is lost.
        self.defer(
            trigger=trigger,
            method_name="execute_complete",
            timeout=timedelta(seconds=left + 600),
        )
        raise AssertionError("defer does not return")

    def _at_the_end(self, end: Exception) -> Exception:
        """What a gate that waited in vain ends with: of no file at all Airflow's own, which soft_fail may turn into a skip."""
        if self._why is None:
            if isinstance(end, AirflowSensorTimeout):
                return AirflowSensorTimeout(
                    f"{self._address} did not come within {self.timeout:g} seconds"
                )
            return end
        finding = Finding(
            id="file", label=self._address, subject=self.about, level="critical", message=self._why
        )
        judgement = judgement_of([finding])
        self.announcement = self._announcement(judgement)
        text = f"{self._why}, and not otherwise within {self.timeout:g} seconds"
        return self.closed(text, judgement, judgement.findings)

    def _decide_info(self, info: Info) -> PokeReturnValue:
        path, level = self._address, LEVELS[self.level.lower()]
        for oddity in oddities(info):
            self.log.warning("%s: %s", path, oddity)
        compared = reconcile_info(info, path, rules_of(self.reconcile), level, self._text_at)
        table = side_by_side([as_result(one) for one in info.checkpoints], compared)
        self.log.info("Control measures of %s\n%s", path, render_controls(table, LOG_WIDTH))
        judgement = judge_info(compared, path, expectations_of(self.thresholds))
        self.conclude(judgement, self._announcement(judgement), path, f"file {path}")
        verdict = {
            "verdict": judgement.verdict,
            "info_path": path,
            "checkpoints": [one.name for one in info.checkpoints],
        }
        return PokeReturnValue(is_done=True, xcom_value=verdict)

    def _announcement(self, judgement: Judgement) -> Announcement:
        return Announcement(job=self._address, findings=judgement.findings, file=self._address)
