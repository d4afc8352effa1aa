"""CPU of our suite of 21 checks over that of other libraries, in one Spark session; exit 1 above a limit.

    ./dev/bench/peers [ROWS] [ROUNDS]      5,000,000 rows, 5 timed rounds

Each library is asked the same 21 questions in the words of its own documentation, with what it allows to make it cheap:
no bad rows kept, no data frame cached, definitions made beforehand where they can be used again. Before anything is timed each
must judge the orders, and spoiled ones, as we do.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from unittest.mock import create_autospec

import audit_outputs as bench
import quality_checks as quality
from pyspark.sql import DataFrame

from airflow_metorikku.spark.audit import Audit

Verdicts = dict[str, bool]
Peer = Callable[[DataFrame], Verdicts]

LIMITS = {
    "suite/great-expectations": 0.8,
    "suite/soda-core-spark-df": 0.8,
    "suite/cuallee": 0.55,
    "suite/databricks-labs-dqx": 0.35,
}
COMPLETE = ("id", "customer", "country", "ts", "code", "discount")
# In the order of the suite.
QUESTIONS = (
    "size",
    *(f"{name} complete" for name in COMPLETE),
    *("isin mostly complete", "quantity mostly complete"),
    *("least price", "greatest price", "mean price", "sum of discounts"),
    *("email mostly complete", "amount", "country known", "isin pattern", "customers"),
    *("id unique", "code unique", "customer and ts mostly unique"),
)
COUNTRIES = ["ZA", "GB", "US", "DE", "FR", "KE", "NG", "BR"]
PATTERN = "^ISIN[0-9]{9}$"
AMOUNT = "price * coalesce(quantity, 0) < 1e7"
# Orders that fail in all but their number and that of their customers, which only an empty frame could fail.
SPOILED = """
SELECT IF(id % 10 = 0, NULL, id DIV 3) AS id, IF(id % 10 = 1, NULL, 1) AS customer,
  CASE id % 10 WHEN 2 THEN NULL WHEN 3 THEN 'XX' ELSE 'ZA' END AS country,
  CASE id % 3 WHEN 0 THEN NULL WHEN 1 THEN 'none' ELSE isin END AS isin, IF(id % 2 = 0, NULL, email) AS email,
  CASE id % 10 WHEN 4 THEN -20000.0D WHEN 5 THEN 50000.0D ELSE 1.0D END AS price, IF(id % 2 = 0, NULL, 900) AS quantity,
  IF(id % 10 = 6, NULL, timestamp_seconds(1700000000)) AS ts, IF(id % 10 = 7, NULL, 'order') AS code,
  IF(id % 10 = 8, NULL, CAST(-1 AS DECIMAL(9, 2))) AS discount
