"""Row-level results: of each row, which constraints it passes (Deequ's `rowLevelResultsAsDataFrame`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pyspark.sql import functions as F

from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.spark.aggregates import SPARK_ERRORS
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.evaluate import ask
from airflow_metorikku.spark.quality.predicates import predicate_of
from airflow_metorikku.spark.quality.row_rules import all_of, failing, is_of_rows, outcome

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pyspark.sql import Column, DataFrame

    from airflow_metorikku.plan.constraints import Constraint

FAILED_CHECKS = "failedChecks"


def row_results(
    frame: DataFrame,
    constraints: Iterable[Constraint],
    *,
    filtered_rows: Literal["true", "null"] = "true",
) -> DataFrame:
    """The data frame with one boolean column for each constraint that single rows can fail, named by its id.

    A value is null where the row is not judged, as of a null beside a minimum. Of a constraint that cannot be
    evaluated every row is false. Where two have one id, or a column has it already, `_2` is put behind it.

    :param filtered_rows: what rows are that a constraint's `where` leaves out: passed, or null.
    """
    taken = {name.lower() for name in frame.columns}
    found: list[Column] = []
    for constraint in constraints:
        passes = _passes(constraint, frame, filtered_rows)
        if passes is not None:
            name = _free(constraint.id, taken)
            taken.add(name.lower())
            found.append(passes.alias(name))
    return frame.select("*", *found)


def _passes(constraint: Constraint, frame: DataFrame, filtered_rows: str) -> Column | None:
    if not is_of_rows(constraint):
        return None
    if constraint.parts:
        return all_of(_passes(part, frame, filtered_rows) for part in constraint.parts)
    try:
        ask(constraint, frame, Columns(frame, constraint.data_frame))
        passes = outcome(constraint, frame)
        where = constraint.analyzer.where_
        if passes is None or not where or filtered_rows == "null":
            return passes
        return F.when(predicate_of(frame, where, "where"), passes).otherwise(F.lit(True))
    except (MetorikkuError, *SPARK_ERRORS):
        return F.lit(False)


def _free(name: str, taken: Collection[str]) -> str:
    candidate, number = name, 1
    while candidate.lower() in taken:
        number += 1
        candidate = f"{name}_{number}"
    return candidate


def failing_conditions(
    frame: DataFrame, constraints: Sequence[Constraint], broken: Collection[str] = ()
) -> Iterator[tuple[str, Column]]:
    """Ids of the constraints that single rows can fail, and the condition of the rows that do.

    :param broken: ids of those that could not be evaluated: no row is known to pass them.
    """
    for constraint in constraints:
        if constraint.id in broken:
            if is_of_rows(constraint):
                yield constraint.id, F.lit(True)
            continue
        fails = failing(constraint, frame)
        if fails is not None:
            yield constraint.id, fails


def marked_with_ids(
    frame: DataFrame, conditions: Iterable[tuple[str, Column]]
) -> tuple[DataFrame, str]:
    """The data frame with the ids of what each row fails in one more column, and its name: `failedChecks` where that is free.

    Marked, not filtered: a key that occurs twice is a window, which no filter may hold.
    """
    name = FAILED_CHECKS
    while name.lower() in (column.lower() for column in frame.columns):
        name = f"_{name}"
    ids = [F.when(fails, F.lit(id_)) for id_, fails in conditions]
    listed = F.array_compact(F.array(*ids)) if ids else F.array().cast("array<string>")
    return frame.withColumn(name, listed), name
