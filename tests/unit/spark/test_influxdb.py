"""Line protocol by InfluxDB's documentation, and what is said of a server that takes nothing."""

from __future__ import annotations

import pytest

from airflow_metorikku.config.records.connection import Connection
from airflow_metorikku.config.records.instrumentation import InfluxDB
from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.influxdb import Database, Point, line
from airflow_metorikku.spark.instrumentation import Clock


def point(**given: object) -> Point:
    base = {"measurement": "m", "field": "f", "value": 1, "tags": {}, "time": 7}
    return Point(**{**base, **given})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (point(), "m f=1i 7"),
        (point(value=1.5), "m f=1.5 7"),
        (point(measurement="my, job=1"), "my\\,\\ job=1 f=1i 7"),
        (point(field="a b,c=d"), "m a\\ b\\,c\\=d=1i 7"),
        (point(tags={"b": "x", "a": "y z,=\\q"}), "m,a=y\\ z\\,\\=\\q,b=x f=1i 7"),
        (point(tags={"a": "two\nlines", "b": "end\\", "c": ""}), "m,a=two\\ lines,b=end f=1i 7"),
    ],
)
def test_a_line(given: Point, expected: str) -> None:
    assert line(given) == expected


def test_times_are_given_once() -> None:
    clock = Clock()
    times = [clock.now() for _ in range(1000)]
    assert times == sorted(set(times))


def test_a_server_that_is_down_is_named_without_its_password() -> None:
    given = InfluxDB(url="http://ann:s3cret@127.0.0.1:1", db_name="db")
    database = Database.of(given)
    with pytest.raises(RunError, match="cannot be reached") as caught:
        database.send([point()])
    assert "s3cret" not in str(caught.value) + repr(database)


@pytest.mark.parametrize("url", ["influx:8086", "file:///etc/passwd", "http://", "http://h:x"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(RunError, match="expected an address"):
        Database.of(InfluxDB(url=url, db_name="db"))


def test_a_connection_fills_what_is_left_out() -> None:
    given = Connection(name="c", host="h", port=1, login="u", password="p", schema="db")
    filled = InfluxDB(connection="c", username="me").filled(given)
    assert filled == InfluxDB(
        connection="c", url="http://h:1", db_name="db", username="me", password="p"
    )
    secure = Connection(name="c", host="h", schema="db", extra={"schema": "https"})
    as_address = Connection(name="c", host="https://h", port=8086, schema="db")
    for one in (secure, as_address):
        assert InfluxDB(connection="c").filled(one).url == "https://h:8086"
    with pytest.raises(ValueError, match="dbName"):
        InfluxDB(connection="c").filled(Connection(name="c", host="h"))


@pytest.mark.parametrize(("given", "says"), [({"url": "http://h"}, "dbName"), ({}, "url")])
def test_a_block_without_its_place(given: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        InfluxDB(**given)
