"""What `metorikku plan` says of outputs, and what it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from airflow_metorikku.cli import main

JOB = """
metrics: [m.yaml]
output: {file: {dir: /out}, jdbc: {connectionUrl: "jdbc:x://h/d?password=hunter2", password: hunter2}}
instrumentation: {influxdb: {url: "http://u:hunter2@h", dbName: d}}
sparkConf: {spark.a.token: hunter2}
"""
METRIC = """
steps:
- {dataFrameName: t, sql: SELECT 1 AS x}
output:
- {dataFrameName: t, outputType: JSON, outputOptions: {path: p}}
- {dataFrameName: t, outputType: JSON, outputOptions: {path: q, tableName: a.b}}
- {dataFrameName: t, outputType: JSON, outputOptions: {tableName: a.c}}
- {dataFrameName: t, outputType: Catalog, outputOptions: {tableName: a.b}}
- {dataFrameName: t, outputType: JDBC, outputOptions: {saveMode: Append, dbTable: s.t}}
- {dataFrameName: t, outputType: JDBCQuery, outputOptions: {query: "INSERT INTO s VALUES (?)"}}
- {dataFrameName: t, outputType: Instrumentation}
"""


@pytest.fixture
def job(tmp_path: Path) -> str:
    (tmp_path / "job.yaml").write_text(JOB)
    (tmp_path / "m.yaml").write_text(METRIC)
    return str(tmp_path / "job.yaml")


def test_where_outputs_go(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "-c", job]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.strip() for line in lines if " output " in line] == [
        "output t -> JSON /out/p",
        "output t -> JSON /out/q (table a.b)",
        "output t -> JSON table a.c",
        "output t -> Catalog table a.b",
        "output t -> JDBC table s.t",
        "output t -> JDBCQuery",
        "output t -> Instrumentation",
    ]


def test_no_secret_is_shown(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "-c", job, "--json"]) == 0
    shown = capsys.readouterr().out
    assert "hunter2" not in shown
    assert shown.count("${secret.") == 4
