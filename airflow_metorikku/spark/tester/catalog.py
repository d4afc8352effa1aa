"""What a test leaves in the catalog, which all sessions share, and taking it away again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airflow_metorikku.spark.jvm import java_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class CatalogState:
    """Tables (views too) and functions by database."""

    tables: dict[str, frozenset[str]]
    functions: dict[str, frozenset[str]]


def catalog_state(session: SparkSession) -> CatalogState:
    """What is there now."""
    catalog = _catalog(session)
    databases = _texts(catalog.listDatabases())
    return CatalogState(
        tables={name: frozenset(_texts(catalog.listTables(name))) for name in databases},
        functions={name: frozenset(_texts(catalog.listFunctions(name, "*"))) for name in databases},
    )


def restore_catalog(session: SparkSession, before: CatalogState) -> None:
    """Drop what has come since; what was there is left as it is."""
    catalog = _catalog(session)
    now = catalog_state(session)
    for database, tables in now.tables.items():
        if database not in before.tables:
            catalog.dropDatabase(database, True, True)  # noqa: FBT003 - Java has no keyword arguments
            continue
        for table in tables - before.tables[database]:
            catalog.dropTable(database, table, True, True)  # noqa: FBT003 - as above
        for function in now.functions[database] - before.functions[database]:
            catalog.dropFunction(database, function)
    _shared(session).globalTempViewManager().clear()
    session.catalog.clearCache()


def _shared(session: SparkSession) -> Any:
    return java_session(session).sharedState()


def _catalog(session: SparkSession) -> Any:
    return _shared(session).externalCatalog()


def _texts(sequence: Any) -> list[str]:
    """A Scala sequence of names; none holds a line's end."""
    text = str(sequence.mkString("\n"))
    return text.split("\n") if text else []
