"""The check of a value against the history of its metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers import ANALYZER_KINDS
from airflow_metorikku.config.records.analyzers.base import Analyzer
from airflow_metorikku.config.records.checks.base import Check
from airflow_metorikku.config.records.strategies import STRATEGY_KINDS, Strategy

_MILLISECOND = timedelta(milliseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Anomaly(Check):
    """The value of a metric is none that its history makes strange. With too little history it is `no_data`, which has no effect unless the check itself says `emptyData`."""

    ON_ROWS = False

    metric: Annotated[Analyzer, ANALYZER_KINDS] = key(
        "The analyzer and its parameters, as `{Size: {}}` or `{Mean: {column: price}}`; its value is one number."
    )
    strategy: Annotated[Strategy, STRATEGY_KINDS] = key(
        "The strategy and its parameters, as `{RelativeRateOfChange: {maxRateDecrease: 0.5}}`."
    )
    with_tag_values: Mapping[str, str] = key(
        "Only runs with these tags count as history.", default={}
    )
    after: str | None = key(
        "First time that counts as history: a date, or a time in ISO 8601; without a zone it is UTC.",
        default=None,
    )
    before: str | None = key(
        "Last time that counts as history; of a date, its whole day.", default=None
    )
    include_anomalies: bool = key(
        "Whether values that this check found anomalous count as history too, as in Deequ.",
        default=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("assertion", "between", "warning", "critical"):
            if getattr(self, name) is not None:
                raise ValueError(
                    f"{name}: an anomaly check has none, its strategy says what is good"
                )
        if self.where_ and self.metric.where_:
            raise ValueError("where: stands in the metric too; give one")
        first, last = self.first_time(), self.last_time()
        if first is not None and last is not None and first > last:
            raise ValueError("after: is later than before; there would be no history")

    def analyzer(self) -> Analyzer:
        """The metric."""
        return replace(self.metric, where_=self.where_) if self.where_ else self.metric

    def first_time(self) -> int | None:
        """`after` in milliseconds since 1970; raises ValueError where it is no time."""
        return _milliseconds("after", self.after, time.min)

    def last_time(self) -> int | None:
        """`before` in milliseconds since 1970; raises ValueError where it is no time."""
        return _milliseconds("before", self.before, time.max)

    def expectation(self, assertion: object) -> str:  # noqa: ARG002 - it has none
        """The strategy."""
        return f"usual by {self.strategy}"

    def subject(self) -> str:
        """The metric, as `Mean(price)`."""
        columns = super().subject()
        name = type(self.metric).__name__
        return f"{name}({columns})" if columns else name

    def id_parts(self) -> tuple[str, ...]:
        """The metric, its columns, and the strategy."""
        return (
            type(self.metric).__name__,
            *self.metric.columns_analyzed(),
            type(self.strategy).__name__,
        )


def _milliseconds(name: str, text: str | None, of_day: time) -> int | None:
    if text is None or "${" in text:
        return None
    try:
        moment = datetime.combine(date.fromisoformat(text), of_day)
    except ValueError:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise ValueError(
                f"{name}: got {text!r}, expected a date or time as 2026-01-31 or 2026-01-31T12:00:00Z"
            ) from None
    known = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (known - _EPOCH) // _MILLISECOND
