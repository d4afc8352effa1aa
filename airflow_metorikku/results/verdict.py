"""The one scale of verdicts: `good < information < warning < critical`, and `no_data` apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airflow_metorikku.results.records import ConstraintResult, ReconciliationResult, Verdict

SCALE: tuple[Verdict, ...] = ("good", "information", "no_data", "warning", "critical")


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of several; `good` of none. `no_data`, of a metric that did not run, is worse than anything but a failure."""
    return max(verdicts, key=SCALE.index, default="good")


def of_constraint(constraint: ConstraintResult) -> Verdict:
    """What one constraint says: a failure, an error and no data are of the constraint's own level."""
    if constraint.status == "passed":
        return "good"
    if not constraint.counts:
        return "information"
    return constraint.level


def of_reconciliation(rule: ReconciliationResult) -> Verdict:
    """What one reconciliation says."""
    return "good" if rule.status == "passed" else rule.level
