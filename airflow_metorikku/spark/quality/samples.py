"""A few failing rows of a constraint, for alerts, where the job allows it."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.quality.failing_rows import failing_rows
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame

    from airflow_metorikku.plan.constraints import Constraint
    from airflow_metorikku.results.records import ConstraintResult

logger = logging.getLogger(__name__)

LONGEST = 300


def with_samples(
    results: Sequence[ConstraintResult],
    constraints: Sequence[Constraint],
    frame: DataFrame,
    rows: int,
) -> tuple[ConstraintResult, ...]:
    """The results, those that failed with at most so many of the rows that fail them, as JSON, each cut to LONGEST characters."""
    if rows <= 0:
        return tuple(results)
    asked = {one.id: one for one in constraints}
    return tuple(
        replace(one, sample=_sample(asked[one.id], frame, rows)) if one.status == "failed" else one
        for one in results
    )


def _sample(constraint: Constraint, frame: DataFrame, rows: int) -> tuple[str, ...]:
    """What goes wrong with a sample is logged and changes no verdict."""
    try:
        found = failing_rows(frame, [constraint])
        if found is None:
            return ()
        columns = F.struct(*(F.col(quoted(name)) for name in frame.columns))
        texts = found.select(F.to_json(columns, {"ignoreNullFields": "false"})).limit(rows)
        return tuple(_cut(row[0]) for row in texts.collect())
    except Exception as error:  # noqa: BLE001 - a sample decides nothing
        logger.warning("constraint '%s': no sample: %s", constraint.id, sentence(error))
        return ()


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
