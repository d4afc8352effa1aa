"""Mistakes in row, number and text checks that are found in the file, at the key's line."""

from __future__ import annotations

import pytest

from airflow_metorikku.config.load import read_job

METRIC = """\
steps:
- dataFrameName: t
  sql: SELECT 1 AS x
  dq:
    checks:
    - {check}:
        {key}: {value}
"""
# Check, other keys, the wrong key and its value, and what is said of it.
MISTAKES = [
    ("hasCompleteness", ["column: x"], "assertion", "'>= 80'", "never above 1; did you mean 0.8?"),
    ("hasCompleteness", ["column: x"], "assertion", "'>= 1.5'", "did you mean 0.015?"),
    ("hasCompleteness", ["column: x"], "assertion", "'> -0.1'", "never below 0"),
    (
        "isContainedIn",
        ["column: x", "allowedValues: [a]"],
        "assertion",
        "'>= 95'",
        "did you mean 0.95?",
    ),
    ("hasPattern", ["column: x", "pattern: a"], "warning", "'>= 99'", "did you mean 0.99?"),
    ("satisfies", ["predicate: x > 0"], "between", "[0.5, 99]", "did you mean 0.99?"),
    ("hasCompleteness", ["column: x"], "assertion", "'>= 2024-01-01'", "the value is no date"),
    ("hasStandardDeviation", ["column: x"], "assertion", "'< -1'", "never below 0"),
    ("hasCorrelation", ["columnA: x", "columnB: y"], "assertion", "'>= 2'", "never above 1"),
    ("hasSize", [], "assertion", "'> -1'", "never below 0"),
    ("hasSize", [], "assertion", "'== 1.5'", "got '== 1.5', but the value is a whole number"),
    ("hasSize", [], "critical", "'!= 1.5'", "the value is a whole number"),
    ("hasSize", [], "between", "[1.2, 1.8]", "the value is a whole number"),
    ("hasColumnCount", [], "assertion", "'in [1.5, 2.5]'", "the value is a whole number"),
    ("hasMinLength", ["column: x"], "assertion", "strictly between 1 and 2", "whole number"),
    ("hasColumns", [], "columns", "{x: strng}", "x: unknown type 'strng'; did you mean 'string'?"),
    ("hasColumns", [], "columns", "{x: varchar}", "expected a size, as varchar(10)"),
    ("hasColumns", [], "columns", "{x: 'array<int'}", "expected > at its end"),
    ("isUnique", ["column: x"], "assertion", "'>= 99'", "did you mean 0.99?"),
    ("hasPattern", ["column: x"], "pattern", "'(a'", "a ( that is not closed"),
    ("hasPattern", ["column: x"], "pattern", "'[a'", "a [ that is not closed"),
    (
        "hasHistogramBinnedValues",
        ["column: x", "edges: [0, 1]", "assertion: '> 1'"],
        "bin",
        "1",
        "less than 1",
    ),
    ("isContainedIn", ["column: x"], "allowedValues", "[]", "needs a list with at least one value"),
    ("isContainedIn", ["column: x", "upperBound: 1"], "lowerBound", "2", "more than upperBound, 1"),
    (
        "isContainedIn",
        ["column: x", "upperBound: 2", "includeUpperBound: false"],
        "lowerBound",
        "2",
        "nothing lies between 2 and 2 without them",
    ),
    ("isContainedIn", ["column: x", "allowedValues: [a]"], "nan", "pass", "compared as texts"),
    (
        "hasApproxQuantile",
        ["column: x", "assertion: '> 0'"],
        "quantile",
        "1.5",
        "a number from 0 to 1",
    ),
    ("hasExactQuantile", ["column: x", "assertion: '> 0'"], "quantile", "-0.1", "from 0 to 1"),
    (
        "hasApproxQuantile",
        ["column: x", "assertion: '> 0'", "quantile: 0.5"],
        "relativeError",
        "2",
        "a number from 0 to 1",
    ),
    ("areComplete", [], "columns", "[]", "expected at least one column"),
    ("areAnyComplete", [], "columns", "[a, b, a]", "a column stands twice"),
    ("hasColumnCount", ["assertion: '== 1'"], "where", "x > 0", "leave it out"),
    ("hasColumn", ["column: x"], "where", "x > 0", "leave it out"),
    ("hasDataType", ["column: x"], "dataType", "Integer", "did you mean 'Integral'?"),
    ("hasMinLength", ["column: x", "assertion: '> 0'"], "nullBehavior", "Ignored", "'Ignore'?"),
]


@pytest.mark.parametrize(("check", "others", "key", "value", "told"), MISTAKES)
def test_mistakes_have_their_line(tmp_path, check, others, key, value, told) -> None:
    lines = [f"        {one}" for one in others]
    text = METRIC.format(check=check, key=key, value=value) + "\n".join(lines) + "\n"
    (tmp_path / "m.yaml").write_text(text)
    (tmp_path / "job.yaml").write_text("metrics: [m.yaml]\n")
    (problem,) = read_job(tmp_path / "job.yaml", environ={}).problems
    assert f"m.yaml:7: steps[0].dq.checks[0].{check}.{key}: " in str(problem)
    assert told in str(problem)


@pytest.mark.parametrize("check", ["hasMin", "hasMean", "hasRange", "hasSkewness", "hasMaxLength"])
def test_a_number_without_an_assertion_says_nothing(tmp_path, check: str) -> None:
    text = METRIC.format(check=check, key="column", value="x")
    (tmp_path / "m.yaml").write_text(text)
    (tmp_path / "job.yaml").write_text("metrics: [m.yaml]\n")
    (problem,) = read_job(tmp_path / "job.yaml", environ={}).problems
    assert f"steps[0].dq.checks[0].{check}: needs an assertion" in str(problem)
