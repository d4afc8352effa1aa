"""Tests of metrics, each in a session of its own in the one Spark."""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from airflow_metorikku.config.metric_tests import read_test
from airflow_metorikku.plan.metric_tests import MetricTestPlan, compile_test
from airflow_metorikku.results.outcome import Outcome, TableOutcome
from airflow_metorikku.spark.tester.run_test import run_test

Ask = Callable[..., Outcome]
PEOPLE = '{"id": 1, "name": "Ann"}\n{"id": 2, "name": "Bob"}\n'


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As the tester's own process has it."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def ask(spark: SparkSession, tmp_path: Path) -> Ask:
    """Run a test: its metric's SQL by step, and its keys."""
    (tmp_path / "people.jsonl").write_text(PEOPLE)
    numbers = itertools.count()

    def run(steps: dict[str, Any], files: dict[str, str] | None = None, **keys: Any) -> Outcome:
        for name, text in (files or {}).items():
            (tmp_path / name).write_text(text)
        metric = {
            "steps": [
                {"dataFrameName": name, **({"sql": step} if isinstance(step, str) else step)}
                for name, step in steps.items()
            ],
            "output": keys.pop("metric_output", []),
        }
        (tmp_path / "m.json").write_text(json.dumps(metric))
        settings = {"metric": "m.json", "tests": {}, **keys}
        (tmp_path / "a_test.json").write_text(json.dumps(settings))
        reading = read_test(tmp_path / "a_test.json", {})
        assert reading.problems == ()
        assert reading.test
        plan = compile_test(reading.test, scratch=str(tmp_path / f"scratch{next(numbers)}"))
        return run_test(spark, MetricTestPlan.from_plain(json.loads(json.dumps(plan.to_plain()))))

    return run


def table(outcome: Outcome, name: str) -> TableOutcome:
    return next(one for one in outcome.tables if one.name == name)


MOCK = [{"name": "people", "path": "people.jsonl"}]


def test_rows_in_any_order_as_often_as_they_stand_there(ask: Ask):
    twice = "SELECT id FROM people UNION ALL SELECT 1"
    good = ask({"t": twice}, mocks=MOCK, tests={"t": [{"id": 1}, {"id": 2}, {"id": 1}]})
    assert good.passed, good
    bad = ask({"t": twice}, mocks=MOCK, tests={"t": [{"id": 1}, {"id": 2}, {"id": 2}]})
    (missing, extra) = table(bad, "t").rows
    assert (missing.expected, missing.expected_row, missing.actual) == (("2",), 3, None)
    assert (extra.actual, extra.expected) == (("1",), None)


def test_every_table_is_reported_whatever_is_wrong_with_another(ask: Ask):
    outcome = ask(
        {"t": "SELECT 1 AS a, 2 AS b", "u": "SELECT 1 AS x, 2 AS x"},
        keys={"t": ["zzz"]},
        tests={
            "t": [{"a": 1}],
            "u": [{"x": 1}],
            "none": [{"a": 1}],
            "T": [{"a": 1}, {"a": 1, "c": 2}],
            "t ": [],
        },
    )
    problems = {one.name: " ".join(one.problems) for one in outcome.tables}
    assert "keys: got zzz" in problems["t"]
    assert "2 columns named 'x'" in problems["u"]
    assert "none" in problems["none"]
    assert "expected row 2 has c" in problems["T"]
    assert len(outcome.tables) == 5
    assert not outcome.passed


def test_an_empty_table_and_a_missing_column(ask: Ask):
    steps = {"t": "SELECT 1 AS alpha WHERE false", "u": "SELECT 1 AS alpha"}
    good = ask(steps, tests={"t": []})
    assert good.passed, good
    bad = ask(steps, tests={"u": [{"alhpa": 1}]})
    assert "did you mean 'alpha'" in table(bad, "u").problems[0]
    unexpected = ask(steps, tests={"u": []})
    assert table(unexpected, "u").rows[0].actual == ("1",)


