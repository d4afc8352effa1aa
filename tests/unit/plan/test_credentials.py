"""Nothing secret is in a plan, and Spark's side has it all back."""

import json
import time
from dataclasses import replace

import pytest

from airflow_metorikku.config.load import read_job, read_job_text
from airflow_metorikku.config.records.connection import Connection
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.credentials import credentials, put_back, without_secrets
from airflow_metorikku.plan.records import Identity, Plan
from airflow_metorikku.submission import SubmitOptions, write_secrets

DB = Connection(
    name="db", type="postgres", host="h", login="me", password="hunter2", extra={"k": "deep"}
)


def lookup(name: str) -> Connection:
    if name != "db":
        raise RunError(f"connection '{name}': is not there")
    return DB


def plan_of(tmp_path, **keys) -> Plan:
    metric = tmp_path / "m.yaml"
    metric.write_text("steps:\n- {dataFrameName: t, sql: SELECT 1 AS a}\n")
    job = read_job_text(json.dumps({"metrics": [str(metric)], **keys})).job
    assert job is not None
    return compile_job(job)[0]


def conf_after(plan: Plan, name: str) -> str:
    """Through a file, as in a run."""
    sent, secrets = credentials(plan, lookup)
    text = json.dumps(sent.to_plain())
    assert "hunter2" not in text
    assert "hunter2" not in str(SubmitOptions.of(sent.settings, files=(), archive=sent.base))
    back = put_back(Plan.from_plain(json.loads(text)), secrets)
    return back.settings.spark_conf[name]


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("spark.hadoop.fs.s3a.secret.key", "hunter2", "hunter2"),
        ("spark.x", "${conn.db.password}", "hunter2"),
        ("spark.x", "a ${conn.db.login}:${conn.db.password}", "a me:hunter2"),
        ("spark.hadoop.fs.azure.account.key.me.dfs.core.windows.net", "hunter2", "hunter2"),
        ("spark.my.token", "x${conn.db.password}y", "xhunter2y"),
        (
            "spark.url",
            "jdbc:x://h/d?user=a&password=hunter2",
            "jdbc:x://h/d?user=a&password=hunter2",
        ),
        ("spark.url", "https://me:hunter2@host/", "https://me:hunter2@host/"),
        ("spark.url", "https://:hunter2@host/", "https://:hunter2@host/"),
        ("spark.url", "https://me@x.com:hunter2/@host/", "https://me@x.com:hunter2/@host/"),
        ("spark.url", "jdbc:oracle:thin:me/hunter2@h:1:s", "jdbc:oracle:thin:me/hunter2@h:1:s"),
        ("spark.my.own.application.pwd", "hunter2", "hunter2"),
        ("spark.my.own.app.sslkeypass", "hunter2", "hunter2"),
        ("spark.my.own.app.passphrase", "hunter2", "hunter2"),
        ("spark.hadoop.fs.azure.account.key.x", "hunter2", "hunter2"),
        ("spark.x", "${conn.db.extra.k}", "deep"),
        ("spark.plain", "text", "text"),
    ],
)
def test_conf(tmp_path, name, value, wanted):
    assert conf_after(plan_of(tmp_path, sparkConf={name: value}), name) == wanted


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("spark.hadoop.fs.s3a.aws.credentials.provider", "com.amazonaws.auth.Chain"),
        ("spark.security.credentials.hive.enabled", "false"),
        ("spark.sql.shuffle.partitions", "4"),
    ],
)
def test_what_spark_submit_itself_needs_is_told_to_it(tmp_path, name, value):
    sent, secrets = credentials(plan_of(tmp_path, sparkConf={name: value}), lookup)
    assert secrets == {}
    assert SubmitOptions.of(sent.settings, files=(), archive=tmp_path).conf == {name: value}


PASSWORDS = {
    "jdbc block": {"output": {"jdbc": {"connectionUrl": "jdbc:x:y", "password": "hunter2"}}},
    "named block": {"outputs": {"o": {"jdbcquery": {"connection": "db"}}}},
    "input": {"inputs": {"i": {"jdbc": {"connection": "db", "table": "t"}}}},
    "option": {"inputs": {"i": {"jdbc": {"connectionUrl": "jdbc:x:y", "table": "t",
               "options": {"sslPassword": "hunter2"}}}}},
    "url": {"inputs": {"i": {"jdbc": {"connectionUrl": "jdbc:x:y?password=hunter2", "table": "t"}}}},
    "influxdb": {"instrumentation": {"influxdb": {"url": "http://h", "dbName": "d", "password": "hunter2"}}},
}  # fmt: skip


