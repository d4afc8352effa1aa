"""A job's numbers in a real InfluxDB, through `metorikku run`."""

from __future__ import annotations

import base64
import json
import time
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from command_line import metorikku
from real_servers import Server


def ask(server: Server, query: str) -> Any:
    login = base64.b64encode(f"{server.user}:{server.password}".encode()).decode()
    request = urllib.request.Request(
        f"{server.url}/query?db={server.database}&epoch=ns",
        urlencode({"q": query}).encode(),
        {"Authorization": f"Basic {login}"},
    )
    with urllib.request.urlopen(request, timeout=5) as answer:
        return json.load(answer)["results"][0]


def test_numbers_lags_and_rows_in_influxdb(influxdb: Server, tmp_path: Path) -> None:
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
        "instrumentation": {"influxdb": {"connection": "influx"}},
        "results": str(tmp_path / "results"),
    }
    (tmp_path / "job.json").write_text(json.dumps(job))
    password = quote(influxdb.password, safe="")
    connection = f"http://{influxdb.user}:{password}@127.0.0.1:{influxdb.port}/{influxdb.database}"
    given = {"AIRFLOW_CONN_INFLUX": connection}
    done = metorikku(tmp_path, "run", "-c", "job.json", "--master", "local[1]", **given)
    assert done.returncode == 0, done.stderr
    assert influxdb.password not in done.stdout + done.stderr
    found = ask(influxdb, 'SELECT * FROM "my job"')["series"][0]
    lines = [dict(zip(found["columns"], row, strict=True)) for row in found["values"]]
    assert [one["v"] for one in lines if one["who"] == "a, b=c"] == [1.5]
    assert sum(one["successfulSteps"] or 0 for one in lines) == 1
    counted = {one["output_type"]: one["counter"] for one in lines if one["counter"] is not None}
    assert counted == {"JSON": 2, "Instrumentation": 2}
    (late,) = [one["lag"] for one in lines if one["lag"] is not None]
    assert abs(time.time() * 1000 - 1577836801000 - late) < 300_000
    assert [one["metric"] for one in lines if one["timer"]] == ["m"]
