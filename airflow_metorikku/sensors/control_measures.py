"""The gate for a metric's control measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow_metorikku.results.judge import Judgement, judge_control_measures
from airflow_metorikku.sensors.gate import Gate, GateClosedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airflow_metorikku.results.records import Result


class ControlMeasuresFailed(GateClosedError):  # noqa: N818 - a verdict, and the name that callbacks look for
    """Control measures of the metric do not reconcile."""


class ControlMeasureSensor(Gate):
    """Judges the reconciliations of the control measures that belong to one metric."""

    closed = ControlMeasuresFailed
    about = "control measures"

    def __init__(self, *, info_path: str | None = None, **kwargs: Any) -> None:
        if info_path is not None:
            raise ValueError(
                "info_path: waiting for an _INFO file of another system comes with a later version"
            )
        super().__init__(**kwargs)

    def judge(self, result: Result, planned: Mapping[str, int] | None, where: str) -> Judgement:  # noqa: ARG002 - the gates' contract
        """Judge the reconciliations."""
        return judge_control_measures(result, self.metric, where=where)
