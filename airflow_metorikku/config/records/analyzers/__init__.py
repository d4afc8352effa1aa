"""Analyzers, by Deequ's names: one record an analyzer, one line in ANALYZERS."""

from __future__ import annotations

from typing import Any

from airflow_metorikku.config.fields import Kinds
from airflow_metorikku.config.records.analyzers.comparisons import (
    CustomSql,
    DatasetMatch,
    ReferentialIntegrity,
    RowCountMatch,
    SchemaMatch,
)
from airflow_metorikku.config.records.analyzers.declared import (
    ColumnNames,
    DeclaredColumns,
    RowSchema,
)
from airflow_metorikku.config.records.analyzers.distributions import (
    Histogram,
    HistogramBinned,
    KLLSketch,
)
from airflow_metorikku.config.records.analyzers.freshness import Freshness
from airflow_metorikku.config.records.analyzers.keys import (
    CountDistinct,
    Distinctness,
    DuplicateRowCount,
    Entropy,
    MutualInformation,
    Uniqueness,
    UniqueValueRatio,
)
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
from airflow_metorikku.config.records.analyzers.recent import RecentRows
from airflow_metorikku.config.records.analyzers.rows import Completeness, Compliance, Size
from airflow_metorikku.config.records.analyzers.schema import ColumnCount, ColumnExists
from airflow_metorikku.config.records.analyzers.texts import (
    DataType,
    MaxLength,
    MinLength,
    PatternMatch,
)
from airflow_metorikku.config.records.analyzers.values import ColumnValues

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
    "RecentRows": RecentRows,
    "ColumnValues": ColumnValues,
    "RowSchema": RowSchema,
    "DeclaredColumns": DeclaredColumns,
    "Distinctness": Distinctness,
    "UniqueValueRatio": UniqueValueRatio,
    "CountDistinct": CountDistinct,
    "DuplicateRowCount": DuplicateRowCount,
    "Entropy": Entropy,
    "MutualInformation": MutualInformation,
    "Histogram": Histogram,
    "HistogramBinned": HistogramBinned,
    "KLLSketch": KLLSketch,
    "CustomSql": CustomSql,
    "DatasetMatch": DatasetMatch,
    "ReferentialIntegrity": ReferentialIntegrity,
    "RowCountMatch": RowCountMatch,
    "SchemaMatch": SchemaMatch,
    "Freshness": Freshness,
    "ColumnNames": ColumnNames,
}
ANALYZER_NAMES = {record: name for name, record in ANALYZERS.items()}
ANALYZER_KINDS = Kinds(noun="analyzer", table=ANALYZERS)
