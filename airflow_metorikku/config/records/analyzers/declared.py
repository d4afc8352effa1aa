"""Analyzers of schemas: whether rows hold what a schema declares (Deequ's RowLevelSchemaValidator), and whether the columns do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Literal

from airflow_metorikku.config.fields import check_columns, key
from airflow_metorikku.config.java_regex import mistake_in
from airflow_metorikku.config.records.analyzers.base import Analyzer, Cost
from airflow_metorikku.config.records.analyzers.schema import SchemaKeys
from airflow_metorikku.config.spark_types import mistake_in_type

ColumnType = Literal[
    "string", "int", "long", "decimal", "double", "float", "boolean", "date", "timestamp"
]
_NUMERIC = ("int", "long", "decimal", "double", "float")
_MOST_DIGITS = 38


@dataclass(frozen=True, kw_only=True)
class SchemaColumn:
    """What a column's values must be: of a type, or a text that can be read as one."""

    name: str = key("Column.")
    type: ColumnType = key("Type.", default="string")
    nullable: bool = key("Whether it may be null.", default=True)
    min: Decimal | None = key("Smallest number.", default=None)
    max: Decimal | None = key("Largest number.", default=None)
    min_length: int | None = key("Least characters of a string.", default=None)
    max_length: int | None = key("Most characters of a string.", default=None)
    pattern: str | None = key(
        "Regular expression (Java's) that a string must hold; anchor it yourself.",
        default=None,
        also=("matches",),
    )
    precision: int | None = key("Digits of a decimal; default 38.", default=None)
    scale: int | None = key("Digits after its point; default 0.", default=None)
    mask: str | None = key(
        "Spark's pattern of a date or timestamp in a text, as `yyyy-MM-dd HH:mm:ss`; default ISO 8601.",
        default=None,
    )

    def __post_init__(self) -> None:
        only = {
            ("min", "max"): _NUMERIC,
            ("min_length", "max_length", "pattern"): ("string",),
            ("precision", "scale"): ("decimal",),
            ("mask",): ("date", "timestamp"),
        }
        for names, types in only.items():
            for name in names:
                if getattr(self, name) is not None and self.type not in types:
                    raise ValueError(
                        f"{_spelt(name)}: goes with type {' or '.join(types)}, not with {self.type}"
                    )
        if self.pattern is not None and (mistake := mistake_in(self.pattern)):
            raise ValueError(f"pattern: {mistake}")
        if self.type == "decimal" and not 0 <= self.digits[1] <= self.digits[0] <= _MOST_DIGITS:
            raise ValueError(
                f"precision: expected 1 to {_MOST_DIGITS} digits, of which at most all are behind the point, got {self.digits[0]} and {self.digits[1]}"
            )
        for least, most in (("min", "max"), ("min_length", "max_length")):
            low, high = getattr(self, least), getattr(self, most)
            if low is not None and high is not None and low > high:
                raise ValueError(
                    f"{_spelt(least)}: got {low}, expected at most {_spelt(most)}, {high}"
                )

    @property
    def digits(self) -> tuple[int, int]:
        """Precision and scale of a decimal."""
        precision = _MOST_DIGITS if self.precision is None else self.precision
        return precision, self.scale or 0


def _spelt(name: str) -> str:
    return {"min_length": "minLength", "max_length": "maxLength"}.get(name, name)


@dataclass(frozen=True, kw_only=True)
class RowSchema(Analyzer):
    """Share of rows in which every declared column holds what it must. A null in a column that may be null is valid, whatever else is asked."""

    COST: ClassVar[Cost] = "risky"

    columns: tuple[SchemaColumn, ...] = key("The columns.")

    def __post_init__(self) -> None:
        check_columns("columns", self.columns_analyzed())

    def columns_analyzed(self) -> tuple[str, ...]:
        """The declared columns."""
        return tuple(column.name for column in self.columns)


@dataclass(frozen=True, kw_only=True)
class DeclaredColumns(SchemaKeys):
    """Share of the declared columns that are there with their type; of the data frame's where they are more, unless the others are ignored."""

    columns: Mapping[str, str] = key(
        "By name the type as SQL has it, as `decimal(10,2)`; none where any will do.", null=""
    )
    extra: Literal["fail", "ignore"] = key("What columns beside them are.", default="fail")
    order: Literal["any", "same"] = key(
        "`same`: they stand in this order, others aside.", default="any"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_columns("columns", tuple(self.columns))
        for name, text in self.columns.items():
            if text.strip() and (mistake := mistake_in_type(text)):
                raise ValueError(f"columns: {name}: {mistake}")


@dataclass(frozen=True, kw_only=True)
class ColumnNames(SchemaKeys):
    """Share of the columns whose whole name matches a regular expression."""

    pattern: str = key("Regular expression (Java's) of a whole name.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if mistake := mistake_in(self.pattern):
            raise ValueError(f"pattern: {mistake}")
