"""DQDL: what each rule becomes, and that each mistake is told at its line."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.check import check_paths
from airflow_metorikku.config.dqdl.assertions import assertion_of
from airflow_metorikku.config.dqdl.checks import read_dqdl
from airflow_metorikku.config.dqdl.parser import parse
from airflow_metorikku.config.dqdl.rules import RULES
from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.plain import from_plain, to_plain
from airflow_metorikku.config.records.checks import CHECKS
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import constraints

# Checks of ours that Deequ has as analyzers only.


def read(text: str) -> tuple[tuple[Any, ...], list[tuple[int, str]]]:
    return read_dqdl(text, lambda line: Where(file="m.yaml", line=line))


def texts(*rules: str) -> list[str]:
    """What the constraints of some rules say."""
    checks, mistakes = read("Rules = [\n" + ",\n".join(rules) + "\n]")
    assert mistakes == []
    made = constraints("t", DataQuality(dqdl=checks), "fail")
    again = from_plain(DataQuality, to_plain(DataQuality(dqdl=checks)))
    assert constraints("t", again, "fail") == made
    return [constraint.text for constraint in made]


BECOME = [
    ("RowCount > 100", "hasSize() > 100"),
    ("RowCount between 1 and 5", "hasSize() strictly between 1 and 5"),
    ("RowCount not between 1 and 5", "hasSize() not strictly between 1 and 5"),
    ("RowCount in [1, 2]", "hasSize() in [1, 2]"),
    ('Sum "a" not in [2.5, -3]', "hasSum(a) not in [2.5, -3]"),
    ('StandardDeviation "a" < 2', "hasStandardDeviation(a) < 2"),
    ('Variance "a" < 4', "hasVariance(a) < 4"),
    ('Skewness "a" between -1 and 1', "hasSkewness(a) strictly between -1 and 1"),
    ('Kurtosis "a" < 0', "hasKurtosis(a) < 0"),
    ('Range "a" <= 9', "hasRange(a) <= 9"),
    ('InterquartileRange "a" <= 5', "hasInterquartileRange(a) <= 5"),
    ('ZerosCount "a" = 0', "hasZerosCount(a) == 0"),
    ('ColumnCorrelation "a" "b" > 0.5', "hasCorrelation(a, b) > 0.5"),
    ("ColumnCount = 3", "hasColumnCount() == 3"),
    ('ColumnExists "a"', "hasColumn(a) == 1"),
    ('ColumnNamesMatchPattern "[a-z]+"', "columnNamesMatch([a-z]+) == 1"),
    ("RowCount != 0 where \"a = 'x'\"", "hasSize() != 0 where a = 'x'"),
    ('IsComplete "order-id"', "isComplete(order-id) == 1"),
    ('Completeness "a b" >= 0.95', "hasCompleteness(a b) >= 0.95"),
    ('IsUnique "a"', "isUnique(a) == 1"),
    ('Uniqueness "a" "b" > .9', "hasUniqueness(a, b) > 0.9"),
    ('Mean "a" between 1e1 and 20', "hasMean(a) strictly between 1E+1 and 20"),
    ('Sum "a" = 5', "hasSum(a) == 5"),
    ('ColumnValues "a" = 5', "columnValues(a == 5) == 1"),
    ('ColumnValues "a" between 1 and 5', "columnValues(a between 1 and 5) == 1"),
    (
        'ColumnValues "a" in ["x", "it\\"s", NULL, EMPTY, WHITESPACES_ONLY] with threshold > 0.9',
        'columnValues(a in ["x", "it"s", NULL, EMPTY, WHITESPACES_ONLY]) > 0.9',
    ),
    (
        'ColumnValues "a" not in [1, NULL] where "b > 0"',
        "columnValues(a not in [1, NULL]) == 1 where b > 0",
    ),
    ('ColumnValues "a" != NULL', "columnValues(a != NULL) == 1"),
    ('ColumnValues "a" matches "[a-z]*\\\\d"', 'columnValues(a matches "[a-z]*\\d") == 1'),
    ('ColumnValues "a" not matches "x"', 'columnValues(a not matches "x") == 1'),
    ('ColumnValues "d" > (now() - 3 days)', "columnValues(d > now() - 3 days) == 1"),
    ('ColumnValues "d" <= now()', "columnValues(d <= now()) == 1"),
    ('ColumnValues "d" > (now() -3 hours)', "columnValues(d > now() - 3 hours) == 1"),
    (
        'ColumnValues "d" between "2026-01-01" and (now() + 1 day)',
        "columnValues(d between 2026-01-01 and now() + 1 day) == 1",
    ),
    ('ColumnValues "d" = "2026-01-01"', 'columnValues(d == "2026-01-01") == 1'),
    (
        'ColumnLength "a" <= 3 with threshold between 0.5 and 0.9',
        "columnLength(length of a <= 3) strictly between 0.5 and 0.9",
    ),
    ('ColumnDataType "a" = "Integer" with threshold >= 0.9', "hasRowSchema(a) >= 0.9"),
    ('ColumnDataType "a" != "DATE"', "hasRowSchema(a) == 0"),
    ('DataFreshness "d" <= 24 hours', "columnValues(d >= now() - 24 hours) == 1"),
    (
        'DataFreshness "d" between 1 hours and 2 days with threshold > 0.5',
        "columnValues(d between now() - 2 days and now() - 1 hours) > 0.5",
    ),
]


# Rules of what another data frame or SQL of the user's has to say, and of keys: what their check is given.
GIVEN: list[tuple[str, str, dict[str, Any]]] = [
    ('IsPrimaryKey "a" "b"', "isPrimaryKey", {"column": "a", "more": ("b",), "nulls": "fail"}),
    ('UniqueValueRatio "a" > 0.5', "hasUniqueValueRatio", {"columns": ("a",), "is": "> 0.5"}),
    ('DistinctValuesCount "a" = 3', "hasNumberOfDistinctValues", {"column": "a", "is": "== 3"}),
    ('Entropy "a" > 1', "hasEntropy", {"column": "a", "is": "> 1"}),
    ("DuplicateRowCount = 0", "hasDuplicateRowCount", {"columns": (), "is": "== 0"}),
    ('DuplicateRowCount "a" "b" < 5', "hasDuplicateRowCount", {"columns": ("a", "b"), "is": "< 5"}),
    (
        'CustomSql "select count(*) from primary" between 10 and 20',
        "customSql",
        {"sql": "select count(*) from primary", "is": "strictly between 10 and 20"},
    ),
    (
        'CustomSql "select id from primary where a > 1" with threshold > 0.9',
        "customSql",
        {
            "sql": "SELECT try_divide((SELECT count(*) FROM (\nselect id from primary where a > 1\n)), (SELECT count(*) FROM primary))",
            "name": "select id from primary where a > 1",
            "is": "> 0.9",
        },
    ),
    (
        'DatasetMatch "ref" "id, a->b" >= 0.9',
        "doesDatasetMatch",
        {"other": "ref", "keys": {"id": "id", "a": "b"}, "is": ">= 0.9"},
    ),
    (
        'DatasetMatch "ref" "id" "a->b,c" = 1',
        "doesDatasetMatch",
        {"other": "ref", "keys": {"id": "id"}, "match": {"a": "b", "c": "c"}, "is": "== 1"},
    ),
    (
        'ReferentialIntegrity "a,b" "ref.{c, d}" = 1',
        "referentialIntegrity",
        {"columns": ("a", "b"), "other": "ref", "other_columns": ("c", "d"), "is": "== 1"},
    ),
    (
        'ReferentialIntegrity "a" "db.ref.c" > 0.9',
        "referentialIntegrity",
        {"columns": ("a",), "other": "db.ref", "other_columns": ("c",), "is": "> 0.9"},
    ),
    ('RowCountMatch "ref" >= 0.9', "rowCountMatch", {"other": "ref", "is": ">= 0.9"}),
    ('SchemaMatch "ref" = 1', "schemaMatch", {"other": "ref", "is": "== 1"}),
    (
        'AggregateMatch "sum(a)" "SUM(ref.`b c`)" between 0.9 and 1.1',
        "customSql",
        {
            "sql": "SELECT try_divide((SELECT sum(`a`) FROM primary), (SELECT sum(`b c`) FROM `ref`))",
            "name": "sum(a) per SUM(ref.`b c`)",
            "is": "strictly between 0.9 and 1.1",
        },
    ),
]


@pytest.mark.parametrize(("rule", "check", "given"), GIVEN)
def test_what_a_rule_gives_its_check(rule: str, check: str, given: dict[str, Any]) -> None:
    (parsed,), mistakes = parse(f"Rules = [ {rule} ]", RULES)
    assert mistakes == []
    kind = RULES[parsed.type]
    made = kind.make(parsed)
    if parsed.threshold:
        made["assertion"] = assertion_of(parsed.threshold, "with threshold")
    if "assertion" in made:
        made["is"] = str(made.pop("assertion"))
    assert (kind.check, made) == (check, given)
    checks, problems = read(f"Rules = [ {rule} ]")
    assert problems == []
    assert type(checks[0]) is CHECKS[check]


@pytest.mark.parametrize(("rule", "text"), BECOME)
def test_a_rule_is_a_check(rule: str, text: str) -> None:
    assert texts(rule) == [text]


def test_every_rule_is_tried_and_has_its_check() -> None:
    assert {rule.split()[0] for rule, *_ in [*BECOME, *GIVEN]} == set(RULES)
    assert {kind.check for kind in RULES.values()} <= {*CHECKS}


def test_joined_rules_are_one_constraint() -> None:
    joined = '(IsComplete "a" where "b > 0") and ((RowCount > 1) OR (IsUnique "a"))'
    assert texts(joined, '(IsComplete "b")') == [
        "(isComplete(a) == 1 where b > 0) and ((hasSize() > 1) or (isUnique(a) == 1))",
        "isComplete(b) == 1",
    ]
    (check,), _ = read(f"Rules = [\n\n{joined} ]")
    (asked,) = constraints("t", DataQuality(dqdl=(check,)), "fail")
    assert (type(check), check.at.line, asked.check) == (CHECKS["allOf"], 2, "allOf")
    assert [part.text for part in asked.computed] == [
        "isComplete(a) == 1 where b > 0",
        "hasSize() > 1",
        "isUnique(a) == 1",
    ]
    assert {(part.id, part.level, part.empty_data) for part in asked.computed} == {
        (asked.id, "warning", "fail")
    }


def test_joined_rules_wait_together_for_variables() -> None:
    assert read("Rules = [ (RowCount > ${least}) or (RowCount = 0), RowCount > 1 ]")[1] == []
    checks, _ = read("Rules = [ (RowCount > ${least}) or (RowCount = 0), RowCount > 1 ]")
    assert [type(check) for check in checks] == [CHECKS["hasSize"]]


EARLIER = [
    ("RowCount > avg(last(3))", "Size", "> avg ( last ( 3 ) )"),
    (
        'Completeness "a" >= min(last(5)) - 0.1 where "b > 0"',
        "Completeness(a)",
        ">= min ( last ( 5 ) ) - 0.1",
    ),
    (
        'ColumnCorrelation "a" "b" between min(last(10))-1 and 1',
        "Correlation(a, b)",
        "strictly between min ( last ( 10 ) ) -1 and 1",
    ),
    (
        "RowCount not between (0.9 * avg(last(10))) and last()",
        "Size",
        "not strictly between ( 0.9 * avg ( last ( 10 ) ) ) and last ( )",
    ),
    (
        'ColumnValues "a" > 0 with threshold > avg(last(2))',
        "ColumnValues(a)",
        "> avg ( last ( 2 ) )",
    ),
]


@pytest.mark.parametrize(("rule", "metric", "assertion"), EARLIER)
def test_a_bound_of_earlier_runs_is_an_anomaly_check(
    rule: str, metric: str, assertion: str
) -> None:
    (check,), mistakes = read(f"Rules = [ {rule} ]")
    assert mistakes == []
    assert (check.subject(), check.strategy.assertion) == (metric, assertion)
    assert check.include_anomalies
    assert check.analyzer().where_ == ("b > 0" if "where" in rule else None)
    assert len(texts(f"({rule}) or (RowCount = 0)")) == 1


def test_comments_lines_and_a_last_comma() -> None:
    checks, mistakes = read(
        '# all of it\nRules = [\n  IsComplete "a", # one\n\n  ColumnValues\n    "b" = 1,\n]\n'
    )
    assert (len(checks), mistakes) == (2, [])
    assert [check.at.line for check in checks] == [2, 4]


MISTAKES = [
    ('Rules = [ IsComplet "a" ]', 0, "unknown rule 'IsComplet'; did you mean 'IsComplete'?"),
    ("Rules = [\n IsComplete a ]", 1, "got 'a', expected one of = != > >= < <= between in matches"),
    ("Rules = [\n IsComplete ]", 1, 'IsComplete: got 0 parameters, expected "column"'),
    ('Rules = [ IsComplete "a" > 1 ]', 0, "IsComplete takes no expression"),
    ('Rules = [ Completeness "a" ]', 0, "Completeness needs an expression, as > 0.9"),
    ('Rules = [ Completeness "a" > "x" ]', 0, "Completeness: expected a number to compare with"),
    ('Rules = [ Completeness "a" > 1 with threshold > 1 ]', 0, "Completeness takes no threshold"),
    ('Rules = [ ReferentialIntegrity "a" "b" = 1 ]', 0, "expected a data frame and its columns"),
    ('Rules = [ AggregateMatch "max(a)" "sum(b)" = 1 ]', 0, "expected sum(column)"),
    ('Rules = [ CustomSql "x" = 1 with threshold > 1 ]', 0, "leave out the expression"),
    ('Rules = [ Completeness "a" > 80 ]', 0, "never above 1; did you mean 0.8?"),
    ('Rules = [ ColumnCount > 1 where "a" ]', 0, "ColumnCount takes no where"),
    ('Rules = [ ColumnValues "a" matches "(" ]', 0, "a regular expression that has a ("),
    ("Rules = [ RowCount between 5 and 5 ]", 0, "nothing lies between 5 and 5"),
    ('Rules = [ ColumnValues "a" between 5 and 1 ]', 0, "nothing lies between 5 and 1"),
    ('Rules = [ ColumnValues "a" in [] ]', 0, "got ']', expected a number, a text"),
    ('Rules = [ ColumnValues "a" in [1, "x"] ]', 0, "expected one of numbers, texts and times"),
    ("Rules = [ RowCount > last(3) ]", 0, "several values are no bound, as avg(last(3)) is"),
    ("Rules = [ RowCount > percentile(last(3), 5) ]", 0, "'percentile' stands where a number or"),
    ('Rules = [ ColumnValues "a" > avg(last(3)) ]', 0, "is not compared with earlier values here"),
    ('Rules = [ DistinctValuesCount "a" > last() ]', 0, "is not compared with earlier values here"),
    ("Rules = [ RowCount > 2 * 3 ]", 0, "a threshold is a number, not a sum"),
    ('Rules = [\n (IsComplete "a") or\n (Completeness "a" > 80) ]', 2, "never above 1"),
    (
        'Rules = [ (IsComplete "a") and (IsUnique "a") or (RowCount > 1) ]',
        0,
        "'and' and 'or' stand side by side",
    ),
    ('Rules = [ IsComplete "a" IsUnique "b" ]', 0, "expected one of = !="),
    ('Rules = [ IsComplete "a"', 0, "got the end, expected ',' between two rules"),
    ('IsComplete "a"', 0, "expected Rules = [ ... ]"),
    ("Rules = [\n]", 1, "there is no rule in Rules"),
    ('Rules = [ IsComplete "a ]', 0, "a text is opened here and not closed"),
    ("Rules = [ IsComplete 'a' ]", 0, "texts of DQDL stand in double quotes"),
    ("Rules = [ RowCount > 1 ]\nAnalyzers = [ RowCount ]", 1, "Analyzers is known and refused"),
    ('Rules = [ ColumnDataType "a" = "Date" with "format" = "x" ]', 0, "the tag 'format'"),
    ('Rules = [ ColumnDataType "a" = "Intege" ]', 0, "unknown type 'Intege'"),
    ('Rules = [ DataFreshness "a" = 3 days ]', 0, "expected an age in days"),
    ('Rules = [ ColumnValues "a" > "tomorrow" ]', 0, "times: got 'tomorrow'"),
    ('Rules = [ ColumnValues "a" > now() - 3 ]', 0, "expected days, hours or minutes"),
]


@pytest.mark.parametrize(("text", "line", "sentence"), MISTAKES)
def test_a_mistake_is_told_at_its_line(text: str, line: int, sentence: str) -> None:
    _, mistakes = read(text)
    assert len(mistakes) == 1
    assert mistakes[0][0] == line
    assert sentence in mistakes[0][1]


def test_every_mistake_of_a_text_is_told() -> None:
    checks, mistakes = read(
        'Rules = [\n  IsComplete,\n  RowCount > 5,\n  (Mea "a" > (1)) and (x),\n  Sum "a" > b,\n]'
    )
    assert (len(checks), [line for line, _ in mistakes]) == (1, [1, 3, 4])


METRIC = """\
steps:
- dataFrameName: t
  sql: SELECT 1 AS a
  dq:
    level: error
    dqdl: {style}
{rules}
"""


def problems(tmp_path: Path, style: str, rules: str) -> list[tuple[int, str]]:
    path = tmp_path / "m.yaml"
    path.write_text(METRIC.format(style=style, rules=rules))
    return [(problem.line, problem.text) for problem in check_paths([path])[1]]


def test_lines_of_the_yaml_file(tmp_path: Path) -> None:
    rules = '\n      # first\n      Rules = [\n        IsComplete "a",\n        IsUnik "a"\n      ]'
    ((line, text),) = problems(tmp_path, "|", rules)
    assert (line, text) == (11, "unknown rule 'IsUnik'; did you mean 'IsUnique'?")
    assert problems(tmp_path, "'Rules = [ IsUnik \"a\" ]'", "")[0][0] == 6
    assert problems(tmp_path, "|", rules.replace("IsUnik", "IsUnique")) == []


def test_a_block_without_any_check(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(
        "steps:\n- {dataFrameName: t, sql: SELECT 1, dq: {level: warn}}\n"
    )
    (problem,) = check_paths([tmp_path / "m.yaml"])[1]
    assert "needs checks, or dqdl" in problem.text


def test_variables(tmp_path: Path) -> None:
    rules = '      Rules = [ RowCount > ${least}, IsComplete "a" where "b = \'${ds}\'" ]'
    assert problems(tmp_path, "|", rules) == []
    assert problems(tmp_path, "|", "      Rules = [ RowCount > ${least} ]") == []


@pytest.mark.parametrize(
    ("text", "holding", "missing"),
    [
        ("strictly between 1 and 5", (2, 4.99), (1, 5, float("nan"))),
        ("not strictly between 1 and 5", (1, 5, 9), (2, float("nan"))),
        ("in [1, 2.5]", (1, 2.5, Decimal("2.50")), (2, float("nan"))),
        ("not in [1]", (2, float("nan")), (1, 1.0)),
    ],
)
def test_assertions_of_dqdl(text: str, holding: tuple[Any, ...], missing: tuple[Any, ...]) -> None:
    assertion = Assertion.from_text(text)
    assert str(assertion) == text
    assert [assertion.holds(value) for value in (*holding, *missing)] == [True] * len(holding) + [
        False
    ] * len(missing)


@pytest.mark.parametrize("rule", ["(" * 3000 + 'IsComplete "a"', "RowCount > " + "(" * 3000 + "1"])
def test_what_is_nested_too_deep_is_refused_alone(rule):
    _, mistakes = parse(f'Rules = [ {rule}, IsCompleet "b" ]', RULES)
    assert "nested deeper than 40 levels" in str(mistakes[0])
