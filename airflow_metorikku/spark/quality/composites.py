"""What a composite says, of what its parts say: a part that is not known leaves open what it would decide."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from airflow_metorikku.config.records.checks.composites import Composite
from airflow_metorikku.spark.quality.evaluate import judge
from airflow_metorikku.spark.quality.values import MetricValue, no_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from airflow_metorikku.plan.constraints import Constraint
    from airflow_metorikku.results.records import ConstraintResult, How

# From what costs nothing to what costs most.
_COSTS: tuple[How, ...] = ("none", "footers", "observed", "scanned", "grouped")


def of_wholes(
    constraints: Iterable[Constraint], judged: Iterable[ConstraintResult]
) -> tuple[ConstraintResult, ...]:
    """The result of each constraint, from those of all that are computed, in their order."""
    results = iter(judged)
    return tuple(_whole(constraint, results) for constraint in constraints)


def _whole(constraint: Constraint, judged: Iterator[ConstraintResult]) -> ConstraintResult:
    if not constraint.parts:
        return next(judged)
    parts = [_whole(part, judged) for part in constraint.parts]
    # Where no check's missing data have an effect, the whole's have none.
    silent = all(map(_is_silent, parts))
    asked = replace(constraint, empty_data="pass") if silent else constraint
    how = max((part.how for part in parts), key=_COSTS.index)
    result = judge(asked, _value(constraint, parts), how)
    told = "; ".join(f"{part.constraint} {_SAID[part.status]}: {part.message}" for part in parts)
    return replace(result, message=f"{result.message}; {told}")


_SAID = {"passed": "holds", "failed": "fails", "error": "is an error", "no_data": "has no data"}


def _value(constraint: Constraint, parts: list[ConstraintResult]) -> MetricValue | str:
    """How many hold; or that too many are unknown to tell."""
    holding = sum(part.status == "passed" for part in parts)
    open_ = [part for part in parts if part.status in ("error", "no_data")]
    if len(open_) < len(parts) and isinstance(constraint.options, Composite):
        # What has no effect leaves the verdict to the others.
        silent = sum(map(_is_silent, open_))
        open_ = [part for part in open_ if not _is_silent(part)]
        holding += silent if constraint.options.HOLDS_IN_SILENCE else 0
    outcomes = {constraint.assertion.holds(holding + more) for more in range(len(open_) + 1)}
    if len(outcomes) == 1:
        return MetricValue(number=holding)
    if any(part.status == "error" for part in open_):
        return "one of its checks could not"
    return no_data("one of its checks has none")


def _is_silent(part: ConstraintResult) -> bool:
    """Whether it has no data, and that has no effect."""
    return part.status == "no_data" and not part.counts
