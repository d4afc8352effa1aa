"""What may be said of a database: never a password, wherever its URL has it."""

from __future__ import annotations

import pytest

from airflow_metorikku.spark.databases import Database


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("jdbc:postgresql://h:5432/d", "jdbc:postgresql://h:5432/d"),
        ("jdbc:postgresql://h/d?user=me@x&password=hunter2", "jdbc:postgresql://h/d"),
        ("jdbc:mysql://me:hunter2@h:3306/d", "jdbc:mysql://h:3306/d"),
        ("jdbc:mysql://me:hun/ter2@h/d", "jdbc:mysql://h/d"),
        ("jdbc:mysql://me:h@hunter2/?x@h/d", "jdbc:mysql://…"),
        ("jdbc:mysql://me:hunter2?hunter2@h/d", "jdbc:mysql://…"),
        ("jdbc:oracle:thin:scott/hunter2@//h:1521/s", "jdbc:oracle:thin://h:1521/s"),
        ("jdbc:oracle:thin:scott/hunter2@h:1521:s", "jdbc:oracle:thin:h:1521:s"),
        ("jdbc:oracle:thin:@//h:1521/s", "jdbc:oracle:thin:@//h:1521/s"),
        ("jdbc:sqlserver://h:1433;databaseName=x;password=hunter2", "jdbc:sqlserver://h:1433"),
        ("jdbc:mariadb:replication://a:1,b:2/d", "jdbc:mariadb:replication://a:1,b:2/d"),
        ("jdbc:mysql://[::1]:3306/d", "jdbc:mysql://[::1]:3306/d"),
    ],
)
def test_a_url_as_it_is_shown(url: str, shown: str) -> None:
    assert Database(url=url).shown == shown


@pytest.mark.parametrize(
    "database",
    [
        Database(url="jdbc:mysql://h/d", password="hunter2"),
        Database(url="jdbc:mysql://h/d", options={"Password": "hunter2"}),
        Database(url="jdbc:mysql://h/d?password=hunter2&x=y"),
        Database(url="jdbc:mysql://me:hunter2@h/d"),
        Database(url="jdbc:oracle:thin:scott/hunter2@h:1521:s"),
    ],
    ids=["password", "option", "property", "user and password", "Oracle's"],
)
def test_no_failure_says_the_password(database: Database) -> None:
    url = database.url
    told = database.failure(ValueError(f"{url} with hunter2, and a part of it {url[-30:]}"))
    assert "hunter2" not in told
