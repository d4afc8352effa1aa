"""Jobs on a Spark cluster of its own kind: a standalone master and a worker, started from the pyspark that pip installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspark
import pytest

ROOT = Path(__file__).resolve().parents[2]
METORIKKU = Path(sys.executable).parent / "metorikku"
SPARK_HOME = Path(pyspark.__file__).parent
DEPLOY = "org.apache.spark.deploy"
LOOPBACK = "127.0.0.1"


def environment(**more: str) -> dict[str, str]:
    """Without a Python for the executors: which one they need is the project's to say."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SPARK", "PYSPARK"))
    }
    return clean | {"SPARK_LOCAL_IP": LOOPBACK} | more


def start(log: Path, name: str, *arguments: str) -> subprocess.Popen[bytes]:
    with log.open("wb") as said:
        return subprocess.Popen(
            [SPARK_HOME / "bin/spark-class", f"{DEPLOY}.{name}", "--host", LOOPBACK, *arguments],
            env=environment(SPARK_HOME=str(SPARK_HOME), SPARK_NO_DAEMONIZE="1"),
            cwd=log.parent,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def said(log: Path, pattern: str) -> str:
    """What a daemon says of itself, once it has said it."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        found = re.search(pattern, log.read_text(encoding="utf-8", errors="replace"))
        if found:
            return found[1]
        time.sleep(0.2)
    raise AssertionError(f"no {pattern!r} in\n{log.read_text(encoding='utf-8', errors='replace')}")


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a master with one worker."""
    folder = tmp_path_factory.mktemp("cluster")
    logs = folder / "master.log", folder / "worker.log"
    anywhere = ("--port", "0", "--webui-port", "0")
    processes = [start(logs[0], "master.Master", *anywhere)]
    try:
        address = said(logs[0], r"Starting Spark master at (spark://\S+)")
        room = ("--cores", "2", "--memory", "1g", "--work-dir", str(folder / "work"))
        processes.append(start(logs[1], "worker.Worker", *anywhere, *room, address))
        said(logs[1], r"(Successfully registered with master)")
        yield address
    finally:
        for process in reversed(processes):
            stop(process)


def run_on(master: str, job: Path, folder: Path) -> dict[str, Any]:
    """Run a job of a copy of its folder; its one result."""
    copy = folder / job.parent.name
    shutil.copytree(job.parent, copy, ignore=shutil.ignore_patterns("output", "__pycache__"))
    done = subprocess.run(
        [METORIKKU, "run", "-c", copy / job.name, "--master", master],
        env=environment(EXAMPLES_OUTPUT=str(folder / "output")),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"on {master})" in done.stdout
    (result,) = (folder / "metorikku-results").rglob("result.json")
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    assert found["application"]["master"] == master
    return found


def rows(folder: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for part in sorted(folder.glob("part-*.json"))
        for line in part.read_text(encoding="utf-8").splitlines()
    ]


def test_movies_on_a_standalone_master(master: str, tmp_path: Path):
    result = run_on(master, ROOT / "dags_examples/movies/job.yaml", tmp_path)
    assert result["verdict"] == "good"
    measured = {rule["control"]: rule["actual"] for rule in result["reconciliation"]}
    # Three days of 400 ratings.
    assert measured["recordCount"] == "1200"
    output = tmp_path / "output/movies"
    assert sorted(path.name for path in (output / "ratedMovies").glob("day=*")) == [
        "day=2026-01-01",
        "day=2026-01-02",
        "day=2026-01-03",
    ]
    best = rows(output / "topMovies.jsonl")
    assert len(best) == 10
    averages = [row["averageRating"] for row in best]
    assert averages == sorted(averages, reverse=True)
    assert not [path for path in output.iterdir() if path.name.startswith((".", "_"))]


UDF_STEP = """\
import os
from pyspark.sql import functions as F

def step(spark, metric_name, data_frame_name, params):
    # Runs in the Python of the executors, which must be one that reads what ours has pickled.
    where = F.udf(lambda number: f"{number} {os.path.basename(os.getcwd()).isdigit()}")
    return spark.range(3).select(where("id").alias("said"))
"""


def test_executors_have_a_python_that_fits(master: str, tmp_path: Path):
    job = tmp_path / "files/udf/job.yaml"
    job.parent.mkdir(parents=True)
    job.write_text("metrics: [metric.yaml]\noutput: {file: {dir: out}}\n")
    (job.parent / "own_step.py").write_text(UDF_STEP)
    (job.parent / "metric.yaml").write_text(
        "steps:\n- {dataFrameName: t, python: 'own_step:step'}\n"
        "output:\n- {dataFrameName: t, outputType: JSON, outputOptions: {path: t}}\n"
    )
    run_on(master, job, tmp_path)
    # An executor of a standalone worker works in <work-dir>/<application>/<number>.
    assert sorted(row["said"] for row in rows(tmp_path / "udf/out/t")) == [
        "0 True",
        "1 True",
        "2 True",
    ]
