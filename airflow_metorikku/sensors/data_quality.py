"""The gate for a metric's data quality checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.results.judge import Judgement, judge_data_quality
from airflow_metorikku.sensors.gate import Gate, GateClosedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from airflow_metorikku.results.records import Result


class DataQualityFailed(GateClosedError):  # noqa: N818 - a verdict, and the name that callbacks look for
    """Checks of the metric failed."""


class DataQualitySensor(Gate):
    """Judges the constraints of one metric.

    :param thresholds: constraint ids (or `dataFrame.id`) to assertions, judged anew from the values. (templated)
    """

    template_fields: Sequence[str] = (*Gate.template_fields, "thresholds")
    closed = DataQualityFailed
    about = "data quality"

    def __init__(self, *, thresholds: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.thresholds = thresholds

    def judge(self, result: Result, planned: Mapping[str, int] | None, where: str) -> Judgement:
        """Judge the constraints, by the gate's thresholds where it has some."""
        return judge_data_quality(
            result,
            str(self.metric),
            planned=planned,
            thresholds=assertions_of(self.thresholds),
            where=where,
        )


def assertions_of(thresholds: Mapping[str, str] | None) -> dict[str, Assertion]:
    """Read assertions; raises ValueError that names the constraint."""
    read = {}
    for name, text in (thresholds or {}).items():
        try:
            read[name] = Assertion.from_text(str(text))
        except ValueError as error:
            raise ValueError(f"thresholds: {name}: {error}") from None
    return read
