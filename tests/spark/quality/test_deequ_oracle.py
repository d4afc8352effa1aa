"""What the real Deequ said of the twelve checks and their analyzers, record by record, against ours."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal

import pytest
from deequ_oracle import ORACLE, Record, records, status_of_deequ
from pyspark.sql import SparkSession

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.checks import (
    CHECK_NAMES,
    base,
    keys,
    numbers,
    row_rules,
    rows,
    texts,
)
from airflow_metorikku.plan.constraints import Constraint
from airflow_metorikku.spark.audit import Audit

# Bounds, filtered rows and patterns that have a name are in test_rows_oracle.py.
CHECKS = [record for record in records("checks.jsonl") if "lowerBound" not in record["args"]]
ANALYZERS = [
    record
    for record in records("analyzers.jsonl")
    if not {"builtin", "filteredRow"} & set(record["params"])
]

VACUOUS = "no vacuous pass: a value of no data is no data"
NO_ROWS = "a data frame without rows has no data, whatever the filter"
EMPTY_SIZE = "the size of nothing is 0 under any filter"
DOTTED = "a flat name with a dot needs no backticks"
NESTED = "a field of a struct is a column too"
ALIAS = "a predicate is a predicate: Deequ reads `i IS NULL OR` as `i IS NULL` under the name OR"
WRAPS = "Deequ sums longs in 64 bits, which wrap; ours are exact"
NOT_BOOLEAN = "a predicate that is not true or false is an error; Deequ sums it"
ANSI = "with ANSI on, a predicate that fails on a row is an error"
COMPLEX = "an array, a struct or a map is null or not, as anything else, and arrays and structs are equal or not"
QUOTED = "a name in backticks is the same name"
BACKSLASH = "an allowed value is a text; Deequ pastes it into SQL, where its backslash escapes"
BOOLEAN = "true and false are compared as texts too"
NO_COLUMNS = "our satisfies has no list of columns: the predicate names them"


def on(column: str, *methods: str) -> Callable[[Record], bool]:
    return lambda record: (
        column in (record["args"].get("column"), *record["args"].get("columns", ()))
        and record["method"] in methods
    )


def predicate(*texts: str) -> Callable[[Record], bool]:
    return lambda record: record["args"].get("predicate") in texts


# Which records, our status or our value, and why. Of the 24 rows `col.dot` is 1, 2, null, 3 over and over, `st.x` is
# null in 10, `b` is true in 14 and null in 5, `arr` has four values over and over.
CHECK_DIFFERENCES: list[tuple[Callable[[Record], bool], str | float, str]] = [
    (
        lambda r: (
            r["dataset"] == "empty" and r["where"] == "grp = 'a'" and r["method"] != "hasSize"
        ),
        "no_data",
        NO_ROWS,
    ),
    (
        lambda r: (
            r["dataset"] == "empty" and r["where"] == "grp = 'a'" and r["method"] == "hasSize"
        ),
        0,
        EMPTY_SIZE,
    ),
    (
        lambda r: (
            r["where"] == "id < 0" and r["method"] in ("hasMin", "hasMax", "hasMean", "hasSum")
        ),
        "no_data",
        VACUOUS,
    ),
    (
        lambda r: r["where"] == "grp = 'a'" and on("n_s", "isUnique", "hasUniqueness")(r),
        "no_data",
        VACUOUS,
    ),
    (lambda r: r["where"] == "grp = 'a'" and predicate("n_i > 0")(r), "no_data", VACUOUS),
    (on("n_s", "isContainedIn"), "no_data", VACUOUS),
    (on("col.dot", "isComplete", "hasCompleteness"), 0.75, DOTTED),
    (on("col.dot", "isUnique", "hasUniqueness"), 0.0, DOTTED),
    (on("col.dot", "hasMin"), 1, DOTTED),
    (on("`col.dot`", "isContainedIn"), 1.0, QUOTED),
    (on("`col space`", "isContainedIn"), 1.0, QUOTED),
    (on("`a-b`", "isContainedIn"), 1.0, QUOTED),
    (on("st.x", "isComplete"), 14 / 24, NESTED),
    (on("st.x", "isUnique"), 0.0, NESTED),
    (on("st.x", "isContainedIn"), 1.0, NESTED),
    (on("st.x", "hasMin"), 1, NESTED),
    (on("arr", "hasUniqueness"), 0.0, COMPLEX),
    (lambda r: r["args"].get("allowedValues") == ["back\\slash"], 3 / 24, BACKSLASH),
    (
        lambda r: on("b", "isContainedIn")(r) and r["args"]["allowedValues"] == ["true"],
        19 / 24,
        BOOLEAN,
    ),
    (
        lambda r: on("b", "isContainedIn")(r) and r["args"]["allowedValues"] == ["TRUE", "x"],
        5 / 24,
        BOOLEAN,
    ),
    (predicate("s", "i"), "error", NOT_BOOLEAN),
    (predicate("1 / (pos - 3) > 0", "cast(s as int) > 0"), "error", ANSI),
    (
        lambda r: r["method"] == "satisfies" and r["args"]["columns"] == ["nosuch"],
        0.625,
        NO_COLUMNS,
    ),
]

MADE: dict[str, Callable[[Record], base.Check]] = {
    "hasSize": lambda r: rows.HasSize(assertion=base.HOLDS_FOR_ALL, where_=r["where"]),
    "isComplete": lambda r: rows.IsComplete(column=r["args"]["column"], where_=r["where"]),
    "hasCompleteness": lambda r: rows.HasCompleteness(
        column=r["args"]["column"], where_=r["where"]
    ),
    "isUnique": lambda r: keys.IsUnique(column=r["args"]["column"], where_=r["where"]),
    "hasUniqueness": lambda r: keys.HasUniqueness(
        columns=tuple(r["args"]["columns"]), where_=r["where"]
    ),
    "hasMin": lambda r: numbers.HasMin(
        assertion=base.HOLDS_FOR_ALL, column=r["args"]["column"], where_=r["where"]
    ),
    "hasMax": lambda r: numbers.HasMax(
        assertion=base.HOLDS_FOR_ALL, column=r["args"]["column"], where_=r["where"]
    ),
    "hasMean": lambda r: numbers.HasMean(
        assertion=base.HOLDS_FOR_ALL, column=r["args"]["column"], where_=r["where"]
    ),
    "hasSum": lambda r: numbers.HasSum(
        assertion=base.HOLDS_FOR_ALL, column=r["args"]["column"], where_=r["where"]
    ),
    "satisfies": lambda r: rows.Satisfies(
        predicate=r["args"]["predicate"], name=r["args"]["name"], where_=r["where"]
    ),
    "hasPattern": lambda r: texts.HasPattern(
        column=r["args"]["column"], pattern=r["args"]["pattern"], where_=r["where"]
    ),
    "isContainedIn": lambda r: row_rules.IsContainedIn(
        column=r["args"]["column"],
        allowed_values=tuple(r["args"]["allowedValues"]) or ("",),
        where_=r["where"],
    ),
}


def constraint(number: int, check: base.Check, assertion: Assertion) -> Constraint:
    return Constraint(
        id=str(number),
        data_frame="d",
        check=CHECK_NAMES[type(check)],
        options=check,
        assertion=assertion,
        level="critical",
        empty_data="fail",
    )


@pytest.mark.usefixtures("ansi")
@pytest.mark.parametrize("data_set", ["shared", "empty"])
def test_checks_are_those_of_deequ(spark: SparkSession, data_set: str) -> None:
    mine = [
        record
        for record in CHECKS
        if record["dataset"] == data_set and record.get("assertion") != "raise"
    ]
    asked = [
        constraint(
            number,
            MADE[record["method"]](record),
            Assertion.from_text(record["assertion"] or "== 1"),
        )
        for number, record in enumerate(mine)
    ]
    results = (
        Audit("d", asked).scan(spark.read.parquet(str(ORACLE / f"{data_set}.parquet"))).constraints
    )
    wrong = []
    for record, one, result in zip(mine, asked, results, strict=True):
        ours = next((ours for fits, ours, _ in CHECK_DIFFERENCES if fits(record)), None)
        value = record.get("value") if ours is None else ours
        if ours is None:
            status = status_of_deequ(record)
        else:
            status = (
                ours
                if isinstance(ours, str)
                else "passed"
                if one.assertion.holds(ours)
                else "failed"
            )
        if result.status != status or (
            value is not None and value != status and not same(value, result.value)
        ):
            wrong.append(
                (
                    record["id"],
                    record["method"],
                    record["args"],
                    record["where"],
                    status,
                    value,
                    result,
                )
            )
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("difference", range(len(CHECK_DIFFERENCES)))
def test_every_difference_is_one(difference: int) -> None:
    fits, ours, _ = CHECK_DIFFERENCES[difference]
    fitting = [record for record in CHECKS if fits(record)]
    assert fitting
    assert all(record.get("value") != ours or status_of_deequ(record) != ours for record in fitting)


def same(theirs: float | str, ours: float | Decimal | None) -> bool:
    if ours is None:
        return False
    return (
        theirs == ours
        or math.isclose(float(theirs), float(ours), rel_tol=1e-12)
        or (math.isnan(float(theirs)) and math.isnan(ours))
    )


def ours_takes(record: Record) -> bool:
    """Keys of no column, or of one twice, and a pattern with an open bracket are refused when the metric file is read."""
    columns = record["columns"]
    return (
        record["params"].get("pattern") != "("
        and len(columns) == len(set(columns))
        and (bool(columns) or record["analyzer"] != "Uniqueness")
    )


ANALYSED: dict[str, Callable[[Record], base.Check]] = {
    "Size": lambda r: rows.HasSize(assertion=base.HOLDS_FOR_ALL, where_=r["where"]),
    "Completeness": lambda r: rows.HasCompleteness(column=r["columns"][0], where_=r["where"]),
    "Minimum": lambda r: numbers.HasMin(
        assertion=base.HOLDS_FOR_ALL, column=r["columns"][0], where_=r["where"]
    ),
    "Maximum": lambda r: numbers.HasMax(
        assertion=base.HOLDS_FOR_ALL, column=r["columns"][0], where_=r["where"]
    ),
    "Mean": lambda r: numbers.HasMean(
        assertion=base.HOLDS_FOR_ALL, column=r["columns"][0], where_=r["where"]
    ),
    "Sum": lambda r: numbers.HasSum(
        assertion=base.HOLDS_FOR_ALL, column=r["columns"][0], where_=r["where"]
    ),
    "Uniqueness": lambda r: keys.HasUniqueness(columns=tuple(r["columns"]), where_=r["where"]),
    "PatternMatch": lambda r: texts.HasPattern(
        column=r["columns"][0], pattern=r["params"]["pattern"], where_=r["where"]
    ),
    "Compliance": lambda r: rows.Satisfies(predicate=r["params"]["predicate"], where_=r["where"]),
}


def of(data_set: str, analyzer: str, column: str) -> Callable[[Record], bool]:
    return lambda record: (
        (record["dataset"], record["analyzer"], record["columns"]) == (data_set, analyzer, [column])
    )


# Which records, what our value or status is, and why.
ANALYZER_DIFFERENCES: list[tuple[Callable[[Record], bool], object, str]] = [
    (lambda r: r["where"] == "i IS NULL OR", "error", ALIAS),
    (
        lambda r: (
            r["dataset"] == "empty"
            and r["analyzer"] == "Size"
            and r["where"] in ("grp = 'a'", "id < 0", "i > 0")
        ),
        0,
        EMPTY_SIZE,
    ),
    *((of("shared_single", "Completeness", column), 1.0, COMPLEX) for column in ("arr", "st")),
    (of("shared_single", "Completeness", "col.dot"), 1.0, DOTTED),
    *(
        (of("shared", "Completeness", column), ours, COMPLEX)
        for column, ours in (("arr", 19 / 24), ("st", 19 / 24), ("mp", 16 / 24))
    ),
    *((of("shared", "Uniqueness", column), 0.0, COMPLEX) for column in ("arr", "st")),
    *(
        (of("shared", analyzer, "col.dot"), ours, DOTTED)
        for analyzer, ours in (
            ("Completeness", 0.75),
            ("Mean", 2),
            ("Minimum", 1),
            ("Maximum", 3),
            ("Uniqueness", 0.0),
        )
    ),
    # `st.x` of the 14 rows that have it: ten times 1, four times 2.
    *(
        (of("shared", analyzer, "st.x"), ours, NESTED)
        for analyzer, ours in (
            ("Completeness", 14 / 24),
            ("Mean", 18 / 14),
            ("Minimum", 1),
            ("Maximum", 2),
            ("Uniqueness", 0.0),
        )
    ),
    (lambda r: r["columns"] == ["lwrap"] and r["analyzer"] == "Sum", 110680464442257309690, WRAPS),
    (
        lambda r: r["columns"] == ["lwrap"] and r["analyzer"] == "Mean",
        110680464442257309690 / 18,
        WRAPS,
    ),
    (lambda r: r["params"].get("predicate") in ("i", "s"), "error", NOT_BOOLEAN),
    (
        lambda r: r["params"].get("predicate") in ("1 / (pos - 3) > 0", "cast(s as int) > 0"),
        "error",
        ANSI,
    ),
]


@pytest.mark.usefixtures("ansi")
@pytest.mark.parametrize("data_set", ["shared", "shared_single", "empty"])
def test_values_are_those_of_deequ(spark: SparkSession, data_set: str) -> None:
    mine = [record for record in ANALYZERS if record["dataset"] == data_set and ours_takes(record)]
    asked = [
        constraint(number, ANALYSED[record["analyzer"]](record), base.HOLDS_FOR_ALL)
        for number, record in enumerate(mine)
    ]
    results = (
        Audit("d", asked).scan(spark.read.parquet(str(ORACLE / f"{data_set}.parquet"))).constraints
    )
    wrong = []
    for record, result in zip(mine, results, strict=True):
        difference = next((ours for fits, ours, _ in ANALYZER_DIFFERENCES if fits(record)), None)
        if difference is not None:
            good = (
                result.status == difference
                if isinstance(difference, str)
                else same(difference, result.value)
            )
        elif "value" in record:
            good = same(record["value"], result.value)
        else:
            good = result.value is None
        if not good:
            wrong.append((record, result))
    assert not wrong, "\n".join(f"{record}\n   {result}" for record, result in wrong)
