"""`check_paths`: files and folders, what is ours, and every problem once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from airflow_metorikku.config.check import check_paths
from airflow_metorikku.errors import Problem

JOB = "metrics: [m.yaml]\n"
METRIC = "steps:\n- {dataFrameName: t, sql: SELECT 1 AS x}\n"
TEST = "metric: m.yaml\nmocks: [{name: i, path: i.csv}]\ntests: {t: [{x: 1}]}\n"


@pytest.fixture
def check(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def check_files(files, *paths, **options):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        read, problems = check_paths(paths or ["."], environ={}, **options)
        return read, [str(problem) for problem in problems]

    return check_files


def test_sound_folder(check):
    read, problems = check({"job.yaml": JOB, "m.yaml": METRIC, "m_test.yaml": TEST, "i.csv": "x\n"})
    assert sorted(read) == ["job.yaml", "m.yaml", "m_test.yaml"]
    assert problems == []


def test_twelve_mistakes_in_three_files(check):
    files = {
        "job.yaml": """\
metrics:
  - one.yaml
  - two.yaml
  - missing.yaml
inputs:
  movies:
    file:
      pth: movies.csv
  ratings:
    file_date_range:
      template: /data/%s/r.csv
      date_range: {format: yyyy-MM-dd, startDate: 2017-01-05, endDate: 2017-01-01}
shwoPreviewLines: 4
continueOnFailedStep: maybe
""",
        "one.yaml": """\
steps:
  - dataFrameName: a
    sqll: SELECT 1
  - dataFrameName: b
    ignoreOnFailures: perhaps
    sql: SELECT 1
  - dataFrameName: c
    sql: SELECT 1 AS x
    dq:
      level: eror
      checks:
        - isComplet: {column: x}
        - hasUniqueness: {column: x, assertion: ">> 1"}
""",
        "two.yaml": """\
steps:
  - dataFrameName: d
    sql: SELECT 1 AS x
output:
  - dataFrameName: d
    outputType: Parquett
    outputOptions: {path: out/d}
  - dataFrameName: d
    outputType: Parquet
    outputOptions: {saveMode: Overwrit, path: out/e}
""",
    }
    _, problems = check(files, "job.yaml")
    assert [problem.split(": ")[0] for problem in problems] == [
        "job.yaml:4", "job.yaml:8", "job.yaml:12", "job.yaml:13", "job.yaml:14",
        "one.yaml:3", "one.yaml:5", "one.yaml:10", "one.yaml:12", "one.yaml:13", "two.yaml:6", "two.yaml:10",
    ]  # fmt: skip


def test_metric_of_two_jobs_and_of_the_folder_is_reported_once(check):
    files = {"a.yaml": JOB, "b.yaml": JOB, "m.yaml": METRIC + "extra: 1\n"}
    _, problems = check(files, ".", "m.yaml", "a.yaml")
    assert problems == ["m.yaml:3: extra: unknown key 'extra'; expected one of output"]


def test_files_of_others_in_a_folder_are_passed_by(check):
    files = {
        "compose.yaml": "services: {a: {image: b}}\n---\nx: 1\n", "data.json": '{"a": 1}\n{"a": 2}\n',
        ".hidden/job.yaml": "metrics: 1\n", "m.yaml": METRIC,
    }  # fmt: skip
    read, problems = check(files)
    assert read == ["m.yaml"]
    assert problems == []


def test_what_a_run_said_of_itself_is_no_job_but_one_may_be_called_so(check):
    said = '{\n "format": 1,\n "job": "a",\n "plan_hash": "x",\n "metrics": [{"name": "m"}]\n}\n'
    files = {"metorikku-results/local/r/a/1/result.json": said, "m.yaml": METRIC}
    assert check(files) == (["m.yaml"], [])
    read, problems = check({"jobs/result.json": '{"metrics": ["../m.yaml"], "x": 1}'}, "jobs")
    assert (len(read), len(problems)) == (2, 1)
    assert "unknown key 'x'" in problems[0]


def test_a_pipe_in_a_folder_is_not_waited_for(check, tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    assert check({"m.yaml": METRIC}) == (["m.yaml"], [])


def test_file_of_others_that_is_given(check):
    _, problems = check({"compose.yaml": "services: {}\n"}, "compose.yaml")
    assert problems == [
        "compose.yaml: neither a job, a metric nor a test: expected the key metrics, steps, or metric and tests"
    ]


def test_broken_file_of_ours_in_a_folder(check):
    _, problems = check({"jobs/job.yaml": "metrics: [a\n"})
    assert len(problems) == 1
    assert problems[0].startswith("jobs/job.yaml:1: a list opened with [")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("metrcs: [m.yaml]\n", "f.yaml:1: metrcs: unknown key 'metrcs'; did you mean 'metrics'?"),
        ("stepss: []\n", "f.yaml:1: stepss: unknown key 'stepss'; did you mean 'steps'?"),
        ("inputs: {}\n", "f.yaml:1: key 'metrics' is missing: Metric files, or folders"),
        ("- a\n", "f.yaml: neither a job"),
        ("", "f.yaml: the file is empty"),
    ],
)
def test_what_a_file_is_meant_to_be(check, text, problem):
    _, problems = check({"f.yaml": text}, "f.yaml")
    assert len(problems) == 1
    assert problems[0].startswith(problem)


def test_missing_path(check):
    read, problems = check({}, "none.yaml")
    assert read == []
    assert problems == ["none.yaml: no such file"]


def test_test_file(check):
    _, problems = check(
        {"t.yaml": TEST.replace("m.yaml", "moveis.yaml"), "movies.yaml": METRIC}, "t.yaml"
    )
    assert problems == [
        "t.yaml:1: metric: moveis.yaml: no such file; did you mean 'movies.yaml'?",
        "t.yaml:2: mocks[0].path: no such file: i.csv",
    ]


def test_problems_between_files_are_asked_for(check):
    asked = []

    def between(job, *, declared):
        asked.append((job.name, sorted(declared)))
        return [Problem(file="m.yaml", line=2, path="steps[0].sql", text="undefined")]

    _, problems = check(
        {"job.yaml": JOB + "explain: 7\n", "m.yaml": METRIC}, "job.yaml", find=between
    )
    assert asked == [(Path.cwd().name, ["t"])]
    assert problems == [
        "job.yaml:2: explain: got 7, expected true or false",
        "m.yaml:2: steps[0].sql: undefined",
    ]


def test_problems_between_files_that_only_follow_are_left_out(check):
    def between(job, *, declared):
        return [Problem(file="m.yaml", line=2, path="output.name", text="no such output")]

    files = {"job.yaml": JOB + "outputs: {o: {flie: {dir: x}}}\n", "m.yaml": METRIC}
    _, problems = check(files, "job.yaml", find=between)
    assert problems == ["job.yaml:2: outputs.o.flie: unknown key 'flie'; did you mean 'file'?"]


def test_what_a_job_with_a_missing_metric_declares_is_not_known(check):
    def between(job, *, declared):
        raise AssertionError("not to be asked")

    _, problems = check(
        {"job.yaml": "metrics: [none.yaml, m.yaml]\n", "m.yaml": METRIC},
        "job.yaml",
        find=between,
    )
    assert problems == ["job.yaml:1: metrics[0]: none.yaml: no such file"]