@pytest.mark.parametrize("keys", PASSWORDS.values(), ids=PASSWORDS)
def test_every_block_gets_its_secret_back(tmp_path, keys):
    sent, secrets = credentials(plan_of(tmp_path, **keys), lookup)
    text = json.dumps(sent.to_plain())
    assert "hunter2" not in text
    back = put_back(Plan.from_plain(json.loads(text)), secrets)
    assert json.dumps(back.to_plain()).count("hunter2") == 1
    assert "${" not in json.dumps(back.to_plain())


@pytest.mark.parametrize("keys", PASSWORDS.values(), ids=PASSWORDS)
def test_a_plan_that_is_shown_has_no_secret_and_needs_no_connection(tmp_path, keys):
    conf = {"spark.a.token": "x${conn.elsewhere.password}", "spark.b": "${conn.elsewhere.host}"}
    shown = without_secrets(plan_of(tmp_path, sparkConf=conf, **keys))
    assert "hunter2" not in json.dumps(shown.to_plain())
    assert shown.settings.spark_conf["spark.b"] == "${conn.elsewhere.host}"


def test_a_connection_is_asked_for_once(tmp_path):
    asked = []

    def counted(name):
        asked.append(name)
        return lookup(name)

    conf = {"spark.x": "${conn.db.login}", "spark.y": "${conn.db.password}"}
    block = {"jdbc": {"connection": "db", "table": "t"}}
    credentials(plan_of(tmp_path, sparkConf=conf, inputs={"i": block}), counted)
    assert asked == ["db"]


def test_a_text_that_only_looks_like_a_name_stays():
    plan = Plan(job="j", file="f", base="b", metrics=(), reads=(), settings=JobFile(
        metrics=("m",), spark_conf={"spark.x": "${secret.2} ${secret.1}"}))  # fmt: skip
    back = put_back(plan, {"secret.1": "hunter2 ${secret.1}"})
    assert back.settings.spark_conf == {"spark.x": "${secret.2} hunter2 ${secret.1}"}


def test_hash_is_that_of_the_plan_that_was_sent(tmp_path):
    sent, secrets = credentials(
        plan_of(tmp_path, sparkConf={"spark.a.password": "hunter2"}), lookup
    )
    sent = sent.for_run(
        Identity(dag_id="d", run_id="r", task_id="t", attempt="a", result="file:/r")
    )
    back = put_back(Plan.from_plain(sent.to_plain()), secrets)
    assert back.hash == sent.hash
    assert back.settings.spark_conf == {"spark.a.password": "hunter2"}
    other = replace(sent, base="/elsewhere")
    assert put_back(other, secrets).hash != sent.hash


def test_options_of_the_jvm_would_be_seen(tmp_path):
    given = {"spark.driver.extraJavaOptions": "-Djavax.net.ssl.trustStorePassword=hunter2"}
    with pytest.raises(
        RunError, match=r"spark\.driver\.extraJavaOptions: holds a secret"
    ) as caught:
        credentials(plan_of(tmp_path, sparkConf=given), lookup)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [("${conn.other.host}", "'other': is not there"), ("${conn.db.port}", "'db': has no port"), ("${conn.db.extra.z}", "has no extra.z")],
)  # fmt: skip
def test_what_a_connection_lacks(tmp_path, text, words):
    with pytest.raises(RunError, match=words):
        credentials(plan_of(tmp_path, sparkConf={"spark.x": text}), lookup)


def test_file_is_for_its_owner_only(tmp_path):
    file = write_secrets({"secret.1": "hunter2"}, tmp_path)
    assert file is not None
    assert file.stat().st_mode & 0o777 == 0o600
    assert write_secrets({}, tmp_path) is None


@pytest.mark.parametrize("name", ["conn.db.password", "secret.1"])
def test_a_literal_name_of_a_secret_is_refused(tmp_path, name):
    """In a plan it would be taken for the secret itself."""
    conf = {"spark.my.token": "hunter2", "spark.x": f"$${{{name}}}"}
    (tmp_path / "job.json").write_text(json.dumps({"metrics": ["m.yaml"], "sparkConf": conf}))
    reading = read_job(tmp_path / "job.json", environ={})
    assert [one.text for one in reading.problems if one.path == "sparkConf.spark.x"] == [
        f"got $${{{name}}}: a text ${{{name}}} cannot stand here"
    ]


def test_long_texts_cost_no_more_than_their_length(tmp_path):
    hostile = ("://" + ":/" * 50 + "jdbc:") * 5000
    start = time.process_time()
    assert conf_after(plan_of(tmp_path, sparkConf={"spark.x": hostile}), "spark.x") == hostile
    assert time.process_time() - start < 10