def test_nulls_nan_nested_values_decimals_and_times(ask: Ask):
    sql = (
        "SELECT CAST(NULL AS string) AS n, 'null' AS s, array(1, NULL) AS a, named_struct('k', 1.50BD) AS st, "
        "map('k', array(1)) AS m, CAST('NaN' AS double) AS nan, timestamp'2020-01-02 03:04:05.12' AS ts, "
        "date'2020-01-02' AS d, CAST(0.1 AS float) AS f, 12345678901234567890.12BD AS dec"
    )
    row = {
        "n": None, "s": "null", "a": [1, None], "st": {"k": 1.5}, "m": {"k": [1]}, "nan": "NaN",
        "ts": "2020-01-02 03:04:05.120", "d": "2020-01-02", "f": 0.1, "dec": "12345678901234567890.12",
    }  # fmt: skip
    assert ask({"t": sql}, tests={"t": [row]}).passed
    other = {"t": [{**row, "n": "null", "a": [None, 1]}]}
    outcome = ask({"t": sql}, tests=other, keys={"t": ["s"]})
    assert table(outcome, "t").rows[0].columns == ("n", "a")


def test_text_comparison_is_the_originals(ask: Ask):
    sql = "SELECT CAST(NULL AS string) AS n, array('p', 'q') AS a, 1e7D AS d, 1.50BD AS c"
    row = {"n": "null", "a": "WrappedArray(p, q)", "d": "1.0E7", "c": "1.50"}
    assert ask({"t": sql}, tests={"t": [row]}, compare="text").passed
    assert not ask({"t": sql}, tests={"t": [{**row, "c": 1.5}]}, compare="text").passed
    assert not ask({"t": sql}, tests={"t": [row]}).passed  # typed: null is no text
    assert ask({"t": sql}, tests={"t": [{**row, "n": None}]}).passed


def test_mocks_are_tables_with_nulls_kept(ask: Ask, tmp_path: Path):
    (tmp_path / "days" / "day=3").mkdir(parents=True)
    (tmp_path / "days" / "day=3" / "x.json").write_text('{"v": 1}\n')
    outcome = ask(
        {"t": "SELECT * FROM p", "u": "SELECT name FROM shop.q WHERE id = 1"},
        files={"p.csv": 'id,name\n1,\n2,"say ""hi"""\n'},
        mocks=[
            {"name": "p", "path": "p.csv"},
            {"name": "shop.q", "path": "people.jsonl"},
        ],
        tests={
            "t": [{"id": "1", "name": None}, {"id": "2", "name": 'say "hi"'}],
            "u": [{"name": "Ann"}],
            "default.p": [{"id": 1}, {"id": 2}],
        },
    )
    assert outcome.passed, outcome


def test_a_mock_that_cannot_be_read_names_it(ask: Ask):
    outcome = ask({"t": "SELECT 1"}, files={"x.parquet": "no"}, mocks=[{"name": "p", "path": "x.parquet"}], tests={"t": []})  # fmt: skip
    assert "mock 'p'" in outcome.problems[0]


def test_a_failing_step_is_the_tests_failure_or_what_it_expects(ask: Ask):
    steps = {"t": "SELECT nope FROM people"}
    outcome = ask(steps, mocks=MOCK, tests={"t": []})
    assert "step 't'" in outcome.problems[0]
    assert "nope" in outcome.problems[0]
    assert outcome.tables == ()
    assert ask(steps, mocks=MOCK, expect={"error": "nope"}).passed


def test_variables_are_quoted(ask: Ask):
    params = {"variables": {"who": "O'Brien"}}
    assert ask({"t": "SELECT ${who} AS w"}, params=params, tests={"t": [{"w": "O'Brien"}]}).passed


CHECKED = {
    "t": {
        "sql": "SELECT * FROM people",
        "dq": {"level": "error", "checks": [{"isUnique": {"column": "id"}}, {"hasSize": {"size": 3, "operator": "=="}}]},
    }
}  # fmt: skip


def test_checks_are_left_out_until_expected(ask: Ask):
    assert ask(CHECKED, mocks=MOCK, tests={"t": [{"id": 1}, {"id": 2}]}).passed
    outcome = ask(CHECKED, mocks=MOCK, expect={"verdict": "good"})
    assert outcome.problems == ("expect.verdict: got critical, expected good",)
    constraints = {"isUnique.id": "passed", "hasSize": "failed"}
    expect = {"verdict": "critical", "metrics": {"m": "critical"}, "constraints": constraints}
    assert ask(CHECKED, mocks=MOCK, expect=expect).passed


OUTPUTS = [
    {"dataFrameName": "t", "outputType": "CSV", "outputOptions": {"path": "a.csv", "createUniquePath": True}},
    {"dataFrameName": "t", "outputType": "Parquet", "outputOptions": {"path": "/abs/b", "partitionBy": ["id"]}},
]  # fmt: skip


