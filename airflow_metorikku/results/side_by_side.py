"""Controls across the checkpoints of a run: a row a control, a column a place, and what does not agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.results.reconcile import Status, gap
from airflow_metorikku.results.records import CheckpointResult, ControlValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from airflow_metorikku.results.info import InfoCheckpoint
    from airflow_metorikku.results.records import ReconciliationResult


@dataclass(frozen=True, kw_only=True)
class ControlRow:
    """One control: its text at each place, None where it has none, and what differs."""

    name: str
    type: str
    column: str
    """As first measured; a rename on the way does not change the control."""
    values: tuple[str | None, ...]
    differences: tuple[str, ...]
    """A text for each rule that did not pass: `Enriched: -1 (-5 %) from Loaded`."""
    status: Status | None
    """The worst of its rules, None where none was about it."""


@dataclass(frozen=True, kw_only=True)
class SideBySide:
    """The table: `places` are files that were compared with, then the checkpoints in their order."""

    places: tuple[str, ...]
    rows: tuple[ControlRow, ...]


def as_result(checkpoint: InfoCheckpoint) -> CheckpointResult:
    """A checkpoint of an `_INFO`, as a result has it."""
    controls = tuple(
        ControlValue(name=one.name, type=one.type, column=one.column, value=one.value)
        for one in checkpoint.controls
    )
    return CheckpointResult(name=checkpoint.name, controls=controls)


def side_by_side(
    checkpoints: Sequence[CheckpointResult], rules: Sequence[ReconciliationResult]
) -> SideBySide:
    """Source, checkpoints and differences of a result, for tables and pages."""
    names = {one.name for one in checkpoints}
    outside: dict[str, dict[str, str]] = {}
    for rule in rules:
        if rule.against and rule.against not in names:
            outside.setdefault(rule.against, {})
            if rule.expected:
                outside[rule.against][rule.control] = rule.expected
    measured = [{one.name: one for one in checkpoint.controls} for checkpoint in checkpoints]
    controls = dict.fromkeys(name for each in measured for name in each)
    controls |= dict.fromkeys(rule.control for rule in rules)
    rows = tuple(_row(name, outside.values(), measured, rules) for name in controls)
    return SideBySide(places=(*outside, *(one.name for one in checkpoints)), rows=rows)


def _row(
    name: str,
    outside: Iterable[dict[str, str]],
    measured: Sequence[dict[str, ControlValue]],
    rules: Sequence[ReconciliationResult],
) -> ControlRow:
    first = next((each[name] for each in measured if name in each), None)
    mine = [rule for rule in rules if rule.control == name]
    statuses: tuple[Status, ...] = ("error", "failed", "passed")
    return ControlRow(
        name=name,
        type=first.type if first else "",
        column=first.column if first else "",
        values=(
            *(values.get(name) for values in outside),
            *(each[name].value if name in each else None for each in measured),
        ),
        differences=tuple(difference_of(rule) for rule in mine if rule.status != "passed"),
        status=next((one for one in statuses if any(rule.status == one for rule in mine)), None),
    )


def difference_of(rule: ReconciliationResult) -> str:
    """`Enriched: -1 (-5 %) from Loaded`, or what kept the two from being compared."""
    off = gap(rule.expected, rule.actual)
    if rule.status == "failed" and off:
        return f"{rule.checkpoint}: {off} from {rule.against}"
    return f"{rule.checkpoint}: {rule.message or rule.status}"
