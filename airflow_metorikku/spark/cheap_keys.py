"""Cheaper answers than groups, for keys that are hoped to be unique or only to be counted.

Whole numbers that lie close together are counted in bitmaps: exactly, without a row in a shuffle
(a third of the cost of groups). Other keys are grouped by a 64-bit hash: equal keys have equal hashes,
so when every hash occurs once, so does every key; when one occurs twice, nothing is known, and the
groups must be made.
"""

from __future__ import annotations

from functools import reduce
from math import ceil
from operator import and_, or_
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F
from pyspark.sql.types import (
    BinaryType,
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    StringType,
    TimestampNTZType,
    TimestampType,
)

from airflow_metorikku.spark.aggregates import ROWS, SPARK_ERRORS
from airflow_metorikku.spark.grouping import (
    INTEGERS,
    CompleteKeys,
    Grouping,
    KeyCounts,
    Wanted,
    group_keys,
    values_known,
)
from airflow_metorikku.spark.jvm import java_frame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import Column, DataFrame

    from airflow_metorikku.spark.aggregates import Key

_BITS = 32768
_BYTES = _BITS // 8
_BYTES_A_ROW = 8
_FURTHEST = 2**62
"""Bitmaps are for numbers up to here: the positions of the smallest longs do not fit."""
_FEW_KEYS = 2**16
"""So many keys fit the map of Spark's generated code: grouping them costs less than the sort before the bitmaps."""
_SPREAD_BYTES = 128 * 1024 * 1024
_HASHED = (
    *INTEGERS, BinaryType, BooleanType, DateType, DecimalType, DoubleType, FloatType, TimestampNTZType, TimestampType,
)  # fmt: skip


def count_keys(
    frame: DataFrame, grouping: Grouping, wanted: Wanted, values: Mapping[Key, Any]
) -> KeyCounts:
    """What is wanted of the keys, in the cheapest exact way; `values` are those of the pass over all rows. Spark's own errors pass through."""
    if wanted.enough != "groups":
        found = None
        if _is_dense(frame, grouping, values):
            found = _in_bitmaps(frame, grouping, wanted, values)
        elif wanted.enough == "unique" and all(_is_hashed(kind) for kind in grouping.types):
            found = _by_hash(frame, grouping, values.get(ROWS) if grouping.where is None else None)
        if found:
            return found
    return group_keys(frame, grouping, wanted)


def _is_dense(frame: DataFrame, grouping: Grouping, values: Mapping[Key, Any]) -> bool:
    """Whether the bitmaps of all tasks together are smaller than the keys would be in a shuffle."""
    if not values_known(grouping, values) or grouping.range is None:
        return False
    least, most = values[grouping.range.least.key], values[grouping.range.most.key]
    if least is None or max(abs(least), abs(most)) > _FURTHEST or most - least < _FEW_KEYS:
        return False
    buckets = (most - least) // _BITS + 2
    return bool(_tasks(frame) * buckets * _BYTES < _BYTES_A_ROW * values[grouping.range.known.key])


def _tasks(frame: DataFrame) -> int:
    """About how many tasks read the data frame; each may need a bitmap of every range."""
    cores = frame.sparkSession.sparkContext.defaultParallelism
    try:
        size = int(java_frame(frame).queryExecution().optimizedPlan().stats().sizeInBytes())
    except SPARK_ERRORS:
        return cores
    return max(cores, ceil(size / _SPREAD_BYTES))


def _in_bitmaps(
    frame: DataFrame, grouping: Grouping, wanted: Wanted, values: Mapping[Key, Any]
) -> KeyCounts | None:
    """Exact, by one bit a number; None where keys are hoped to be unique and are not."""
    if grouping.range is None:
        return None
    known, rows = values[grouping.range.known.key], values[grouping.range.rows.key]
    key = F.col("k0").cast("bigint")
    bitmaps = (
        grouping.rows(frame)
        .where(F.col("k0").isNotNull())
        .groupBy(F.bitmap_bucket_number(key).alias("bucket"))
        .agg(F.bitmap_construct_agg(F.bitmap_bit_position(key)).alias("bits"))
    )
    distinct = bitmaps.agg(F.sum(F.bitmap_count("bits")).alias("keys")).collect()[0]["keys"] or 0
    if distinct == known:
        return _unique(known, rows, complete=known)
    if wanted.enough == "unique":
        return None
    return KeyCounts(
        keys=distinct + (known < rows),
        keyed_rows=known,
        rows=rows,
        single_keys=None,
        complete=CompleteKeys(keys=distinct, rows=known, single_keys=None),
    )


def _is_hashed(kind: DataType) -> bool:
    """Whether equal values of a type surely have equal hashes."""
    if isinstance(kind, StringType):
        # Under a collation of Spark 4 different texts may be equal; Spark 3 has none.
        return getattr(kind, "collation", "UTF8_BINARY") == "UTF8_BINARY"
    return isinstance(kind, _HASHED)


def _by_hash(frame: DataFrame, grouping: Grouping, rows: int | None) -> KeyCounts | None:
    """Proof that every key occurs once; None where there is none.

    :param rows: of the data frame, where they are known.
    """
    keys = [
        _hashed(F.col(name), kind)
        for name, kind in zip(grouping.names, grouping.types, strict=True)
    ]
    nulls = [F.col(name).isNull() for name in grouping.names]
    # The hash skips nulls, so that (1, null) and (null, 1) would be one.
    hash_ = F.xxhash64(*keys, *(nulls if len(nulls) > 1 else ()))
    known = [F.col(name).isNotNull() for name in grouping.names]
    keyed = F.col("h").isNotNull()
    hashes = grouping.rows(frame).select(
        F.when(reduce(or_, known), hash_).alias("h"), reduce(and_, known).alias("complete")
    )
    if rows is not None:
        # Groups of what are hoped to be single rows, made before the shuffle, would cost a fifth of it all.
        hashes = hashes.where(keyed).repartition("h")
    groups = hashes.groupBy("h").agg(
        F.count(F.lit(1)).alias("n"), F.max("complete").alias("complete")
    )
    counts = groups.agg(
        F.count("h").alias("hashes"),
        F.sum(F.when(keyed, F.col("n"))).alias("keyed_rows"),
        F.sum("n").alias("rows"),
        F.count(F.when(F.col("complete"), F.lit(1))).alias("complete"),
    ).collect()[0]
    if counts["hashes"] != (counts["keyed_rows"] or 0):
        return None
    counted = counts["rows"] or 0 if rows is None else rows
    return _unique(counts["hashes"], counted, complete=counts["complete"])


def _hashed(key: Column, kind: DataType) -> Column:
    """Without the sign of zero, which groups do not tell apart."""
    if isinstance(kind, FloatType | DoubleType):
        return F.when(key == 0, F.lit(0.0).cast(kind)).otherwise(key)
    return key


def _unique(keyed_rows: int, rows: int, *, complete: int) -> KeyCounts:
    """Every key, but for the all-null one, occurs once; so many have no null."""
    return KeyCounts(
        keys=keyed_rows + (keyed_rows < rows),
        keyed_rows=keyed_rows,
        rows=rows,
        single_keys=keyed_rows,
        complete=CompleteKeys(keys=complete, rows=complete, single_keys=complete),
    )
