"""Test files read, and made into plans that stay inside their scratch folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from airflow_metorikku.cli.test import found
from airflow_metorikku.config.check import check_paths
from airflow_metorikku.config.metric_tests import MetricTest, read_test
from airflow_metorikku.errors import ConfigError
from airflow_metorikku.plan.metric_tests import MetricTestPlan, compile_test

STEPS = [{"dataFrameName": "t", "sql": "SELECT * FROM p WHERE x = ${x}", "dq": {"checks": [{"isUnique": {"column": "x"}}], "failedDfLocation": "/failed"}}]  # fmt: skip
OUTPUT = [{"dataFrameName": "t", "outputType": "Parquet", "name": "b", "outputOptions": {"path": "/t"}}]  # fmt: skip
JOB = {
    "metrics": ["m.json"],
    "inputs": {"p": {"file": {"path": "/prod"}}},
    "variables": {"x": "1", "y": "2"},
    "output": {"file": {"dir": "/prod"}},
    "outputs": {"b": {"file": {"dir": "s3://prod"}}},
    "failedDFLocationPrefix": "/prod",
    "checkpointStorageLocation": "/prod",
    "quality": {"failedDataPath": "/prod"},
    "alerters": ["exception"],
    "results": "/prod",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.csv").write_text("x\n1\n")
    (tmp_path / "m.json").write_text(json.dumps({"steps": STEPS, "output": OUTPUT}))
    (tmp_path / "job.json").write_text(json.dumps(JOB))
    return tmp_path


def read(folder: Path, **settings) -> MetricTest:
    given = {"metric": "m.json", "mocks": [{"name": "p", "path": "p.csv"}], "tests": {"t": []}}
    (folder / "a_test.json").write_text(json.dumps({**given, **settings}))
    reading = read_test(folder / "a_test.json", {})
    if reading.problems:
        raise ConfigError(reading.problems)
    assert reading.test
    return reading.test


def test_nothing_of_a_job_reaches_out_of_the_test(folder: Path):
    test = read(folder, job="job.json", outputs={"t": []}, expect={"verdict": "good"})
    plan = compile_test(test, scratch="/scratch")
    text = json.dumps(plan.to_plain())
    assert "/prod" not in text
    assert "/failed" not in text
    assert "exception" not in text
    assert plan.plan.settings.variables == {"x": "1", "y": "2"}
    assert plan.plan.reads == ()
    assert MetricTestPlan.from_plain(json.loads(text)) == plan


def test_outputs_and_checks_only_when_asked_for(folder: Path):
    (metric,) = compile_test(read(folder, job="job.json"), scratch="/s").plan.metrics
    assert metric.output == ()
    assert metric.steps[0].dq is None


def test_an_output_cannot_leave_the_scratch_folder(folder: Path):
    output = [{**OUTPUT[0], "outputOptions": {"path": "../../../etc/t"}}]
    (folder / "m.json").write_text(json.dumps({"steps": STEPS, "output": output}))
    with pytest.raises(ConfigError, match="leads out of the test's scratch folder"):
        compile_test(read(folder, job="job.json", outputs={"t": []}), scratch="/s")


def test_variables_of_the_test_win_and_an_undefined_one_is_a_mistake(folder: Path):
    test = read(folder, job="job.json", params={"variables": {"x": "9"}})
    assert compile_test(test, scratch="/s").plan.settings.variables["x"] == "9"
    with pytest.raises(ConfigError, match=r"\$\{x\} is not defined"):
        compile_test(read(folder), scratch="/s")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"tests": {}}, "asks nothing"),
        ({"mocks": [{"name": "p", "path": "no.csv"}]}, "mocks[0].path: no such file"),
        ({"mocks": [{"name": n, "path": "p.csv"} for n in "pP"]}, "mocks[1].name: got 'P' a second"),
        ({"mocks": [{"name": "p", "path": "p.csv", "streaming": True}]}, "streaming mocks come"),
        ({"metric": "no.json"}, "metric: "),
        ({"job": "no.json"}, "job: "),
        ({"expect": {"verdict": "fine"}}, "expect.verdict: got 'fine', expected one of good"),
        ({"expect": {"constraint": {}}}, "did you mean 'constraints'?"),
        ({"compare": "loosely"}, "compare: "),
        ({"tests": {"t": [1]}}, "tests.t[0]: got 1, expected a mapping"),
    ],
)  # fmt: skip
def test_mistakes_have_their_line_and_are_the_same_in_check(folder: Path, settings, says: str):
    with pytest.raises(ConfigError) as caught:
        read(folder, **settings)
    assert says in str(caught.value)
    assert all(problem.line == 1 for problem in caught.value.problems)
    _, problems = check_paths([folder / "a_test.json"], environ={})
    assert [str(one) for one in problems] == [str(one) for one in caught.value.problems]


def test_the_prefix_of_configuration_files_does_not_break_a_path_that_is_there(folder: Path):
    read(folder)
    prefix = {"CONFIG_FILES_PATH_PREFIX": f"{folder}/"}
    assert read_test(folder / "a_test.json", prefix).problems == ()
    assert read_test("a_test.json", prefix).problems == ()


def test_files_of_folders_and_patterns(tmp_path: Path):
    for name in ("b_test.yaml", "a_test.json", "c_test.yml", "test.yaml", "d_test.csv", ".x/e_test.yaml"):  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    names = [Path(each).name for each in found(str(tmp_path))]
    assert names == ["a_test.json", "b_test.yaml", "c_test.yml"]
    assert [Path(each).name for each in found(f"{tmp_path}/b*")] == ["b_test.yaml"]
    assert list(found("named.yaml")) == ["named.yaml"]
