"""Control measures of a run: where they start, what a checkpoint measures, and what must agree."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from airflow_metorikku import __version__
from airflow_metorikku.config.records.controls import (
    Checkpoint,
    ControlMeasures,
    Drop,
    Metadata,
    Rename,
    Source,
)
from airflow_metorikku.config.records.inputs import FileInput
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import Metric, Step
from airflow_metorikku.config.records.reconciliation import Against, Expectation, ReconcileRule
from airflow_metorikku.errors import RunError
from airflow_metorikku.results.reconcile import difference
from airflow_metorikku.results.records import ReconciliationResult
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.control.tracker import Tracker

NOW = datetime(2024, 2, 29, 12, 30, 15, tzinfo=UTC)
METRIC = Metric(
    name="m",
    file="m.yaml",
    steps=(
        Step(data_frame_name="loaded", sql="..."),
        Step(data_frame_name="final", sql="...", control_checkpoint="Final"),
    ),
)


def tracker(folder: Path, **keys: Any) -> Tracker:
    keys = {
        "source": Source(input="trades", columns=("id", {"price": "aggregatedTotal"}, "isin")),
        "workflow_name": "Trades",
    } | keys
    settings = JobFile(
        metrics=("m.yaml",),
        inputs={"trades": FileInput(path=str(folder))},
        control_measures=ControlMeasures(**keys),
    )
    return Tracker(settings, [METRIC])


@pytest.fixture
def trades(spark: SparkSession, tmp_path: Path) -> Path:
    folder = tmp_path / "trades"
    spark.sql(
        "SELECT id, id * 1.5D AS price, concat('ZA', id) AS isin FROM range(1, 5)"
    ).write.parquet(str(folder))
    return folder


def measure(
    spark: SparkSession, one: Tracker, data_frame: str, sql: str
) -> list[ReconciliationResult]:
    """Audit a data frame as the runner does, and reconcile each checkpoint of it."""
    found = []
    for name, requests in one.requests(data_frame):
        one.taken(
            name, Audit(data_frame, controls=requests).scan(spark.sql(sql)).measured, NOW, NOW
        )
        found += one.reconcile(name)
    return found


def info(*controls: tuple[str, str, str, str]) -> str:
    keys = ("controlName", "controlType", "controlCol", "controlValue")
    return json.dumps(
        {
            "metadata": {},
            "checkpoints": [
                {
                    "name": "Raw",
                    "order": 3,
                    "controls": [dict(zip(keys, control, strict=True)) for control in controls],
                }
            ],
        }
    )


def test_a_first_file_is_built_as_atums_builder_does(spark: SparkSession, trades: Path) -> None:
    one = tracker(
        trades,
        source=Source(
            input="trades",
            columns=("id", {"price": "aggregatedTotal"}, {"isin": "hashCrc32"}, {"price": "count"}),
            metadata=Metadata(
                source_application="Feed", information_date="2024-02-29", additional_info={"k": "v"}
            ),
        ),
    )
    one.start(spark)
    written = json.loads(one.info().to_json())
    assert written["metadata"] == {
        "sourceApplication": "Feed",
        "country": "ZA",
        "historyType": "Snapshot",
        "dataFilename": str(trades),
        "sourceType": "Source",
        "version": 1,
        "informationDate": "29-02-2024",
        "additionalInfo": {"k": "v"},
    }
    (source,) = written["checkpoints"]
    assert (
        source["name"],
        source["workflowName"],
        source["order"],
        source["software"],
        source["version"],
    ) == (
        "Source",
        "Source",
        1,
        "airflow-metorikku",
        __version__,
    )
    assert source["processStartTime"].endswith(" +0000")
    # CRC32 of ZA1 to ZA4 by zlib; 1.5 * (1 + 2 + 3 + 4).
    assert [tuple(control.values()) for control in source["controls"]] == [
        ("recordCount", "count", "*", "4"),
        ("idControlTotal", "absAggregatedTotal", "id", "10"),
        ("priceControlTotal_aggregatedTotal", "aggregatedTotal", "price", "15.0"),
        ("isinControlTotal", "hashCrc32", "isin", "8695500645"),
        ("priceControlTotal_count", "count", "price", "4"),
    ]
    assert not (trades / "_INFO").exists()


def test_checkpoints_follow_with_renames_and_drops(spark: SparkSession, trades: Path) -> None:
    one = tracker(
        trades,
        checkpoints=(Checkpoint(name="Loaded", data_frame_name="loaded"),),
        renames=(Rename(source="ID", target="tradeId", at_checkpoint="Final"),),
        drops=(Drop(column="isin", at_checkpoint="Final"),),
    )
    one.start(spark)
    spark.read.parquet(str(trades)).createOrReplaceTempView("trades")
    first = measure(spark, one, "loaded", "SELECT * FROM trades")
    second = measure(spark, one, "final", "SELECT id AS tradeId, price FROM trades WHERE id <> 4")
    assert [(rule.control, rule.against, rule.status) for rule in first] == [
        (name, "Source", "passed")
        for name in ("recordCount", "idControlTotal", "priceControlTotal", "isinControlTotal")
    ]
    assert [
        (rule.control, rule.against, rule.expected, rule.actual, rule.status) for rule in second
    ] == [
        ("recordCount", "Loaded", "4", "3", "failed"),
        ("idControlTotal", "Loaded", "10", "6", "failed"),
        ("priceControlTotal", "Loaded", "15.0", "9.0", "failed"),
    ]
    assert {(rule.metric, rule.data_frame, rule.level) for rule in second} == {
        ("m", "final", "critical")
    }
    checkpoints = json.loads(one.info().to_json())["checkpoints"]
    assert [(found["name"], found["order"], found["workflowName"]) for found in checkpoints] == [
        ("Source", 1, "Source"),
        ("Loaded", 2, "Trades"),
        ("Final", 3, "Trades"),
    ]
    assert checkpoints[2]["processStartTime"] == "29-02-2024 12:30:15 +0000"
    assert [control["controlCol"] for control in checkpoints[2]["controls"]] == [
        "*",
        "tradeId",
        "price",
    ]


def test_an_info_beside_the_input_is_where_it_starts(spark: SparkSession, trades: Path) -> None:
    (trades / "_INFO").write_text(
        info(
            ("n", "type.COUNT", "*", "4.0"),
            ("p", "aggregatedTotal", "price", "15"),
            ("x", "mine", "id", "7"),
        )
    )
    one = tracker(trades)
    one.start(spark)
    spark.read.parquet(str(trades)).createOrReplaceTempView("trades")
    rules = measure(spark, one, "final", "SELECT * FROM trades")
    # 4 equals 4.0; what nobody can measure is no pass.
    assert [(rule.control, rule.actual, rule.status) for rule in rules] == [
        ("n", "4", "passed"),
        ("p", "15.0", "passed"),
        ("x", "N/A", "error"),
    ]
    assert "unknown" in rules[2].message
    assert [found["order"] for found in json.loads(one.info().to_json())["checkpoints"]] == [3, 4]


def test_a_column_that_is_gone_is_an_error(spark: SparkSession, trades: Path) -> None:
    one = tracker(trades)
    one.start(spark)
    rules = measure(spark, one, "final", "SELECT 1 AS idd, 15D AS price, 'a' AS isin")
    gone = next(rule for rule in rules if rule.control == "idControlTotal")
    assert gone.status == "error"
    assert "did you mean 'idd'?" in gone.message


def test_rules_replace_the_default_for_their_control_only(
    spark: SparkSession, trades: Path
) -> None:
    one = tracker(
        trades,
        reconcile=(
            ReconcileRule(
                checkpoint="Final", control="recordCount", expect=Expectation(max_loss=0.25)
            ),
            ReconcileRule(checkpoint="Final", control="isinControlTotal", expect="ignore"),
            ReconcileRule(checkpoint="Final", control="recordCount", against="Nowhere"),
            ReconcileRule(checkpoint="Final", control="nosuch"),
        ),
        level="warn",
    )
    one.start(spark)
    spark.read.parquet(str(trades)).createOrReplaceTempView("trades")
    rules = measure(spark, one, "final", "SELECT * FROM trades WHERE id <> 4")
    assert [(rule.control, rule.against, rule.status) for rule in rules] == [
        ("recordCount", "Source", "passed"),
        ("recordCount", "Nowhere", "error"),
        ("idControlTotal", "Source", "failed"),
        ("priceControlTotal", "Source", "failed"),
        ("nosuch", "Source", "error"),
    ]
    assert {rule.level for rule in rules} == {"warning"}


def test_rules_may_be_against_files(spark: SparkSession, trades: Path, tmp_path: Path) -> None:
    (tmp_path / "expected.csv").write_text("CONTROL;TOTAL\nROWS;4\nPRICE;14.0\n")
    (tmp_path / "_INFO").write_text(info(("recordCount", "count", "*", "5")))
    (tmp_path / "half.json").write_text('{"recordCount": 4')
    totals = Against(
        totals=str(tmp_path / "expected.csv"),
        separator=";",
        name_key="CONTROL",
        value_key="TOTAL",
        names={"recordCount": "ROWS", "priceControlTotal": "PRICE"},
    )
    controls = ("recordCount", "priceControlTotal")
    files = [
        Against(info_file=str(tmp_path / "_INFO"), checkpoint="Raw"),
        Against(totals=str(tmp_path / "half.json")),
        Against(totals=str(tmp_path / "missing.csv")),
    ]
    one = tracker(
        trades,
        reconcile=(
            ReconcileRule(
                checkpoint="Final",
                against=totals,
                control=controls,
                expect=Expectation(max_absolute_gain=Decimal("0.5")),
            ),
            *(ReconcileRule(checkpoint="Final", against=x, control="recordCount") for x in files),
        ),
    )
    one.start(spark)
    spark.read.parquet(str(trades)).createOrReplaceTempView("trades")
    rules = measure(spark, one, "final", "SELECT * FROM trades")
    assert [(rule.control, rule.expected, rule.actual, rule.status) for rule in rules] == [
        ("recordCount", "4", "4", "passed"),
        ("recordCount", "5", "4", "failed"),
        ("recordCount", "", "4", "error"),
        ("recordCount", "", "4", "error"),
        ("idControlTotal", "10", "10", "passed"),
        ("priceControlTotal", "14.0", "15.0", "failed"),
        ("isinControlTotal", "8695500645", "8695500645", "passed"),
    ]
    assert rules[1].against == f"Raw of {tmp_path}/_INFO"
    assert "half.json: not JSON" in rules[2].message
    assert "missing.csv is not there" in rules[3].message
    assert rules[5].message == "got 15.0, expected 14.0 with maxAbsoluteGain 0.5"


@pytest.mark.parametrize(
    ("expected", "actual", "expect", "agree"),
    [
        ("600", "600.0", "equal", True),
        ("600", "600.0000000001", "equal", False),
        ("", "", "equal", True),
        ("", "0", "equal", False),
        ("NaN", "NaN", "equal", True),
        ("N/A", "7", "equal", False),
        ("1E3", "1000", "equal", True),
        (
            "12345678901234567890123456789012345678",
            "12345678901234567890123456789012345679",
            "equal",
            False,
        ),
        ("1000", "999", Expectation(max_loss=0.001), True),
        ("1000", "998", Expectation(max_loss=0.001), False),
        ("1000", "1001", Expectation(max_loss=0.001), False),
        ("1000", "1010", Expectation(max_gain=0.01), True),
        ("-1000", "-1001", Expectation(max_loss=0.001), True),
        ("1000", "990", Expectation(tolerance=0.01), True),
        ("1000", "1010.1", Expectation(tolerance=0.01), False),
        ("0", "1", Expectation(tolerance=0.5), False),
    ],
)
def test_difference(expected: str, actual: str, expect: Any, *, agree: bool) -> None:
    assert (difference(expected, actual, expect, floating=False) is None) is agree


def test_sums_of_doubles_may_differ_by_their_order() -> None:
    assert difference("0.30000000000000004", "0.3", "equal", floating=True) is None
    assert difference("0.30000000000000004", "0.3", "equal", floating=False) is not None
    assert difference("0.3001", "0.3", "equal", floating=True) is not None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"metadata":{},"checkpoints":[]}', "has no checkpoints"),
        ("{bad", "not JSON"),
        ('{"metadata":{},"checkpoints":[{"name":"a","controls":[]}]}', "has no controls"),
    ],
)
def test_an_info_that_says_nothing_is_refused(
    spark: SparkSession, trades: Path, text: str, sentence: str
) -> None:
    (trades / "_INFO").write_text(text)
    with pytest.raises(RunError, match=sentence) as caught:
        tracker(trades).start(spark)
    assert f"{trades}/_INFO" in str(caught.value)


def test_an_info_file_that_is_not_there_is_not_replaced_by_a_built_one(
    spark: SparkSession, trades: Path
) -> None:
    with pytest.raises(RunError, match="is not there"):
        tracker(trades, source=Source(input="trades", info_file=str(trades / "other"))).start(spark)


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (
            ("idd",),
            "controlMeasures.source: columns: column 'idd' is not in data frame trades; did you mean 'id'?",
        ),
        (({"isin": "absAggregatedTotal"}, {"isin": "absAggregatedTotal"}), "once"),
    ],
)
def test_a_source_that_cannot_be_measured_is_refused(
    spark: SparkSession, trades: Path, columns: Any, sentence: str
) -> None:
    from airflow_metorikku.errors import MetorikkuError

    with pytest.raises(MetorikkuError) as caught:
        tracker(trades, source=Source(input="trades", columns=columns)).start(spark)
    assert sentence in str(caught.value)
