"""Waimak's four checks: which constraints each makes, with which ids, thresholds, levels and hints."""

from __future__ import annotations

from decimal import Decimal

import pytest

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.checks.keys import HasUniqueness
from airflow_metorikku.config.records.checks.numbers import HasMin
from airflow_metorikku.config.records.checks.waimak import (
    CompletenessCheck,
    GenericSqlCheck,
    RecentTimestampCheck,
    UniquenessCheck,
)
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import constraints


def made(*checks, level="error"):
    """Id, level, assertion and hint of each constraint."""
    return [
        (c.id, c.level, str(c.assertion), c.options.own_hint())
        for c in constraints("t", DataQuality(checks=checks, level=level), "fail")
    ]


def test_completeness_is_a_constraint_a_column_and_threshold():
    check = CompletenessCheck(
        columns=("a", "b"), warning_threshold=Decimal("0.9"), critical_threshold=Decimal("0.57")
    )
    assert made(check) == [
        (
            "completenessCheck.a.warning",
            "warning",
            ">= 0.9",
            "Less than 90.0% of a values were complete.",
        ),
        (
            "completenessCheck.a.critical",
            "critical",
            ">= 0.57",
            "Less than 57.0% of a values were complete.",
        ),
        (
            "completenessCheck.b.warning",
            "warning",
            ">= 0.9",
            "Less than 90.0% of b values were complete.",
        ),
        (
            "completenessCheck.b.critical",
            "critical",
            ">= 0.57",
            "Less than 57.0% of b values were complete.",
        ),
    ]


def test_uniqueness_is_one_for_the_combination_and_warns_below_1_by_default():
    assert made(UniquenessCheck(columns=("a", "b"))) == [
        ("uniquenessCheck.a.b.warning", "warning", ">= 1.0", "a,b was not 100.0% unique.")
    ]
    both = UniquenessCheck(columns=("a",), critical_threshold=Decimal("0.5"))
    assert [one[:3] for one in made(both)] == [
        ("uniquenessCheck.a.warning", "warning", ">= 1.0"),
        ("uniquenessCheck.a.critical", "critical", ">= 0.5"),
    ]


def test_recency_has_the_level_of_its_own_whatever_the_blocks():
    assert made(RecentTimestampCheck(column="at")) == [
        ("recentTimestampCheck.at", "warning", "> 0", "No new data in the last 6 hours.")
    ]
    critical = RecentTimestampCheck(column="at", hours_to_look_back=12, alert_level="critical")
    assert made(critical, level="warn") == [
        ("recentTimestampCheck.at", "critical", "> 0", "No new data in the last 12 hours.")
    ]


def test_generic_sql_is_a_constraint_a_predicate_and_level():
    check = GenericSqlCheck(
        id="rules", warning_checks=("a > 0", "b > 0"), critical_checks=("a > 0",)
    )
    got = made(check)
    assert [(level, text) for _, level, text, _ in got] == [
        ("warning", "== 1"),
        ("critical", "== 1"),
        ("warning", "== 1"),
    ]
    assert [id_.split(".")[0] for id_, *_ in got] == ["rules"] * 3
    assert len({id_ for id_, *_ in got}) == 3
    # An id does not depend on the place in the list.
    turned = GenericSqlCheck(
        id="rules", warning_checks=("b > 0", "a > 0"), critical_checks=("a > 0",)
    )
    assert {id_ for id_, *_ in made(turned)} == {id_ for id_, *_ in got}


def test_a_second_of_the_same_columns_has_a_hash_and_other_levels_need_none():
    twice = [
        CompletenessCheck(columns=("a",), warning_threshold=Decimal(share))
        for share in ("0.5", "0.8")
    ]
    ids = [id_ for id_, *_ in made(*twice)]
    assert all(id_.startswith("completenessCheck.a.") and id_.endswith(".warning") for id_ in ids)
    assert len(set(ids)) == 2
    at_least = Assertion.from_text(">= 1")
    parted = [HasMin(column="a", warning=at_least), HasMin(column="a", critical=at_least)]
    assert [id_ for id_, *_ in made(*parted)] == ["hasMin.a.warning", "hasMin.a.critical"]
    mixed = [
        HasUniqueness(column="a", warning=at_least),
        HasUniqueness(columns=("a",), warning=at_least, critical=at_least),
    ]
    assert len({id_ for id_, *_ in made(*mixed)}) == 3


@pytest.mark.parametrize(
    ("record", "given", "says"),
    [
        (CompletenessCheck, {"columns": ("a",)}, "needs warningThreshold or criticalThreshold"),
        (CompletenessCheck, {"columns": (), "warning_threshold": Decimal(1)}, "columns: expected at least one"),
        (CompletenessCheck, {"columns": ("a", "a"), "warning_threshold": Decimal(1)}, "columns: a column stands twice"),
        (CompletenessCheck, {"columns": ("a",), "critical_threshold": Decimal(80)}, r"criticalThreshold: got 80, expected 0 to 1; 80 % is 0\.8"),
        (UniquenessCheck, {"columns": ("a",), "level": "error"}, "level: this check has warningThreshold and criticalThreshold"),
        (RecentTimestampCheck, {"column": "at", "level": "error"}, "level: this check has alertLevel"),
        (RecentTimestampCheck, {"column": "at", "hours_to_look_back": -1}, "hoursToLookBack: expected 0 to"),
        (RecentTimestampCheck, {"column": "at", "now_override": "yesterday"}, "nowOverride: got 'yesterday', expected yyyy-mm-dd"),
        (RecentTimestampCheck, {"column": "at", "now_override": "2026-02-30 00:00:00"}, "nowOverride: got '2026-02-30"),
        (RecentTimestampCheck, {"column": "at", "zone": "Mars/Base"}, "zone: got 'Mars/Base', expected the name"),
        (GenericSqlCheck, {}, "needs warningChecks or criticalChecks"),
    ],
)  # fmt: skip
def test_what_can_be_no_check_is_refused(record, given, says):
    with pytest.raises(ValueError, match=says):
        record(**given)
