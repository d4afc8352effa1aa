"""What the command line reads of AIRFLOW_CONN_NAME is what Airflow reads."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.sdk.definitions.connection import Connection as Theirs

from airflow_metorikku.config.connections import connection_from
from airflow_metorikku.connections import airflow_connection
from airflow_metorikku.errors import RunError
from airflow_metorikku.operators.metorikku import MetorikkuSubmitOperator, RunBrokenError
from airflow_metorikku.plan.credentials import SECRETS

TEXTS = [
    "postgres://me:pw@db.example.com:5433/shop?sslmode=require",
    "postgresql://us%40er:p%2Fss%20w@DB.example.com/sh%20op",
    "jdbc://me:pw@jdbc%3Apostgresql%3A%2F%2Fdb.example.com%3A5432%2FMyShop/",
    "jdbc://:pw@jdbc%3Asqlserver%3A%2F%2Fh%3A1433%3BdatabaseName%3DMine:7/",
    "http://https://influx.example.com:8086/metrics",
    "http://me:pw@https%3A%2F%2Finflux.example.com",
    "google-cloud-platform://?project=p&key=",
    "generic://?__extra__=%7B%22a%22%3A+1%2C+%22b%22%3A+%22x%22%7D",
    "mysql://h",
    '{"conn_type": "mysql", "host": "H", "port": "3306", "login": "me", "extra": "{\\"a\\": \\"b\\"}"}',
    '{"conn_type": "google-cloud-platform", "extra": {"a": "b"}}',
    '{"conn_type": "postgresql", "host": "h", "schema": "s", "password": "p"}',
]


def context() -> dict[str, Any]:
    """As much of it as the operator asks for."""
    ti = SimpleNamespace(
        dag_id="movies", run_id="r", task_id="run", map_index=-1, xcom_push=lambda *_, **__: None
    )
    return {"ti": ti, "dag_run": SimpleNamespace(run_after=datetime(2026, 1, 2, tzinfo=UTC))}


@pytest.mark.parametrize("text", TEXTS)
def test_as_airflow_reads_it(text: str) -> None:
    ours = connection_from({"AIRFLOW_CONN_X": text}, "x")
    theirs = Theirs.from_json(text, "x") if text[0] == "{" else Theirs.from_uri(text, "x")
    fields = ("host", "port", "login", "password", "schema")
    assert {name: getattr(ours, name) for name in fields} == {
        name: getattr(theirs, name) or None for name in fields
    }
    assert ours.type == theirs.conn_type
    assert {
        name: json.loads(text) if text.isdigit() else text for name, text in ours.extra.items()
    } == (theirs.extra_dejson)


def test_a_connection_of_airflow(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "postgres://me:p%2Fw@db.example.com:5433/shop?sslmode=require&n=1"
    monkeypatch.setenv("AIRFLOW_CONN_SHOP_DB", text)
    assert airflow_connection("shop_db") == connection_from(
        {"AIRFLOW_CONN_SHOP_DB": text}, "shop_db"
    )
    with pytest.raises(RunError, match="connection 'nowhere': is not there"):
        airflow_connection("nowhere")


@pytest.mark.parametrize("master", ["spark://local", "spark://spark%3A%2F%2Fmaster:7077"])
def test_a_password_goes_to_spark_in_a_file_of_its_own(
    files: Any, spark_submit: Any, make: Any, monkeypatch: pytest.MonkeyPatch, master: str
) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_CLUSTER", master)
    monkeypatch.setenv("AIRFLOW_CONN_SHOP_DB", "postgres://me:hunter2@db.example.com/shop")
    files.write(
        "job.yaml",
        """\
        metrics: [movies.yaml]
        inputs: {orders: {jdbc: {connection: shop_db, table: orders}}}
        sparkConf: {spark.a.token: "${conn.shop_db.password}"}
        """,
    )
    dag = files.dag("from airflow.sdk import DAG\ndag = DAG('movies', schedule=None)\n")
    run = MetorikkuSubmitOperator(task_id="run", job="job.yaml", conn_id="cluster", dag=dag)
    found: dict[str, Any] = {}

    def answer(identity: dict[str, str]) -> Any:
        file = Path(spark_submit.commands[-1][-1]).with_name(SECRETS)
        found.update(json.loads(file.read_text()), mode=file.stat().st_mode & 0o777)
        return make.result(attempt=identity["attempt"])

    spark_submit.answer = answer
    run.execute(context())
    assert found == {"conn.shop_db.password": "hunter2", "mode": 0o600}
    (plan,), (command,), (environment,) = (
        spark_submit.plans, spark_submit.commands, spark_submit.environments,
    )  # fmt: skip
    assert plan["settings"]["inputs"]["orders"]["jdbc"]["user"] == "me"
    assert "hunter2" not in json.dumps(plan) + " ".join(command)
    # A driver on this machine reads it beside the plan; another is sent it.
    assert (SECRETS in command[command.index("--files") + 1]) == (master != "spark://local")
    assert "spark.a.token" not in " ".join(command)
    # As Airflow itself was started with it; nothing more has it.
    assert {name for name, text in environment.items() if "hunter2" in text} == {
        "AIRFLOW_CONN_SHOP_DB"
    }


def test_a_connection_that_is_not_there_fails_before_spark_starts(
    files: Any, spark_submit: Any
) -> None:
    block = "inputs: {o: {jdbc: {connection: nowhere, table: t}}}\n"
    files.write("job.yaml", f"metrics: [movies.yaml]\n{block}")
    dag = files.dag("from airflow.sdk import DAG\ndag = DAG('movies', schedule=None)\n")
    run = MetorikkuSubmitOperator(task_id="run", job="job.yaml", dag=dag)
    with pytest.raises(RunBrokenError, match="connection 'nowhere': is not there"):
        run.execute(context())
    assert spark_submit.commands == []
