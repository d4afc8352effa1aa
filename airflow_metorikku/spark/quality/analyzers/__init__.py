"""Analyzers: from their records to what must be computed and what their value is; one line in ANALYZERS each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.records.analyzers import comparisons as of_comparisons
from airflow_metorikku.config.records.analyzers import declared as of_declared
from airflow_metorikku.config.records.analyzers import distributions as of_distributions
from airflow_metorikku.config.records.analyzers import freshness as of_freshness
from airflow_metorikku.config.records.analyzers import keys as of_keys
from airflow_metorikku.config.records.analyzers import numbers as of_numbers
from airflow_metorikku.config.records.analyzers import quantiles as of_quantiles
from airflow_metorikku.config.records.analyzers import recent as of_recent
from airflow_metorikku.config.records.analyzers import rows as of_rows
from airflow_metorikku.config.records.analyzers import schema as of_schema
from airflow_metorikku.config.records.analyzers import texts as of_texts
from airflow_metorikku.config.records.analyzers import values as of_values
from airflow_metorikku.spark.quality.analyzers import (
    bins,
    comparisons,
    conditions,
    custom_sql,
    declared,
    extremes,
    freshness,
    histograms,
    keys,
    numbers,
    quantiles,
    recent,
    rows,
    schema,
    texts,
    values,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from airflow_metorikku.spark.asks import Ask
    from airflow_metorikku.spark.quality.subject import Subject
    from airflow_metorikku.spark.quality.values import MetricValue

ANALYZERS: dict[type[Any], Callable[[Any, Subject], Ask[MetricValue]]] = {
    of_rows.Size: rows.size,
    of_schema.ColumnCount: schema.column_count,
    of_schema.ColumnExists: schema.column_exists,
    of_rows.Completeness: rows.completeness,
    **dict.fromkeys(conditions.RULES, rows.obeying),
    of_texts.PatternMatch: texts.pattern_match,
    of_texts.MinLength: extremes.min_length,
    of_texts.MaxLength: extremes.max_length,
    of_texts.DataType: texts.data_type,
    of_numbers.Minimum: extremes.minimum,
    of_numbers.Maximum: extremes.maximum,
    of_numbers.Range: extremes.range_,
    of_numbers.Mean: numbers.mean,
    of_numbers.Sum: numbers.sum_,
    of_numbers.StandardDeviation: numbers.standard_deviation,
    of_numbers.Variance: numbers.variance,
    of_numbers.Skewness: numbers.skewness,
    of_numbers.Kurtosis: numbers.kurtosis,
    of_numbers.ZerosCount: numbers.zeros_count,
    of_numbers.Correlation: numbers.correlation,
    of_numbers.RatioOfSums: numbers.ratio_of_sums,
    of_quantiles.ApproxQuantile: quantiles.approx_quantile,
    of_quantiles.ApproxQuantiles: quantiles.approx_quantiles,
    of_quantiles.ExactQuantile: quantiles.exact_quantile,
    of_quantiles.InterquartileRange: quantiles.interquartile_range,
    of_quantiles.ApproxCountDistinct: quantiles.approx_count_distinct,
    of_keys.Uniqueness: keys.uniqueness,
    of_recent.RecentRows: recent.recent_rows,
    of_values.ColumnValues: values.column_values,
    of_declared.RowSchema: declared.row_schema,
    of_declared.DeclaredColumns: declared.declared_columns,
    of_keys.Distinctness: keys.distinctness,
    of_keys.UniqueValueRatio: keys.unique_value_ratio,
    of_keys.CountDistinct: keys.count_distinct,
    of_keys.DuplicateRowCount: keys.duplicate_row_count,
    of_keys.Entropy: keys.entropy,
    of_keys.MutualInformation: keys.mutual_information,
    of_distributions.Histogram: histograms.histogram,
    of_distributions.HistogramBinned: bins.histogram_binned,
    of_distributions.KLLSketch: bins.kll_sketch,
    of_comparisons.CustomSql: custom_sql.custom_sql,
    of_comparisons.DatasetMatch: comparisons.dataset_match,
    of_comparisons.ReferentialIntegrity: comparisons.referential_integrity,
    of_comparisons.RowCountMatch: comparisons.row_count_match,
    of_comparisons.SchemaMatch: comparisons.schema_match,
    of_freshness.Freshness: freshness.freshness,
    of_declared.ColumnNames: declared.column_names,
}
