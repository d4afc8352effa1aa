"""Connections outside Airflow, in the forms that Airflow's documentation gives for AIRFLOW_CONN_."""

import pytest

from airflow_metorikku.config.connections import connection_from
from airflow_metorikku.config.records.connection import Connection
from airflow_metorikku.errors import RunError

URI = "postgresql://us%40er:p%2Fss%20w@db.example.com:5433/sh%20op?sslmode=require"
JSON = """{"conn_type": "postgres", "host": "db.example.com", "port": 5433, "login": "us@er",
           "password": "p/ss w", "schema": "sh op", "extra": {"sslmode": "require"}}"""
WANTED = Connection(
    name="my_db", type="postgres", host="db.example.com", port=5433, login="us@er", password="p/ss w",
    schema="sh op", extra={"sslmode": "require"},
)  # fmt: skip


@pytest.mark.parametrize("text", [URI, JSON])
def test_uri_and_json(text):
    assert connection_from({"AIRFLOW_CONN_MY_DB": text}, "my_db") == WANTED


def test_extra_as_json():
    found = connection_from({"AIRFLOW_CONN_X": "generic://?__extra__=%7B%22a%22%3A+1%7D"}, "x")
    assert found.text("extra.a") == "1"
    assert found.text("host") is None
    assert found.text("extra.b") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{pass",
        "pass://u:hunter2@h:port/",
        "http://u:hunter2@https://h",
        '{"extra": ["hunter2"]}',
        '{"port": "hunter2"}',
        "generic://?__extra__=[%22hunter2%22]",
    ],
)
def test_mistakes_name_the_variable_and_not_its_text(text):
    with pytest.raises(RunError, match="AIRFLOW_CONN_X") as caught:
        connection_from({"AIRFLOW_CONN_X": text}, "x")
    assert "hunter2" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_password_is_not_in_its_repr():
    assert "p/ss w" not in repr(WANTED)