FROM {orders} WHERE id < 2000
"""


def ours(_: DataFrame, folder: Path) -> Peer:
    given = quality.asked(folder, quality.SUITE)

    def run(frame: DataFrame) -> Verdicts:
        told = Audit("orders", given).scan(frame).constraints
        return dict(zip(QUESTIONS, (one.status == "passed" for one in told), strict=True))

    return run


def cuallee(orders: DataFrame, _: Path) -> Peer:
    from cuallee import Check, CheckLevel

    # Of a minimum, maximum, mean and sum it asks only whether they equal a value: those of the orders.
    values = ("min(price)", "max(price)", "avg(price)", "sum(discount)")
    least, greatest, mean, total = orders.selectExpr(*values).collect()[0]
    check = Check(CheckLevel.ERROR, "orders")
    for name in COMPLETE:
        check.is_complete(name)
    check.is_complete("isin", 0.95).is_complete("quantity", 0.85)
    check.has_min("price", least).has_max("price", greatest)
    check.has_mean("price", mean).has_sum("discount", total).is_complete("email", 0.9)
    check.satisfies("price", AMOUNT, 0.99).is_contained_in("country", COUNTRIES)
    # A number of customers as a share of the rows; for a pair, its distinct values as such a share.
    check.has_pattern("isin", PATTERN, 0.95).is_unique("customer", 1e-9, approximate=True)
    check.is_unique("id").is_unique("code").are_unique(("customer", "ts"), 0.5)

    def run(frame: DataFrame) -> Verdicts:
        rows = check.validate(frame).collect()
        # It has no check of the number of rows, but tells it.
        passed = [rows[0].rows >= 1, *(row.status == "PASS" for row in rows)]
        told = dict(zip(QUESTIONS, passed, strict=True))
        # Which double a mean is hangs on the order in which tasks end.
        del told["mean price"]
        return told

    return run


def great_expectations(_: DataFrame, __: Path) -> Peer:
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    import great_expectations as gx
    import great_expectations.expectations as gxe

    # Patterns are a share of what is not null; rows by a predicate know no share, customers no approximation.
    bad_amounts = f"SELECT * FROM {{batch}} WHERE NOT ({AMOUNT})"
    complete = gxe.ExpectColumnValuesToNotBeNull
    asked = [
        gxe.ExpectTableRowCountToBeBetween(min_value=1),
        *(complete(column=name) for name in COMPLETE),
        complete(column="isin", mostly=0.95),
        complete(column="quantity", mostly=0.85),
        gxe.ExpectColumnMinToBeBetween(column="price", min_value=0),
        gxe.ExpectColumnMaxToBeBetween(column="price", max_value=10000, strict_max=True),
        gxe.ExpectColumnMeanToBeBetween(column="price", min_value=4000, max_value=6000),
        gxe.ExpectColumnSumToBeBetween(column="discount", min_value=0),
        complete(column="email", mostly=0.9),
        gxe.UnexpectedRowsExpectation(unexpected_rows_query=bad_amounts),
        gxe.ExpectColumnValuesToBeInSet(column="country", value_set=COUNTRIES),
        gxe.ExpectColumnValuesToMatchRegex(column="isin", regex=PATTERN, mostly=0.95),
        gxe.ExpectColumnUniqueValueCountToBeBetween(column="customer", min_value=1),
        gxe.ExpectColumnValuesToBeUnique(column="id"),
        gxe.ExpectColumnValuesToBeUnique(column="code"),
        gxe.ExpectCompoundColumnsToBeUnique(column_list=["customer", "ts"], mostly=0.5),
    ]
    for question, one in zip(QUESTIONS, asked, strict=True):
        one.meta = {"question": question}
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = {"globally": False}
    suite = context.suites.add(gx.ExpectationSuite(name="orders", expectations=asked))
    source = context.data_sources.add_spark("spark", persist=False)
    batches = source.add_dataframe_asset("orders").add_batch_definition_whole_dataframe("all")

    def run(frame: DataFrame) -> Verdicts:
        batch = batches.get_batch({"dataframe": frame})
        told = batch.validate(suite, result_format="BOOLEAN_ONLY").results
        return {one.expectation_config.meta["question"]: bool(one.success) for one in told}

    return run


def soda(orders: DataFrame, folder: Path) -> Peer:
    from soda.common.config_helper import ConfigHelper

    settings = folder / "soda.yml"
    settings.write_text("send_anonymous_usage_stats: false\n")
    ConfigHelper.get_instance(str(settings))  # else it makes one in the user's home
    from soda.scan import Scan

    # A share by a predicate and a number of customers are metrics of the user's own, by an expression. Its duplicates are
    # the values that occur again, not their rows: what it says of the pair is not held against it.
    asked = (
        "row_count >= 1",
        *(f"missing_count({name}) = 0" for name in COMPLETE),
        *("missing_percent(isin) <= 5", "missing_percent(quantity) <= 15"),
        *("min(price) >= 0", "max(price) < 10000", "avg(price) between 4000 and 6000"),
        *("sum(discount) >= 0", "missing_percent(email) <= 10", "amount >= 0.99"),
        *("invalid_count(country) = 0", "invalid_percent(isin) <= 5", "customers >= 1"),
        *("duplicate_count(id) = 0", "duplicate_count(code) = 0"),
        "duplicate_percent(customer, ts) < 50",
    )
    more: dict[str, dict[str, object]] = {
        "amount": {"amount expression": f"avg(CAST({AMOUNT} AS INT))"},
        "country known": {"valid values": COUNTRIES},
        "isin pattern": {"valid regex": PATTERN},
        "customers": {"customers expression": "approx_count_distinct(customer)"},
    }
    checks = [
        {check: {"name": question, "samples limit": 0, **more.get(question, {})}}
        for question, check in zip(QUESTIONS, asked, strict=True)
    ]
    # JSON is YAML.
    text = json.dumps({"checks for orders": checks})

    def run(frame: DataFrame) -> Verdicts:
        frame.createOrReplaceTempView("orders")
        scan = Scan()
        scan.disable_telemetry()
        scan.set_data_source_name("spark_df")
        scan.add_spark_session(orders.sparkSession, data_source_name="spark_df")
        scan.add_sodacl_yaml_str(text)
        scan.execute()
        scan.assert_no_error_logs()
        told = {one["name"]: one["outcome"] for one in scan.get_scan_results()["checks"]}
        del told["customer and ts mostly unique"]
        return {question: outcome == "pass" for question, outcome in told.items()}

    return run


def dqx(orders: DataFrame, _: Path) -> Peer:
    from databricks.labs.dqx import check_funcs as check
    from databricks.labs.dqx.engine import DQEngine
    from databricks.labs.dqx.rule import DQDatasetRule, DQRowRule
    from databricks.sdk import WorkspaceClient

    def row(question: str, function: Any, column: str | None = None, **given: object) -> Any:
        return DQRowRule(name=question, check_func=function, column=column, check_func_kwargs=given)

    def whole(question: str, compare: Any, kind: str, column: str, limit: int) -> Any:
        given = {"aggr_type": kind, "limit": limit}
        return DQDatasetRule(
            name=question, check_func=compare, column=column, check_func_kwargs=given
        )

    def unique(question: str, *columns: str) -> Any:
        return DQDatasetRule(name=question, check_func=check.is_unique, columns=list(columns))

    least, most = check.is_aggr_not_less_than, check.is_aggr_not_greater_than
    rules = [
        whole("size", least, "count", "*", 1),
        *(row(f"{name} complete", check.is_not_null, name) for name in COMPLETE),
        row("isin mostly complete", check.is_not_null, "isin"),
        row("quantity mostly complete", check.is_not_null, "quantity"),
        row("least price", check.is_not_less_than, "price", limit=0.0),
        row("greatest price", check.is_not_greater_than, "price", limit=9999.99),
        whole("mean price", least, "avg", "price", 4000),
        whole("mean price", most, "avg", "price", 6000),
        whole("sum of discounts", least, "sum", "discount", 0),
        row("email mostly complete", check.is_not_null, "email"),
        row("amount", check.sql_expression, expression=AMOUNT),
        row(
            "country known", check.is_in_list, "country", allowed=[f"'{one}'" for one in COUNTRIES]
        ),
        row("isin pattern", check.regex_match, "isin", regex=PATTERN),
        whole("customers", least, "approx_count_distinct", "customer", 1),
        unique("id unique", "id"),
        unique("code unique", "code"),
        unique("customer and ts mostly unique", "customer", "ts"),
    ]
    # It marks rows, and knows no share of them: how many may be marked.
    shares = {
        "isin mostly complete": 0.05,
        "quantity mostly complete": 0.15,
        "email mostly complete": 0.1,
        "amount": 0.01,
        "isin pattern": 0.05,
        "customer and ts mostly unique": 0.5,
    }
    # Its own observer of metrics counts the marks too, for half as much again.
    marks = [f"count_if(exists(_errors, one -> one.name = '{name}'))" for name in QUESTIONS]
    engine = DQEngine(create_autospec(WorkspaceClient), orders.sparkSession)

    def run(frame: DataFrame) -> Verdicts:
        marked = engine.apply_checks(frame, rules)
        rows, *counts = marked.selectExpr("count(*)", *marks).collect()[0]
        pairs = zip(QUESTIONS, counts, strict=True)
        return {question: count <= shares.get(question, 0) * rows for question, count in pairs}

    return run


PEERS: dict[str, Callable[[DataFrame, Path], Peer]] = {
    "great-expectations": great_expectations,
    "soda-core-spark-df": soda,
    "cuallee": cuallee,
    "databricks-labs-dqx": dqx,
}


def installed() -> list[str]:
    """The peers that are there, by the names of their packages; says of each which version, or that it is missing."""
    there = []
    for peer in PEERS:
        try:
            print(f"{peer} {version(peer)}")
            there.append(peer)
        except PackageNotFoundError:
            print(f"{peer} is not installed: left out")
    return there


def require_agreement(peer: str, run: Peer, expected: Peer, frame: DataFrame) -> None:
    """Exit where a peer's verdict is not ours."""
    told, known = run(frame), expected(frame)
    for question, passed in told.items():
        if passed != known[question]:
            words = {True: "passed", False: "failed"}
            sys.exit(f"{peer}: {question}: {words[passed]}; ours: {words[not passed]}")


def main() -> int:
    rows, rounds = bench.asked()
    logging.disable(logging.WARNING)
    session = bench.new_session()
    there = installed()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        session.sql(quality.ORDERS.format(rows=rows)).write.parquet(f"{name}/orders")
        made = SPOILED.format(orders=f"parquet.`{name}/orders`")
        session.sql(made).coalesce(1).write.parquet(f"{name}/spoiled")
        orders, spoiled = (session.read.parquet(f"{name}/{one}") for one in ("orders", "spoiled"))
        suite = ours(orders, folder)
        runs = {peer: PEERS[peer](orders, folder) for peer in there}
        for peer, run in runs.items():
            require_agreement(peer, run, suite, orders)
            require_agreement(peer, run, suite, spoiled)
        cases = {case: partial(run, orders) for case, run in {"suite": suite, **runs}.items()}
        seconds = bench.timed(session, cases, rounds)
    session.stop()
    limits = {pair: limit for pair, limit in LIMITS.items() if pair.partition("/")[2] in there}
    code: int = bench.judged(rows, seconds, limits, limits)
    print("limits: " + ", ".join(f"{pair} {limit}" for pair, limit in limits.items()))
    return code


if __name__ == "__main__":
    sys.exit(main())
