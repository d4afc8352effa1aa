"""Where a job's own numbers go: how many rows and steps, how long, how late."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from airflow_metorikku.config.fields import Where, key, where

if TYPE_CHECKING:
    from airflow_metorikku.config.records.connection import Connection


@dataclass(frozen=True, kw_only=True)
class InfluxDB:
    """A database of an InfluxDB 1.x, or of a later one that takes its writes."""

    url: str | None = key(
        "Address, as `http://influx:8086`. Needed without a `connection`.", default=None
    )
    db_name: str | None = key(
        "Database; must exist. Needed without a `connection` that has it as its schema.",
        default=None,
    )
    username: str | None = key("User.", default=None)
    password: str | None = key("Password of the user.", default=None, secret=True)
    connection: str | None = key(
        "Airflow connection that fills what is left out: its host, port, login, password, and its schema as `dbName`; `{schema: https}` in its extra for HTTPS.",
        default=None,
    )
    at: Where | None = where()

    def __post_init__(self) -> None:
        if self.connection:
            return
        if not self.url:
            raise ValueError("url is missing, as http://influx:8086; or give a connection")
        if not self.db_name:
            raise ValueError("dbName is missing, the database to write to")

    def filled(self, given: Connection) -> Self:
        """The same, with what it leaves out taken from its connection."""
        url, name = self.url or _address(given), self.db_name or given.schema
        if not url:
            raise ValueError("has no host, and the block has no url")
        if not name:
            raise ValueError("has no schema, and the block has no dbName")
        return replace(
            self,
            url=url,
            db_name=name,
            username=self.username or given.login,
            password=self.password or given.password,
        )


def _address(given: Connection) -> str | None:
    if not given.host:
        return None
    if "://" in given.host:
        return given.host if given.port is None else f"{given.host}:{given.port}"
    return f"{given.extra.get('schema', 'http')}://{given.host}:{given.port or 8086}"


@dataclass(frozen=True, kw_only=True)
class Instrumentation:
    """Where a job's own numbers go, and the rows of outputs of type `Instrumentation`."""

    influxdb: InfluxDB | None = key("An InfluxDB.", default=None)
    at: Where | None = where()
