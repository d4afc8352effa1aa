"""`result.json`: frozen records whose fields are the file's keys, read strictly.

Times are ISO 8601 in UTC, ending in `Z`; durations are seconds.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Any, Literal

from airflow_metorikku.config.plain import from_plain
from airflow_metorikku.errors import MetorikkuError

FORMAT = 1

Level = Literal["warning", "critical"]
ConstraintStatus = Literal["passed", "failed", "no_data", "error"]
Verdict = Literal["good", "information", "warning", "critical", "no_data"]
StepStatus = Literal["ok", "failed", "ignored"]
How = Literal["observed", "footers", "grouped", "scanned", "none"]


class UnreadableResultError(MetorikkuError):
    """The text is not a whole result of a known format; a gate takes it for no verdict."""


@dataclass(frozen=True, kw_only=True)
class Application:
    """The Spark application that ran."""

    id: str
    master: str
    spark: str
    ui: str | None = None


@dataclass(frozen=True, kw_only=True)
class StepResult:
    """A step: `ignored` when it failed and may."""

    data_frame: str
    status: StepStatus
    seconds: float
    error: str | None = None


@dataclass(frozen=True, kw_only=True)
class ConstraintResult:
    """One assertion, evaluated once. `value` is a number, or a date or time as ISO 8601; None when there was none (no data, or an error with its reason in `message`)."""

    id: str
    data_frame: str
    check: str
    constraint: str
    level: Level
    status: ConstraintStatus
    value: float | int | str | None
    message: str
    how: How
    rows: int | None = None
    """Of a share of rows: of how many."""
    failing: int | None = None
    """How many of them do not count."""
    sample: tuple[str, ...] = ()
    """Some failing rows, as JSON, where the job allows it."""
    counts: bool = True
    """False where a failure is reported and has no effect: `emptyData: pass`, or a step with `ignoreOnFailures`."""


@dataclass(frozen=True, kw_only=True)
class OutputResult:
    """One output: `rows` staged, and whether they were published to `target`, of `table` where it is one's; `lag` is milliseconds."""

    data_frame: str
    type: str
    target: str
    rows: int | None
    published: bool
    lag: int | None = None
    table: str | None = None


@dataclass(frozen=True, kw_only=True)
class MetricResult:
    """One metric. `ran` is False for a metric that an earlier failure kept from running; it is not a pass."""

    name: str
    verdict: Verdict
    seconds: float
    steps: tuple[StepResult, ...] = ()
    constraints: tuple[ConstraintResult, ...] = ()
    outputs: tuple[OutputResult, ...] = ()
    ran: bool = True
    error: str | None = None


@dataclass(frozen=True, kw_only=True)
class ControlValue:
    """One control of one checkpoint, in Atum's texts."""

    name: str
    type: str
    column: str
    value: str


@dataclass(frozen=True, kw_only=True)
class CheckpointResult:
    """The controls measured at one checkpoint."""

    name: str
    controls: tuple[ControlValue, ...]


@dataclass(frozen=True, kw_only=True)
class ReconciliationResult:
    """One rule applied: `expected` is the text of the checkpoint `against`, `actual` that of `checkpoint`."""

    checkpoint: str
    against: str
    control: str
    expected: str
    actual: str
    metric: str
    data_frame: str
    level: Level
    status: Literal["passed", "failed", "error"]
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class Result:
    """All that a run says of itself."""

    format: int = FORMAT
    job: str
    attempt: str
    plan_hash: str
    verdict: Verdict
    started: str
    ended: str
    application: Application | None
    metrics: tuple[MetricResult, ...]
    checkpoints: tuple[CheckpointResult, ...] = ()
    reconciliation: tuple[ReconciliationResult, ...] = ()
    error: str | None = None

    def metric(self, name: str) -> MetricResult | None:
        """The record of a metric, None when the run knows none of that name."""
        return next((metric for metric in self.metrics if metric.name == name), None)

    def to_json(self) -> str:
        """Text of `result.json`; NaN and infinities are written as texts, for strict readers."""
        return json.dumps(asdict(_finite(self)), ensure_ascii=False, indent=1, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Result:
        """Read `result.json`; raises UnreadableResultError on anything but a whole result of this format."""
        try:
            raw: Any = json.loads(text)
            found = raw.get("format") if isinstance(raw, dict) else None
            if found != FORMAT:
                raise UnreadableResultError(f"got a result of format {found!r}, expected {FORMAT}")
            return from_plain(cls, raw)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise UnreadableResultError(f"not a whole result: {error}") from error


def _finite(result: Result) -> Result:
    """Values that JSON has no number for become texts, which an assertion reads as the numbers that they are."""
    metrics = tuple(
        replace(metric, constraints=tuple(_finite_value(c) for c in metric.constraints))
        for metric in result.metrics
    )
    return replace(result, metrics=metrics)


def _finite_value(constraint: ConstraintResult) -> ConstraintResult:
    value = constraint.value
    if isinstance(value, float) and not math.isfinite(value):
        return replace(constraint, value=str(Decimal(repr(value))))
    return constraint
