"""`metorikku test` and pytest's plugin as users start them."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

BIN = Path(sys.executable).parent
EXAMPLE = Path(__file__).resolve().parents[2] / "dags_examples/movies/top_movies_test.yaml"
# An install that knows the plugin's entry point loads it by itself; one of before is told its name.
PLUGIN = (
    []
    if entry_points(group="pytest11", name="metorikku")
    else ["-p", "airflow_metorikku.pytest_plugin"]
)


def run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A test that passes, one that fails, one that ends Spark, one with a mistake, and somebody else's file."""
    (tmp_path / "people.csv").write_text("id,name\n1,Ann\n2,Bob\n")
    (tmp_path / "killer.py").write_text("import os\ndef run(*_):\n    os._exit(9)\n")
    step = {"dataFrameName": "t", "sql": "SELECT * FROM people"}
    (tmp_path / "m.json").write_text(json.dumps({"steps": [step]}))
    (tmp_path / "kill.json").write_text(
        json.dumps({"steps": [{"dataFrameName": "t", "python": "killer"}]})
    )
    good = {
        "metric": "m.json",
        "mocks": [{"name": "people", "path": "people.csv"}],
        "keys": {"t": ["id"]},
        "tests": {"t": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]},
    }
    bad = {**good, "tests": {"t": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Rob"}]}}
    for name, settings in {
        "good": good,
        "bad": bad,
        "again": good,
        "kill": {**good, "metric": "kill.json"},
        "mistake": {**good, "keyz": {}},
    }.items():
        (tmp_path / f"{name}_test.json").write_text(json.dumps(settings))
    (tmp_path / "other_test.yaml").write_text("tests: of another tool\n")
    return tmp_path


def test_the_command_line_runs_every_file_and_reports_each(folder: Path):
    (folder / "other_test.yaml").unlink()
    done = run(folder, BIN / "metorikku", "test", "-t", f"{folder},{EXAMPLE}")
    words = [line.split()[:2] for line in done.stdout.splitlines() if line[:1].isupper()]
    found = {Path(name).stem: word for word, name in words}
    assert found == {
        "again_test": "PASSED",
        "bad_test": "FAILED",
        "good_test": "PASSED",
        "kill_test": "FAILED",
        "mistake_test": "MISTAKES",
        "top_movies_test": "PASSED",
    }, done.stdout + done.stderr
    assert done.returncode == 1
    assert "3 passed, 2 failed, 1 with mistakes" in done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["-", "2", "Rob", "expected", "row", "2"] in lines
    assert ["+", "2", "Bob", "row", "2", "differs", "in", "name"] in lines
    assert "unknown key 'keyz'" in done.stdout
    assert "Spark ended while the test ran" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == []


def test_pytest_collects_them_and_shares_them_among_workers(folder: Path):
    (folder / "kill_test.json").unlink()
    report = folder / "report.xml"
    arguments = ["-q", "-n", "2", "-k", "not again", "--junitxml", report, "-p", "no:cacheprovider"]
    done = run(folder, sys.executable, "-m", "pytest", *PLUGIN, *arguments)
    assert done.returncode == 1, done.stdout + done.stderr
    cases = {case.get("name"): case for case in ET.parse(report).iter("testcase")}
    failed = {name for name, case in cases.items() if case.find("failure") is not None}
    assert set(cases) == {"bad_test", "good_test", "mistake_test"}
    assert failed == {"bad_test", "mistake_test"}
    assert "differs in name" in done.stdout
    assert "unknown key 'keyz'" in done.stdout
    assert "Traceback" not in done.stdout


def test_wrong_arguments_are_sentences(tmp_path: Path):
    for arguments, says in (
        ([], "expected -t FILE"),
        (["-t", "none_test.yaml"], "no such file"),
        (["-t", "*.yaml"], "no file matches"),
        (["-t", str(tmp_path)], "expected -t FILE"),
    ):
        done = run(tmp_path, BIN / "metorikku", "test", *arguments)
        assert done.returncode == 1, arguments
        assert says in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_secret_settings_of_the_job_reach_spark_and_no_connection_is_asked_for(tmp_path: Path):
    (tmp_path / "told.py").write_text(
        "import pathlib\n"
        "def run(spark, *_):\n"
        "    lines = [p.read_bytes() for p in pathlib.Path('/proc').glob('[0-9]*/cmdline') if p.exists()]\n"
        "    seen = any(b'hunter2' in line for line in lines)\n"
        "    token, elsewhere = spark.conf.get('spark.my.token'), spark.conf.get('spark.my.url', 'none')\n"
        "    return spark.createDataFrame([(token, elsewhere, seen)], 'token string, url string, seen boolean')\n"
    )
    conf = {"spark.my.token": "hunter2", "spark.my.url": "${conn.nowhere.host}"}
    (tmp_path / "m.json").write_text('{"steps": [{"dataFrameName": "t", "python": "told"}]}')
    (tmp_path / "job.json").write_text(json.dumps({"metrics": ["m.json"], "sparkConf": conf}))
    told = {"token": "hunter2", "url": "none", "seen": False}
    settings = {"metric": "m.json", "job": "job.json", "tests": {"t": [told]}}
    (tmp_path / "told_test.json").write_text(json.dumps(settings))
    done = run(tmp_path, BIN / "metorikku", "test", "told_test.json")
    assert done.returncode == 0, done.stdout + done.stderr
