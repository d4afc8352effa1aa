"""How often each value of many columns occurs, in one job whatever their number: for columns with few values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame

    from airflow_metorikku.spark.quality.profiled_columns import ProfiledColumn

Counts = dict[str | None, int]


def count_values(frame: DataFrame, columns: Sequence[ProfiledColumn]) -> list[Counts]:
    """Rows by value as text, None for null, of each column; Spark's own errors pass through."""
    if not columns:
        return []
    cells = [
        F.struct(F.lit(number).alias("c"), F.col(column.sql).cast("string").alias("v"))
        for number, column in enumerate(columns)
    ]
    counted = (
        frame.select(F.explode(F.array(*cells)).alias("cell"))
        .groupBy(F.col("cell.c").alias("c"), F.col("cell.v").alias("v"))
        .agg(F.count(F.lit(1)).alias("n"))
    )
    found: list[Counts] = [{} for _ in columns]
    for row in counted.collect():
        found[row["c"]][row["v"]] = row["n"]
    return found
