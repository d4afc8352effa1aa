"""The anomaly check in a metric file: what it takes, and its mistakes at their lines."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from airflow_metorikku.config.plain import from_plain, to_plain
from airflow_metorikku.config.records.analyzers.numbers import Mean
from airflow_metorikku.config.records.analyzers.rows import Compliance
from airflow_metorikku.config.records.checks.anomaly import Anomaly
from airflow_metorikku.config.records.data_quality import DataQuality, History, Quality
from airflow_metorikku.config.records.strategies import (
    BatchNormal,
    HoltWinters,
    RelativeRateOfChange,
    SimpleThreshold,
)
from airflow_metorikku.plan.constraints import constraints

HALVED = "RelativeRateOfChange: {maxRateDecrease: 0.5}"
DAY = 86_400_000


def check_of(read, options: str) -> Anomaly:
    made, problems = read(DataQuality, f"checks:\n- anomaly: {{{options}}}\n")
    assert problems == []
    (check,) = made.checks
    return check


def test_any_analyzer_and_any_strategy(read):
    check = check_of(
        read, f"metric: {{Mean: {{column: price}}}}, where: x > 0, strategy: {{{HALVED}}}"
    )
    assert check.analyzer() == Mean(column="price", where_="x > 0")
    assert check.strategy == RelativeRateOfChange(max_rate_decrease=0.5)
    (constraint,) = constraints("d", DataQuality(checks=(check,)), "fail")
    assert constraint.id == "anomaly.Mean.price.RelativeRateOfChange"
    assert constraint.text == (
        "anomaly(Mean(price)) usual by RelativeRateOfChange(maxRateDecrease 0.5) where x > 0"
    )
    check = check_of(
        read,
        "metric: {Compliance: {predicate: a > 0}}, strategy: {BatchNormal: {lowerDeviationFactor: .inf}}",
    )
    assert check.metric == Compliance(predicate="a > 0")
    assert isinstance(check.strategy, BatchNormal)
    check = check_of(
        read,
        "metric: {Size: {}}, strategy: {HoltWinters: {metricInterval: daily, seasonality: weekly}}",
    )
    assert check.strategy == HoltWinters(metric_interval="Daily", seasonality="Weekly")


def test_ids_tell_nothing_of_positions(read):
    options = f"{{metric: {{Compliance: {{predicate: a > 0}}}}, strategy: {{{HALVED}}}}}"
    made, problems = read(DataQuality, f"checks:\n- anomaly: {options}\n- anomaly: {options}\n")
    assert problems == []
    one, other = made.checks
    assert one.at != other.at
    ids = [
        constraints("d", DataQuality(checks=(check, replace(check, hint="x"))), "fail")[0].id
        for check in (one, other)
    ]
    assert ids[0] == ids[1]


def test_times_are_instants_in_utc(read):
    given = "metric: {Size: {}}, strategy: {SimpleThreshold: {lowerBound: 1}}"
    check = check_of(read, f"{given}, after: 1970-01-02, before: 1970-01-03")
    assert (check.first_time(), check.last_time()) == (DAY, 3 * DAY - 1)
    check = check_of(
        read, f"{given}, after: '1970-01-01T00:00:01', before: '1970-01-01T02:00:00+01:00'"
    )
    assert (check.first_time(), check.last_time()) == (1000, 3_600_000)


def test_it_crosses_to_spark_as_it_is(read):
    check = check_of(
        read,
        "metric: {Mean: {column: price}}, strategy: {BatchNormal: {lowerDeviationFactor: .inf}}, "
        "withTagValues: {region: EU}, after: 2026-01-01, includeAnomalies: true",
    )
    assert from_plain(Anomaly, json.loads(json.dumps(to_plain(check)))) == check


@pytest.mark.parametrize(
    ("options", "line", "text"),
    [
        ("metric: {Size: {}}\n    strategy: {RateOfChance: {maxRateIncrease: 1}}", 4, "unknown strategy 'RateOfChance'; did you mean 'RateOfChange'?"),
        ("metric: {Sise: {}}\n    strategy: {BatchNormal: {}}", 3, "unknown analyzer 'Sise'; did you mean 'Size'?"),
        ("metric: {Size: {}}\n    strategy: {BatchNormal: {upperDeviationFactor: -1}}", 4, "upperDeviationFactor: expected 0 or more, got -1"),
        ("metric: {Size: {}}\n    strategy: {BatchNormal: {lowerDeviationFactor: .inf, upperDeviationFactor: .inf}}", 4, "needs a lowerDeviationFactor or an upperDeviationFactor"),
        ("metric: {Size: {}}\n    strategy: {SimpleThreshold: {lowerBound: 2, upperBound: 1}}", 4, "lowerBound: got 2, more than upperBound 1"),
        ("metric: {Size: {}}\n    strategy: {SimpleThreshold: {}}", 4, "needs lowerBound or upperBound, got neither"),
        ("metric: {Size: {}}\n    strategy: {AbsoluteChange: {order: 1}}", 4, "needs maxRateDecrease or maxRateIncrease, got neither"),
        ("metric: {Size: {}}\n    strategy: {AbsoluteChange: {maxRateDecrease: 2, maxRateIncrease: 1}}", 4, "more than maxRateIncrease 1"),
        ("metric: {Size: {}}\n    strategy: {RelativeRateOfChange: {maxRateIncrease: 1, order: 0}}", 4, "order: expected 1 or more, got 0"),
        ("metric: {Size: {}}\n    strategy: {OnlineNormal: {ignoreStartPercentage: 10}}", 4, "ignoreStartPercentage: expected a share from 0 to 1, got 10"),
        ("metric: {Size: {}}\n    strategy: {HoltWinters: {metricInterval: Daily, seasonality: Yearly}}", 4, "expected one of Weekly with Daily"),
        ("metric: {Size: {}}\n    strategy: {BatchNormal: {}}\n    assertion: '> 1'", 5, "an anomaly check has none"),
        ("metric: {Size: {where: a}}\n    strategy: {BatchNormal: {}}\n    where: b", 5, "stands in the metric too"),
        ("metric: {Size: {}}\n    strategy: {BatchNormal: {}}\n    after: yesterday", 5, "got 'yesterday', expected a date or time"),
        ("metric: {Size: {}}\n    strategy: {BatchNormal: {}}\n    after: 2026-02-01\n    before: 2026-01-01", 5, "is later than before"),
        ("metric: {Size: {}}", 3, "key 'strategy' is missing"),
    ],
)  # fmt: skip
def test_mistakes_stand_at_their_lines(read, options, line, text):
    _, problems = read(DataQuality, f"checks:\n- anomaly:\n    {options}\n")
    assert len(problems) == 1, problems
    assert problems[0].startswith(f"{line}: ")
    assert text in problems[0]


def test_settings_of_the_history(read):
    quality, problems = read(
        Quality,
        "tags: {region: EU}\nhistory: {keep: 30, days: 400, repositories: {movies: metrics.json}}\n",
    )
    assert problems == []
    assert quality == Quality(
        tags={"region": "EU"},
        history=History(keep=30, days=400, repositories={"movies": "metrics.json"}),
    )
    _, problems = read(Quality, "history: {keep: -1}\n")
    assert problems == ["1: history.keep: expected 0 or more, got -1"]
    _, problems = read(Quality, "history: {days: 0}\n")
    assert problems == ["1: history.days: expected 1 or more, got 0"]


def test_a_threshold_needs_no_history():
    assert SimpleThreshold(upper_bound=1).least_history() == 0
