"""Names of tables, and the job's `catalog`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from airflow_metorikku.config.fields import Where, key, where

_PART = re.compile(r"\s*(?:`((?:[^`]|``)+)`\s*|([^.`]+))")
# What Spark's own catalog takes; all else it refuses itself, only later.
_WORD = re.compile(r"[A-Za-z0-9_]+")


# Properties of a table that Spark keeps for itself, or Hive.
_RESERVED = frozenset(
    {"collation", "external", "is_managed_location", "location", "owner", "provider", "EXTERNAL"}
)


def check_property(path: str, name: str) -> None:
    """Raise ValueError for a property that no table can be given."""
    if name in _RESERVED or name.startswith("spark.sql."):
        raise ValueError(f"{path}: {name!r} is kept for Spark itself; give it another name")


def name_parts(name: str) -> tuple[str, ...]:
    """A table's name, or its database and name, without backticks; raises ValueError."""
    parts: list[str] = []
    place = 0
    while match := _PART.match(name, place):
        parts.append((match[1] or match[2].strip()).replace("``", "`"))
        place = match.end()
        if name[place : place + 1] != ".":
            break
        place += 1
    most = len(("database", "table"))
    if not parts or place != len(name) or name.endswith(".") or len(parts) > most:
        raise ValueError(f"got {name!r}, expected table or database.table")
    for part in parts:
        if not _WORD.fullmatch(part):
            raise ValueError(f"got {name!r}, expected letters, digits and _ in each part")
    return tuple(parts)


def check_table_name(path: str, name: str) -> None:
    """Raise ValueError unless a name is `table` or `database.table`."""
    if "${" in name:
        return
    try:
        name_parts(name)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


@dataclass(frozen=True, kw_only=True)
class CatalogSettings:
    """The catalog's current database; Hive's metastore with `spark.sql.catalogImplementation: hive` in `sparkConf`."""

    database: str = key("Current database; made where it is missing, before inputs are read.")
    at: Where | None = where()

    def __post_init__(self) -> None:
        check_table_name("database", self.database)
        if "${" not in self.database and len(name_parts(self.database)) > 1:
            raise ValueError(f"database: got {self.database!r}, expected a name without dots")
