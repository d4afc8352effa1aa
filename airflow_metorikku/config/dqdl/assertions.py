"""Expressions on a number as assertions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.config.assertion import Assertion

if TYPE_CHECKING:
    from airflow_metorikku.config.dqdl.records import Condition


def assertion_of(condition: Condition, what: str) -> Assertion:
    """What a value must satisfy, of an expression on a number."""
    if condition.kinds != {"number"}:
        raise ValueError(f"{what}: expected a number to compare with")
    numbers = condition.numbers
    if condition.operator in ("in", "not in"):
        return Assertion.among(numbers, negated=condition.operator == "not in")
    if condition.operator in ("between", "not between"):
        return Assertion.inside(*numbers, negated=condition.operator == "not between")
    if condition.operator in Assertion.COMPARISONS:
        return Assertion(condition.operator, numbers[0])
    raise ValueError(f"{what}: a number cannot be compared by {condition.operator}")
