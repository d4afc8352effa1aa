"""Checks and analyzers asked of a data frame without a job around them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.analyzers.base import Analyzer
from airflow_metorikku.config.records.checks import base
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import Constraint, constraints
from airflow_metorikku.results.records import ConstraintResult
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.quality.values import MetricValue


@dataclass(frozen=True, kw_only=True)
class Asking(base.Check):
    """A check whose analyzer is given."""

    of: Analyzer = None  # type: ignore[assignment]  # it has a default only for its place

    def analyzer(self) -> Analyzer:
        return self.of


def values(frame: DataFrame, analyzers: Sequence[Any], name: str = "t") -> list[MetricValue | str]:
    """What analyzers give, all in one audit; a sentence where one cannot."""
    made = [
        constraint(number, Asking(of=analyzer), base.HOLDS_FOR_ALL, name)
        for number, analyzer in enumerate(analyzers)
    ]
    return list(Audit(name, made).scan(frame).values)


def constraint(number: int, check: base.Check, assertion: Assertion, name: str = "t") -> Constraint:
    """A constraint without a file around it."""
    return Constraint(
        id=str(number),
        data_frame=name,
        check=type(check).__name__,
        options=check,
        assertion=assertion,
        level="critical",
        empty_data="fail",
    )


def same(theirs: float | str, ours: Any) -> bool:
    """Whether a number is Deequ's, but for the order in which doubles are added, and what rounding leaves of zero."""
    if ours is None:
        return False
    one, other = float(theirs), float(ours)
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-15)


def satisfying(text: str) -> Assertion:
    return Assertion.from_text(text)


def asked(*given: base.Check) -> tuple[Constraint, ...]:
    return constraints("t", DataQuality(checks=given, level="error"), "fail")


def scan(frame: DataFrame, *given: base.Check) -> dict[str, ConstraintResult]:
    """Results by id."""
    return {result.id: result for result in Audit("t", asked(*given)).scan(frame).constraints}


def told(frame: DataFrame, *given: base.Check) -> list[Any]:
    """Of each check its value, or its status where it has none."""
    return [
        result.status if result.value is None else result.value
        for result in Audit("t", asked(*given)).scan(frame).constraints
    ]
