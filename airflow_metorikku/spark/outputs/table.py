"""Tables of file outputs: over the files in a path, or with files of their own, published as all others (Metorikku: `TableMetadata`).

A new table with files of its own is made empty and marked, then its files are moved in, then the mark goes: a run
that finds the mark of a run that is gone takes the mark away where the files were moved in, else drops the table.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql.types import NullType, StructType

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.catalog import (
    Facts,
    TableName,
    columns_ddl,
    ddl,
    default_location,
    facts_of,
    forget_statistics,
    literal,
    pairs,
    set_columns,
)
from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.outputs.owner import Owner, is_dead
from airflow_metorikku.spark.outputs.target import Target, target_at
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from airflow_metorikku.spark.outputs.staging import Staging

logger = logging.getLogger(__name__)

MARK = "metorikku.unfinished"
# Properties that the catalog keeps itself, and takes from nobody.
_OWN = frozenset(
    [
        "transient_lastddltime",
        "external",
        "numfiles",
        "totalsize",
        "rawdatasize",
        "numrows",
        "owner",
        "provider",
        "location",
        "comment",
        "is_managed_location",
        "created_time",
        "last_modified_time",
        "last_modified_by",
    ]
)


@dataclass(frozen=True, kw_only=True)
class Table:
    """The table of one output."""

    name: TableName
    format: str
    options: Mapping[str, str]
    """With which its files are read as they were written."""
    partition_by: tuple[str, ...]
    properties: Mapping[str, str]
    update_schema: bool
    own_files: bool
    """No path is given: the files are where the table is."""

    def check(self, session: SparkSession) -> None:
        """Raise RunError for a table that cannot be written so."""
        known = facts_of(session, self.name)
        if known is None:
            return
        if known.is_view:
            raise RunError(f"table {self.name}: there is a view of that name")
        if known.is_bucketed:
            raise RunError(f"table {self.name}: is bucketed; write it by SQL in a step")
        if (self.own_files or known.is_managed) and not self._is_as_written(known):
            by = f" by {', '.join(known.partitions)}" if known.partitions else ""
            raise RunError(
                f"table {self.name}: is there as {known.provider}{by}, and would be written as {self.format}"
                f"{' by ' + ', '.join(self.partition_by) if self.partition_by else ''}; "
                "give the output that format and partitionBy, or drop the table"
            )

    def check_columns(self, session: SparkSession, schema: StructType) -> None:
        """Raise RunError when rows with other columns would be added to the table's own files."""
        known = facts_of(session, self.name)
        if known is None:
            return
        there = {one.name.lower(): one.dataType.simpleString() for one in known.schema}
        given = {one.name.lower(): one.dataType.simpleString() for one in self._data(schema)}
        if there != given:
            shown = ", ".join(
                f"{name} {given.get(name, 'missing')} (table: {there.get(name, 'missing')})"
                for name in sorted(there.keys() | given.keys())
                if there.get(name) != given.get(name)
            )
            raise RunError(f"table {self.name}: rows to append have other columns: {shown}")

    def unfinished_by(self, session: SparkSession) -> Owner | None:
        """The run that began to make the table and is gone, None for a table that is whole; raises RunError while that run lives."""
        known = facts_of(session, self.name)
        if known is None or MARK not in known.properties:
            return None
        mark = json.loads(known.properties[MARK])
        owner = Owner.from_json(mark["owner"])
        target = target_at(session, known.location)
        if owner is None or not is_dead(owner, target.files, mark["file"]):
            raise RunError(
                f"table {self.name}: {owner.run if owner else 'another run'} is making it; run again afterwards"
            )
        return owner

    def make(
        self, session: SparkSession, staging: Staging, owner: Owner, schema: StructType
    ) -> bool:
        """Make a table that keeps its files itself, empty; False when it is there."""
        if facts_of(session, self.name) is not None:
            return False
        mark = {MARK: json.dumps({"owner": owner.to_json(), "file": staging.owner_file})}
        self._create(session, schema, "", mark, "")
        staging.target.files.remove_if_empty(staging.target.path)
        return True

    def drop(self, session: SparkSession) -> None:
        """Drop it, with the files that it keeps itself."""
        ddl(session, f"DROP TABLE IF EXISTS {self.name.quoted}")

    def register(self, session: SparkSession, target: Target, schema: StructType | None) -> None:
        """Make the table say what its published files hold; raises RunError.

        :param schema: of what was written; None when the files were there, and are asked.
        """
        try:
            self._register(session, target, schema)
        except Exception as error:
            raise RunError(
                f"table {self.name}: the files are published to {target.path}, but the table is not up to date: "
                f"{sentence(error)}; the next run that writes it tries again"
            ) from error

    def _register(self, session: SparkSession, target: Target, schema: StructType | None) -> None:
        known = facts_of(session, self.name)
        at = target_at(session, known.location).path if known and known.location else None
        if known is None:
            self._create(session, schema, target.uri, {}, "")
        elif self._must_be_made_anew(known, moved=at != target.path):
            logger.info("table %s: made anew, as %s at %s", self.name, self.format, target.path)
            kept = {key: text for key, text in known.properties.items() if key.lower() not in _OWN}
            self.drop(session)  # its files stay, as they are not its own
            self._create(session, schema, target.uri, kept, known.comment)
        else:
            if at != target.path:
                self._alter(session, f"SET LOCATION {literal(target.uri)}")
            self._update_columns(session, known, schema)
        if self.properties:
            self._alter(session, f"SET TBLPROPERTIES ({pairs(self.properties)})")
        self._refresh(session, known)

    def _refresh(self, session: SparkSession, known: Facts | None) -> None:
        now = facts_of(session, self.name)
        if now is not None and now.partitions and now.tracks_partitions:
            ddl(session, f"MSCK REPAIR TABLE {self.name.quoted} SYNC PARTITIONS")
        if known is not None:
            forget_statistics(session, self.name)
        if now is not None and MARK in now.properties:
            self._alter(session, f"UNSET TBLPROPERTIES IF EXISTS ({literal(MARK)})")
        session.catalog.refreshTable(self.name.quoted)

    def _update_columns(
        self, session: SparkSession, known: Facts, schema: StructType | None
    ) -> None:
        if schema is None or not self.update_schema or MARK in known.properties:
            return
        wanted = self._data(schema)
        if wanted.simpleString() == known.schema.simpleString():
            return
        try:
            set_columns(session, self.name, wanted)
        except Exception as error:
            raise RunError(
                f"it cannot be given the columns of the data: {sentence(error)} "
                "(alwaysUpdateSchemaInCatalog: false leaves its columns as they are)"
            ) from error

    def _must_be_made_anew(self, known: Facts, *, moved: bool) -> bool:
        if known.is_managed or self.own_files:
            return False  # what is its own would be lost; `check` has refused what does not fit
        return not self._is_as_written(known) or (moved and bool(known.partitions))

    def _is_as_written(self, known: Facts) -> bool:
        name = self.format.lower()
        same = known.provider == name or (
            known.provider.endswith("inputformat") and name in known.provider
        )
        # CSV is unreadable without the options that it was written with; of no other format is that so.
        reads = name != "csv" or all(
            known.options.get(key.lower(), "") == text
            for key, text in self.options.items()
            if key.lower() in ("header", "sep", "delimiter")
        )
        partitions = [name.lower() for name in self.partition_by]
        return same and reads and partitions == [name.lower() for name in known.partitions]

    def _data(self, schema: StructType) -> StructType:
        by = {name.lower() for name in self.partition_by}
        return StructType([one for one in _held(schema) if one.name.lower() not in by])

    def _create(
        self,
        session: SparkSession,
        schema: StructType | None,
        location: str,
        properties: Mapping[str, str],
        comment: str,
    ) -> None:
        parts = [f"CREATE TABLE {self.name.quoted}"]
        if schema is not None:
            parts.append(f"({columns_ddl(session, _held(schema))})")
        parts.append(f"USING {'.'.join(map(quoted, self.format.split('.')))}")
        if self.options:
            parts.append(f"OPTIONS ({pairs(self.options)})")
        if self.partition_by and schema is not None:
            parts.append(f"PARTITIONED BY ({', '.join(map(quoted, self.partition_by))})")
        if location:
            parts.append(f"LOCATION {literal(location)}")
        if comment:
            parts.append(f"COMMENT {literal(comment)}")
        if properties:
            parts.append(f"TBLPROPERTIES ({pairs(properties)})")
        ddl(session, " ".join(parts))

    def _alter(self, session: SparkSession, change: str) -> None:
        ddl(session, f"ALTER TABLE {self.name.quoted} {change}")


def table_folder(session: SparkSession, table: Table) -> str:
    """Where a table's own files are, or will be."""
    known = facts_of(session, table.name)
    return known.location if known else default_location(session, table.name)


def settle_unfinished(session: SparkSession, table: Table, target: Target) -> None:
    """Bring a table to its end that a run began to make and is gone: files that were published are its rows, without any it goes."""
    owner = table.unfinished_by(session)
    if owner is None:
        return
    target.files.remove_if_empty(target.path)
    if target.exists():
        logger.info("table %s: finishing it, as %s had published its files", table.name, owner.run)
        table.register(session, target, None)
    else:
        logger.info("table %s: dropping it, as %s began to make it", table.name, owner.run)
        table.drop(session)


def _held(schema: StructType) -> StructType:
    """Columns that files give back: one of nulls only is not in them."""
    return StructType([one for one in schema if not isinstance(one.dataType, NullType)])
