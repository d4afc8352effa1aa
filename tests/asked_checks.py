"""Checks and analyzers asked of a data frame without a job around them."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.checks import base
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import Constraint, constraints
from airflow_metorikku.results.records import ConstraintResult
from airflow_metorikku.spark.audit import Audit


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
