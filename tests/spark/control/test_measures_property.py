"""Controls of random data against Python's own integers, decimals and CRC32."""

from __future__ import annotations

import zlib
from decimal import Decimal, localcontext

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql.types import (
    DecimalType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
)

from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.control.measures import ControlRequest
from airflow_metorikku.spark.control.texts import total_text

SCHEMA = StructType(
    [
        StructField("i", IntegerType()),
        StructField("l", LongType()),
        StructField("narrow", DecimalType(18, 2)),
        StructField("wide", DecimalType(38, 0)),
        StructField("mixed", DecimalType(38, 18)),
        StructField("s", StringType()),
    ]
)
TOTALS = (
    "aggregatedTotal",
    "absAggregatedTotal",
    "aggregatedTruncTotal",
    "absAggregatedTruncTotal",
)


def decimals(digits: int, places: int) -> st.SearchStrategy[Decimal]:
    most = 10**digits - 1
    return st.integers(-most, most).map(lambda number: Decimal(f"{number}E-{places}"))


ROWS = st.lists(
    st.tuples(
        st.none() | st.integers(-(2**31), 2**31 - 1),
        st.none() | st.integers(-(2**63), 2**63 - 1),
        st.none() | decimals(18, 2),
        st.none() | decimals(38, 0),
        st.none() | decimals(38, 18),
        st.none() | st.text(st.characters(codec="utf-8"), max_size=8),
    ),
    max_size=12,
)


def expected(kind: str, values: list[Decimal]) -> str:
    with localcontext() as context:
        context.prec = 100
        taken = [Decimal(int(value)) if "Trunc" in kind else value for value in values]
        return total_text(
            sum((abs(value) if kind.startswith("abs") else value for value in taken), Decimal(0))
        )


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=ROWS)
def test_controls_are_exact(spark: SparkSession, rows: list[tuple[object, ...]]) -> None:
    frame = spark.createDataFrame(rows, SCHEMA)
    numeric = SCHEMA.names[:-1]
    asked = [(column, kind) for column in numeric for kind in TOTALS]
    asked += [("s", "hashCrc32"), ("s", "count"), ("*", "count"), ("l", "hashCrc32")]
    requests = [
        ControlRequest(checkpoint="c", name=f"{column}.{kind}", type=kind, column=column)
        for column, kind in asked
    ]
    got = {one.name: one.value for one in Audit("t", controls=requests).scan(frame).controls}
    for position, column in enumerate(numeric):
        values = [Decimal(row[position]) for row in rows if row[position] is not None]
        for kind in TOTALS:
            assert got[f"{column}.{kind}"] == expected(kind, values), (column, kind)
    for column, position in (("s", 5), ("l", 1)):
        hashes = [
            zlib.crc32(str(row[position]).encode()) for row in rows if row[position] is not None
        ]
        assert got[f"{column}.hashCrc32"] == (str(sum(hashes)) if hashes else "")
    assert got["s.count"] == got["*.count"] == str(len(rows))
