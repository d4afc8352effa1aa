"""Deequ's repository format, as its own files have it, read and written."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any

import pytest

from airflow_metorikku.config.records.analyzers import distributions as records
from airflow_metorikku.config.records.analyzers.keys import Uniqueness
from airflow_metorikku.config.records.analyzers.numbers import Mean
from airflow_metorikku.config.records.analyzers.row_rules import ContainedIn
from airflow_metorikku.config.records.analyzers.rows import Completeness, Compliance, Size
from airflow_metorikku.config.records.analyzers.texts import PatternMatch
from airflow_metorikku.config.records.strategies import AbsoluteChange, RelativeRateOfChange
from airflow_metorikku.results.distributions import KLL, Bin, Bucket, Histogram, HistogramBinned
from airflow_metorikku.results.history import EVERYTHING, Selection, anomalies, load, series
from airflow_metorikku.results.repository import (
    Origin,
    StoredMetric,
    StoredRun,
    UnreadableRepositoryError,
    merged,
    runs_from,
    runs_of,
    success_rows,
    text_of,
)

# As Deequ writes it: gson, two blanks, no nulls, bare NaN.
DEEQU = """[
  {
    "resultKey": {
      "dataSetDate": 1500000000000,
      "tags": {
        "Region": "EU"
      }
    },
    "analyzerContext": {
      "metricMap": [
        {
          "analyzer": {
            "analyzerName": "Size"
          },
          "metric": {
            "metricName": "DoubleMetric",
            "entity": "Dataset",
            "instance": "*",
            "name": "Size",
            "value": 4.0
          }
        },
        {
          "analyzer": {
            "analyzerName": "Completeness",
            "column": "att1",
            "where": "item \\u003e 1"
          },
          "metric": {
            "metricName": "DoubleMetric",
            "entity": "Column",
            "instance": "att1",
            "name": "Completeness",
            "value": NaN
          }
        },
        {
          "analyzer": {
            "analyzerName": "Uniqueness",
            "columns": ["att1", "att2"]
          },
          "metric": {
            "metricName": "DoubleMetric",
            "entity": "Mutlicolumn",
            "instance": "att1,att2",
            "name": "Uniqueness",
            "value": 0.25
          }
        },
        {
          "analyzer": {
            "analyzerName": "Compliance",
            "where": "x > 0",
            "instance": "rule1",
            "predicate": "att1 > 3",
            "columns": ["att1"],
            "analyzerOptions": {
              "nullBehavior": "Ignore",
              "filteredRow": "NULL"
            }
          },
          "metric": {
            "metricName": "DoubleMetric",
            "entity": "Column",
            "instance": "rule1",
            "name": "Compliance",
            "value": 0.7
          }
        },
        {
          "analyzer": {
            "analyzerName": "FromTheFuture",
            "column": "x",
            "depth": 3
          },
          "metric": {
            "metricName": "DoubleMetric",
            "entity": "Column",
            "instance": "x",
            "name": "FromTheFuture",
            "value": 1.5
          }
        }
      ]
    }
  }
]"""
SIZE, MEAN = Size(), Mean(column="price")


def metric(analyzer: Any, value: Any, **more: Any) -> StoredMetric:
    return StoredMetric(
        analyzer=analyzer,
        entity=analyzer.entity,
        instance=analyzer.instance,
        name=analyzer.name,
        value=value,
        **more,
    )


def run(
    time: int, *metrics: StoredMetric, tags: dict[str, str] | None = None, **origin: Any
) -> StoredRun:
    made = Origin(
        **{
            "job": "j",
            "data_frame": "d",
            "dag_id": "dag",
            "run_id": f"r{time}",
            "attempt": "a",
            "written": time,
        }
        | origin
    )
    return StoredRun(time=time, tags=tags or {}, metrics=metrics, origin=made)


def test_a_file_of_deequ_is_read(caplog: pytest.LogCaptureFixture) -> None:
    (found,) = runs_from(DEEQU)
    assert (found.time, found.tags, found.origin) == (1500000000000, {"Region": "EU"}, None)
    size, completeness, uniqueness, compliance, future = found.metrics
    assert (size.analyzer, size.value) == (Size(), 4.0)
    assert completeness.analyzer == Completeness(column="att1", where_="item > 1")
    assert completeness.number is not None
    assert math.isnan(completeness.number)
    assert (uniqueness.analyzer, uniqueness.entity) == (
        Uniqueness(columns=("att1", "att2")),
        "Multicolumn",
    )
    assert isinstance(compliance.analyzer, Compliance)
    assert (compliance.analyzer.predicate, compliance.analyzer.instance, compliance.analyzer.where_) == (
        "att1 > 3", "rule1", "x > 0",
    )  # fmt: skip
    assert (future.analyzer, future.name, future.value) == (None, "FromTheFuture", 1.5)
    assert "unknown analyzer 'FromTheFuture'" in caplog.text


def test_what_is_unknown_is_written_as_it_was_found() -> None:
    raw = json.loads(DEEQU)[0]["analyzerContext"]["metricMap"][-1]
    again = json.loads(text_of(runs_from(DEEQU)))
    assert again[0]["analyzerContext"]["metricMap"][-1] == raw


def test_it_is_written_in_deequs_words_and_order() -> None:
    text = text_of(
        [
            run(
                5,
                metric(SIZE, 24),
                metric(Completeness(column="a", where_="b > 0"), 0.5),
                metric(PatternMatch(column="a", pattern="^x", where_="b > 0"), math.nan),
                metric(ContainedIn(column="side", allowed_values=("B", "S")), 1.0),
                tags={"region": "EU"},
            )
        ]
    )
    (whole,) = json.loads(text)
    assert list(whole)[:2] == ["resultKey", "analyzerContext"]
    assert whole["resultKey"] == {"dataSetDate": 5, "tags": {"region": "EU"}}
    size, completeness, pattern, contained = whole["analyzerContext"]["metricMap"]
    assert size == {
        "analyzer": {"analyzerName": "Size"},
        "metric": {
            "metricName": "DoubleMetric", "entity": "Dataset", "instance": "*", "name": "Size", "value": 24.0,
        },
    }  # fmt: skip
    assert '"value": 24.0' in text
    assert list(completeness["analyzer"].items()) == [
        ("analyzerName", "Completeness"), ("column", "a"), ("where", "b > 0"),
    ]  # fmt: skip
    assert list(pattern["analyzer"])[:4] == ["analyzerName", "column", "where", "pattern"]
    assert '"value": NaN' in text
    # What is Compliance to Deequ has all that its reader asks for.
    assert contained["analyzer"] == {
        "analyzerName": "Compliance",
        "instance": "side contained in B,S",
        "predicate": "side contained in B,S",
        "columns": ["side"],
        "rule": "ContainedIn",
        "column": "side",
        "allowedValues": ["B", "S"],
    }


def test_what_deequ_cannot_read_stands_apart() -> None:
    failed = metric(
        MEAN,
        None,
        constraint_id="hasMean.price",
        constraint="hasMean(price) >= 1",
        status="error",
        message="no column",
    )
    (whole,) = json.loads(text_of([run(1, metric(SIZE, 3), failed)]))
    assert len(whole["analyzerContext"]["metricMap"]) == 1
    assert whole["analyzerContext"]["otherMetrics"] == [
        {
            "analyzer": {"analyzerName": "Mean", "column": "price"},
            "constraintId": "hasMean.price",
            "constraint": "hasMean(price) >= 1",
            "status": "error",
            "message": "no column",
        }
    ]


def test_what_is_written_is_read_again() -> None:
    runs = (
        run(
            7,
            metric(
                SIZE,
                2**62 + 1,
                constraint_id="hasSize",
                constraint="hasSize() > 0",
                status="passed",
            ),
            metric(MEAN, -math.inf, status="failed", message="value -inf", level="warning"),
            metric(Uniqueness(columns=("a", "b"), where_="c"), 0.5),
            metric(
                Completeness(column="h"),
                Histogram(bins=2, values={"NullValue": (1, 0.25), "ü": (3, 0.75)}),
            ),
            metric(MEAN, None, status="no_data", message="no rows"),
            tags={"t": "1"},
        ),
    )
    assert runs_from(text_of(runs)) == runs


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        "[{}]",
        '[{"resultKey": {"dataSetDate": "x"}, "analyzerContext": {"metricMap": []}}]',
        '[{"resultKey": {"dataSetDate": Infinity}, "analyzerContext": {"metricMap": []}}]',
        "[" * 100_000,
        text_of([run(1, metric(SIZE, 1, level="fatal"))]),
        text_of([run(1, metric(SIZE, 1), written="yesterday")]),
    ],
)
def test_what_is_no_repository_is_said(text: str, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(UnreadableRepositoryError, match="not a metrics repository"):
        runs_from(text)
    assert runs_of([("a.json", text), ("b.json", text_of([run(1)]))]) == (run(1),)
    assert "a.json" in caplog.text


def test_runs_are_loaded_newest_first() -> None:
    runs = [
        run(1, metric(SIZE, 1), metric(MEAN, 10), tags={"region": "EU", "x": "1"}),
        run(3, metric(SIZE, 3), tags={"region": "NA"}),
        run(2, metric(SIZE, 2), tags={"region": "EU"}),
    ]
    assert [one.time for one in load(runs)] == [3, 2, 1]
    assert [one.time for one in load(runs, Selection(after=2, before=3))] == [3, 2]
    assert [one.time for one in load(runs, Selection(after=1, before=1))] == [1]
    assert [one.time for one in load(runs, Selection(tags={"region": "EU"}))] == [2, 1]
    assert [len(one.metrics) for one in load(runs, EVERYTHING, [MEAN])] == [0, 0, 1]
    assert [(one.time, one.value) for one in series(runs, SIZE)] == [(1, 1), (2, 2), (3, 3)]


def test_a_filter_makes_another_metric() -> None:
    # In Deequ two filtered Uniqueness metrics of the same columns are one, and the last wins.
    red, blue = (
        Uniqueness(columns=("a",), where_=f"color = '{color}'") for color in ("red", "blue")
    )
    runs = runs_from(text_of([run(1, metric(red, 0.1), metric(blue, 0.9))]))
    assert [one.value for one in series(runs, red)] == [0.1]
    assert [one.value for one in series(runs, blue)] == [0.9]


def test_a_repaired_rerun_replaces_its_point() -> None:
    runs = [
        run(1, metric(SIZE, 100)),
        run(2, metric(SIZE, 1), run_id="r", written=20),
        run(2, metric(SIZE, 101), run_id="r", written=30),
        run(3, metric(SIZE, 5), run_id="r", dag_id="other"),
    ]
    assert [one.value for one in series(runs, SIZE)] == [100, 101, 5]


def test_an_anomaly_does_not_poison_what_is_usual() -> None:
    def judged(value: float, status: Any) -> StoredMetric:
        return metric(SIZE, value, constraint_id="anomaly.Size", status=status)

    runs = [
        run(1, judged(10, "no_data")),
        run(2, judged(1, "failed")),
        run(3, judged(11, "passed")),
    ]
    assert [one.value for one in series(runs, SIZE)] == [10, 1, 11]
    assert [one.value for one in series(runs, SIZE, without_anomalies_of="anomaly.Size")] == [
        10,
        11,
    ]
    assert [one.value for one in series(runs, SIZE, without_anomalies_of="anomaly.Other")] == [
        10,
        1,
        11,
    ]


def test_anomalies_of_a_history() -> None:
    runs = [run(time, metric(SIZE, size)) for time, size in enumerate([100, 101, 10, 99, 102])]
    halved = RelativeRateOfChange(max_rate_decrease=0.5, max_rate_increase=2)
    assert [(one.time, one.value) for one in anomalies(runs, SIZE, halved)] == [(2, 10)]
    # With the anomaly as history, the next good one is strange (Deequ's way).
    found = anomalies(runs, SIZE, halved, include_anomalies=True)
    assert [(one.time, one.value) for one in found] == [(2, 10), (3, 99)]
    assert anomalies(runs, MEAN, halved) == ()
    assert anomalies(runs[:1], SIZE, AbsoluteChange(max_rate_increase=0)) == ()


def test_metrics_of_one_key_are_merged() -> None:
    first = StoredRun(time=1, metrics=(metric(SIZE, 1), metric(MEAN, 2)))
    (whole,) = merged([first], StoredRun(time=1, metrics=(metric(SIZE, 9),)))
    assert {one.name: one.value for one in whole.metrics} == {"Size": 9, "Mean": 2}
    assert len(merged([first], StoredRun(time=1, tags={"a": "b"}))) == 2


def test_success_metrics_as_rows() -> None:
    runs = [
        run(
            1,
            metric(SIZE, 4),
            metric(MEAN, None, status="error"),
            tags={"Data Set": "x", "data-set": "y", "Value": "z"},
        ),
        run(
            2,
            metric(Completeness(column="a", where_="b"), 0.5),
            metric(Completeness(column="a", where_="b"), 0.5),
        ),
        run(3, metric(Completeness(column="h"), Histogram(bins=1, values={"k": (2, 1.0)}))),
    ]
    assert success_rows(runs) == [
        {"entity": "Column", "instance": "h", "name": "Completeness.bins", "value": 1.0, "dataset_date": 3},
        {"entity": "Column", "instance": "h", "name": "Completeness.abs.k", "value": 2.0, "dataset_date": 3},
        {"entity": "Column", "instance": "h", "name": "Completeness.ratio.k", "value": 1.0, "dataset_date": 3},
        {"entity": "Column", "instance": "a", "name": "Completeness (where: b)", "value": 0.5, "dataset_date": 2},
        {
            "entity": "Dataset", "instance": "*", "name": "Size", "value": 4.0, "dataset_date": 1,
            "dataset": "x", "dataset_2": "y", "value_2": "z",
        },
    ]  # fmt: skip


BINNED = HistogramBinned(
    bins=(
        Bin(start=-math.inf, end=1.5, frequency=3, ratio=0.5),
        Bin(start=1.5, end=2.0, frequency=1, ratio=0.25),
    ),
    null_count=2,
)
SKETCH = KLL(
    buckets=(Bucket(low=0.0, high=1.0, count=3), Bucket(low=1.0, high=2.0, count=1)),
    shrinking_factor=0.64,
    sketch_size=2048,
    data=((0.5, 1.0), (2.0,)),
)


def test_distributions_are_written_as_deequ_writes_them() -> None:
    edges = records.HistogramBinned(column="a", edges=(Decimal("-1.5"), Decimal(2)))
    runs = [
        run(
            1,
            metric(edges, BINNED),
            metric(records.KLLSketch(column="a"), SKETCH),
            metric(
                records.Histogram(column="h", sum_of="x"),
                Histogram(bins=1, values={"k": (2, 1.0)}, tail_count=0),
            ),
        )
    ]
    assert runs_from(text_of(runs)) == tuple(runs)
    binned, sketch, histogram = json.loads(text_of(runs))[0]["analyzerContext"]["metricMap"]
    assert binned["analyzer"]["customEdges"] == [-1.5, 2.0]
    assert binned["metric"]["metricName"] == "HistogramBinnedMetric"
    assert (binned["metric"]["column"], binned["metric"]["numberOfBins"]) == ("a", 2)
    assert binned["metric"]["value"]["bins"][1] == {
        "binStart": 1.5,
        "binEnd": 2.0,
        "frequency": 1,
        "ratio": 0.25,
    }
    assert sketch["analyzer"] == {
        "analyzerName": "KLLSketch", "column": "a", "sketchSize": 2048, "shrinkingFactor": 0.64, "numberOfBuckets": 100,
    }  # fmt: skip
    assert sketch["metric"]["value"] == {
        "buckets": [
            {"lowValue": 0.0, "highValue": 1.0, "count": 3},
            {"lowValue": 1.0, "highValue": 2.0, "count": 1},
        ],
        "parameters": [0.64, 2048.0],
        "data": [[0.5, 1.0], [2.0]],
    }
    assert histogram["analyzer"] == {
        "analyzerName": "Histogram", "column": "h", "maxDetailBins": 1000,
        "aggregateFunction": "sum", "aggregateColumn": "x",
    }  # fmt: skip
    names = {one["name"] for one in success_rows(runs)}
    assert {
        "HistogramBinned.bins",
        "HistogramBinned.abs.bin1",
        "KLL.count.0",
        "Histogram.abs.k",
    } <= names
