"""Outputs that would remove what is not theirs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_jobs import make_job, metric

from airflow_metorikku.config.records.inputs import FileInput
from airflow_metorikku.config.records.job import Job
from airflow_metorikku.config.records.outputs import FileOptions
from airflow_metorikku.plan.targets import problems


def job_writing(*options: FileOptions, **settings: object) -> Job:
    given = metric("one", {"t": "SELECT 1 AS k"}, {"t": "x"})
    outputs = tuple(replace(given.output[0], output_options=each) for each in options)
    job: Job = make_job(replace(given, file="/base/metrics/one.yaml", output=outputs), **settings)
    return job


def overwrite(path: str, **more: object) -> FileOptions:
    return FileOptions(path=path, save_mode="overwrite", **more)


@pytest.mark.parametrize(
    ("path", "what"),
    [
        (".", "the job's base folder (/base)"),
        ("/", "the job's base folder"),
        ("file:///base/", "the job's base folder"),
        ("../base/./", "the job's base folder"),
        ("metrics", "a metric file (/base/metrics/one.yaml)"),
        ("kept", "the results (/base/kept/results)"),
        ("data", "what input 'a' reads (/base/data/in/a.csv)"),
        ("data/in", "what input 'a' reads"),
        ("days", "what input 'b' reads (/base/days/2020)"),
    ],
)
def test_an_overwrite_that_would_remove_what_the_job_needs(path: str, what: str) -> None:
    inputs = {"a": FileInput(path="data/in/a.csv"), "b": FileInput(path="c.csv,days/2020/*.csv")}
    job = job_writing(overwrite(path), inputs=inputs, results="kept/results")
    (problem,) = problems(job)
    assert str(problem).startswith("one.yaml:100: output: writes /")
    assert f"and would remove {what}" in str(problem)
    for harmless in (
        FileOptions(path=path, save_mode="append"),
        FileOptions(path=path),
        overwrite(path, partition_by=("k",), partition_overwrite="dynamic"),
    ):
        assert problems(job_writing(harmless, inputs=inputs, results="kept/results")) == []


@pytest.mark.parametrize("path", ["data", "data/", "data/*.parquet", "other,data", "database/a"])
def test_a_job_may_replace_the_whole_of_an_input(path: str) -> None:
    inputs = {"a": FileInput(path=path)}
    assert problems(job_writing(overwrite("data"), inputs=inputs)) == []


@pytest.mark.parametrize("paths", [("out", "out/sub"), ("out/sub", "out")])
def test_an_overwrite_that_would_remove_another_output(paths: tuple[str, ...]) -> None:
    (problem,) = problems(job_writing(*map(overwrite, paths)))
    assert "writes /base/out, and would remove /base/out/sub, where the output 't'" in str(problem)


def test_outputs_beside_each_other_are_allowed() -> None:
    assert problems(job_writing(overwrite("out"), overwrite("out2"), overwrite("s3://b/out"))) == []


def test_one_folder_in_two_spellings_is_written_twice() -> None:
    (problem,) = problems(job_writing(overwrite("out"), FileOptions(path="./out/")))
    assert "has written by then" in str(problem)
