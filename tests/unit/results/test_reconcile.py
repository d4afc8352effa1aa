"""Reconciliation by rule: the right answers are worked out by hand, and by Python's Decimal."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_metorikku.config.records.reconciliation import Against, Expectation, ReconcileRule
from airflow_metorikku.results.reconcile import Actual, Reference, difference, gap, reconcile
from airflow_metorikku.results.records import (
    CheckpointResult,
    ControlValue,
    ReconciliationResult,
)
from airflow_metorikku.results.references import of_file
from airflow_metorikku.results.side_by_side import side_by_side
from airflow_metorikku.results.totals import UnreadableTotalsError, read_totals

CONTROLS = [Actual(name="recordCount", value="99"), Actual(name="total", value="1000")]
BEFORE = Reference(
    name="Loaded", values={"recordCount": "100", "total": "1000", "hash": "7"}, is_whole=True
)


def found(rules: list[ReconcileRule], reference: Reference = BEFORE, controls=CONTROLS) -> Any:
    compared = reconcile("Enriched", controls, rules, lambda against: reference)
    return [(one.control, one.status) for one in compared]


def test_by_default_every_control_of_both_equals_the_one_before():
    assert found([]) == [("recordCount", "failed"), ("total", "passed"), ("hash", "error")]


def test_a_rule_replaces_the_default_for_its_controls_only():
    loss = ReconcileRule(
        checkpoint="Enriched", control="recordCount", expect=Expectation(max_loss=0.01)
    )
    ignored = ReconcileRule(checkpoint="Enriched", control=("hash", "total"), expect="ignore")
    other = ReconcileRule(checkpoint="Other", expect="ignore")
    assert found([loss, ignored, other]) == [("recordCount", "passed")]


def test_a_rule_for_all_stands_back_behind_one_that_names_the_control():
    every = ReconcileRule(checkpoint="Enriched", expect="ignore")
    named = ReconcileRule(checkpoint="Enriched", control="total")
    assert found([every, named]) == [("total", "passed")]


def test_what_cannot_be_compared_is_an_error():
    assert found([], Reference(name="x", problem="x is not there")) == [
        ("recordCount", "error"),
        ("total", "error"),
    ]
    unmeasured = [Actual(name="total", value="N/A")]
    assert found([], Reference(name="x", values={"total": "N/A"}), unmeasured) == [
        ("total", "error")
    ]
    twice = [Actual(name="total", value="1"), Actual(name="total", value="1")]
    assert found([], Reference(name="x", values={"total": "1"}), twice) == [("total", "error")] * 2
    assert ("nosuch", "error") in found([ReconcileRule(checkpoint="Enriched", control="nosuch")])


@pytest.mark.parametrize(
    ("expected", "actual", "expect", "agree"),
    [
        ("1000", "995", Expectation(absolute_tolerance=Decimal(5)), True),
        ("1000", "1005.01", Expectation(absolute_tolerance=Decimal(5)), False),
        ("1000", "999.5", Expectation(max_absolute_loss=Decimal("0.5")), True),
        ("1000", "1000.5", Expectation(max_absolute_loss=Decimal("0.5")), False),
        ("1000", "1000.5", Expectation(max_absolute_gain=Decimal("0.5")), True),
        # 0.1 of 1000 is wider than 5: the widest counts.
        ("1000", "900", Expectation(tolerance=0.1, absolute_tolerance=Decimal(5)), True),
        ("0", "3", Expectation(tolerance=0.5, absolute_tolerance=Decimal(3)), True),
        ("1000", "996", Expectation(max_absolute_loss=Decimal(1), max_gain=1.0), False),
    ],
)
def test_absolute_limits(expected: str, actual: str, expect: Expectation, *, agree: bool):
    assert (difference(expected, actual, expect) is None) is agree


@given(
    st.decimals(allow_nan=False, allow_infinity=False, places=4),
    st.decimals(allow_nan=False, allow_infinity=False, places=4),
    st.decimals(min_value=0, max_value=10**6, places=4),
)
def test_an_absolute_tolerance_is_exact(one: Decimal, other: Decimal, limit: Decimal):
    agrees = difference(f"{one:f}", f"{other:f}", Expectation(absolute_tolerance=limit)) is None
    scaled = [int(x.scaleb(4)) for x in (one, other, limit)]
    assert agrees is (abs(scaled[0] - scaled[1]) <= scaled[2])


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({}, "needs tolerance"),
        ({"tolerance": -0.1}, "tolerance: got -0.1, expected 0 or more"),
        ({"max_loss": float("inf")}, "maxLoss: got inf"),
        ({"max_absolute_gain": Decimal(-1)}, "maxAbsoluteGain: got -1"),
    ],
)
def test_limits_that_say_nothing_are_refused(keys: Any, sentence: str):
    with pytest.raises(ValueError, match=sentence):
        Expectation(**keys)


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({}, "expected infoFile or totals"),
        ({"info_file": "a", "totals": "b"}, "expected infoFile or totals"),
        ({"totals": "a", "checkpoint": "c"}, "checkpoint: totals have no checkpoints"),
        ({"info_file": "a", "layout": "columns"}, "layout: is for totals"),
        ({"info_file": "a", "names": {"a": "b"}}, "names: is for totals"),
        ({"totals": "a", "separator": "||"}, "separator: got '||'"),
    ],
)
def test_files_that_are_half_named_are_refused(keys: Any, sentence: str):
    with pytest.raises(ValueError, match=sentence):
        Against(**keys)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("control,value\nrecordCount,99\ntotal,1000.50\n", {}),
        ("\ufeffcontrol,value,by\r\nrecordCount, 99 ,me\r\n\r\ntotal,1000.50,me", {}),
        (
            "NAME|AMT\nROWS|99\ntotal|1000.50\n",
            {"separator": "|", "name_key": "NAME", "value_key": "AMT", "names": {"recordCount": "ROWS"}},
        ),
        ("recordCount;total\n99;1000.50\n", {"separator": ";", "layout": "columns"}),
        ("T,99,1000.50", {"header": False, "layout": "columns", "names": {"recordCount": "2", "total": "3"}}),
        ('{"recordCount": 99, "total": "1000.50"}', {"format": "json"}),
        ('[{"control": "recordCount", "value": 99}, {"control": "total", "value": 1000.50}]', {"format": "json"}),
        ('{"trailer": {"sums": {"recordCount": 99, "total": 1000.50}}}', {"format": "json", "inside": "trailer.sums"}),
    ],
)  # fmt: skip
def test_totals_are_read_as_they_are_written(text: str, keys: Any):
    values = read_totals(text, Against(totals="t.csv", **keys))
    assert (values["recordCount"], values["total"]) == ("99", "1000.50")


@pytest.mark.parametrize(
    ("text", "keys", "sentence"),
    [
        ("", {}, "t.csv: is empty"),
        ("control,value\n", {}, "has no totals"),
        ("control,value\nrecordCount", {}, "row 2: got 1 column, expected 2; the file may be half"),
        ('control,value\nrecordCount,"9', {}, "not CSV"),
        ("control,value\nrecordCount,\n", {}, "got nothing for 'recordCount'"),
        ("control,value\na,1\na,1\n", {}, "has 'a' twice"),
        ("<html>\n<body>\n", {}, "has no column 'control'"),
        ("controls,value\na,1\n", {}, "did you mean 'controls'"),
        ("a,b\n1,2\n3,4\n", {"layout": "columns"}, "has 2 rows of totals"),
        ("control,value\na,1\n", {"names": {"recordCount": "ROWS"}}, "has no ROWS; it has a"),
        ('{"a": 1', {"format": "json"}, "not JSON"),
        ('{"a": 1, "a": 2}', {"format": "json"}, "has 'a' twice"),
        ('{"a": null}', {"format": "json"}, "got nothing for 'a'"),
        ('{"a": {"b": 1}}', {"format": "json"}, "got an object for 'a'"),
        ('{"a": 1}', {"format": "json", "inside": "b"}, "inside: has no 'b'"),
        ("[1]", {"format": "json"}, "expected an object"),
        ('[{"name": "a", "value": 1}]', {"format": "json"}, "has no 'control', it has name, value"),
        ("7", {"format": "json"}, "expected an object or a list"),
        ("[]", {"format": "json"}, "has no totals"),
    ],
)
def test_a_file_that_is_no_file_of_totals_says_so(text: str, keys: Any, sentence: str):
    with pytest.raises(UnreadableTotalsError) as caught:
        read_totals(text, Against(totals="t.csv", **keys))
    assert sentence in str(caught.value)


INFO = (
    '{"metadata":{},"checkpoints":[{"name":"Raw","order":1,"controls":[]},{"name":"Std","order":2,'
    '"controls":[{"controlName":"n","controlType":"count","controlCol":"*","controlValue":"5"}]}]}'
)


def test_another_info_file_is_a_reference():
    def read(path: str) -> str:
        return {"/x/_INFO": INFO}[path]

    last = of_file(Against(info_file="/x/_INFO"), read)
    assert (last.name, last.values, last.problem) == ("Std of /x/_INFO", {"n": "5"}, "")
    misspelt = of_file(Against(info_file="/x/_INFO", checkpoint="Stdd"), read)
    assert "/x/_INFO: there is no checkpoint Stdd; did you mean 'Std'?" in misspelt.problem


@pytest.mark.parametrize(
    ("raised", "sentence"),
    [
        (FileNotFoundError(), "/x/_INFO is not there"),
        (IsADirectoryError(), "is a folder"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "not text in UTF-8"),
        (OSError("no route"), "cannot read /x/_INFO: no route"),
        ("", "/x/_INFO"),
        ('{"metadata":{},"checkpoints":[', "not JSON"),
        ('{"metadata":{},"checkpoints":[]}', "has no checkpoints"),
    ],
)
def test_a_file_that_cannot_be_read_agrees_with_nothing(raised: Any, sentence: str):
    def read(_: str) -> str:
        if isinstance(raised, str):
            return raised
        raise raised

    reference = of_file(Against(info_file="/x/_INFO"), read)
    assert sentence in reference.problem
    assert found([], reference) == [("recordCount", "error"), ("total", "error")]


@pytest.mark.parametrize(
    ("expected", "actual", "text"),
    [
        ("20", "19", "-1 (-5 %)"),
        ("19", "20", "+1 (+5.26 %)"),
        ("0", "2.50", "+2.5"),
        ("-10", "-11", "-1 (-10 %)"),
        ("7", "7.0", ""),
        ("", "7", ""),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345679", "+1 (+8.1e-36 %)"),
    ],
)  # fmt: skip
def test_gap(expected: str, actual: str, text: str):
    assert gap(expected, actual) == text


def test_files_and_checkpoints_stand_side_by_side():
    def checkpoint(name: str, *values: str) -> CheckpointResult:
        controls = (("n", "count", "*"), ("t", "aggregatedTotal", "price"))
        return CheckpointResult(
            name=name,
            controls=tuple(
                ControlValue(name=c, type=t, column=col, value=value)
                for (c, t, col), value in zip(controls, values, strict=False)
            ),
        )

    def rule(control: str, against: str, expected: str, actual: str, **more: Any) -> Any:
        return ReconciliationResult(
            checkpoint="End",
            against=against,
            control=control,
            expected=expected,
            actual=actual,
            metric="m",
            data_frame="d",
            level="critical",
            **more,
        )

    table = side_by_side(
        [checkpoint("Source", "20", "5"), checkpoint("End", "19", "5")],
        [
            rule("n", "Source", "20", "19", status="failed", message="got 19, expected 20"),
            rule("t", "totals.csv", "5.0", "5", status="passed"),
            rule("x", "totals.csv", "8", "", status="error", message="no control x"),
        ],
    )
    assert table.places == ("totals.csv", "Source", "End")
    assert [
        (row.name, row.type, row.values, row.differences, row.status) for row in table.rows
    ] == [
        ("n", "count", (None, "20", "19"), ("End: -1 (-5 %) from Source",), "failed"),
        ("t", "aggregatedTotal", ("5.0", "5", "5"), (), "passed"),
        ("x", "", ("8", None, None), ("End: no control x",), "error"),
    ]
