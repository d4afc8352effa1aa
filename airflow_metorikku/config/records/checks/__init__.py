"""Checks (Metorikku's five, Deequ's and Waimak's by their names there): one record a check, one line in CHECKS.

A record says what the user writes, and which analyzer computes its value. `plan/constraints.py` turns
it into constraints, `spark/quality` computes them.
"""

from __future__ import annotations

from typing import Any

from airflow_metorikku.config.fields import Kinds
from airflow_metorikku.config.records.checks.anomaly import Anomaly
from airflow_metorikku.config.records.checks.comparisons import (
    CustomSql,
    DoesDatasetMatch,
    ReferentialIntegrity,
    RowCountMatch,
    SchemaMatch,
)
from airflow_metorikku.config.records.checks.composites import AllOf, AnyOf
from airflow_metorikku.config.records.checks.declared import (
    ColumnNamesMatch,
    HasColumns,
    HasRowSchema,
)
from airflow_metorikku.config.records.checks.distributions import (
    HasHistogramBinnedBins,
    HasHistogramBinnedValues,
    HasHistogramValues,
    HasNumberOfDistinctValues,
    KllSketchSatisfies,
)
from airflow_metorikku.config.records.checks.freshness import HasFreshness
from airflow_metorikku.config.records.checks.keys import (
    AreUnique,
    HasDistinctness,
    HasDuplicateRowCount,
    HasEntropy,
    HasMutualInformation,
    HasUniqueness,
    HasUniqueValueRatio,
    IsPrimaryKey,
    IsUnique,
)
from airflow_metorikku.config.records.checks.numbers import (
    HasCorrelation,
    HasKurtosis,
    HasMax,
    HasMean,
    HasMin,
    HasRange,
    HasSkewness,
    HasStandardDeviation,
    HasSum,
    HasVariance,
    HasZerosCount,
)
from airflow_metorikku.config.records.checks.quantiles import (
    HasApproxCountDistinct,
    HasApproxQuantile,
    HasExactQuantile,
    HasInterquartileRange,
)
from airflow_metorikku.config.records.checks.row_rules import (
    AreAnyComplete,
    AreComplete,
    HaveAnyCompleteness,
    HaveCompleteness,
    IsContainedIn,
    IsGreaterThan,
    IsGreaterThanOrEqualTo,
    IsLessThan,
    IsLessThanOrEqualTo,
    IsNonNegative,
    IsPositive,
)
from airflow_metorikku.config.records.checks.rows import (
    HasCompleteness,
    HasSize,
    IsComplete,
    Satisfies,
)
from airflow_metorikku.config.records.checks.schema import HasColumn, HasColumnCount
from airflow_metorikku.config.records.checks.texts import (
    ContainsCreditCardNumber,
    ContainsEmail,
    ContainsSocialSecurityNumber,
    ContainsURL,
    HasDataType,
    HasMaxLength,
    HasMinLength,
    HasPattern,
)
from airflow_metorikku.config.records.checks.values import HasColumnLength, HasColumnValues
from airflow_metorikku.config.records.checks.waimak import (
    CompletenessCheck,
    GenericSqlCheck,
    RecentTimestampCheck,
    UniquenessCheck,
)

WAIMAK_CHECKS: dict[str, type[Any]] = {
    "completenessCheck": CompletenessCheck,
    "uniquenessCheck": UniquenessCheck,
    "recentTimestampCheck": RecentTimestampCheck,
    "genericSQLCheck": GenericSqlCheck,
}
CHECKS: dict[str, type[Any]] = {
    "hasSize": HasSize,
    "hasColumnCount": HasColumnCount,
    "hasColumn": HasColumn,
    "isComplete": IsComplete,
    "hasCompleteness": HasCompleteness,
    "areComplete": AreComplete,
    "haveCompleteness": HaveCompleteness,
    "areAnyComplete": AreAnyComplete,
    "haveAnyCompleteness": HaveAnyCompleteness,
    "isUnique": IsUnique,
    "hasUniqueness": HasUniqueness,
    "isContainedIn": IsContainedIn,
    "isNonNegative": IsNonNegative,
    "isPositive": IsPositive,
    "isLessThan": IsLessThan,
    "isLessThanOrEqualTo": IsLessThanOrEqualTo,
    "isGreaterThan": IsGreaterThan,
    "isGreaterThanOrEqualTo": IsGreaterThanOrEqualTo,
    "satisfies": Satisfies,
    "hasMin": HasMin,
    "hasMax": HasMax,
    "hasRange": HasRange,
    "hasMean": HasMean,
    "hasSum": HasSum,
    "hasStandardDeviation": HasStandardDeviation,
    "hasVariance": HasVariance,
    "hasSkewness": HasSkewness,
    "hasKurtosis": HasKurtosis,
    "hasZerosCount": HasZerosCount,
    "hasCorrelation": HasCorrelation,
    "hasApproxQuantile": HasApproxQuantile,
    "hasExactQuantile": HasExactQuantile,
    "hasInterquartileRange": HasInterquartileRange,
    "hasApproxCountDistinct": HasApproxCountDistinct,
    "hasMinLength": HasMinLength,
    "hasMaxLength": HasMaxLength,
    "hasPattern": HasPattern,
    "anomaly": Anomaly,
    **WAIMAK_CHECKS,
    "columnValues": HasColumnValues,
    "columnLength": HasColumnLength,
    "hasRowSchema": HasRowSchema,
    "hasColumns": HasColumns,
    "areUnique": AreUnique,
    "isPrimaryKey": IsPrimaryKey,
    "hasDistinctness": HasDistinctness,
    "hasUniqueValueRatio": HasUniqueValueRatio,
    "hasDuplicateRowCount": HasDuplicateRowCount,
    "hasEntropy": HasEntropy,
    "hasMutualInformation": HasMutualInformation,
    "hasNumberOfDistinctValues": HasNumberOfDistinctValues,
    "hasHistogramValues": HasHistogramValues,
    "hasHistogramBinnedValues": HasHistogramBinnedValues,
    "hasHistogramBinnedBins": HasHistogramBinnedBins,
    "kllSketchSatisfies": KllSketchSatisfies,
    "customSql": CustomSql,
    "doesDatasetMatch": DoesDatasetMatch,
    "referentialIntegrity": ReferentialIntegrity,
    "rowCountMatch": RowCountMatch,
    "schemaMatch": SchemaMatch,
    "hasFreshness": HasFreshness,
    "columnNamesMatch": ColumnNamesMatch,
    "containsCreditCardNumber": ContainsCreditCardNumber,
    "containsEmail": ContainsEmail,
    "containsURL": ContainsURL,
    "containsSocialSecurityNumber": ContainsSocialSecurityNumber,
    "hasDataType": HasDataType,
    "allOf": AllOf,
    "anyOf": AnyOf,
}
CHECK_NAMES = {record: name for name, record in CHECKS.items()}
CHECK_KINDS = Kinds(noun="check", table=CHECKS)
