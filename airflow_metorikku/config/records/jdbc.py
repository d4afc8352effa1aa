"""Databases over JDBC: where they are and who goes there, in inputs and outputs alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from airflow_metorikku.config.fields import Where, key, where

if TYPE_CHECKING:
    from airflow_metorikku.config.records.connection import Connection

# Airflow's connection types, by the scheme of their JDBC URLs.
_SCHEMES = {
    "postgres": "postgresql",
    "postgresql": "postgresql",
    "mysql": "mysql",
    "mariadb": "mariadb",
    "mssql": "sqlserver",
}
_MARIADB = "org.mariadb."


@dataclass(frozen=True, kw_only=True)
class JdbcBlock(ABC):
    """Where a database is and who goes there; a kind of block is one subclass."""

    connection_url: str | None = key(
        "JDBC URL, as `jdbc:postgresql://host/database`.", default=None
    )
    user: str | None = key("User.", default=None)
    password: str | None = key("Password.", default=None, secret=True)
    connection: str | None = key("Airflow connection for what the block leaves out.", default=None)
    at: Where | None = where()

    def __post_init__(self) -> None:
        url = self.connection_url
        if url is None and self.connection is None:
            raise ValueError("needs connectionUrl, or connection with an Airflow connection's name")
        if url is not None and not url.startswith(("jdbc:", "${")):
            raise ValueError(
                "connectionUrl: expected a JDBC URL, as jdbc:postgresql://host/database"
            )

    @property
    @abstractmethod
    def driver_class(self) -> str | None:
        """Class of the JDBC driver, where the block names one."""

    def filled(self, given: Connection) -> Self:
        """The same, with its URL, user and password from a connection where it has none; raises ValueError for one of another kind.

        A block with a URL of its own takes only user and password.
        """
        return replace(
            self,
            connection_url=self.connection_url or url_of(given, self.driver_class),
            user=self.user or given.login,
            password=self.password or given.password,
        )


@dataclass(frozen=True, kw_only=True)
class JdbcSettings(JdbcBlock):
    """A database that outputs of type JDBC and JDBCQuery go to."""

    driver: str | None = key(
        "Class of the JDBC driver. Default: by the URL, for the databases that are known.",
        default=None,
    )
    session_init_statement: str | None = key(
        "Run first in the session of `postQuery`. Spark runs it for reads only, so neither it nor Metorikku runs it in the sessions that write rows.",
        default=None,
    )
    truncate: bool = key("Overwrite empties the table instead of dropping it.", default=False)
    cascade_truncate: bool = key("Empty it with CASCADE, where the database can.", default=False)
    create_table_options: str | None = key("Text after CREATE TABLE (…).", default=None)
    create_table_column_types: str | None = key(
        "Types of columns in CREATE TABLE, as `name VARCHAR(64), comments VARCHAR(1024)`.",
        default=None,
    )

    @property
    def driver_class(self) -> str | None:
        """Class of the JDBC driver, where the block names one."""
        return self.driver


def url_of(given: Connection, driver: str | None) -> str:
    """The JDBC URL of a connection; one of the type `jdbc` has it as its host. Raises ValueError for other types."""
    if given.type == "jdbc" or (given.host or "").startswith("jdbc:"):
        if not (given.host or "").startswith("jdbc:"):
            raise ValueError("expected a JDBC URL as the connection's host")
        return str(given.host)
    scheme = _SCHEMES.get(given.type)
    if scheme is None:
        raise ValueError(
            f"is of type '{given.type}', expected jdbc or one of {', '.join(_SCHEMES)}; or give connectionUrl"
        )
    if not given.host:
        raise ValueError("has no host; set it, or give connectionUrl")
    if scheme == "mysql" and (driver or "").startswith(_MARIADB):
        scheme = "mariadb"
    port = f":{given.port}" if given.port else ""
    if scheme == "sqlserver":
        database = f";databaseName={given.schema}" if given.schema else ""
        return f"jdbc:sqlserver://{given.host}{port}{database}"
    return f"jdbc:{scheme}://{given.host}{port}/{given.schema or ''}"
