"""Spark's catalog, in memory or Hive's: databases and tables, with every name and text quoted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql.types import StructType

from airflow_metorikku.config.records.catalog import name_parts
from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.jvm import java_class, java_session
from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

# What Spark SQL would otherwise do to the texts of a statement.
_READING = {
    "spark.sql.variable.substitute": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
}


@dataclass(frozen=True, kw_only=True)
class TableName:
    """A table in the session's own catalog, lower-case as Spark keeps it."""

    database: str
    table: str

    def __str__(self) -> str:
        """For messages."""
        return f"{self.database}.{self.table}"

    @property
    def quoted(self) -> str:
        """For SQL."""
        return f"{quoted(self.database)}.{quoted(self.table)}"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What the catalog knows of a table."""

    is_view: bool
    is_managed: bool
    is_bucketed: bool
    tracks_partitions: bool
    provider: str
    """Of a Hive table the name of its input format."""
    location: str
    """As Spark takes a path."""
    schema: StructType
    """Without partition columns."""
    partitions: tuple[str, ...]
    properties: Mapping[str, str]
    options: Mapping[str, str]
    comment: str


def table_name(session: SparkSession, name: str) -> TableName:
    """A table as YAML names it; without a database it is in the current one."""
    try:
        parts = [part.lower() for part in name_parts(name)]
    except ValueError as error:
        raise RunError(f"tableName: {error}") from None
    if len(parts) == 1:
        parts.insert(0, session.catalog.currentDatabase())
    return TableName(database=parts[0], table=parts[1])


def use_database(session: SparkSession, name: str) -> None:
    """Make a database where it is not there, and the current one; raises RunError."""
    try:
        (database,) = name_parts(name)
        if not external_catalog(session).databaseExists(database.lower()):
            ddl(session, f"CREATE DATABASE IF NOT EXISTS {quoted(database)}")
        session.catalog.setCurrentDatabase(database)
    except Exception as error:
        raise RunError(f"catalog: database '{name}': {sentence(error)}") from error


def facts_of(session: SparkSession, name: TableName) -> Facts | None:
    """What is known of a table or view; None where there is none."""
    catalog = external_catalog(session)
    if not catalog.databaseExists(name.database):
        raise RunError(f"there is no database '{name.database}'; `catalog` of the job makes one")
    if not catalog.tableExists(name.database, name.table):
        return None
    found = catalog.getTable(name.database, name.table)
    storage, kind = found.storage(), found.tableType().name()
    provider = found.provider().get() if found.provider().isDefined() else "hive"
    if provider == "hive" and storage.inputFormat().isDefined():
        provider = str(storage.inputFormat().get()).rsplit(".", 1)[-1]
    place = storage.locationUri()
    columns = str(found.partitionColumnNames().mkString("\n"))
    return Facts(
        is_view=kind == "VIEW",
        is_managed=kind == "MANAGED",
        is_bucketed=found.bucketSpec().isDefined(),
        tracks_partitions=found.tracksPartitionsInCatalog(),
        provider=provider.lower(),
        location=java_class(session, "org.apache.hadoop.fs.Path")(place.get()).toString()
        if place.isDefined()
        else "",
        schema=StructType.fromJson(json.loads(found.dataSchema().json())),
        partitions=tuple(columns.split("\n")) if columns else (),
        properties=_texts(session, found.properties()),
        options={
            name.lower(): text for name, text in _texts(session, storage.properties()).items()
        },
        comment=found.comment().get() if found.comment().isDefined() else "",
    )


def default_location(session: SparkSession, name: TableName) -> str:
    """Folder of a table that keeps its files itself."""
    database = java_class(session, "scala.Option").apply(name.database)
    identifier = java_class(session, "org.apache.spark.sql.catalyst.TableIdentifier")(
        name.table, database
    )
    uri = java_session(session).sessionState().catalog().defaultTablePath(identifier)
    return str(java_class(session, "org.apache.hadoop.fs.Path")(uri).toString())


def set_columns(session: SparkSession, name: TableName, schema: StructType) -> None:
    """Give a table other columns; the SQL for it cannot remove any."""
    external_catalog(session).alterTableDataSchema(
        name.database, name.table, java_schema(session, schema)
    )


def forget_statistics(session: SparkSession, name: TableName) -> None:
    """Sizes and counts of what was there before."""
    external_catalog(session).alterTableStats(
        name.database, name.table, java_class(session, "scala.Option").empty()
    )


def columns_ddl(session: SparkSession, schema: StructType) -> str:
    """Columns for CREATE TABLE, with every name quoted where it must be."""
    return str(java_schema(session, schema).toDDL())


def java_schema(session: SparkSession, schema: StructType) -> Any:
    """The same schema for the JVM, in which all may be null, as files give it back."""
    text = json.dumps(_nullable(json.loads(schema.json())))
    return java_class(session, "org.apache.spark.sql.types.DataType").fromJson(text)


def ddl(session: SparkSession, statement: str) -> None:
    """Run a statement exactly as it is written."""
    with _as_written(session):
        session.sql(statement)


def literal(text: str) -> str:
    """A text in SQL, for `ddl`."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def pairs(given: Mapping[str, str]) -> str:
    """Options or properties in SQL, for `ddl`."""
    return ", ".join(f"{literal(name)} = {literal(text)}" for name, text in given.items())


def external_catalog(session: SparkSession) -> Any:
    """What keeps databases and tables."""
    return java_session(session).sharedState().externalCatalog()


@contextmanager
def _as_written(session: SparkSession) -> Iterator[None]:
    before = {
        name: now
        for name, value in _READING.items()
        if (now := str(session.conf.get(name)).lower()) != value
    }
    for name in before:  # to set one to what it is already costs a warning each time
        session.conf.set(name, _READING[name])
    try:
        yield
    finally:
        for name, value in before.items():
            session.conf.set(name, value)


def _nullable(part: Any) -> Any:
    if isinstance(part, list):
        return [_nullable(one) for one in part]
    if not isinstance(part, dict):
        return part
    flags = ("nullable", "containsNull", "valueContainsNull")
    return {
        key: True if key in flags else value if key == "metadata" else _nullable(value)
        for key, value in part.items()
    }


def _texts(session: SparkSession, given: Any) -> dict[str, str]:
    found = java_class(session, "scala.collection.JavaConverters").mapAsJavaMap(given)
    return {str(name): str(found[name]) for name in found}
