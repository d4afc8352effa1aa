"""A job's numbers in a real InfluxDB, through `metorikku run`."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

METORIKKU = Path(sys.executable).parent / "metorikku"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def ask(url: str, query: str) -> Any:
    body = urlencode({"q": query}).encode()
    with urllib.request.urlopen(f"{url}/query?db=metrics&epoch=ns", body, timeout=5) as answer:
        return json.load(answer)["results"][0]


@pytest.fixture
def influxdb(tmp_path: Path) -> Iterator[str]:
    """Address of a server with a database `metrics`."""
    binary = shutil.which("influxd")
    if not binary:
        pytest.skip("no influxdb on this machine; dev/services install brings it")
    folder, port = tmp_path / "influxdb", free_port()
    (tmp_path / "influxdb.conf").write_text(
        f'bind-address = "127.0.0.1:{free_port()}"\nreporting-disabled = true\n'
        f'[meta]\ndir = "{folder}/meta"\n[data]\ndir = "{folder}/data"\nwal-dir = "{folder}/wal"\n'
        f'[http]\nbind-address = "127.0.0.1:{port}"\n'
    )
    url = f"http://127.0.0.1:{port}"
    with (tmp_path / "influxdb.log").open("wb") as log:
        server = subprocess.Popen(
            [binary, "-config", str(tmp_path / "influxdb.conf")], stdout=log, stderr=log
        )
    try:
        end = time.monotonic() + 60
        while True:
            try:
                ask(url, "CREATE DATABASE metrics")
                break
            except (urllib.error.URLError, ConnectionError):
                assert time.monotonic() < end, (tmp_path / "influxdb.log").read_text()
                time.sleep(0.2)
        yield url
    finally:
        server.terminate()
        server.wait(30)


def test_numbers_lags_and_rows_in_influxdb(influxdb: str, tmp_path: Path) -> None:
    sql = (
        "SELECT * FROM VALUES ('a, b=c', 1.5D, 1577836800L), ('x', 2D, 1577836801L) AS (who, v, at)"
    )
    lag = {"reportLag": True, "reportLagTimeColumn": "at", "reportLagTimeColumnUnits": "SECONDS"}
    rows = {"outputType": "Instrumentation", "outputOptions": {"valueColumn": "v"}}
    metric = {
        "steps": [{"dataFrameName": "t", "sql": sql}],
        "output": [
            {"dataFrameName": "t", "outputType": "JSON", "outputOptions": {"path": "t"}, **lag},
            {"dataFrameName": "t", **rows},
        ],
    }
    (tmp_path / "m.json").write_text(json.dumps(metric))
    job = {
        "metrics": ["m.json"],
        "appName": "my job",
        "output": {"file": {"dir": "out"}},
        "instrumentation": {"influxdb": {"url": influxdb, "dbName": "metrics"}},
        "results": str(tmp_path / "results"),
    }
    (tmp_path / "job.json").write_text(json.dumps(job))
    done = subprocess.run(
        [METORIKKU, "run", "-c", "job.json", "--master", "local[1]"],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = ask(influxdb, 'SELECT * FROM "my job"')["series"][0]
    lines = [dict(zip(found["columns"], row, strict=True)) for row in found["values"]]
    assert [one["v"] for one in lines if one["who"] == "a, b=c"] == [1.5]
    assert sum(one["successfulSteps"] or 0 for one in lines) == 1
    counted = {one["output_type"]: one["counter"] for one in lines if one["counter"] is not None}
    assert counted == {"JSON": 2, "Instrumentation": 2}
    (late,) = [one["lag"] for one in lines if one["lag"] is not None]
    assert abs(time.time() * 1000 - 1577836801000 - late) < 300_000
    assert [one["metric"] for one in lines if one["timer"]] == ["m"]
