"""Jobs from one database to another through `metorikku run`, with Airflow's connections in the environment."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import quote

from command_line import metorikku
from real_servers import Server, jar


def run(
    folder: Path, environment: dict[str, str], job: dict[str, Any], metric: dict[str, Any]
) -> subprocess.CompletedProcess[str]:
    (folder / "m.json").write_text(json.dumps(metric))
    (folder / "job.json").write_text(
        json.dumps({"metrics": ["m.json"], "results": str(folder / "results"), **job})
    )
    return metorikku(folder, "run", "-c", "job.json", "--master", "local[1]", **environment)


def test_from_postgresql_to_mariadb_by_connections(
    postgresql: Server, mariadb: Server, tmp_path: Path
) -> None:
    password = quote(postgresql.password)
    environment = {
        "AIRFLOW_CONN_PG": f"postgres://metorikku:{password}@127.0.0.1:{postgresql.port}/{postgresql.database}",
        "AIRFLOW_CONN_MARIA": json.dumps(
            {"conn_type": "mysql", "host": "127.0.0.1", "port": mariadb.port, "login": mariadb.user,
             "password": mariadb.password, "schema": mariadb.database}
        ),
    }  # fmt: skip
    jars = {"jars": [jar("postgresql"), jar("mariadb")]}
    people = {
        "steps": [{"dataFrameName": "t", "sql": "SELECT 1 AS id, 'Ann' AS name UNION ALL SELECT 2, 'Bob'"}],
        "output": [
            {"dataFrameName": "t", "outputType": "JDBC",
             "outputOptions": {"saveMode": "Overwrite", "dbTable": "people"}}
        ],
    }  # fmt: skip
    done = run(tmp_path, environment, {**jars, "output": {"jdbc": {"connection": "PG"}}}, people)
    assert done.returncode == 0, done.stderr

    table = {"outputType": "JDBC", "outputOptions": {"saveMode": "Overwrite", "dbTable": "people",
             "postQuery": "ALTER TABLE people ADD PRIMARY KEY (id)"}}  # fmt: skip
    upsert = "INSERT INTO people VALUES ($1, $2) ON DUPLICATE KEY UPDATE name = CONCAT(name, ' and ', $2)"
    copies = {
        "steps": [{"dataFrameName": "t", "sql": "SELECT id, name FROM p"}],
        "output": [
            {"dataFrameName": "t", "name": "there", **table},
            {"dataFrameName": "t", "name": "there", "outputType": "JDBCQuery", "outputOptions": {"query": upsert}},
        ],
    }  # fmt: skip
    maria = {"connection": "MARIA", "driver": "org.mariadb.jdbc.Driver"}
    reads = {"p": {"jdbc": {"connection": "PG", "table": "(SELECT * FROM people) AS both_of_them"}}}
    job = {**jars, "inputs": reads, "outputs": {"there": {"jdbc": maria}}}
    done = run(tmp_path, environment, job, copies)
    assert done.returncode == 0, done.stderr

    driver: Any = {"driver": "org.mariadb.jdbc.Driver"}
    back = {
        "steps": [{"dataFrameName": "t", "sql": "SELECT * FROM q"}],
        "output": [
            {
                "dataFrameName": "t",
                "outputType": "JSON",
                "outputOptions": {"path": "out", "saveMode": "Overwrite"},
            }
        ],
    }
    events = tmp_path / "events"
    events.mkdir()
    back_in = {"q": {"jdbc": {"connection": "MARIA", "table": "people", "options": driver}}}
    debug = {
        "logLevel": "DEBUG",
        "sparkConf": {"spark.eventLog.enabled": "true", "spark.eventLog.dir": str(events)},
    }
    done = run(tmp_path, environment, {**jars, **debug, "inputs": back_in}, back)
    assert done.returncode == 0, done.stderr
    assert " DEBUG " in done.stderr
    logged = [file.read_text(errors="replace") for file in events.rglob("*") if file.is_file()]
    assert logged
    assert mariadb.password not in "".join([done.stderr, *logged])
    lines = [
        line for file in (tmp_path / "out").glob("part-*") for line in file.read_text().splitlines()
    ]
    assert sorted(json.loads(line)["name"] for line in lines) == ["Ann and Ann", "Bob and Bob"]

    wrong = {
        **environment,
        "AIRFLOW_CONN_MARIA": environment["AIRFLOW_CONN_MARIA"].replace(
            mariadb.password, "wrong one"
        ),
    }
    failed = run(tmp_path, wrong, {**jars, "inputs": back_in}, back)
    assert failed.returncode == 3
    assert "Access denied" in failed.stdout + failed.stderr
    everything = (
        failed.stdout
        + failed.stderr
        + "".join(
            file.read_text(errors="replace")
            for file in (tmp_path / "results").rglob("*")
            if file.is_file()
        )
    )
    assert mariadb.password not in everything
    assert "wrong one" not in everything
