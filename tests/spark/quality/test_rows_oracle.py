"""What the real Deequ said of row, number and text checks and their analyzers, record by record, against ours."""

from __future__ import annotations

import pytest
from asked_checks import Asking, constraint, same
from deequ_oracle import (
    Difference,
    Fits,
    Record,
    analyzer_of,
    records,
    scanned,
    status_of_deequ,
    wrong_checks,
    wrong_values,
)
from pyspark.sql import SparkSession

from airflow_metorikku.config.records.checks.base import HOLDS_FOR_ALL

# Of the files that test_deequ_oracle.py reads, what it leaves to this one.
CHECKS = records("checks_more.jsonl") + [
    one for one in records("checks.jsonl") if "lowerBound" in one["args"]
]
ANALYZERS = records("analyzers_more.jsonl") + [
    one for one in records("analyzers.jsonl") if {"builtin", "filteredRow"} & set(one["params"])
]
TOGETHER = records("together.jsonl")

NO_DATA = "a check that saw nothing proves nothing: a value of no data is no data"
SCHEMA = "the columns are the same whatever rows are chosen: refused"
NOT_A_NUMBER = "a text that is no number, a date and a boolean are not positive"
BEYOND = "a text beside a whole number is a number of any size"
NAMES = "any name works, with or without backticks"
NESTED = "a field of a struct is a column too"
LEFT_OUT = "rows left out are left out, not of an unknown type"
CASE = "a column is found as SQL finds it"

SIGNS = ("isNonNegative", "isPositive")
OF_SCHEMA = ("hasColumnCount", "hasColumn")
# With a `where` that holds for no row there is nothing that they could be the number of.
NUMBERS = (
    "hasRange", "hasStandardDeviation", "hasVariance", "hasSkewness", "hasKurtosis", "hasZerosCount",
    "hasInterquartileRange", "hasCorrelation", "hasApproxQuantile", "hasExactQuantile",
    "hasApproxCountDistinct", "hasMinLength", "hasMaxLength",
)  # fmt: skip


def on(methods: tuple[str, ...], *columns: str, where: str | None = None) -> Fits:
    return lambda one: (
        one["dataset"] == "shared"
        and one["method"] in methods
        and one["where"] == where
        and bool(
            {one["args"].get("column"), one["args"].get("columnA"), *one["args"].get("columns", ())}
            & {*columns}
        )
    )


def is_no_number(one: Record) -> bool:
    return one["method"] in SIGNS and one["args"]["column"] in ("b", "dt")


DIFFERENCES: list[Difference] = [
    (lambda one: one["method"] == "hasColumnCount" and one["where"] is not None, "error", SCHEMA),
    (is_no_number, "error", NOT_A_NUMBER),
    (
        lambda one: (
            one["dataset"] == "empty"
            and one["method"] not in OF_SCHEMA
            and status_of_deequ(one) != "error"
        ),
        "no_data",
        NO_DATA,
    ),
    (lambda one: one["where"] == "id < 0" and one["method"] in NUMBERS, "no_data", NO_DATA),
    (lambda one: one["where"] == "id < 0" and one["method"] == "hasDataType", "passed", LEFT_OUT),
    (on(("hasZerosCount",), "n_i"), "no_data", NO_DATA),
    (
        lambda one: on(("hasDataType",), "n_s")(one) and one["args"]["dataType"] != "Null",
        "no_data",
        NO_DATA,
    ),
    (on(SIGNS, "n_i"), "no_data", NO_DATA),
    # Of 24 rows 2, 5 and 6 are null, the others words.
    (on(SIGNS, "s"), 2 / 24, NOT_A_NUMBER),
    (on(SIGNS, "select"), 5 / 24, NOT_A_NUMBER),
    (on(SIGNS, "a-b", "`a-b`"), 6 / 24, NOT_A_NUMBER),
    # Three texts have a blank between sign and digits.
    (on(("isNonNegative",), "s_int"), 18 / 24, NOT_A_NUMBER),
    (on(("isPositive",), "s_int"), 15 / 24, NOT_A_NUMBER),
    (on(("isGreaterThan",), "s_int"), 9 / 24, BEYOND),
    (on(("isGreaterThanOrEqualTo",), "s_int"), 10 / 24, BEYOND),
    (
        lambda one: (
            on(("hasDataType",), "s_num", where="grp = 'a'")(one)
            and one["args"]["dataType"] == "Null"
        ),
        2 / 12,
        LEFT_OUT,
    ),
    (on(("areComplete",), "col.dot"), 18 / 24, NAMES),
    (on(("areComplete",), "col space", "`col space`", "größe"), 16 / 24, NAMES),
    (on(("areComplete",), "a-b", "`a-b`"), 18 / 24, NAMES),
    (on(("areComplete",), "st.x"), 14 / 24, NESTED),
    (on(("isNonNegative",), "st.x"), 1.0, NESTED),
    # From 0 to 3; of the 24 rows of `a-b` the six that are null pass, words do not.
    (on(("isContainedIn",), "`col.dot`", "`col space`"), 1.0, NAMES),
    (on(("isContainedIn",), "`a-b`"), 6 / 24, NAMES),
    (on(("isContainedIn",), "st.x"), 1.0, NESTED),
    (on(("isContainedIn",), "n_d"), "no_data", NO_DATA),
]


