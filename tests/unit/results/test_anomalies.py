"""Anomalies as the real Deequ finds them, record by record, and what differs with its reason."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from airflow_metorikku.config.records.strategies import (
    STRATEGIES,
    AbsoluteChange,
    BatchNormal,
    HoltWinters,
    OnlineNormal,
    RelativeRateOfChange,
    SimpleThreshold,
    Strategy,
)
from airflow_metorikku.results import forecast as forecasts
from airflow_metorikku.results.anomalies import (
    Anomaly,
    Interval,
    Point,
    TooFewValuesError,
    detect,
    detect_in,
    in_order,
    judge_newest,
)

ORACLE = Path(__file__).parents[2] / "oracle/deequ"
Record = dict[str, Any]


def records(name: str) -> list[Record]:
    return [json.loads(line) for line in (ORACLE / name).read_text().splitlines()]


RECORDS = records("anomaly.jsonl")
CHECKS = records("anomaly_checks.jsonl")
# Records that Deequ throws on, and what we find.
OUR_ANSWERS: dict[str, list[int]] = {
    # An order larger than the series.
    **{r["id"]: [] for r in RECORDS if "Slice arguments" in str(r.get("thrown"))},
    # The history has a value of that time, or a later one: the new value is the newest all the same.
    **{
        r["id"]: [r["new"][0]]
        if r["new"][1] == 100 or r["strategy"]["name"] == "AbsoluteChange"
        else []
        for r in RECORDS
        if "Can't decide which range" in str(r.get("thrown"))
    },
    # A threshold needs no history: 3 is below 15.
    **{
        r["id"]: []
        for r in RECORDS
        if r["via"] == "newpoint" and not r["series"] and r["strategy"]["name"] == "SimpleThreshold"
    },
}


def strategy_of(given: Record) -> Strategy:
    """Deequ's parameters by our names; no factor is an infinite one."""
    options = {
        re.sub("([A-Z])", lambda match: f"_{match[1].lower()}", name): math.inf
        if value is None
        else value
        for name, value in given.items()
        if name != "name"
    }
    made: Strategy = STRATEGIES[given["name"]](**options)
    return made


def number(value: float | str) -> float:
    return float(value)


def found_in(record: Record) -> list[tuple[int, Anomaly]]:
    """Anomalies by their index, or by their time where the series has times."""
    strategy = strategy_of(record["strategy"])
    interval = record.get("interval")
    if record["via"] == "detect":
        series = [number(value) for value in record["series"]]
        found = detect(strategy, series, Interval(*interval) if interval else None)
        return [(one.index, one) for one in found]
    points = [Point(time=time, value=value) for time, value in record["series"]]
    if record["via"] == "history":
        timed = detect_in(strategy, points, *(interval or (None, None)))
        return [(one.time or 0, one) for one in timed]
    time, value = record["new"]
    one = judge_newest(strategy, [each.value or 0.0 for each in in_order(points)], value)
    return [(time, one)] if one else []


def numbers_in(text: str) -> list[float]:
    pattern = r"-?(?:NaN|Infinity|\d+\.\d+(?:E\d+)?)"
    return [float(one) for one in re.findall(pattern, text)]


def same(one: float, other: float, tolerance: float) -> bool:
    return (
        one == other
        or (math.isnan(one) and math.isnan(other))
        or math.isclose(one, other, rel_tol=tolerance)
    )


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])
def test_anomalies_are_those_of_deequ(record: Record) -> None:
    if "thrown" in record and record["id"] not in OUR_ANSWERS:
        with pytest.raises((ValueError, TooFewValuesError)):
            found_in(record)
        return
    found = found_in(record)
    flagged = OUR_ANSWERS[record["id"]] if "thrown" in record else record["flagged"]
    assert [where for where, _ in found] == flagged
    for (_, one), detail in zip(found, record.get("details", []), strict="thrown" not in record):
        assert same(one.value, number(detail["value"]), 0)
        theirs = numbers_in(detail["detail"])
        if record["strategy"]["name"] == "HoltWinters":
            assert same((one.lower + one.upper) / 2, theirs[0], 1e-4)
        elif record["strategy"]["name"] == "OnlineNormal":
            assert one.value == theirs[0] or math.isnan(one.value)  # bounds: see below
        else:
            ours = [one.measured, one.lower, one.upper]
            assert all(same(*pair, 1e-9) for pair in zip(ours, theirs, strict=True)), (ours, theirs)


def test_all_records_are_asked() -> None:
    assert len(RECORDS) == 520
    assert len(OUR_ANSWERS) == 8
    # One is DQDL's: tests/unit/config/test_past_bounds.py.
    asked = {record["strategy"]["name"] for record in RECORDS}
    assert asked == set(STRATEGIES) - {"DynamicThreshold"}


