"""Checks of texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.base import Pick
from airflow_metorikku.config.records.analyzers.texts import (
    DataType,
    MaxLength,
    MinLength,
    PatternMatch,
)
from airflow_metorikku.config.records.checks import patterns
from airflow_metorikku.config.records.checks.base import COUNT, SHARE, ColumnCheck, Range
from airflow_metorikku.config.records.flags import EmptyFlag, LengthFlags


@dataclass(frozen=True, kw_only=True)
class LengthCheck(LengthFlags, ColumnCheck):
    """A check of how long texts are."""

    NEEDS_ASSERTION: ClassVar[str | None] = ">= 0"
    RANGE: ClassVar[Range | None] = COUNT
    WHOLE: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class HasMinLength(LengthCheck):
    """Characters of the shortest text of a column."""

    def analyzer(self) -> MinLength:
        """Shortest length."""
        return self.made_into(MinLength)


@dataclass(frozen=True, kw_only=True)
class HasMaxLength(LengthCheck):
    """Characters of the longest text of a column."""

    def analyzer(self) -> MaxLength:
        """Longest length."""
        return self.made_into(MaxLength)


@dataclass(frozen=True, kw_only=True)
class PatternCheck(EmptyFlag, ColumnCheck):
    """A check of texts in which something is found."""

    RANGE: ClassVar[Range | None] = SHARE
    PATTERN: ClassVar[str] = ""

    nulls: Literal["fail", "ignore"] = key(
        "`ignore` leaves rows with a null out of the share.", default="fail"
    )

    def analyzer(self) -> PatternMatch:
        """Share of rows that match."""
        return self.made_into(PatternMatch, pattern=self.PATTERN)


@dataclass(frozen=True, kw_only=True)
class HasPattern(PatternCheck):
    """Share of rows in which a regular expression (Java's) is found; a null or an empty match is not found. Default assertion `== 1`."""

    pattern: str = key("Regular expression; anchor it yourself.")

    def analyzer(self) -> PatternMatch:
        """Share of rows that match."""
        return self.made_into(PatternMatch)


@dataclass(frozen=True, kw_only=True)
class ContainsCreditCardNumber(PatternCheck):
    """Share of rows with the number of a payment card (Visa, MasterCard, American Express, Discover), with blanks or dashes too; no check of its last digit. Default assertion `== 1`."""

    PATTERN: ClassVar[str] = patterns.CREDIT_CARD


@dataclass(frozen=True, kw_only=True)
class ContainsEmail(PatternCheck):
    """Share of rows with an e-mail address in lower case. Default assertion `== 1`."""

    PATTERN: ClassVar[str] = patterns.EMAIL


@dataclass(frozen=True, kw_only=True)
class ContainsURL(PatternCheck):
    """Share of rows with an address that starts with `http://`, `https://` or `ftp://`. Default assertion `== 1`."""

    PATTERN: ClassVar[str] = patterns.URL


@dataclass(frozen=True, kw_only=True)
class ContainsSocialSecurityNumber(PatternCheck):
    """Share of rows with a social security number of the United States, with dashes, blanks or neither. Default assertion `== 1`."""

    PATTERN: ClassVar[str] = patterns.SOCIAL_SECURITY_NUMBER


@dataclass(frozen=True, kw_only=True)
class HasDataType(ColumnCheck):
    """Share of the values that are of a type, or texts that could be read as it, nulls apart; of `Null` the share of all rows. Default assertion `== 1`.

    `Numeric` is whole numbers and fractions. A sign and one blank may stand before a number; `.5`, `5.`, `1,000`, `TRUE` and `NaN` are texts.
    """

    RANGE: ClassVar[Range | None] = SHARE

    data_type: Literal["Null", "Fractional", "Integral", "Boolean", "String", "Numeric"] = key(
        "The type.", any_case=True
    )

    def analyzer(self) -> DataType:
        """How many values are of each type."""
        return self.made_into(DataType)

    def pick(self) -> Pick:
        """The type's share."""
        return Pick("share", self.data_type)