def of(analyzer: str, *columns: str, where: str | None = None) -> Fits:
    return lambda one: (
        (one["analyzer"], one["where"]) == (analyzer, where) and one["columns"][0] in columns
    )


def types(boolean: int, fractional: int, integral: int, unknown: int, string: int) -> Record:
    counts = {
        "Boolean": boolean, "Fractional": fractional, "Integral": integral, "Unknown": unknown,
        "String": string,
    }  # fmt: skip
    whole = sum(counts.values())
    values = [[name, count, count / whole] for name, count in counts.items()]
    return {"numberOfBins": 5, "values": values, "tailCount": 0}


VALUE_DIFFERENCES: list[Difference] = [
    (
        lambda one: (
            one["dataset"] == "empty"
            and one["analyzer"] in ("ApproxQuantiles", "ApproxCountDistinct", "DataType")
        ),
        "no data",
        NO_DATA,
    ),
    (of("ZerosCount", "n_i", "n_d"), "no data", NO_DATA),
    (of("ApproxCountDistinct", "n_i", "n_d", "n_s"), "no data", NO_DATA),
    (of("ApproxQuantiles", "n_d"), "no data", NO_DATA),
    (
        lambda one: (
            one["where"] == "id < 0"
            and one["analyzer"] in ("ZerosCount", "ApproxCountDistinct", "DataType")
        ),
        "no data",
        NO_DATA,
    ),
    (
        lambda one: one["analyzer"] == "RatioOfSums" and one["columns"] == ["i", "n_d"],
        "no data",
        NO_DATA,
    ),
    (of("ApproxCountDistinct", "col.dot"), 3, NAMES),
    (of("ApproxCountDistinct", "st.x"), 2, NESTED),
    (of("ColumnExists", "ID", "`col.dot`"), 1, CASE),
    # Of the twelve rows of group a.
    (
        lambda one: of("DataType", "s_num", where="grp = 'a'")(one) and one["dataset"] == "shared",
        types(boolean=0, fractional=2, integral=8, unknown=2, string=0),
        LEFT_OUT,
    ),
]


@pytest.mark.usefixtures("ansi")
@pytest.mark.parametrize("data_set", ["shared", "empty"])
def test_checks_are_those_of_deequ(spark: SparkSession, data_set: str) -> None:
    mine = [one for one in CHECKS if one["dataset"] == data_set and one.get("assertion") != "raise"]
    wrong = wrong_checks(spark, mine, data_set, DIFFERENCES)
    assert not wrong, "\n".join(wrong)


def test_every_difference_is_about_a_record() -> None:
    for known, differences in ((CHECKS, DIFFERENCES), (ANALYZERS, VALUE_DIFFERENCES)):
        for fits, told, why in differences:
            fitting = [one for one in known if fits(one)]
            assert any(one.get("value") != told for one in fitting), why


@pytest.mark.usefixtures("ansi")
@pytest.mark.parametrize("data_set", ["shared", "shared_single", "empty"])
def test_values_are_those_of_deequ(spark: SparkSession, data_set: str) -> None:
    mine = [one for one in ANALYZERS if one["dataset"] == data_set]
    wrong = wrong_values(spark, mine, data_set, VALUE_DIFFERENCES)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("number", range(len(TOGETHER)))
def test_together_each_says_what_it_says_alone(spark: SparkSession, number: int) -> None:
    """Deequ's RatioOfSums reads what stands first in a shared run, and one bad predicate or filter fails all."""
    together = TOGETHER[number]["analyzers"]
    asked = [
        constraint(at, Asking(of=analyzer_of(one)), HOLDS_FOR_ALL)
        for at, one in enumerate(together)
    ]
    _, values = scanned(spark, "shared", asked)
    alone = [scanned(spark, "shared", [one])[1][0] for one in asked]
    assert values == tuple(alone)
    told = [one.get("value") for one in TOGETHER[number]["results"]]
    for theirs, value in zip(told, values, strict=True):
        assert theirs is None or (not isinstance(value, str) and same(theirs, value.number))
