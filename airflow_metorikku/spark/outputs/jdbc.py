"""Output `JDBC`: a table that Spark writes (Metorikku: `JDBCOutputWriter`)."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from airflow_metorikku.config.records.inputs import JdbcInput
from airflow_metorikku.config.records.outputs import FAILS_IF_THERE
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.databases import database_of
from airflow_metorikku.spark.databases import Database
from airflow_metorikku.spark.jvm import java_class, java_frame
from airflow_metorikku.spark.outputs.direct import Direct
from airflow_metorikku.spark.outputs.rows import last_job, records_written
from airflow_metorikku.spark.outputs.sql_values import for_database

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from airflow_metorikku.config.records.jdbc import JdbcSettings

logger = logging.getLogger(__name__)


def _last_name(table: str) -> str:
    """Of a table that may be named with its schema, in quotes or not."""
    return table.lower().rsplit(".", 1)[-1].strip('"`[] ')


@dataclass(frozen=True, kw_only=True)
class InDatabase(Direct):
    """What both kinds of outputs to a database have."""

    after_publish: ClassVar[bool] = False

    @property
    def block(self) -> JdbcSettings:
        """The job's block; raises RunError without one."""
        found = database_of(self.plan.settings, self.output)
        if found is None:
            raise RunError(f"{self.where}: the job has no block of connection settings for it")
        return found

    @property
    def database(self) -> Database:
        """Where it goes."""
        block = self.block
        return Database(
            url=block.connection_url or "",
            user=block.user,
            password=block.password,
            driver=block.driver,
        )

    def partitioned(self, frame: DataFrame) -> DataFrame:
        """By the deprecated keys of the options, where the output's own do not count."""
        options = self.output.output_options
        if self.output.coalesce or self.output.repartition:
            return frame
        if options.coalesce:
            return frame.coalesce(1)
        return frame.repartition(options.repartition) if options.repartition else frame


@dataclass(frozen=True, kw_only=True)
class JdbcOutput(InDatabase):
    """A table of a database."""

    @property
    def target(self) -> str:
        """URL and table."""
        return f"{self.database.shown} {self.output.output_options.db_table}"

    def check(self, session: SparkSession) -> None:
        """Raise RunError where nobody answers, or where the table is there and must not be."""
        options = self.output.output_options
        try:
            there = self._is_there(session)
        except RunError as error:
            raise RunError(f"{self.where}: {error}") from error
        if there and options.save_mode.lower() in FAILS_IF_THERE:
            raise RunError(
                f"{self.where}: {self.database.shown}: table {options.db_table} exists already; "
                "give saveMode append, overwrite or ignore"
            )

    def _is_there(self, session: SparkSession) -> bool:
        database, table = self.database, self.output.output_options.db_table
        utils = java_class(session, "org.apache.spark.sql.execution.datasources.jdbc.JdbcUtils")
        with database.connected(session) as connection:
            options = database.java_options(session, dbtable=table)
            try:
                return bool(utils.tableExists(connection, options))
            except Exception as error:
                raise RunError(f"table {table}: {database.failure(error)}") from error

    def check_frame(self, frame: DataFrame) -> None:
        """Raise RunError where an overwrite would lose the rows that it is made of: the table goes before they are read."""
        options = self.output.output_options
        if options.save_mode.lower() != "overwrite":
            return
        read = str(java_frame(frame).queryExecution().analyzed())
        for name, given in self.plan.settings.inputs.items():
            if (
                isinstance(given, JdbcInput)
                and f"JDBCRelation({given.table})" in read
                and self._is_of(given)
            ):
                raise RunError(
                    f"{self.where}: saveMode Overwrite would empty {options.db_table} before its rows are read, "
                    f"as input '{name}' is of it; write to another table"
                )

    def _is_of(self, given: JdbcInput) -> bool:
        """Whether an input reads the table, by its name or in a query."""
        there = Database(url=given.connection_url or "", options=given.options).shown
        if there.lower() != self.database.shown.lower():
            return False
        table = _last_name(self.output.output_options.db_table)
        return re.search(rf"(?<!\w){re.escape(table)}(?!\w)", given.table.lower()) is not None

    def write(self, frame: DataFrame) -> int | None:
        """Write the rows, then run `postQuery`."""
        session = frame.sparkSession
        options = self.output.output_options
        mode = options.save_mode.lower()
        if mode == "ignore" and self._is_there(session):
            logger.info("%s: %s exists, so it is left as it is", self.where, options.db_table)
            return None
        before = last_job(session)
        try:
            self._save(for_database(self.partitioned(frame), self.database), mode)
        except Exception as error:
            told = self.database.failure(error)
            left = self._left(session, before, mode)
            raise RunError(f"{self.where}: table {options.db_table}: {told}; {left}") from error
        rows = records_written(session, before)
        self._after(session, rows)
        return rows

    def _after(self, session: SparkSession, rows: int) -> None:
        options = self.output.output_options
        if not options.post_query:
            return
        first = self.block.session_init_statement
        try:
            self.database.run(session, *([first] if first else []), options.post_query)
        except RunError as error:
            raise RunError(
                f"{self.where}: postQuery: {error}; the {rows} rows themselves are written"
            ) from error

    def _left(self, session: SparkSession, before: int, mode: str) -> str:
        """What a failed write left behind: Spark commits each partition by itself."""
        if last_job(session) == before:
            lost = (
                "; an overwrite, so the table may have lost its old rows"
                if mode == "overwrite"
                else ""
            )
            return f"no row was written{lost}"
        kept = "its old rows are gone" if mode == "overwrite" else "its old rows are there still"
        return f"of the new rows those of complete partitions are written, {kept}"

    def _save(self, frame: DataFrame, mode: str) -> None:
        block, options = self.block, self.output.output_options
        given = {
            "dbtable": options.db_table,
            "sessionInitStatement": block.session_init_statement,
            "truncate": str(block.truncate).lower(),
            "cascadeTruncate": str(block.cascade_truncate).lower(),
            "createTableOptions": block.create_table_options,
            "createTableColumnTypes": block.create_table_column_types,
        }
        set_ = {name: text for name, text in given.items() if text is not None}
        writer = frame.write.format("jdbc").mode(mode)
        writer.options(**self.database.spark_options(), **set_).save()
