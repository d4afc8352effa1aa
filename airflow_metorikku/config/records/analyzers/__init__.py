"""Analyzers, by Deequ's names: one record an analyzer, one line in ANALYZERS."""

from __future__ import annotations

from typing import Any

from airflow_metorikku.config.fields import Kinds
from airflow_metorikku.config.records.analyzers.freshness import Freshness, RecentRows
from airflow_metorikku.config.records.analyzers.keys import Uniqueness
from airflow_metorikku.config.records.analyzers.numbers import Maximum, Mean, Minimum, Sum
from airflow_metorikku.config.records.analyzers.rows import (
    Completeness,
    Compliance,
    PatternMatch,
    Size,
)

# What a user can name, as in `anomaly: {metric: {Size: {}}}`.
ANALYZERS: dict[str, type[Any]] = {
    "Size": Size,
    "Completeness": Completeness,
    "Compliance": Compliance,
    "PatternMatch": PatternMatch,
    "Minimum": Minimum,
    "Maximum": Maximum,
    "Mean": Mean,
    "Sum": Sum,
    "Uniqueness": Uniqueness,
    "Freshness": Freshness,
    "RecentRows": RecentRows,
}
ANALYZER_KINDS = Kinds(noun="analyzer", table=ANALYZERS)
