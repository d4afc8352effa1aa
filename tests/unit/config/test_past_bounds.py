"""Bounds that earlier values give, and thresholds made of them, by arithmetic."""

from __future__ import annotations

import pytest

from airflow_metorikku.config.past_bounds import NoBoundError, PastAssertion
from airflow_metorikku.config.records.strategies import DynamicThreshold
from airflow_metorikku.results.anomalies import TooFewValuesError, judge_newest

VALUES = (8.0, 2.0, 4.0, 6.0)


@pytest.mark.parametrize(
    ("text", "assertion"),
    [
        ("> last()", "> 6.0"),
        ("> last(1)", "> 6.0"),
        (">= avg(last(3))", ">= 4.0"),
        # As many as there are.
        ("= avg(last(30))", "== 5.0"),
        ("!= median(last(4))", "!= 5.0"),
        ("< max(last(2)) * 1.5", "< 9.0"),
        ("<= min(last(4)) - 1", "<= 1.0"),
        ("> sum(last(2))/4", "> 2.5"),
        # 2, 4, 6: the squares of -2, 0, 2 are 8, of three values.
        ("> 3 * std(last(3)) * std(last(3))", "> 8.0"),
        ("> abs(2 - last())", "> 4.0"),
        ("> -last() + 2 * (1 + 2)", "> 0.0"),
        ("> index(last(3), 0)", "> 6.0"),
        ("> index(last(3),2)", "> 2.0"),
        ("between 0.5 * avg(last(3)) and 10", "between 2.0 and 10.0"),
        ("Not  Strictly between min(last(2)) and max(last(2))", "not strictly between 4.0 and 6.0"),
    ],
)
def test_bounds(text: str, assertion: str) -> None:
    got = PastAssertion.from_text(text).after(VALUES)
    assert str(got).split()[:-1] == assertion.split()[:-1]
    assert [float(str(one)) for one in got.bounds] == pytest.approx(
        [float(word) for word in assertion.split() if word[0].isdigit()]
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("> 5", "which no earlier value is part of"),
        ("avg(last(3))", "expected a comparison or a range"),
        ("in [last()]", "expected a comparison or a range"),
        ("> avg(5)", "'5' stands where 'last' is expected"),
        ("> mode(last(3))", "'mode' stands where a number or one of last, index, abs, avg"),
        ("> avg(last(3)", "'the end' stands where ')' is expected"),
        ("> last(2)", "several values are no bound"),
        ("> avg(last(0))", "last(0) is of no value"),
        ("> avg(last(1.5))", "'1.5' stands where a whole number is expected"),
        ("> index(last(3), 3)", "of 3 values the last is number 2"),
        ("> last() last()", "'last' stands where the end is expected"),
        ("between last()", "'the end' stands where 'and' is expected"),
        ("> last() ?", "'?' is not expected there"),
    ],
)
def test_mistakes(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"^assertion: ") as caught:
        DynamicThreshold(assertion=text)
    assert sentence in str(caught.value)


def test_what_earlier_values_cannot_give() -> None:
    with pytest.raises(NoBoundError, match="zero"):
        PastAssertion.from_text("> 1 / last()").after([0.0])
    with pytest.raises(NoBoundError, match="the bound is inf"):
        PastAssertion.from_text("> last()").after([float("inf")])


def test_a_threshold_against_the_history() -> None:
    grows = DynamicThreshold(assertion="> avg(last(3)) * 0.5")
    assert judge_newest(grows, VALUES, 2.1) is None
    found = judge_newest(grows, VALUES, 2.0)
    assert found is not None
    assert found.detail == "value 2 is not > 2.0"
    with pytest.raises(
        TooFewValuesError, match="needs one value before this one, the history has none"
    ):
        judge_newest(grows, [], 5)
    before_last = DynamicThreshold(assertion="== index(last(2), 1)")
    with pytest.raises(
        TooFewValuesError, match="needs 2 values before this one, the history has 1"
    ):
        judge_newest(before_last, [4], 4)
    assert judge_newest(before_last, [4, 9], 4) is None
    # Nothing lies strictly between equal bounds.
    strict = DynamicThreshold(assertion="strictly between min(last(2)) and max(last(2))")
    assert judge_newest(strict, [4, 4], 4) is not None


def test_a_long_sum_is_no_deep_one() -> None:
    # 6, and thousands of ones.
    assert str(PastAssertion.from_text("> last()" + "+1" * 3000).after(VALUES)) == "> 3006.0"


@pytest.mark.parametrize("text", ["> " + "(" * 3000 + "last()", "> " + "-" * 3000 + "last()"])
def test_what_is_nested_too_deep_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="nested deeper than 40 levels"):
        PastAssertion.from_text(text)
