"""What the command line reads of AIRFLOW_CONN_NAME is what Airflow reads."""

from __future__ import annotations

import json

import pytest
from airflow.sdk.definitions.connection import Connection as Theirs

from airflow_metorikku.config.connections import connection_from

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
