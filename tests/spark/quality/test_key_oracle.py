"""What the real Deequ said of keys, distributions and comparisons, record by record, against ours."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from asked_checks import constraint, same, satisfying, values
from deequ_oracle import ORACLE, Record, records, status_of_deequ
from oracle.deequ_differences import DIFFERENCES_KEYS
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.records.analyzers import ANALYZERS
from airflow_metorikku.config.records.analyzers.comparisons import (
    DatasetMatch,
    ReferentialIntegrity,
    RowCountMatch,
    SchemaMatch,
)
from airflow_metorikku.config.records.checks import CHECKS
from airflow_metorikku.results.distributions import KLL, Histogram, HistogramBinned
from airflow_metorikku.results.records import ConstraintResult
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.quality.values import MetricValue

DATA_SETS = ("shared", "shared_single", "empty", "shared_people", "shared_ref")
# Many small queries: what they compute does not depend on how they are compiled.
QUICK = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
}


@pytest.fixture(scope="module")
def frames(spark: SparkSession) -> Iterator[dict[str, DataFrame]]:
    """The data sets, also as the views that are compared with."""
    before = {name: str(spark.conf.get(name)) for name in QUICK}
    for name, value in QUICK.items():
        spark.conf.set(name, value)
    found = {name: spark.read.parquet(str(ORACLE / f"{name}.parquet")) for name in DATA_SETS}
    for name, frame in found.items():
        frame.createOrReplaceTempView(name)
    yield found
    for name in found:
        spark.catalog.dropTempView(name)
    for name, value in before.items():
        spark.conf.set(name, value)


NAMES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "maxBins": ("max_bins", int),
    "sumOf": ("sum_of", str),
    "binCount": ("bin_count", int),
    "edges": ("edges", lambda given: tuple(Decimal(str(number)) for number in given)),
    "includeOverflowBins": ("include_overflow_bins", bool),
    "sketchSize": ("sketch_size", int),
    "shrinkingFactor": ("shrinking_factor", lambda number: Decimal(str(number))),
    "numberOfBuckets": ("number_of_buckets", int),
    "columnA": ("column_a", str),
    "columnB": ("column_b", str),
    "columns": ("columns", tuple),
    "otherColumns": ("other_columns", tuple),
    "more": ("more", tuple),
    "key": ("value", str),
}


def ours_of(params: dict[str, Any]) -> dict[str, Any]:
    """Parameters under our names."""
    named = {name: NAMES.get(name, (name, lambda value: value)) for name in params}
    return {ours: convert(params[name]) for name, (ours, convert) in named.items()}


def made(kind: type[Any], fields: dict[str, Any]) -> Any:
    """The record, or the sentence that refuses it when the file is read."""
    try:
        return kind(**fields)
    except ValueError as error:
        return str(error)


def analyzer_of(record: Record) -> Any:
    kind = ANALYZERS[record["analyzer"]]
    fields = ours_of(record["params"]) | {"where_": record["where"]}
    if "columns" in kind.__dataclass_fields__:
        fields["columns"] = tuple(record["columns"])
    elif record["columns"]:
        (fields["column"],) = record["columns"]
    return made(kind, fields)


Fits = Callable[[Record], bool]


def of(*kinds: str, columns: tuple[str, ...] | None = None, **params: Any) -> Fits:
    """Records of some analyzers; of one column of several, or with a parameter."""
    return lambda record: (
        record["analyzer"] in kinds
        and (columns is None or bool(set(columns) & set(record["columns"])))
        and all(record["params"].get(name) == value for name, value in params.items())
    )


def in_empty(*kinds: str) -> Fits:
    return lambda record: record["dataset"] == "empty" and record["analyzer"] in kinds


FILTERED: Fits = lambda record: (  # noqa: E731 - one of the conditions below
    record["where"] == "grp = 'a'" and record["dataset"] == "shared"
)
GROUPED = ("Distinctness", "UniqueValueRatio", "CountDistinct", "DuplicateRowCount", "Entropy")
# Which records, our number (a check of a distribution, or a status), and the topic of the reason.
DIFFERENCES: list[tuple[Fits, Any, str]] = [
    (in_empty("CountDistinct", "DuplicateRowCount", "Histogram", "HistogramBinned", "KLLSketch"), "no data", "no rows"),
    (lambda r: r["analyzer"] == "DuplicateRowCount" and r["columns"] in (["n_s"], ["n_s", "n_d"]) and not r["where"] and r["dataset"] != "empty", "no data", "all null"),
    (of("KLLSketch", columns=("n_i", "n_d")), "no data", "all null"),
    (lambda r: r["columns"] == ["k1", "k1"], "refused", "A column twice"),
    (lambda r: r["analyzer"] == "DuplicateRowCount" and not r["columns"], "error", "maps cannot"),
    (of("Distinctness", columns=("arr", "st")), 3 / 19, "complex"),
    (of("UniqueValueRatio", columns=("arr", "st")), 0, "complex"),
    (of("CountDistinct", columns=("arr", "st")), 3, "complex"),
    (of("DuplicateRowCount", columns=("arr", "st")), 19, "complex"),
    (of("Entropy", columns=("arr",)), -sum(n / 19 * math.log(n / 19) for n in (10, 5, 4)), "complex"),
    (of("Distinctness", columns=("col.dot",)), 3 / 18, "with dots"),
    (of("UniqueValueRatio", columns=("col.dot",)), 0, "with dots"),
    (of("CountDistinct", columns=("col.dot",)), 3, "with dots"),
    (of("DuplicateRowCount", columns=("col.dot",)), 18, "with dots"),
    (of("Distinctness", columns=("st.x",)), 2 / 14, "nested fields"),
    (of("UniqueValueRatio", columns=("st.x",)), 0, "nested fields"),
    (of("CountDistinct", columns=("st.x",)), 2, "nested fields"),
    (of("DuplicateRowCount", columns=("st.x",)), 14, "nested fields"),
    # Of the 18 rows with a value each of the three comes with all of four others, six times.
    (lambda r: r["columns"] == ["`col.dot`", "order"], lambda v: v.number is not None and v.number > 0, "with dots"),
    (of("Histogram", columns=("col.dot", "`col.dot`")), lambda v: v.distribution.values == {"NullValue": (6, .25), "1": (6, .25), "2": (6, .25), "3": (6, .25)}, "with dots"),
    (of("Histogram", columns=("`col space`",)), lambda v: v.distribution.bins == 3, "with dots"),
    (of("HistogramBinned", columns=("`col.dot`",)), lambda v: [one.frequency for one in v.distribution.bins] == [6, 0, 6, 6], "with dots"),
    (of("Histogram", columns=("s_null",)), lambda v: v.distribution.values == {"NullValue": (6, .25), "'NullValue'": (6, .25), "a": (6, .25), "b": (6, .25)}, "null's name"),
    (of("Histogram", columns=("s",)), lambda v: v.distribution.bins == 21 and v.distribution.values["NullValue"][0] == 2 and v.distribution.values["'NullValue'"][0] == 1, "null's name"),
    (of("Histogram", columns=("dz",)), lambda v: v.distribution.values["0.0"] == (12, .5) and "-0.0" not in v.distribution.values, "both zeros"),
    (of("Histogram", columns=("dec",)), lambda v: v.distribution.bins == 22 and v.distribution.values["0.000000000000000000"][0] == 2, "decimals' text"),
    (lambda r: FILTERED(r) and of("Histogram", columns=("cat",))(r) and not r["params"], lambda v: v.distribution.values == {"red": (6, .5), "NullValue": (3, .25), "green": (3, .25)}, "the ratios of histograms"),
    (lambda r: FILTERED(r) and of("Histogram", sumOf="pos")(r), lambda v: v.distribution.values == {"red": (27, 27 / 64), "NullValue": (20, 20 / 64), "green": (17, 17 / 64)}, "the ratios of histograms"),
    (lambda r: FILTERED(r) and of("HistogramBinned", columns=("pos",))(r), lambda v: [(one.frequency, one.ratio) for one in v.distribution.bins] == [(4, 4 / 12), (5, 5 / 12), (3, 3 / 12)], "the ratios of histograms"),
    (of("HistogramBinned", columns=("dnan",)), lambda v: [one.frequency for one in v.distribution.bins] == [3, 8, 5, 5], "NaN"),
    (of("HistogramBinned", columns=("dinf",)), lambda v: [one.frequency for one in v.distribution.bins] == [8, 4, 5, 6], "infinities"),
    (of("HistogramBinned", columns=("s",)), "error", "of numbers"),
    (of("HistogramBinned", binCount=0), "refused", "no bins"),
    (of("HistogramBinned", edges=[2, 2, 4]), "refused", "no bins"),
    (of("KLLSketch", columns=("dnan",)), lambda v: (v.distribution.buckets[0].low, v.distribution.buckets[-1].high, rows_in(v)) == (-4, 15, 21), "NaN"),
    (of("KLLSketch", columns=("dinf",)), lambda v: (v.distribution.buckets[0].low, v.distribution.buckets[-1].high, rows_in(v)) == (0, 18, 23), "infinities"),
    (of("KLLSketch", columns=("dec", "dec2")), lambda v: rows_in(v) in (23, 20), "decimals"),
    (of("KLLSketch", columns=("lkll",)), lambda v: (v.distribution.buckets[0].low, v.distribution.buckets[0].count) == (3000000000, 1), "KLL bounds"),
    (of("CustomSql", sql="SELECT 'text'"), "error", "one number"),
    (of("CustomSql", sql="SELECT CAST(NULL AS DOUBLE)"), "no data", "one number"),
    (of("CustomSql", sql="SELECT CAST(1.5 AS DECIMAL(10,2))"), 1.5, "decimals"),
    (lambda r: r["analyzer"] == "DatasetMatch" and r.get("value") == "NaN", "error", "not comparable"),
]  # fmt: skip


def rows_in(value: MetricValue) -> int:
    assert isinstance(value.distribution, KLL)
    return sum(bucket.count for bucket in value.distribution.buckets)


def is_theirs(record: Record, ours: MetricValue | str) -> bool:
    """Whether ours is what Deequ says: nothing where it has nothing."""
    if "value" not in record:
        return isinstance(ours, str) or ours.none is not None
    if isinstance(ours, str):
        return False
    theirs, found = record["value"], ours.distribution
    if found is None:
        return not isinstance(theirs, dict) and same(theirs, ours.number)
    return _IS_THEIRS[type(found)](theirs, found)


def _histogram(theirs: Any, ours: Histogram) -> bool:
    shown = [(name, *numbers) for name, numbers in ours.values.items()]
    return (theirs["numberOfBins"], theirs["tailCount"]) == (
        ours.bins,
        ours.tail_count,
    ) and _alike(theirs["values"], shown)


def _binned(theirs: Any, ours: HistogramBinned) -> bool:
    shown = [(one.start, one.end, one.frequency, one.ratio) for one in ours.bins]
    return theirs["nullCount"] == ours.null_count and _alike(
        [one[:4] for one in theirs["bins"]], shown
    )


def _sketch(theirs: Any, ours: KLL) -> bool:
    """Bounds are the same; a sketch of 16 numbers may be wrong by one in a bucket, ours counts."""
    wide = abs(ours.buckets[-1].high - ours.buckets[0].low)
    off = 1 if ours.sketch_size < 24 else 0
    return len(theirs["buckets"]) == len(ours.buckets) and all(
        math.isclose(low, one.low, rel_tol=1e-12, abs_tol=1e-12 * wide)
        and math.isclose(high, one.high, rel_tol=1e-12, abs_tol=1e-12 * wide)
        and abs(count - one.count) <= off
        for (low, high, count), one in zip(theirs["buckets"], ours.buckets, strict=True)
    )


_IS_THEIRS: dict[type[Any], Callable[[Any, Any], bool]] = {
    Histogram: _histogram,
    HistogramBinned: _binned,
    KLL: _sketch,
}


def _alike(theirs: list[Any], ours: list[Any]) -> bool:
    return len(theirs) == len(ours) and all(
        (one == other if isinstance(other, str) else same(one, other))
        for row, mine in zip(theirs, ours, strict=True)
        for one, other in zip(row, mine, strict=True)
    )


def is_expected(expected: Any, ours: MetricValue | str) -> bool:
    """Whether ours is what a difference says."""
    if expected == "error":
        return isinstance(ours, str)
    if isinstance(ours, str):
        return False
    if expected == "no data":
        return ours.none is not None
    return bool(expected(ours)) if callable(expected) else same(expected, ours.number)


# Whether ratios are told is not asked in ours: they always are.
ANALYZED = [r for r in records("key_analyzers.jsonl.gz") if "asRatio" not in r["params"]]


@pytest.mark.usefixtures("ansi")
@pytest.mark.parametrize("data_set", ["shared", "shared_single", "empty", "shared_people"])
def test_values_are_those_of_deequ(frames: dict[str, DataFrame], data_set: str) -> None:
    mine = [record for record in ANALYZED if record["dataset"] == data_set]
    all_made = [(record, analyzer_of(record)) for record in mine]
    asked = [(record, one) for record, one in all_made if not isinstance(one, str)]
    got = values(frames[data_set], [one for _, one in asked], data_set)
    wrong = []
    for record, one in all_made:
        expected = next((ours for fits, ours, _ in DIFFERENCES if fits(record)), None)
        if isinstance(one, str) and expected != "refused" and "value" in record:
            wrong.append((record, one))
    for (record, _), ours in zip(asked, got, strict=True):
        expected = next((ours for fits, ours, _ in DIFFERENCES if fits(record)), None)
        good = is_theirs(record, ours) if expected is None else is_expected(expected, ours)
        if not good:
            wrong.append((record, str(ours)))
    assert not wrong, "\n".join(str(one)[:1500] for one in wrong)


@pytest.mark.parametrize("difference", range(len(DIFFERENCES)))
def test_every_difference_has_its_records_and_its_reason(difference: int) -> None:
    fits, _, topic = DIFFERENCES[difference]
    assert [record for record in ANALYZED if fits(record)]
    assert [what for what, _ in DIFFERENCES_KEYS if topic in what]


CHECKED = [r for r in records("key_checks.jsonl.gz") if r.get("assertion") != "raise"]
# Which records of checks, our status (or value), and the topic of the reason.
CHECK_DIFFERENCES: list[tuple[Fits, Any, str]] = [
    (lambda r: r["method"] == "hasDuplicateRowCount" and not r["args"]["columns"], "error", "maps cannot"),
    (lambda r: r["dataset"] == "empty" and r["method"] != "customSql", "no_data", "no rows"),
    (lambda r: r["where"] == "id < 0" and r["method"] in ("hasEntropy", "hasMutualInformation"), "no_data", "no data"),
    (lambda r: r["where"] == "id < 0" and r["method"] == "hasUniqueValueRatio", "passed", "divides nothing by nothing"),
    (lambda r: r["where"] != "id < 0" and r["args"].get("columns") == ["n_s"], "no_data", "all null"),
    (lambda r: r["where"] == "grp = 'a'" and r["method"] == "hasHistogramValues" and r["args"]["key"] == "red" and r["args"]["field"] == "ratio", 0.5, "the ratios of histograms"),
    (lambda r: r["where"] == "grp = 'a'" and r["method"] == "hasHistogramValues" and r["args"]["key"] == "NullValue", 0.25, "the ratios of histograms"),
    (lambda r: r["where"] is not None and r["method"] == "customSql" and r["dataset"] == "shared", 12, "`where`"),
    (lambda r: r["where"] is not None and r["method"] == "customSql" and r["dataset"] == "empty", 0, "`where`"),
    (lambda r: "thrown" in r and r["method"] == "kllSketchSatisfies" and r["dataset"] == "shared", None, "`where`"),
    (lambda r: r["method"] == "kllSketchSatisfies" and r["args"]["column"] == "lkll", 3000000000, "KLL bounds"),
    (lambda r: r["args"].get("column") in ("col.dot", "`col.dot`", "`col space`", "`a-b`", "st.x"), None, "with dots"),
    (lambda r: r["method"] == "doesDatasetMatch" and r.get("value") == "NaN", "error", "not comparable"),
]  # fmt: skip


def check_of(record: Record) -> Any:
    assertion = satisfying(record["assertion"] or "== 1")
    fields = ours_of(record["args"]) | {"where_": record["where"], "assertion": assertion}
    return made(CHECKS[record["method"]], fields)


@pytest.mark.usefixtures("ansi")
@pytest.mark.parametrize("data_set", ["shared", "empty", "shared_people"])
def test_checks_are_those_of_deequ(frames: dict[str, DataFrame], data_set: str) -> None:
    mine = [(r, check_of(r)) for r in CHECKED if r["dataset"] == data_set]
    asked = [(record, check) for record, check in mine if not isinstance(check, str)]
    # What is refused when the file is read Deequ refuses when it runs.
    assert all("value" not in r for r, check in mine if isinstance(check, str))
    asked_of = [
        replace(
            constraint(number, check, check.assertion, data_set),
            check=record["method"],
        )
        for number, (record, check) in enumerate(asked)
    ]
    results = Audit(data_set, asked_of).scan(frames[data_set]).constraints
    wrong = [
        (record, result)
        for (record, check), result in zip(asked, results, strict=True)
        if not _is_expected_of_check(record, check, result)
    ]
    assert not wrong, "\n".join(str(one)[:1500] for one in wrong)


def _is_expected_of_check(record: Record, check: Any, result: ConstraintResult) -> bool:
    found = [ours for fits, ours, _ in CHECK_DIFFERENCES if fits(record)]
    if found and found[0] is None:
        return result.status in ("passed", "failed")
    if found and isinstance(found[0], str):
        return result.status == found[0]
    value = found[0] if found else record.get("value")
    if value is None or value == "NaN":
        return result.status == status_of_deequ(record)
    if record["method"] == "kllSketchSatisfies" and "sketchSize" in record["args"]:
        return abs(value - (result.value or 0)) <= 1  # its sketch of 16 is off by one
    return same(value, result.value) and (result.status == "passed") == check.assertion.holds(value)


@pytest.mark.parametrize("difference", range(len(CHECK_DIFFERENCES)))
def test_every_difference_of_checks_has_its_records_and_its_reason(difference: int) -> None:
    fits, _, topic = CHECK_DIFFERENCES[difference]
    assert [record for record in CHECKED if fits(record)]
    assert [what for what, _ in DIFFERENCES_KEYS if topic in what]


COMPARISONS = {
    "DataSynchronization": DatasetMatch,
    "ReferentialIntegrity": ReferentialIntegrity,
    "RowCountMatch": RowCountMatch,
    "SchemaMatch": SchemaMatch,
}


def number_of_deequ(record: Record) -> float | None:
    """The value in the text of a result, which of a success of some is no value."""
    text = record["result"]
    for start in ("Metric Value: ", "Value: "):
        if start in text:
            return float(text.partition(start)[2].split()[0])
    if record["comparison"] in ("RowCountMatch", "SchemaMatch"):
        return float(text.rpartition("(")[2].rpartition(",")[2].strip("()"))
    return None


def our_number(record: Record) -> float | str | None:
    """Ours where it differs: `error`, `no data`, or a number."""
    text, kind = record["result"], record["comparison"]
    if kind == "DataSynchronization" and ("duplicates" in text or "not found" in text):
        return "error"
    if kind == "ReferentialIntegrity" and (record["columns"], record["otherColumns"]) == (
        ["name"],
        ["state"],
    ):
        return 1 / 6  # five rows, of four different names
    if kind == "RowCountMatch" and record["other"] == "empty":
        return "no data"
    if kind == "SchemaMatch" and "counts" in text:
        return 1 / 56  # of our 4 columns one, id, is among its 56
    if "nosuch" in text:
        return "error"
    return None


def test_comparisons_are_those_of_deequ(frames: dict[str, DataFrame]) -> None:
    wrong = []
    compared = 0
    for record in records("comparisons.jsonl.gz"):
        fields = {name: record[name] for name in ("other", "keys", "match") if name in record}
        if record["comparison"] == "ReferentialIntegrity":
            fields |= {
                "columns": tuple(record["columns"]),
                "other_columns": tuple(record["otherColumns"]),
            }
            if not record["columns"] or not record["otherColumns"]:
                continue  # refused when the file is read; no otherColumns are the same names
        (ours,) = values(
            frames[record["dataset"]],
            [COMPARISONS[record["comparison"]](**fields)],
            record["dataset"],
        )
        expected = our_number(record)
        compared += 1
        if expected is None:
            expected = number_of_deequ(record)
        if expected is None:
            # A success without its value: of what must be at least so much.
            good = (
                not isinstance(ours, str)
                and ours.number is not None
                and satisfying(record["assertion"]).holds(ours.number)
            )
        else:
            good = is_expected(expected, ours)
        if not good:
            wrong.append((record, str(ours)))
    assert not wrong, "\n".join(map(str, wrong))
    assert compared == 29
