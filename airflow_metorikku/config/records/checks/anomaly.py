"""The check of a value against the history of its metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.moments import Moment
from airflow_metorikku.config.records.analyzers import ANALYZER_KINDS, ANALYZER_NAMES
from airflow_metorikku.config.records.analyzers.base import Analyzer
from airflow_metorikku.config.records.checks.base import Check
from airflow_metorikku.config.records.strategies import STRATEGY_KINDS, Strategy

_LAST_OF_DAY = 86_400_000 - 1


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
        return _milliseconds("after", self.after, 0)

    def last_time(self) -> int | None:
        """`before` in milliseconds since 1970; raises ValueError where it is no time."""
        return _milliseconds("before", self.before, _LAST_OF_DAY)

    def expectation(self, assertion: object) -> str:  # noqa: ARG002 - it has none
        """The strategy."""
        return f"usual by {self.strategy}"

    def subject(self) -> str:
        """The metric, as `Mean(price)`."""
        columns = super().subject()
        name = ANALYZER_NAMES[type(self.metric)]
        return f"{name}({columns})" if columns else name

    def id_parts(self) -> tuple[str, ...]:
        """The metric, its columns, and the strategy."""
        return (
            ANALYZER_NAMES[type(self.metric)],
            *self.metric.columns_analyzed(),
            type(self.strategy).__name__,
        )


def _milliseconds(name: str, text: str | None, of_day: int) -> int | None:
    """A moment, of a date that many milliseconds behind its midnight."""
    if text is None or "${" in text:
        return None
    try:
        moment = Moment.from_text(text)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    return moment.micros // 1000 + (of_day if moment.is_date else 0)