def test_online_normal_names_the_bounds_that_the_value_was_judged_by() -> None:
    # By hand, of 1, 1, 5 with factors 1: mean 7/3, deviation sqrt((2*(4/3)^2 + (8/3)^2)/3).
    (one,) = detect(
        OnlineNormal(lower_deviation_factor=1, upper_deviation_factor=1, ignore_start_percentage=0),
        [1, 1, 5],
    )
    deviation = math.sqrt((2 * (4 / 3) ** 2 + (8 / 3) ** 2) / 3)
    assert same(one.lower, 7 / 3 - deviation, 1e-12)
    assert same(one.upper, 7 / 3 + deviation, 1e-12)
    assert one.detail == f"value 5 is not between {one.lower!r} and {one.upper!r}"


# Records of a whole check in which ours says something else: too little history is no pass.
NOT_ENOUGH = {
    "OnlineNormal": 10,
    "AbsoluteChange": 1,
    "RelativeRateOfChange": 1,
    "SimpleThreshold": 0,
}


@pytest.mark.parametrize("record", CHECKS, ids=lambda record: record["id"])
def test_checks_are_those_of_deequ(record: Record) -> None:
    strategy = strategy_of(record["strategy"])
    history = [
        each.value or 0.0
        for each in in_order([Point(time=time, value=value) for time, value in record["history"]])
    ]
    if len(history) < NOT_ENOUGH[record["strategy"]["name"]]:
        with pytest.raises(TooFewValuesError):
            judge_newest(strategy, history, 24)
    elif not history:
        # Deequ wants some history; the bound 10 is known without.
        assert record["status"] == "Failure"
        found = judge_newest(strategy, history, 24)
        assert found
        assert found.detail == "value 24 is not at most 10"
    else:
        assert bool(judge_newest(strategy, history, 24)) == (record["status"] == "Failure")


@pytest.mark.parametrize("factor", [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.2])
def test_online_normal_needs_as_much_history_as_can_tell(factor: float) -> None:
    strategy = OnlineNormal(lower_deviation_factor=factor, upper_deviation_factor=factor)
    least = int(strategy.least_history())
    assert judge_newest(strategy, [0.0] * least, 1e9)
    if least > 1:
        with pytest.raises(TooFewValuesError, match=f"needs {least} values"):
            judge_newest(strategy, [0.0] * (least - 1), 1e9)
        assert not detect(strategy, [*[0.0] * (least - 1), 1e9])


def test_nothing_is_told_of_no_number_but_that_it_is_none() -> None:
    for strategy in (SimpleThreshold(upper_bound=5), AbsoluteChange(max_rate_increase=1)):
        found = judge_newest(strategy, [1.0, math.nan, 2.0], math.nan)
        assert found
        assert found.detail == "value nan is not a number"
        assert judge_newest(strategy, [1.0, math.nan, 2.0], 2.5) is None


def test_orders_of_the_specification() -> None:
    def changes(strategy: Strategy, series: list[float]) -> list[float]:
        return [one.measured for one in detect(strategy, series)]

    series = [1.0, 2, 4, 1, 2, 8]
    never: dict[str, Any] = {"max_rate_decrease": math.inf, "max_rate_increase": math.inf}
    assert changes(AbsoluteChange(**never), series) == [1, 2, -3, 1, 6]
    assert changes(AbsoluteChange(**never, order=2), series) == [1, -5, 4, 5]
    assert changes(RelativeRateOfChange(**never), series) == [2, 2, 0.25, 2, 4]
    assert changes(RelativeRateOfChange(**never, order=2), series) == [4, 0.5, 0.5, 8]


def test_batch_normal_leaves_the_interval_out() -> None:
    series = [1.0, 1, 1, 1000, 500, 1]
    assert [one.index for one in detect(BatchNormal(), series, Interval(3, 5))] == [3, 4]
    with pytest.raises(TooFewValuesError):
        detect(BatchNormal(), series)


def test_without_scipy_holt_winters_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "scipy.optimize", None)
    with pytest.raises(
        forecasts.NoForecastError, match=r"pip install 'airflow-metorikku\[anomaly\]'"
    ):
        judge_newest(HoltWinters(metric_interval="Daily", seasonality="Weekly"), [1.0] * 14, 1.0)


def test_a_season_is_foreseen() -> None:
    weeks = [10.0 * (day % 7) + day for day in range(35)]
    strategy = HoltWinters(metric_interval="Daily", seasonality="Weekly")
    assert judge_newest(strategy, weeks, 10.0 * (35 % 7) + 35) is None
    found = judge_newest(strategy, weeks, 90.0)
    assert found
    assert "forecast was" in found.detail


def test_strategies_say_themselves() -> None:
    assert (
        str(RelativeRateOfChange(max_rate_decrease=0.5))
        == "RelativeRateOfChange(maxRateDecrease 0.5)"
    )
    assert str(OnlineNormal()) == "OnlineNormal()"
    assert str(HoltWinters(metric_interval="Daily", seasonality="Weekly")) == (
        "HoltWinters(metricInterval Daily, seasonality Weekly)"
    )
