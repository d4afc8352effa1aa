"""Data quality inside Spark. For notebooks and steps in Python: `profile` a data frame, or have it `suggest` checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.config.records.analyzers.distributions import Buckets
from airflow_metorikku.results.profiles import MOST_VALUES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame

    from airflow_metorikku.plan.suggestions.rules import RuleSet
    from airflow_metorikku.results.profiles import Profile
    from airflow_metorikku.results.suggestions import Suggestions

__all__ = ["FRAME", "Buckets", "profile", "suggest"]
FRAME = "data"


def profile(
    frame: DataFrame,
    *,
    name: str = FRAME,
    columns: Sequence[str] = (),
    most_values: int = MOST_VALUES,
    kll: Buckets | None = None,
) -> Profile:
    """What is in the columns of a data frame (Deequ's ColumnProfiler).

    :param name: what the data frame is called in texts.
    :param columns: only these; a field of a struct is `a.b`.
    :param most_values: count the values of columns that have about so many, or fewer; 0 for none.
    :param kll: have a sketch of each column of numbers too, as `Buckets(number_of_buckets=10)` (Deequ's withKLLProfiling).
    :raises MetorikkuError: a column that is not there, or a data frame that cannot be read.
    """
    from airflow_metorikku.spark.quality.profiling import profile_of

    return profile_of(frame, name=name, columns=columns, most_values=most_values, kll=kll)


def suggest(
    frame: DataFrame,
    *,
    name: str = FRAME,
    columns: Sequence[str] = (),
    most_values: int = MOST_VALUES,
    rules: RuleSet = "DEFAULT",
) -> Suggestions:
    """Checks that the data frame's profile suggests (Deequ's ConstraintSuggestionRunner); each was evaluated, and holds on its rows.

    :param rules: `DEFAULT`, or `EXTENDED` with bounds of numbers and lengths, and keys.
    :raises MetorikkuError: as `profile`.
    """
    from airflow_metorikku.spark.quality.suggesting import suggestions_for

    return suggestions_for(frame, name=name, columns=columns, most_values=most_values, rules=rules)
