"""What the real Deequ said of keys, distributions and comparisons, record by record, against ours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from asked_checks import ORACLE, Record, records, same, values
from pyspark.sql import SparkSession

from airflow_metorikku.config.records.analyzers import ANALYZERS
from airflow_metorikku.results.distributions import Histogram, HistogramBinned
from airflow_metorikku.spark.quality.values import MetricValue

ANALYZER_RECORDS = records("key_analyzers.jsonl.gz")
CHECK_RECORDS = records("key_checks.jsonl.gz")


@pytest.fixture(scope="module", autouse=True)
def _views(spark: SparkSession) -> Any:
    """The data sets that are compared with."""
    names = ("shared_people", "shared_ref", "shared", "empty")
    for name in names:
        spark.read.parquet(str(ORACLE / f"{name}.parquet")).createOrReplaceTempView(name)
    yield
    for name in names:
        spark.catalog.dropTempView(name)


def decimals(given: list[Any]) -> tuple[Decimal, ...]:
    return tuple(Decimal(str(number)) for number in given)


NAMES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "maxBins": ("max_bins", int),
    "sumOf": ("sum_of", str),
    "binCount": ("bin_count", int),
    "edges": ("edges", decimals),
    "includeOverflowBins": ("include_overflow_bins", bool),
    "sketchSize": ("sketch_size", int),
    "shrinkingFactor": ("shrinking_factor", lambda n: Decimal(str(n))),
    "numberOfBuckets": ("number_of_buckets", int),
    "columnA": ("column_a", str),
    "columnB": ("column_b", str),
    "columns": ("columns", tuple),
    "more": ("more", tuple),
    "key": ("value", str),
    "otherColumns": ("other_columns", tuple),
}


def given(params: dict[str, Any]) -> dict[str, Any]:
    """Parameters under our names."""
    out = {}
    for name, value in params.items():
        ours, convert = NAMES.get(name, (name, lambda same: same))
        out[ours] = convert(value)
    return out


def made(record: Record) -> Any:
    """Our analyzer of a record, or the sentence that refuses it."""
    kind = ANALYZERS[record["analyzer"]]
    fields = given(record["params"]) | {"where_": record["where"]}
    if "columns" in kind.__dataclass_fields__:
        fields["columns"] = tuple(record["columns"])
    elif record["columns"]:
        (fields["column"],) = record["columns"]
    try:
        return kind(**fields)
    except ValueError as error:
        return str(error)


def test_print(spark: SparkSession) -> None:
    groups = defaultdict(list)
    for record in ANALYZER_RECORDS:
        if "asRatio" in record["params"]:
            continue
        groups[record["dataset"]].append(record)
    for name, mine in groups.items():
        frame = spark.read.parquet(str(ORACLE / f"{name}.parquet"))
        pairs = [(record, made(record)) for record in mine]
        asked = [(record, one) for record, one in pairs if not isinstance(one, str)]
        got = values(frame, [one for _, one in asked], name)
        for record, one in pairs:
            if isinstance(one, str):
                pass
        for (record, _), ours in zip(asked, got, strict=True):
            if not agrees(record, ours):
                pass


def agrees(record: Record, ours: MetricValue | str) -> bool:
    if "value" not in record:
        return isinstance(ours, str) or ours.none is not None
    theirs = record["value"]
    if isinstance(ours, str):
        return False
    found = ours.distribution
    if found is None:
        return not isinstance(theirs, dict) and same(theirs, ours.number)
    if isinstance(found, Histogram):
        return (
            found.bins == theirs["numberOfBins"]
            and found.tail_count == theirs["tailCount"]
            and list(found.values) == [v[0] for v in theirs["values"]]
            and all(
                same(t[1], o[0]) and same(t[2], o[1])
                for t, o in zip(theirs["values"], found.values.values(), strict=False)
            )
        )
    if isinstance(found, HistogramBinned):
        return (
            found.null_count == theirs["nullCount"]
            and len(found.bins) == theirs["numberOfBins"]
            and all(
                same(t[0], o.start)
                and same(t[1], o.end)
                and t[2] == o.frequency
                and same(t[3], o.ratio)
                for t, o in zip(theirs["bins"], found.bins, strict=False)
            )
        )
    return len(found.buckets) == len(theirs["buckets"]) and all(
        same(t[0], o.low) and same(t[1], o.high) and t[2] == o.count
        for t, o in zip(theirs["buckets"], found.buckets, strict=False)
    )
