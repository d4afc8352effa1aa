"""Checks from a profile, each evaluated on the rows that it came from before anybody sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.plan.suggestions.rules import RuleSet, suggested
from airflow_metorikku.results.suggestions import Suggestions
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.quality.profiling import profile_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame


def suggestions_for(
    frame: DataFrame, *, name: str, columns: Sequence[str], most_values: int, rules: RuleSet
) -> Suggestions:
    """What the rules suggest and the rows satisfy; raises MetorikkuError as `profile_of`."""
    profile = profile_of(frame, name=name, columns=columns, most_values=most_values)
    found, left_out = suggested(profile, rules)
    kept = []
    if found:
        asked = constraints(name, DataQuality(checks=tuple(one.check for one in found)), "fail")
        results = Audit(name, asked).scan(frame).constraints
        for one, result in zip(found, results, strict=True):
            if result.status == "passed":
                kept.append(one)
            else:
                left_out.append(f"{one.rule} of column {one.column!r}: {result.message}")
    return Suggestions(
        data_frame=name,
        rows=profile.rows,
        columns=len(profile.columns),
        suggestions=tuple(kept),
        left_out=tuple(left_out),
    )
