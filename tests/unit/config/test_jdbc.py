"""Blocks of databases filled from Airflow's connections."""

from __future__ import annotations

import pytest

from airflow_metorikku.config.records.connection import Connection
from airflow_metorikku.config.records.inputs import JdbcInput
from airflow_metorikku.config.records.jdbc import JdbcSettings

NAMED = {"name": "db", "host": "h", "login": "u", "password": "${conn.db.password}", "schema": "d"}


@pytest.mark.parametrize(
    ("given", "driver", "url"),
    [
        ({"type": "postgres", "port": 5433}, None, "jdbc:postgresql://h:5433/d"),
        ({"type": "postgresql"}, None, "jdbc:postgresql://h/d"),
        ({"type": "postgres", "schema": None}, None, "jdbc:postgresql://h/"),
        ({"type": "mysql"}, None, "jdbc:mysql://h/d"),
        ({"type": "mysql"}, "org.mariadb.jdbc.Driver", "jdbc:mariadb://h/d"),
        ({"type": "mariadb", "port": 3307}, None, "jdbc:mariadb://h:3307/d"),
        ({"type": "mssql", "port": 1433}, None, "jdbc:sqlserver://h:1433;databaseName=d"),
        ({"type": "jdbc", "host": "jdbc:x:y"}, None, "jdbc:x:y"),
        ({"type": "generic", "host": "jdbc:x:y"}, None, "jdbc:x:y"),
    ],
)
def test_the_url_of_a_connection(given: dict[str, object], driver: str | None, url: str):
    connection = Connection(**{**NAMED, **given})
    filled = JdbcSettings(connection="db", driver=driver).filled(connection)
    assert (filled.connection_url, filled.user, filled.password) == (
        url,
        "u",
        "${conn.db.password}",
    )
    options = {"Driver": driver} if driver else {}
    assert (
        JdbcInput(connection="db", table="t", options=options).filled(connection).connection_url
        == url
    )


def test_what_a_block_has_itself_stays():
    given = Connection(type="sftp", **NAMED)
    block = JdbcSettings(connection="db", connection_url="jdbc:a:b", user="me")
    filled = block.filled(given)
    assert (filled.connection_url, filled.user) == ("jdbc:a:b", "me")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"type": "sftp"}, "is of type 'sftp', expected jdbc or one of postgres"),
        ({"type": "postgres", "host": None}, "has no host"),
        ({"type": "jdbc"}, "expected a JDBC URL as the connection's host"),
    ],
)
def test_connections_that_say_no_url(given: dict[str, object], says: str):
    with pytest.raises(ValueError, match=says):
        JdbcSettings(connection="db").filled(Connection(**{**NAMED, **given}))
