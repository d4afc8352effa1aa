"""Tables of Spark's catalog over published folders; data is never touched here."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from pyspark.sql.types import StructType

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.formats import CSV_READ, spark_format, with_defaults
from airflow_metorikku.spark.jvm import java_session, jvm
from airflow_metorikku.spark.names import plain, quoted
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

    from airflow_metorikku.spark.outputs.file import FileOutput

# Options that are the writer's alone.
_WRITE_ONLY = frozenset({"quoteall", "compression", "codec", "partitionoverwritemode", "path"})
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9_.\- ]")


def use_database(session: SparkSession, database: str) -> None:
    """Make a database, where it is missing, the current one; raises RunError."""
    name = plain(database)
    try:
        session.sql(f"CREATE DATABASE IF NOT EXISTS {quoted(name)}")
        session.catalog.setCurrentDatabase(name)
    except Exception as error:
        raise RunError(f"catalog: database '{database}': {sentence(error)}") from error


def check_table(session: SparkSession, output: FileOutput) -> None:
    """Raise RunError where the output's table can be known now to be none over a folder of its own."""
    if name := output.output.output_options.table_name:
        try:
            _existing(session, name)
        except RunError as error:
            raise RunError(f"{output.where}: {error}") from error


def register_table(session: SparkSession, output: FileOutput, schema: StructType) -> None:
    """Make or update the table over a published folder; raises RunError."""
    name = output.output.output_options.table_name
    try:
        _register(session, output, name, schema)
    except Exception as error:
        text = str(error) if isinstance(error, RunError) else sentence(error)
        then = (
            "the next run does it"
            if output.mode in ("overwrite", "append")
            else f"with saveMode {output.mode}, a run after {output.target.path} is removed does it"
        )
        raise RunError(
            f"{output.where}: the files are published; the table {name} is not registered: {text}; {then}"
        ) from error


def set_properties(session: SparkSession, name: str, properties: Mapping[str, str]) -> None:
    """Set properties of a table; any text is a value."""
    if properties:
        pairs = ", ".join(f"{_text(key)} = {_text(value)}" for key, value in properties.items())
        session.sql(f"ALTER TABLE {quoted_table(name)} SET TBLPROPERTIES ({pairs})")


def quoted_table(name: str) -> str:
    """`table` or `database.table`, each part in backticks."""
    return ".".join(quoted(plain(part.strip())) for part in name.split("."))


def _text(value: str) -> str:
    """A text as SQL, in which nothing can end it and no variable is put."""
    return "'" + _NOT_PLAIN.sub(_escaped, value) + "'"


def _escaped(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _register(session: SparkSession, output: FileOutput, name: str, schema: StructType) -> None:
    options = output.output.output_options
    table = quoted_table(name)
    found = _existing(session, name)
    properties: dict[str, str] = {}
    if found is not None and not _same_kind(session, output, found):
        properties = _properties(session, name)
        session.sql(f"DROP TABLE {table}")  # an external one: its data stays
        found = None
    if found is None:
        session.sql(_create(session, output, table, schema))
    else:
        session.sql(f"ALTER TABLE {table} SET LOCATION {_text(output.target.uri)}")
        if options.always_update_schema_in_catalog:
            _update_schema(session, found, _data_schema(schema, options.partition_by))
    session.catalog.refreshTable(table)
    if options.partition_by:
        session.sql(f"ALTER TABLE {table} RECOVER PARTITIONS")
    set_properties(session, name, {**properties, **(options.table_properties or {})})
    session.catalog.refreshTable(table)


def _existing(session: SparkSession, name: str) -> Any:
    """Spark's own record of a table, None where there is none; raises RunError for one that is not external."""
    state = java_session(session).sessionState()
    catalog = state.catalog()
    identifier = state.sqlParser().parseTableIdentifier(quoted_table(name))
    if not catalog.tableExists(identifier):
        return None
    found = catalog.getTableMetadata(identifier)
    kind = found.tableType().name()
    if kind != "EXTERNAL":
        raise RunError(
            f"{name} is there already, as a {kind.lower()} table, not one over a folder; "
            "drop it, or give the output another tableName"
        )
    return found


def _same_kind(session: SparkSession, output: FileOutput, found: Any) -> bool:
    """Whether a table reads the output's format, with its options and partitions."""
    provider = found.provider()
    names = found.partitionColumnNames()
    columns = [names.apply(at).lower() for at in range(names.size())]
    known = _map(session, found.storage().properties())
    known = {
        key: value for key, value in known.items() if key not in ("path", "serialization.format")
    }
    return bool(
        provider.isDefined()
        and provider.get().lower() == spark_format(session, output.format).lower()
        and columns == [one.lower() for one in output.output.output_options.partition_by]
        and known == _read_options(output)
    )


def _map(session: SparkSession, scala: Any) -> dict[str, str]:
    converters = jvm(session).scala.jdk.javaapi.CollectionConverters
    return (
        {str(key): str(value) for key, value in dict(converters.asJava(scala)).items()}
        if (session.version >= "4")
        else dict(jvm(session).scala.collection.JavaConverters.mapAsJavaMap(scala))
    )


def _properties(session: SparkSession, name: str) -> dict[str, str]:
    rows = session.sql(f"SHOW TBLPROPERTIES {quoted_table(name)}").collect()
    return {
        row[0]: row[1]
        for row in rows
        if not row[0].startswith("spark.sql.")
        and row[0] not in ("transient_lastDdlTime", "EXTERNAL")
    }


def _read_options(output: FileOutput) -> dict[str, str]:
    """Options by which the files give back what was written."""
    options = output.output.output_options
    given = (
        {**options.csv_options, **options.extra_options}
        if (output.output.output_type == "CSV")
        else dict(options.extra_options)
    )
    if output.format == "csv":
        given = {**CSV_READ, **given}
    given = with_defaults(output.format, given)
    return {key: value for key, value in given.items() if key.lower() not in _WRITE_ONLY}


def _create(session: SparkSession, output: FileOutput, table: str, schema: StructType) -> str:
    by = ", ".join(quoted(one) for one in output.output.output_options.partition_by)
    given = ", ".join(
        f"{_text(key)} = {_text(value)}" for key, value in _read_options(output).items()
    )
    columns = _java_schema(session, schema).toDDL()
    return (
        f"CREATE TABLE {table} ({columns}) USING {quoted(spark_format(session, output.format))}"
        + (f" OPTIONS ({given})" if given else "")
        + (f" PARTITIONED BY ({by})" if by else "")
        + f" LOCATION {_text(output.target.uri)}"
    )


def _update_schema(session: SparkSession, found: Any, schema: StructType) -> None:
    # SQL has no way to give a table other columns; the catalog behind it has, and it keeps the partitions'.
    name = found.identifier()
    catalog = java_session(session).sharedState().externalCatalog()
    catalog.alterTableDataSchema(name.database().get(), name.table(), _java_schema(session, schema))


def _data_schema(schema: StructType, partition_by: tuple[str, ...]) -> StructType:
    by = {one.lower() for one in partition_by}
    return StructType([one for one in schema.fields if one.name.lower() not in by])


def _java_schema(session: SparkSession, schema: StructType) -> Any:
    """A schema in which all may be null, as files are read."""
    text = json.dumps(_nullable(json.loads(schema.json())))
    return jvm(session).org.apache.spark.sql.types.DataType.fromJson(text)


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
