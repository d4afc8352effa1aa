"""What the real Deequ said of columns, and which checks it suggested, record by record, against ours."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from oracle.deequ_differences import PROFILE_VALUES, SUGGESTED_OTHERWISE
from pyspark.sql import SparkSession

from airflow_metorikku.config.records.checks import CHECK_NAMES
from airflow_metorikku.results.profiles import Profile
from airflow_metorikku.results.suggestions import Suggestion, Suggestions
from airflow_metorikku.spark.quality import Buckets, profile, suggest

ORACLE = Path(__file__).parents[2] / "oracle/deequ"
DATA_SETS = ("shared", "shared_single", "empty")
Record = dict[str, Any]


def records(name: str) -> list[Record]:
    return [json.loads(line) for line in (ORACLE / name).read_text().splitlines()]


PROFILES, SUGGESTIONS = records("profiles.jsonl"), records("suggestions.jsonl")


@pytest.fixture(scope="module")
def interpreted(spark: SparkSession) -> Iterator[SparkSession]:
    """Many columns, few rows: code generation would cost minutes."""
    settings = {
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.adaptive.enabled": "false",
    }
    before = {name: str(spark.conf.get(name)) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    yield spark
    for name, value in before.items():
        spark.conf.set(name, value)


@pytest.fixture(scope="module")
def profiles(interpreted: SparkSession) -> dict[str, Profile]:
    return {
        name: profile(interpreted.read.parquet(str(ORACLE / f"{name}.parquet")), kll=Buckets())
        for name in DATA_SETS
    }


@pytest.fixture(scope="module")
def suggestions(interpreted: SparkSession) -> dict[str, Suggestions]:
    return {
        name: suggest(interpreted.read.parquet(str(ORACLE / f"{name}.parquet")), rules="EXTENDED")
        for name in DATA_SETS
    }


def is_same(ours: Any, theirs: Any) -> bool:
    if isinstance(theirs, int | float) and isinstance(ours, int | float):
        return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
    return bool(ours == theirs)


def histogram_of(column: Record) -> list[tuple[str, int, float]] | None:
    found = column.get("histogram")
    return found and sorted((one["value"], one["count"], one["ratio"]) for one in found)


@pytest.mark.parametrize(
    "record", PROFILES, ids=[f"{r['id']}-{r['dataset']}-{r['columns'][0]}" for r in PROFILES]
)
def test_profile(record: Record, profiles: dict[str, Profile]) -> None:
    (name,) = record["columns"]
    ours = {
        one["column"]: one for one in json.loads(profiles[record["dataset"]].to_json())["columns"]
    }[name]
    if "thrown" in record:
        # Where Deequ has nothing to say, we say what there is.
        assert ours["dataType"] in ("Array", "Struct", "Integral", "String", "Unknown")
        assert ("completeness" in ours) == (record["dataset"] != "empty")
        return
    (theirs,) = record["profile"]["columns"]
    differing = {
        key
        for key, value in theirs.items()
        if key not in ("column", "histogram", "kll", "approxPercentiles")
        and not is_same(ours.get(key), value)
    }
    if histogram_of(ours) != histogram_of(theirs):
        differing.add("histogram")
    expected = {
        key: value
        for column, key, value, _ in PROFILE_VALUES
        if column == name and key in differing
    }
    assert differing == set(expected)
    for key, value in expected.items():
        got = ours.get(key, ()) if key != "histogram" else len(ours.get("histogram") or ())
        assert is_same(got, value), key


SKETCHED = [one for one in PROFILES if one.get("kll")]


@pytest.mark.parametrize("record", SKETCHED, ids=[one["id"] for one in SKETCHED])
def test_sketch(record: Record, profiles: dict[str, Profile]) -> None:
    (theirs,) = record["profile"]["columns"]
    ours = {
        one["column"]: one for one in json.loads(profiles[record["dataset"]].to_json())["columns"]
    }[theirs["column"]]
    for one, other in zip(ours["kll"]["buckets"], theirs["kll"]["buckets"], strict=True):
        assert one == pytest.approx(other, rel=1e-12)
    sketches = [one["kll"]["sketch"] for one in (ours, theirs)]
    # In order, where Deequ's has them as they came.
    mine, deequs = ([sorted(level) for level in json.loads(one.pop("data"))] for one in sketches)
    assert (sketches[0], mine) == (sketches[1], deequs)
    numbers = len(deequs[0])
    # Where a percentile lies just between two numbers, Deequ takes the upper one.
    pairs = zip(ours["approxPercentiles"], theirs["approxPercentiles"], strict=True)
    for percent, (mine, deequs_own) in enumerate(pairs, 1):
        between = percent * numbers % 100 == 0
        assert mine == deequs_own or (between and mine < deequs_own), percent


# Rules whose bound is a share; those of numbers are ours.
SHARES = ("RetainCompleteness", "FractionalCategoricalRange")


def theirs_of(one: Record) -> tuple[str, str, str | None]:
    rule = one["suggesting_rule"].partition("(")[0].removesuffix("Rule")
    code = one["code_for_constraint"]
    bound = re.search(r"_ >= ([\d.]+)", code) if rule in SHARES else None
    return rule, code[1 : code.index("(")], bound and bound[1]


def ours_of(one: Suggestion) -> tuple[str, str, str | None]:
    bound = str(one.check.assertion).removeprefix(">= ") if one.rule in SHARES else None
    return one.rule, CHECK_NAMES[type(one.check)], bound


@pytest.mark.parametrize(
    "record",
    SUGGESTIONS,
    ids=[f"{r['id']}-{r['dataset']}-{r['columns'][0]}-{r['rules']}" for r in SUGGESTIONS],
)
def test_suggestions(record: Record, suggestions: dict[str, Suggestions]) -> None:
    (name,) = record["columns"]
    extended = {
        "UniqueIfApproximatelyUnique", "HasMin", "HasMax", "HasMean", "HasStandardDeviation", "HasMinLength",
        "HasMaxLength",
    }  # fmt: skip
    ours = {
        ours_of(one)
        for one in suggestions[record["dataset"]]
        if one.column == name and (record["rules"] == "EXTENDED" or one.rule not in extended)
    }
    if record["dataset"] == "empty":
        assert "thrown" in record
        assert ours == set()
        return
    theirs = {theirs_of(one) for one in record.get("suggestions", ())}
    known = {(kind, rule) for column, kind, rule, _ in SUGGESTED_OTHERWISE if column == name}
    differing = {("only Deequ's", rule) for rule, *_ in theirs - ours} | {
        ("only ours", rule) for rule, *_ in ours - theirs
    }
    assert differing <= known


def test_every_difference_is_one() -> None:
    columns = {one for record in [*PROFILES, *SUGGESTIONS] for one in record["columns"]}
    assert {column for column, *_ in [*PROFILE_VALUES, *SUGGESTED_OTHERWISE]} <= columns
