"""`metorikku profile` of a path: which arguments reach Spark, and which mean nothing there."""

from __future__ import annotations

from pathlib import Path

import pytest

from airflow_metorikku.cli import main

CSV = ["profile", "--path", "a.csv"]


@pytest.fixture
def settings(monkeypatch):
    """The settings of the plan that spark-submit was given; Spark makes no answer."""
    seen = []

    def submit(_program, _write, settings, *_):
        seen.append(settings)
        return 3

    monkeypatch.setattr("airflow_metorikku.cli.explore.submit_file", submit)
    return seen


def test_settings_of_spark_count_without_a_job_too(tmp_path, settings):
    for name, text in (("one", "spark.a 1\nspark.b 1\n"), ("two", "spark.b 2\n")):
        Path(tmp_path, name).write_text(text)
    files = [f"--properties-file={tmp_path}/{name}" for name in ("one", "two")]
    assert main([*CSV, *files]) == 3
    assert settings[0].spark_conf == {"spark.a": "1", "spark.b": "2"}


def test_a_relative_path_starts_from_base(tmp_path, settings):
    assert main([*CSV, "--base", str(tmp_path)]) == 3
    (given,) = settings[0].inputs.values()
    assert given.path.removeprefix("file:") == f"{tmp_path}/a.csv"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--var", "a=b"], "--var: is a variable of a job; with --path there is none"),
        (["--data-frame", "a"], "--data-frame: names a data frame of a job"),
        (["--properties-file", "own"], "sparkConf.spark.metorikku.nothing: there is no such"),
        (["--properties-file", "missing"], "missing"),
    ],
)
def test_mistakes(tmp_path, settings, monkeypatch, capsys, arguments, says):
    monkeypatch.chdir(tmp_path)
    Path("own").write_text("spark.metorikku.nothing 1\n")
    assert main([*CSV, *arguments]) == 1
    assert says in capsys.readouterr().err
    assert not settings
