"""The `dq` block of a step (Metorikku's five checks, and Deequ's by their names there): one record a check, one line in CHECKS.

A record says what the user writes. `plan/constraints.py` turns it into constraints, `spark/quality`
computes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.fields import Kinds, Where, check_count, key, where

Level = Literal["warn", "warning", "error", "critical"]
Operator = Literal["==", "!=", ">=", ">", "<=", "<"]
EmptyData = Literal["fail", "warn", "pass"]


@dataclass(frozen=True, kw_only=True)
class Check:
    """Keys that every check takes."""

    id: str | None = key(
        "Name of the constraint in results, alerts, history and overrides; unique within its data "
        "frame. Default: made from the check's name and columns.",
        default=None,
    )
    level: Level | None = key(
        "Level of a failure; default the block's.", default=None, any_case=True
    )
    where_: str | None = key(
        "SQL predicate: only rows that it holds for count.", name="where", default=None, sql=True
    )
    hint: str | None = key("Text added to the message of a failure.", default=None)
    assertion: Assertion | None = key(
        "What the value must satisfy, as `>= 0.9`, `== 3`, `between 1 and 5`.", default=None
    )
    between: tuple[Decimal, ...] | None = key(
        "`[low, high]`, both included: short for the assertion.", default=None
    )
    warning: Assertion | None = key(
        "Assertion whose failure is a warning; beside `critical`, one computation.", default=None
    )
    critical: Assertion | None = key("Assertion whose failure is critical.", default=None)
    empty_data: EmptyData | None = key(
        "What no data at all means; default the job's `quality.emptyData`.", default=None
    )
    at: Where | None = where()

    def __post_init__(self) -> None:
        if self.between is not None:
            if len(self.between) != len(("low", "high")):
                raise ValueError(f"between: got {len(self.between)} numbers, expected two")
            Assertion.between(*self.between)
            if self.assertion:
                raise ValueError("expected assertion or between, got both")
        if (self.warning or self.critical) and (self.assertion or self.between or self.level):
            raise ValueError("warning and critical stand instead of assertion, between and level")

    def given_assertion(self) -> Assertion | None:
        """The one assertion that the user wrote, however it was spelt."""
        return Assertion.between(*self.between) if self.between else self.assertion

    def columns_checked(self) -> tuple[str, ...]:
        """Columns that the value is computed from; empty for the whole data frame."""
        return ()


@dataclass(frozen=True, kw_only=True)
class ColumnCheck(Check):
    """A check on one column."""

    column: str = key("Column; a name with dots may stand in backticks, a nested field is `a.b`.")

    def columns_checked(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)


@dataclass(frozen=True, kw_only=True)
class IsComplete(ColumnCheck):
    """No null in the column. On an all-null column the value is 0.0, a failure."""


@dataclass(frozen=True, kw_only=True)
class HasCompleteness(ColumnCheck):
    """Share of rows in which the column is not null; default assertion `== 1`."""


@dataclass(frozen=True, kw_only=True)
class IsUnique(ColumnCheck):
    """Every non-null value occurs once; rows with a null count neither way."""


@dataclass(frozen=True, kw_only=True)
class HasSize(Check):
    """Number of rows, as `size` and `operator` (Metorikku's form) or as `assertion`."""

    size: int | None = key("Number of rows to compare with.", default=None)
    operator: Operator | None = key("Comparison.", default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.operator is None and self.size is not None:
            raise ValueError("size needs operator, one of == != >= > <= <")
        if self.size is None and self.operator is not None:
            raise ValueError("operator needs size")
        given = self.size is not None, self.assertion or self.between, self.warning or self.critical
        if sum(map(bool, given)) != 1:
            raise ValueError("needs size and operator, or an assertion")

    def given_assertion(self) -> Assertion | None:
        """The assertion, from either form."""
        if self.size is not None and self.operator:
            return Assertion(self.operator, Decimal(self.size))
        return super().given_assertion()


@dataclass(frozen=True, kw_only=True)
class HasUniqueness(Check):
    """Keys that occur once, per row in which at least one key column is not null; within a key of several columns a null counts as a value."""

    column: str | None = key("One key column.", default=None)
    columns: tuple[str, ...] = key("Key columns.", default=())
    fraction: Decimal | None = key("Share to compare with; default 1.", default=None)
    operator: Operator | None = key("Comparison with `fraction`; default `==`.", default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if bool(self.column) == bool(self.columns):
            raise ValueError("needs column or columns")
        if len(set(self.columns)) != len(self.columns):
            raise ValueError("columns: a column stands twice")
        if (self.fraction is not None or self.operator) and (
            self.assertion or self.between or self.warning or self.critical
        ):
            raise ValueError("expected fraction and operator, or an assertion, got both")

    def given_assertion(self) -> Assertion | None:
        """The assertion, from either form."""
        if self.fraction is not None or self.operator:
            fraction = Decimal(1) if self.fraction is None else self.fraction
            return Assertion(self.operator or "==", fraction)
        return super().given_assertion()

    def columns_checked(self) -> tuple[str, ...]:
        """The key columns."""
        return self.columns or ((self.column,) if self.column else ())


@dataclass(frozen=True, kw_only=True)
class IsContainedIn(ColumnCheck):
    """Share of rows whose value is null or one of `allowedValues` (compared as text); default assertion `== 1`."""

    allowed_values: tuple[str, ...] = key("Values allowed, compared as text.", default=())
    lower_bound: Decimal | None = key(
        "Smallest value.", default=None, later="bounds come with the other checks; use satisfies"
    )
    upper_bound: Decimal | None = key(
        "Largest value.", default=None, later="bounds come with the other checks; use satisfies"
    )
    include_lower_bound: bool = key(
        "Whether `lowerBound` itself is allowed.",
        default=True,
        later="bounds come with the other checks; use satisfies",
    )
    include_upper_bound: bool = key(
        "Whether `upperBound` itself is allowed.",
        default=True,
        later="bounds come with the other checks; use satisfies",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.allowed_values and self.lower_bound is None and self.upper_bound is None:
            raise ValueError("needs allowedValues, a list with at least one value")


@dataclass(frozen=True, kw_only=True)
class HasMin(ColumnCheck):
    """Smallest value of a numeric column; nulls are skipped."""


@dataclass(frozen=True, kw_only=True)
class HasMax(ColumnCheck):
    """Largest value of a numeric column; nulls are skipped."""


@dataclass(frozen=True, kw_only=True)
class HasMean(ColumnCheck):
    """Mean of a numeric column; nulls are skipped, sums are exact at any size."""


@dataclass(frozen=True, kw_only=True)
class HasSum(ColumnCheck):
    """Sum of a numeric column; nulls are skipped, sums of whole numbers and decimals are exact."""


@dataclass(frozen=True, kw_only=True)
class Satisfies(Check):
    """Share of rows for which a SQL predicate is true; null is not true. Default assertion `== 1`."""

    predicate: str = key("SQL predicate over the data frame's columns.", sql=True)
    name: str | None = key("What the predicate means, for results and alerts.", default=None)


@dataclass(frozen=True, kw_only=True)
class HasPattern(ColumnCheck):
    """Share of rows in which a regular expression (Java's) is found; a null or an empty match is not found. Default assertion `== 1`."""

    pattern: str = key("Regular expression; anchor it yourself.")
    nulls: Literal["fail", "ignore"] = key(
        "`ignore` leaves rows with a null out of the share.", default="fail"
    )


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
}
# Known by name, refused by this version: Deequ's other checks and Waimak's four.
LATER_CHECKS: tuple[str, ...] = (
    "hasColumnCount",
    "hasColumn",
    "customSql",
    "areComplete",
    "haveCompleteness",
    "areAnyComplete",
    "haveAnyCompleteness",
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


@dataclass(frozen=True, kw_only=True)
class DataQuality:
    """Checks of a step's data frame, all evaluated; a failure at level error stops the metric before any of its outputs appears."""

    checks: tuple[Annotated[Check, CHECK_KINDS], ...] = key("The checks.")
    level: Level = key("Level of a failure.", default="warn", any_case=True)
    name: str | None = key("What the checks are about, for results and alerts.", default=None)
    cache_df: bool = key("Accepted and not needed: checks never cache.", default=True)
    failed_df_location: str | None = key(
        "Folder for a Parquet dump of the whole data frame when a check failed; default the job's `failedDFLocationPrefix`.",
        default=None,
    )
    dqdl: str | None = key(
        "Checks in DQDL.", default=None, later="DQDL comes with the other checks"
    )
    at: Where | None = where()


@dataclass(frozen=True, kw_only=True)
class Quality:
    """Settings for all checks of the job."""

    empty_data: EmptyData = key(
        "What a data frame without rows means for its checks.", default="fail"
    )
    failed_data_path: str | None = key(
        "Folder for the rows that fail, with the names of the checks they fail.", default=None
    )
    failed_data_limit: int = key("Most rows kept for each data frame.", default=1000)

    def __post_init__(self) -> None:
        check_count("failedDataLimit", self.failed_data_limit, least=0)
