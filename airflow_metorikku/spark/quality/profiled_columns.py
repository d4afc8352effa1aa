"""The columns of a profile: those of the data frame, and the fields of its structs, each under a name that checks take too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    ByteType,
    DataType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
)

from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.results.distributions import DataTypes
from airflow_metorikku.results.profiles import BOOLEAN, FRACTIONAL, INTEGRAL, STRING, UNKNOWN
from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.subject import holds_map

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import Column, DataFrame


NUMERIC = (INTEGRAL, FRACTIONAL)
_NAMES: dict[type[DataType], str] = {
    ByteType: INTEGRAL,
    ShortType: INTEGRAL,
    IntegerType: INTEGRAL,
    LongType: INTEGRAL,
    FloatType: FRACTIONAL,
    DoubleType: FRACTIONAL,
    DecimalType: FRACTIONAL,
    BooleanType: BOOLEAN,
    TimestampNTZType: "Timestamp",
}
# What texts are read as: all digits that Spark's numbers have, so that none is lost without need.
_READ_AS = {INTEGRAL: "decimal(38,0)", FRACTIONAL: "double"}
_SIMPLE = re.compile(r"[^.`]+")


@dataclass(frozen=True, kw_only=True)
class ProfiledColumn:
    """A column, or a field of a struct. `problem` is why nothing is known of it."""

    name: str
    path: tuple[str, ...]
    type: DataType
    problem: str | None = None

    @property
    def is_text(self) -> bool:
        """Whether its values are texts, which may be read as something else."""
        return isinstance(self.type, StringType)

    @property
    def can_be_counted(self) -> bool:
        """Whether Spark can tell its values apart."""
        return not holds_map(self.type)

    @property
    def has_single_values(self) -> bool:
        """Whether its values are texts to people."""
        return not isinstance(self.type, ArrayType | MapType | StructType | BinaryType)

    @property
    def sql(self) -> str:
        """Its name as Spark SQL takes it."""
        return ".".join(map(quoted, self.path))

    def read_as(self, data_type: str) -> Column:
        """Its values; of texts that are all numbers, the numbers: a sign and a blank may stand before them, as Deequ's types allow."""
        if not self.is_text:
            return F.col(self.sql)
        kind = _READ_AS[data_type]
        return F.expr(f"try_cast(regexp_replace({self.sql}, '^([-+]?) ', '$1') AS {kind})")


def profiled_columns(
    frame: DataFrame, data_frame: str, names: Sequence[str]
) -> list[ProfiledColumn]:
    """All columns of a data frame with the fields of structs after each, or those of some names; raises UnknownColumnError."""
    columns = Columns(frame, data_frame)
    if names:
        wanted = [columns.find(name) for name in names]
        return [
            ProfiledColumn(name=name, path=one.path, type=one.type)
            for name, one in zip(names, wanted, strict=True)
        ]
    found: list[ProfiledColumn] = []
    for path, kind in _parts(frame.schema, ()):
        name = _name(path, frame.columns)
        problem = None
        try:
            columns.find(name)
        except MetorikkuError as error:
            problem = str(error)
        found.append(ProfiledColumn(name=name, path=path, type=kind, problem=problem))
    return found


def _parts(
    fields: StructType, above: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], DataType]]:
    for field in fields.fields:
        path = (*above, field.name)
        yield path, field.dataType
        if isinstance(field.dataType, StructType):
            yield from _parts(field.dataType, path)


def _name(path: tuple[str, ...], flat: Sequence[str]) -> str:
    """As checks take it: plain where that is clear; a flat name with dots comes before a field's."""
    if len(path) == 1:
        return path[0]
    name = ".".join(part if _SIMPLE.fullmatch(part) else quoted(part) for part in path)
    taken = {one.lower() for one in flat}
    return ".".join(map(quoted, path)) if name.lower() in taken else name


def type_name(kind: DataType) -> str:
    """Deequ's word for a type, where it has one; texts are yet to be looked at."""
    if isinstance(kind, StringType):
        return STRING
    return _NAMES.get(type(kind)) or type(kind).__name__.removesuffix("Type")


def decided(types: object) -> tuple[str, tuple[str, ...]]:
    """The type of a column of texts by Deequ's rule, and all types that its texts have."""
    counts = types.values if isinstance(types, DataTypes) else {}
    found = tuple(
        name
        for name in (INTEGRAL, FRACTIONAL, BOOLEAN, STRING)
        if name in counts and counts[name][0]
    )
    if not found:
        return UNKNOWN, ()
    if STRING in found or (BOOLEAN in found and len(found) > 1):
        return STRING, found
    return found[-1], found
