"""Records of what the real Deequ answered, as checks and analyzers of ours, and how ours are compared with it."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from decimal import Decimal
from pathlib import Path
from typing import Any

from asked_checks import Asking, constraint, same
from pyspark.sql import SparkSession

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.analyzers import ANALYZERS
from airflow_metorikku.config.records.analyzers.base import Analyzer
from airflow_metorikku.config.records.checks import CHECKS, patterns
from airflow_metorikku.config.records.checks.base import HOLDS_FOR_ALL, Check
from airflow_metorikku.plan.constraints import Constraint
from airflow_metorikku.results.distributions import Histogram, Keyed
from airflow_metorikku.results.records import ConstraintResult
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.quality.values import MetricValue

ORACLE = Path(__file__).parent / "oracle/deequ"
Record = dict[str, Any]
Fits = Callable[[Record], bool]
Difference = tuple[Fits, Any, str]
"""Which records, our value or our status, and why."""
BUILTIN = {
    "EMAIL": patterns.EMAIL,
    "URL": patterns.URL,
    "SOCIAL_SECURITY_NUMBER_US": patterns.SOCIAL_SECURITY_NUMBER,
    "SSN": patterns.SOCIAL_SECURITY_NUMBER,
    "CREDITCARD": patterns.CREDIT_CARD,
    "CREDIT_CARD": patterns.CREDIT_CARD,
}


def records(name: str) -> list[Record]:
    """Answers of the real Deequ, a record a line."""
    read = gzip.open if name.endswith(".gz") else open
    with read(ORACLE / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda match: f"_{match[0].lower()}", name)


def ours(value: Any) -> Any:
    """A parameter as a record of ours holds it."""
    if isinstance(value, list):
        return tuple(ours(one) for one in value)
    return Decimal(str(value)) if type(value) in (int, float) else value


def of_kind(kind: type[Any], given: Mapping[str, Any], where: str | None) -> Any:
    """A record of ours from Deequ's parameters; ValueError where ours refuses them."""
    known = {field.name for field in fields(kind)}
    needed = [
        field.name
        for field in fields(kind)
        if field.default is MISSING and field.default_factory is MISSING
    ]
    values = {snake(name): ours(value) for name, value in given.items()}
    assert set(needed) <= values.keys() <= known, (kind, needed, values)
    if getattr(kind, "NEEDS_ASSERTION", False):
        values["assertion"] = HOLDS_FOR_ALL
    return kind(where_=where, **values)


def check_of(record: Record) -> Check:
    """The check of a record."""
    made: Check = of_kind(CHECKS[record["method"]], record["args"], record["where"])
    return made


def analyzer_of(record: Record) -> Analyzer:
    """The analyzer of a record."""
    name, columns = record["analyzer"], record["columns"]
    given = {key: value for key, value in record["params"].items() if key != "filteredRow"}
    if "builtin" in given:
        given["pattern"] = BUILTIN[given.pop("builtin")]
    if name == "Compliance":
        given["instanceName"] = given.pop("name")
        given["columns"] = columns
    elif name == "Correlation":
        given["columnA"], given["columnB"] = columns
    elif name == "RatioOfSums":
        given["numerator"], given["denominator"] = columns
    elif "columns" in {field.name for field in fields(ANALYZERS[name])}:
        given["columns"] = columns
    elif columns:
        given["column"] = columns[0]
    made: Analyzer = of_kind(ANALYZERS[name], given, record["where"])
    return made


def scanned(
    spark: SparkSession, data_set: str, asked: list[Constraint]
) -> tuple[tuple[ConstraintResult, ...], tuple[MetricValue | str, ...]]:
    """Results and values, of one audit."""
    found = Audit("t", asked).scan(spark.read.parquet(str(ORACLE / f"{data_set}.parquet")))
    return found.constraints, found.values


def status_of_deequ(record: Record) -> str:
    """What Deequ's answer to a check is in our words."""
    if "thrown" in record:
        return "error"
    if record["status"] == "Success":
        return "passed"
    if record["message"].startswith("Value: "):
        return "failed"
    return "no_data" if record["message"].startswith("Empty state") else "error"


def wrong_checks(
    spark: SparkSession,
    mine: list[Record],
    data_set: str,
    differences: Iterable[Difference],
    make: Callable[[Record], Check] = check_of,
) -> list[str]:
    """Sentences about the records that ours answers otherwise without a reason."""
    differences = list(differences)
    wrong, asked = [], {}
    for number, record in enumerate(mine):
        try:
            assertion = Assertion.from_text(record["assertion"] or "== 1")
            asked[number] = constraint(number, make(record), assertion)
        except ValueError as error:
            if (status := _expected(record, differences)[0]) != "error":
                wrong.append(f"{record}\n   refused, expected {status}: {error}")
    results, _ = scanned(spark, data_set, list(asked.values()))
    for (number, one), result in zip(asked.items(), results, strict=True):
        status, value = _expected(mine[number], differences)
        if status == "judged":
            status = "passed" if one.assertion.holds(value) else "failed"
        good = result.status == status and (value is None or same(value, result.value))
        if not good:
            wrong.append(f"{mine[number]}\n   expected {status} {value}, got {result}")
    return wrong


def _expected(record: Record, differences: list[Difference]) -> tuple[str, Any]:
    """Status and value that ours should have."""
    for fits, ours_is, _ in differences:
        if fits(record):
            return (ours_is, None) if isinstance(ours_is, str) else ("judged", ours_is)
    return status_of_deequ(record), record.get("value")


def wrong_values(
    spark: SparkSession, mine: list[Record], data_set: str, differences: Iterable[Difference]
) -> list[str]:
    """The same of analyzers: their values, and whose metric they are."""
    differences = list(differences)
    wrong, asked = [], {}
    for number, record in enumerate(mine):
        try:
            asked[number] = constraint(number, Asking(of=analyzer_of(record)), HOLDS_FOR_ALL)
        except ValueError as error:
            if (expected := _value_expected(record, differences)) != "error":
                wrong.append(f"{record}\n   refused, expected {expected}: {error}")
    _, values = scanned(spark, data_set, list(asked.values()))
    for (number, one), value in zip(asked.items(), values, strict=True):
        record, analyzer = mine[number], one.analyzer
        expected = _value_expected(record, differences)
        if not _is(expected, value):
            wrong.append(f"{record}\n   expected {expected}, got {value}")
        identity = [analyzer.entity, analyzer.instance, analyzer.name]
        if record.get("metric") not in (None, identity):
            wrong.append(f"{record}\n   got the metric {identity}")
    return wrong


def _value_expected(record: Record, differences: list[Difference]) -> Any:
    for fits, ours_is, _ in differences:
        if fits(record):
            return ours_is
    if record.get("value") is not None:
        return record["value"]
    error = record.get("error") or record["thrown"]
    return "no data" if error["class"].endswith("EmptyStateException") else "error"


def _is(expected: Any, value: MetricValue | str) -> bool:
    if isinstance(value, str):
        return expected == "error"
    if expected == "no data":
        return value.none is not None
    if expected == "error":
        return False
    if isinstance(value.distribution, Histogram):
        theirs = {name: (count, ratio) for name, count, ratio in expected["values"]}
        bins = (value.distribution.bins, value.distribution.tail_count)
        return theirs == value.distribution.values and bins == (
            expected["numberOfBins"], expected["tailCount"],
        )  # fmt: skip
    if isinstance(value.distribution, Keyed):
        found = value.distribution.values
        return found.keys() == expected.keys() and all(
            same(expected[key], number) for key, number in found.items()
        )
    return value.number is not None and same(expected, value.number)
