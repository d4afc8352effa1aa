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
from airflow_metorikku.config.records.analyzers.declared import DeclaredColumns, RowSchema
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
from airflow_metorikku.config.records.analyzers.numbers import Maximum, Mean, Minimum, Sum
from airflow_metorikku.config.records.analyzers.recent import RecentRows
from airflow_metorikku.config.records.analyzers.rows import (
    Completeness,
    Compliance,
    PatternMatch,
    Size,
)
from airflow_metorikku.config.records.analyzers.values import ColumnValues

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
}
ANALYZER_NAMES = {record: name for name, record in ANALYZERS.items()}
ANALYZER_KINDS = Kinds(noun="analyzer", table=ANALYZERS)
