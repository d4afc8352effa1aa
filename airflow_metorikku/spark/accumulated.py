"""Counts and sums that Spark's generated code adds up while it writes a data frame.

An observation takes each row out of generated code, which costs more than the sums themselves. Here each is an
accumulator of Spark's own, which a column adds to that nobody reads: it is no function of the row, so that Spark
neither moves nor repeats it, and a condition that always holds keeps it. A sum wraps at 64 bits, where Spark's own may
raise: all of `sums` fit for 2^40 rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, StructType

from airflow_metorikku.spark.aggregates import Aggregate, Key, named
from airflow_metorikku.spark.jvm import (
    as_column,
    as_expression,
    java_class,
    java_context,
    java_frame,
    scala_list,
    scala_map,
)
from airflow_metorikku.spark.names import column_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame, SparkSession

ADDED = "metorikku added all"
"""Name of the column, under which an optimised plan still has it."""
_ROOM = 60
"""For fields of the rows and accumulators together, about 100 bytes of code each: Java never compiles a method of more than 8,000."""
_PLAIN = frozenset({"Count long", "Sum long", "Sum double"})
_EXPRESSIONS = "org.apache.spark.sql.catalyst.expressions"


@dataclass(frozen=True)
class _Part:
    """One aggregate: what of each row is added, null where nothing is."""

    key: Key
    value: Column
    counts: bool
    floats: bool


class Accumulated:
    """A data frame whose first action also adds up counts and sums."""

    def __init__(self, frame: DataFrame, parts: Sequence[_Part]) -> None:
        context = java_context(frame.sparkSession)
        self._added = [
            (one, context.doubleAccumulator() if one.floats else context.longAccumulator())
            for one in parts
        ]
        numbers = [_added(frame.sparkSession, one.value, to) for one, to in self._added]
        # How many were added is never negative; bits together, as `and` would stop at the first that fails.
        all_ = reduce(Column.bitwiseOR, numbers) >= 0
        self.frame = frame.select("*", all_.alias(ADDED)).where(F.col(f"`{ADDED}`")).drop(ADDED)

    @property
    def added(self) -> int:
        """How many accumulators there are."""
        return len(self._added)

    def values(self) -> dict[Key, Any]:
        """Values by key, after an action on `frame`."""
        return {
            one.key: to.count() if one.counts else to.sum() if to.count() else None
            for one, to in self._added
        }


def accumulated(frame: DataFrame, aggregates: Sequence[Aggregate], room: int) -> Accumulated | None:
    """The data frame that adds up all of them; None where some are no plain counts and sums, or there is no room for them.

    :param room: for accumulators, of what is written and others who add by the way.
    """
    if len(aggregates) > room or column_of(frame, ADDED):
        return None
    analysed = java_frame(frame.agg(*named(aggregates))).queryExecution().analyzed()
    if analysed.getClass().getSimpleName() != "Aggregate":
        return None
    columns = analysed.aggregateExpressions()
    parts = [_part(one, columns.apply(number)) for number, one in enumerate(aggregates)]
    found = [one for one in parts if one]
    return Accumulated(frame, found) if len(found) == len(parts) else None


def room_of(written: DataFrame) -> int:
    """Accumulators that there is room for on the way to a data frame."""
    return _ROOM - _fields(written.schema)


def _fields(kind: DataType) -> int:
    """Those of structs too, each of which has code of its own."""
    if isinstance(kind, StructType):
        return sum(_fields(one.dataType) for one in kind.fields)
    return 1


def _part(aggregate: Aggregate, named_: Any) -> _Part | None:
    """What Spark's analysis made of an aggregate."""
    asked = named_.child()
    if asked.getClass().getSimpleName() != "AggregateExpression":
        return None
    if asked.isDistinct() or asked.filter().isDefined():
        return None
    function = asked.aggregateFunction()
    kind = f"{function.getClass().getSimpleName()} {function.dataType().typeName()}"
    if function.children().size() != 1 or kind not in _PLAIN:
        return None
    value = as_column(function.children().apply(0))
    counts, floats = kind == "Count long", kind == "Sum double"
    if counts:
        value = F.when(value.isNotNull(), F.lit(1))
    return _Part(
        key=aggregate.key,
        value=value.cast("double" if floats else "bigint"),
        counts=counts,
        floats=floats,
    )


def _added(session: SparkSession, value: Column, to: Any) -> Column:
    """How many values were added so far, once this row's is; Spark adds no null."""

    def new(name: str, *parts: Any) -> Any:
        return java_class(session, f"{_EXPRESSIONS}.{name}")(*parts)

    kind = java_class(session, "org.apache.spark.sql.types.ObjectType")(to.getClass())
    literals = getattr(java_class(session, f"{_EXPRESSIONS}.Literal$"), "MODULE$")
    long = getattr(java_class(session, "org.apache.spark.sql.types.LongType$"), "MODULE$")
    none = scala_list(session, [])
    adds = new(
        "objects.InitializeJavaBean",
        literals.fromObject(to, kind),
        scala_map(session, {"add": as_expression(value)}),
    )
    # Null where an argument is, may be null, is a function of its arguments.
    flags = (True, False, False)
    return as_column(new("objects.Invoke", adds, "count", long, none, none, *flags))
