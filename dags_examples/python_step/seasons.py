"""A custom step: Metorikku's signature, in Python."""

from pyspark.sql import DataFrame, SparkSession, functions

SEASONS = ("summer", "autumn", "winter", "spring")  # of the southern half


def add_season(
    spark: SparkSession, metric_name: str, data_frame_name: str, params: dict[str, str]
) -> DataFrame:
    """The data frame `table` with the season of its column `dateColumn`."""
    quarter = functions.quarter(functions.to_date(functions.col(params["dateColumn"])))
    names = functions.array(*[functions.lit(season) for season in SEASONS])
    return spark.table(params["table"]).withColumn("season", functions.element_at(names, quarter))
