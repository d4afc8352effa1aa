"""Checks of how often keys occur."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Literal

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.fields import check_columns, key
from airflow_metorikku.config.records.analyzers.keys import (
    NULLS_DISTINCT,
    Distinctness,
    DuplicateRowCount,
    Entropy,
    MutualInformation,
    Uniqueness,
    UniqueValueRatio,
)
from airflow_metorikku.config.records.checks.base import (
    COUNT,
    SHARE,
    Check,
    ColumnCheck,
    Operator,
    PairCheck,
    Range,
)


@dataclass(frozen=True, kw_only=True)
class IsUnique(ColumnCheck):
    """Every non-null value occurs once; rows with a null count neither way."""

    RANGE: ClassVar[Range | None] = SHARE

    nulls_distinct: bool | None = key(NULLS_DISTINCT, default=None)

    def analyzer(self) -> Uniqueness:
        """Share of rows with a key of their own."""
        return self.made_into(Uniqueness, columns=(self.column,))


@dataclass(frozen=True, kw_only=True)
class AreUnique(Check):
    """Every key of some columns occurs once; within a key a null counts as a value, rows of nothing but nulls count neither way."""

    RANGE: ClassVar[Range | None] = SHARE

    columns: tuple[str, ...] = key("Key columns.")
    nulls_distinct: bool | None = key(NULLS_DISTINCT, default=None)

    def analyzer(self) -> Uniqueness:
        """Share of rows with a key of their own."""
        return self.made_into(Uniqueness)


@dataclass(frozen=True, kw_only=True)
class IsPrimaryKey(ColumnCheck):
    """Every key of one column, or of it and `more`, occurs once. As in Deequ nulls are allowed, unless `nulls: fail`."""

    RANGE: ClassVar[Range | None] = SHARE

    more: tuple[str, ...] = key("Further columns of the key.", default=())
    nulls: Literal["ignore", "fail"] = key(
        "`fail`: a row with a null in its key fails, as in a database.", default="ignore"
    )

    def __post_init__(self) -> None:
        check_columns("more", (self.column, *self.more))
        super().__post_init__()

    def analyzer(self) -> Uniqueness:
        """Share of rows with a key of their own."""
        return self.made_into(Uniqueness, columns=(self.column, *self.more))

    def columns_listed(self) -> dict[str, tuple[str, ...]]:
        """The whole key."""
        return {"more": (self.column, *self.more)}


@dataclass(frozen=True, kw_only=True)
class KeyCheck(Check):
    """A check on the keys of one column or of several."""

    RANGE: ClassVar[Range | None] = SHARE

    column: str | None = key("One key column.", default=None)
    columns: tuple[str, ...] = key("Key columns.", default=())
    nulls_distinct: bool | None = key(NULLS_DISTINCT, default=None)

    def __post_init__(self) -> None:
        if bool(self.column) == bool(self.columns):
            raise ValueError("needs column or columns")
        super().__post_init__()

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The columns, however they were given."""
        return self.columns or ((self.column,) if self.column else ())


@dataclass(frozen=True, kw_only=True)
class HasUniqueness(KeyCheck):
    """Keys that occur once, per row in which at least one key column is not null; within a key of several columns a null counts as a value."""

    fraction: Decimal | None = key("Share to compare with; default 1.", default=None)
    operator: Operator | None = key("Comparison with `fraction`; default `==`.", default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
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

    def analyzer(self) -> Uniqueness:
        """Share of rows with a key of their own."""
        return self.made_into(Uniqueness, columns=self.key_columns)


@dataclass(frozen=True, kw_only=True)
class HasDistinctness(KeyCheck):
    """Different keys, per row in which at least one key column is not null. Default assertion `== 1`."""

    def analyzer(self) -> Distinctness:
        """Keys per row."""
        return self.made_into(Distinctness, columns=self.key_columns)


@dataclass(frozen=True, kw_only=True)
class HasUniqueValueRatio(KeyCheck):
    """Keys that occur once, per different key. Default assertion `== 1`."""

    def analyzer(self) -> UniqueValueRatio:
        """Share of the keys."""
        return self.made_into(UniqueValueRatio, columns=self.key_columns)


@dataclass(frozen=True, kw_only=True)
class HasDuplicateRowCount(Check):
    """Rows whose key occurs in another row too; of the whole row where no columns are given. Default assertion `== 0`."""

    RANGE: ClassVar[Range | None] = COUNT
    WHOLE: ClassVar[bool] = True

    columns: tuple[str, ...] = key("Key columns; default all of the data frame's.", default=())
    nulls_distinct: bool | None = key(NULLS_DISTINCT, default=None)

    def default_assertion(self) -> Assertion:
        """No duplicates."""
        return Assertion("==", Decimal(0))

    def analyzer(self) -> DuplicateRowCount:
        """Rows that have a double."""
        return self.made_into(DuplicateRowCount)


@dataclass(frozen=True, kw_only=True)
class HasEntropy(ColumnCheck):
    """Entropy of the values that are not null, in nats: 0 where all are the same, ln(n) where n are equally frequent."""

    RANGE: ClassVar[Range | None] = COUNT
    NEEDS_ASSERTION: ClassVar[str | None] = ">= 1.5"

    def analyzer(self) -> Entropy:
        """Entropy."""
        return self.made_into(Entropy)


@dataclass(frozen=True, kw_only=True)
class HasMutualInformation(PairCheck):
    """How much one column says of another, in nats: 0 where nothing. As in Deequ a pair with a null says nothing, though its row counts among the rows and for the value beside the null."""

    RANGE: ClassVar[Range | None] = COUNT
    NEEDS_ASSERTION: ClassVar[str | None] = ">= 0.5"

    def analyzer(self) -> MutualInformation:
        """Mutual information."""
        return self.made_into(MutualInformation, columns=(self.column_a, self.column_b))
