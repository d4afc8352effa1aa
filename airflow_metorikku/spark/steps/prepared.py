"""What a prepared step is called with, and what it gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import SparkSession

from airflow_metorikku.spark.variables import Variables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Where steps run."""

    session: SparkSession
    variables: Variables
    show_query: bool


# Gives the data frame; none where a step only registers a function.
Prepared = Callable[[Scene], "DataFrame | None"]
