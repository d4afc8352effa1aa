"""Analyzers, by Deequ's names: one record an analyzer, one line in ANALYZERS."""

from __future__ import annotations

from typing import Any

from airflow_metorikku.config.fields import Kinds
from airflow_metorikku.config.records.analyzers.keys import Uniqueness
from airflow_metorikku.config.records.analyzers.numbers import (
    Correlation,
    Kurtosis,
    Maximum,
    Mean,
    Minimum,
    Range,
    RatioOfSums,
    Skewness,
    StandardDeviation,
    Sum,
    Variance,
    ZerosCount,
)
from airflow_metorikku.config.records.analyzers.quantiles import (
    ApproxCountDistinct,
    ApproxQuantile,
    ApproxQuantiles,
    ExactQuantile,
    InterquartileRange,
)
from airflow_metorikku.config.records.analyzers.rows import Completeness, Compliance, Size
from airflow_metorikku.config.records.analyzers.schema import ColumnCount, ColumnExists
from airflow_metorikku.config.records.analyzers.texts import (
    DataType,
    MaxLength,
    MinLength,
    PatternMatch,
)

# What a user can name, as in `anomaly: {metric: {Size: {}}}`.
ANALYZERS: dict[str, type[Any]] = {
    "Size": Size,
    "ColumnCount": ColumnCount,
    "ColumnExists": ColumnExists,
    "Completeness": Completeness,
    "Compliance": Compliance,
    "PatternMatch": PatternMatch,
    "MinLength": MinLength,
    "MaxLength": MaxLength,
    "DataType": DataType,
    "Minimum": Minimum,
    "Maximum": Maximum,
    "Range": Range,
    "Mean": Mean,
    "Sum": Sum,
    "StandardDeviation": StandardDeviation,
    "Variance": Variance,
    "Skewness": Skewness,
    "Kurtosis": Kurtosis,
    "ZerosCount": ZerosCount,
    "Correlation": Correlation,
    "RatioOfSums": RatioOfSums,
    "ApproxQuantile": ApproxQuantile,
    "ApproxQuantiles": ApproxQuantiles,
    "ExactQuantile": ExactQuantile,
    "InterquartileRange": InterquartileRange,
    "ApproxCountDistinct": ApproxCountDistinct,
    "Uniqueness": Uniqueness,
}
ANALYZER_KINDS = Kinds(noun="analyzer", table=ANALYZERS)