def test_outputs_go_to_the_scratch_folder_and_are_read_back(ask: Ask, tmp_path: Path):
    rows = [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]
    steps = {"t": "SELECT * FROM people"}
    outcome = ask(steps, mocks=MOCK, metric_output=OUTPUTS, outputs={"a.csv": rows, "/abs/b": rows})
    assert outcome.passed, outcome
    assert (tmp_path / "scratch0/output/abs/b").is_dir()
    bad = ask(steps, mocks=MOCK, metric_output=OUTPUTS, outputs={"t": rows, "x": rows, "a.csv": []})
    assert "several outputs" in table(bad, "output t").problems[0]
    assert "no such output" in table(bad, "output x").problems[0]
    assert len(table(bad, "output a.csv").rows) == 2


def test_withheld_outputs_are_told(ask: Ask):
    outcome = ask(
        CHECKED, mocks=MOCK, metric_output=OUTPUTS, outputs={"a.csv": []}, expect={"verdict": "critical"}
    )  # fmt: skip
    assert "withheld" in table(outcome, "output a.csv").problems[0]


def test_a_job_gives_variables_and_control_measures(ask: Ask):
    controls = {
        "workflowName": "W",
        "source": {"input": "people", "columns": ["id"], "metadata": {"sourceApplication": "A", "country": "ZA", "historyType": "Snapshot", "dataFilename": "f", "sourceType": "Source", "version": 1, "informationDate": "01-01-2020", "additionalInfo": {}}},
        "checkpoints": [{"name": "End", "dataFrameName": "t"}],
    }  # fmt: skip
    controls["source"]["metadata"].pop("dataFilename")
    job = {
        "metrics": ["m.json"],
        "inputs": {"people": {"file": {"path": "/nowhere/people.jsonl"}}},
        "variables": {"least": "1"},
        "quoteSparkVariables": False,
        "controlMeasures": controls,
    }
    outcome = ask(
        {"t": "SELECT * FROM people WHERE id > ${least}"},
        files={"job.json": json.dumps(job)},
        job="job.json",
        mocks=MOCK,
        tests={"t": [{"name": "Bob"}]},
        expect={
            "verdict": "critical",
            "checkpoints": {"End": {"recordCount": "1"}},
            "reconciliation": {"End": {"recordCount": "failed"}},
        },
    )
    assert outcome.passed, outcome


STEP = """
import os
from pyspark.sql import SparkSession
def run(spark, metric, name, params):
    os.environ["LEFT_BEHIND"] = "x"
    other = SparkSession.builder.getOrCreate()
    other.sql("CREATE DATABASE left_db")
    other.sql("CREATE TABLE left_db.t USING parquet AS SELECT 1 AS x")
    other.sql("CREATE TABLE left_t USING parquet AS SELECT 1 AS x")
    other.sql("CREATE GLOBAL TEMPORARY VIEW left_g AS SELECT 1 AS x")
    other.sql("CACHE TABLE left_v AS SELECT 1 AS x")
    spark.conf.set("spark.sql.ansi.enabled", "false")
    spark.udf.register("left_f", lambda: 1)
    return spark.table("left_v").selectExpr("x", "'%s' AS who")
"""


def test_nothing_of_a_test_is_left_for_the_next(ask: Ask, spark: SparkSession):
    def seen():
        """What the session shows; other tests share it, and leave things of their own."""
        return {
            "tables": {one.name for one in spark.catalog.listTables("default")},
            "ansi": spark.conf.get("spark.sql.ansi.enabled"),
            "cached": set(spark.sparkContext._jsc.getPersistentRDDs()),
            "path": list(sys.path),
        }

    before = seen()
    for who in ("first", "second"):  # the second imports its own module, and makes the same tables
        outcome = ask(
            {"t": {"python": "stray_steps"}},
            files={"stray_steps.py": STEP % who},
            mocks=MOCK,
            tests={"t": [{"x": 1, "who": who}]},
        )
        assert outcome.passed, outcome
    assert "LEFT_BEHIND" not in os.environ
    assert seen() == before
    assert "stray_steps" not in sys.modules
    assert not spark.catalog.databaseExists("left_db")
    assert not spark.catalog.tableExists("global_temp.left_g")
    assert SparkSession.builder.getOrCreate() is spark
