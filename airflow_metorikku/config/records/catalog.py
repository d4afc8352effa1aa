"""Tables of a catalog: the job's `catalog`, and the output type `Catalog`."""

from __future__ import annotations

from dataclasses import dataclass

from airflow_metorikku.config.fields import Where, key, where


def check_table_name(path: str, name: str) -> None:
    """Raise ValueError unless a name is `table` or `database.table`."""
    parts = name.split(".")
    if "${" in name:
        return
    if len(parts) > len(("database", "table")) or not all(part.strip() for part in parts):
        raise ValueError(f"{path}: got {name!r}, expected table or database.table")


@dataclass(frozen=True, kw_only=True)
class CatalogSettings:
    """The catalog's current database; Hive's metastore with `spark.sql.catalogImplementation: hive` in `sparkConf`."""

    database: str = key("Current database; made where it is missing, before inputs are read.")
    at: Where | None = where()

    def __post_init__(self) -> None:
        if not self.database.strip():
            raise ValueError("database: got an empty text, expected the name of a database")


@dataclass(frozen=True, kw_only=True)
class CatalogOptions:
    """One row, each column of which becomes a property of a table, after the metric's files are published."""

    table_name: str = key("Table, or database.table.")
    protect_from_empty_output: bool = key(
        "As anywhere; a data frame without exactly one row fails in any case.", default=False
    )

    def __post_init__(self) -> None:
        check_table_name("tableName", self.table_name)
