"""Rules that make checks of profiles, and the lines of YAML that they become."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_metorikku.config.load import read_job
from airflow_metorikku.config.records.checks import CHECK_NAMES
from airflow_metorikku.plan.suggestions.intervals import wald, wilson
from airflow_metorikku.plan.suggestions.rules import RULES, suggested
from airflow_metorikku.results.profiles import ColumnProfile, Numbers, Profile, ValueCount
from airflow_metorikku.results.suggestions import Suggestions


@pytest.mark.parametrize(
    ("share", "count", "bounds"),
    [
        (1, 20, (1, 1)), (0.5, 100, (0.4, 0.6)), (0.4, 100, (0.3, 0.5)), (0.6, 100, (0.5, 0.7)),
        (0.9, 100, (0.84, 0.96)), (1, 100, (1, 1)),
    ],
)  # fmt: skip
def test_wald_as_deequs_tests_pin_it(share, count, bounds):
    assert wald(share, count) == bounds


@pytest.mark.parametrize(
    ("share", "count", "bounds"),
    [
        (0.01, 20, (0, 0.18)), (1, 20, (0.83, 1)), (0.5, 100, (0.4, 0.6)), (0.4, 100, (0.3, 0.5)),
        (0.6, 100, (0.5, 0.7)), (0.9, 100, (0.82, 0.95)), (1, 100, (0.96, 1)),
    ],
)  # fmt: skip
def test_wilson_as_deequs_tests_pin_it(share, count, bounds):
    assert wilson(share, count) == bounds


def a_profile(rows=100, **changes) -> Profile:
    settings = {
        "column": "x", "type": "int", "data_type": "Integral", "completeness": 1.0, "nulls": 0,
        "approximate_distinct": 50,
    }  # fmt: skip
    return Profile(data_frame="t", rows=rows, columns=(ColumnProfile(**settings | changes),))


def found(profile: Profile, rules="EXTENDED") -> dict[str, str]:
    checks, _ = suggested(profile, rules)
    return {one.rule: one.yaml for one in checks}


def test_the_mean_is_around_the_mean():
    numbers = Numbers(minimum=1, maximum=100, mean=5, std_dev=2.0)
    rules = found(a_profile(numbers=numbers))
    assert rules["HasMean"] == '- {hasMean: {assertion: "between 4.00 and 6.00", column: x}}'
    assert rules["HasMax"] == '- {hasMax: {assertion: "<= 100", column: x}}'
    assert rules["HasStandardDeviation"].count('"between 1.0 and 4.0"') == 1


@pytest.mark.parametrize("strange", [float("nan"), float("inf"), float("-inf")])
def test_no_bound_of_no_number(strange):
    numbers = Numbers(minimum=strange, maximum=strange, mean=strange, std_dev=strange)
    assert set(found(a_profile(numbers=numbers))) & {"HasMin", "HasMax", "HasMean", "HasStandardDeviation"} == set()  # fmt: skip


def test_default_rules_are_those_of_deequ():
    assert [rule.name for rule in RULES if not rule.extended] == [
        "CompleteIfComplete", "RetainCompleteness", "RetainType", "CategoricalRange", "FractionalCategoricalRange",
        "NonNegativeNumbers",
    ]  # fmt: skip


def test_values_that_cover_all_rows_are_suggested_once():
    values = tuple(
        ValueCount(value=v, count=n, ratio=n / 24) for v, n in (("a", 12), ("b", 8), ("c", 4))
    )
    rules = found(
        a_profile(rows=24, data_type="String", type="string", histogram=values), "DEFAULT"
    )
    assert "FractionalCategoricalRange" not in rules
    assert "allowedValues: [a, b, c]" in rules["CategoricalRange"]


def test_empty_texts_are_no_nulls_and_told():
    checks, _ = suggested(a_profile(type="string", data_type="String", min_length=0), "DEFAULT")
    assert checks[0].rule == "CompleteIfComplete"
    assert "some are empty texts, which `emptyAsNull: true`" in checks[0].why


def test_no_rows_no_suggestions():
    assert found(a_profile(rows=0, completeness=None, nulls=None, approximate_distinct=None)) == {}


NAMES = st.text(min_size=1, max_size=12) | st.sampled_from(
    [
        "${x}",
        "$${x}",
        "a: b",
        "# c",
        "yes",
        "null",
        "é",
        "\u2028",
        "'",
        '"',
        "\\",
        "a\nb",
        "{",
        "💡",
        "${",
        "${a b}",
        "~",
    ]
)


@given(NAMES, st.lists(NAMES, min_size=1, max_size=4, unique=True))
def test_what_is_suggested_is_read_by_our_own_files(tmp_path_factory, name, allowed):
    values = tuple(ValueCount(value=one, count=50, ratio=0.5) for one in allowed)
    profile = a_profile(column=name, data_type="String", type="string", histogram=values)
    checks, _ = suggested(profile, "EXTENDED")
    text = Suggestions(data_frame=name, rows=1, columns=1, suggestions=tuple(checks)).to_yaml()
    if not checks:
        # Of a name or values that no file of ours can hold there are comments alone.
        assert all(line.startswith("# ") for line in text.split("\n"))
        return
    folder = tmp_path_factory.mktemp("suggested")
    Path(folder, "job.yaml").write_text("metrics: [m.yaml]\n", encoding="utf-8")
    Path(folder, "m.yaml").write_text(
        "steps:\n- dataFrameName: t\n  sql: SELECT 1\n  dq:\n    checks:\n"
        + "".join(f"    {line}\n" for line in text.split("\n")),
        encoding="utf-8",
    )
    reading = read_job(folder / "job.yaml")
    assert reading.problems == ()
    (step,) = reading.job.metrics[0].steps
    assert [(CHECK_NAMES[type(one)], one) for one in step.dq.checks] == [
        (CHECK_NAMES[type(one.check)], one.check) for one in checks
    ]
