"""Rules of the records themselves."""

from __future__ import annotations

from airflow_metorikku.config.records.alerters import EmailAlerter, SlackAlerter
from airflow_metorikku.config.records.inputs import JdbcInput, MongoInput
from airflow_metorikku.config.records.jdbc import JdbcSettings


def test_no_secret_in_a_repr() -> None:
    records = (
        SlackAlerter(token="hidden-one"),
        EmailAlerter(host="h", to=("a@b",), user="u", password="hidden-one"),
        JdbcInput(connection_url="jdbc:x:y", table="t", password="hidden-one"),
        JdbcSettings(connection_url="jdbc:x:y", password="hidden-one"),
        MongoInput(uri="mongodb://u:hidden-one@h", database="d", collection="c"),
    )
    assert not [record for record in records if "hidden-one" in repr(record)]
