"""Checks (Metorikku's five, and Deequ's by their names there): one record a check, one line in CHECKS.

A record says what the user writes, and which analyzer computes its value. `plan/constraints.py` turns
it into constraints, `spark/quality` computes them.
"""

from __future__ import annotations

from typing import Any

from airflow_metorikku.config.fields import Kinds
from airflow_metorikku.config.records.checks.keys import HasUniqueness, IsUnique
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
    "containsCreditCardNumber": ContainsCreditCardNumber,
    "containsEmail": ContainsEmail,
    "containsURL": ContainsURL,
    "containsSocialSecurityNumber": ContainsSocialSecurityNumber,
    "hasDataType": HasDataType,
}
# Known by name, refused by this version: Deequ's other checks and Waimak's four.
LATER_CHECKS: tuple[str, ...] = (
    "customSql",
    "areUnique",
    "isPrimaryKey",
    "hasDistinctness",
    "hasUniqueValueRatio",
    "hasDuplicateRowCount",
    "hasNumberOfDistinctValues",
    "hasHistogramValues",
    "hasHistogramBinnedValues",
    "hasHistogramBinnedBins",
    "kllSketchSatisfies",
    "hasEntropy",
    "hasMutualInformation",
    "doesDatasetMatch",
    "anomaly",
    "completenessCheck",
    "uniquenessCheck",
    "recentTimestampCheck",
    "genericSQLCheck",
)
CHECK_KINDS = Kinds(
    noun="check",
    table=CHECKS,
    later=dict.fromkeys(
        LATER_CHECKS, "this check comes with a later version; satisfies takes any SQL predicate"
    ),
)
