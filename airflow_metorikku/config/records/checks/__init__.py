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
from airflow_metorikku.config.records.checks.declared import HasColumns, HasRowSchema
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
from airflow_metorikku.config.records.checks.numbers import HasMax, HasMean, HasMin, HasSum
from airflow_metorikku.config.records.checks.rows import (
    HasCompleteness,
    HasPattern,
    HasSize,
    IsComplete,
    IsContainedIn,
    Satisfies,
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
    "isComplete": IsComplete,
    "isUnique": IsUnique,
    "hasSize": HasSize,
    "hasUniqueness": HasUniqueness,
    "isContainedIn": IsContainedIn,
    "hasCompleteness": HasCompleteness,
    "hasMin": HasMin,
    "hasMax": HasMax,
    "hasMean": HasMean,
    "hasSum": HasSum,
    "satisfies": Satisfies,
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
}
# Known by name, refused by this version: Deequ's other checks.
LATER_CHECKS: tuple[str, ...] = (
    "hasColumnCount",
    "hasColumn",
    "areComplete",
    "haveCompleteness",
    "areAnyComplete",
    "haveAnyCompleteness",
    "hasApproxQuantile",
    "hasExactQuantile",
    "hasApproxCountDistinct",
    "hasRange",
    "hasInterquartileRange",
    "hasStandardDeviation",
    "hasVariance",
    "hasSkewness",
    "hasKurtosis",
    "hasZerosCount",
    "hasCorrelation",
    "hasMinLength",
    "hasMaxLength",
    "containsCreditCardNumber",
    "containsEmail",
    "containsURL",
    "containsSocialSecurityNumber",
    "hasDataType",
    "isNonNegative",
    "isPositive",
    "isLessThan",
    "isLessThanOrEqualTo",
    "isGreaterThan",
    "isGreaterThanOrEqualTo",
)
CHECK_KINDS = Kinds(
    noun="check",
    table=CHECKS,
    later=dict.fromkeys(
        LATER_CHECKS, "this check comes with a later version; satisfies takes any SQL predicate"
    ),
)
