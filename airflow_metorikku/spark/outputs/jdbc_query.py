"""Output `JDBCQuery`: a statement of the user's for every row (Metorikku: `JDBCQueryWriter`).

Rows come to the driver partition after partition, and Spark's own binding of rows sends them in batches,
each in a connection and a transaction of its own: no other program than Spark and the JDBC driver is
needed, and how many rows stand is known when one fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.placeholders import Statement, statement
from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.jvm import in_task, java_class, java_frame
from airflow_metorikku.spark.outputs.jdbc import InDatabase
from airflow_metorikku.spark.outputs.sql_values import for_database, in_order
from airflow_metorikku.spark.sentences import sentence
from airflow_metorikku.spark.stopping import check

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_READ_COMMITTED = 2  # java.sql.Connection's


@dataclass(frozen=True, kw_only=True)
class JdbcQueryOutput(InDatabase):
    """A statement that is run for every row."""

    @property
    def target(self) -> str:
        """The database's URL; the statement itself may hold what is nobody's business."""
        return self.database.shown

    def _statement(self) -> Statement:
        """The query as JDBC takes it; raises RunError for placeholders that say nothing."""
        try:
            return statement(self.output.output_options.query)
        except ValueError as error:
            raise RunError(f"{self.where}: query: {error}") from error

    def check(self, session: SparkSession) -> None:
        """Raise RunError where nobody answers, or for a query that is none."""
        self._statement()
        try:
            with self.database.connected(session):
                pass
        except RunError as error:
            raise RunError(f"{self.where}: {error}") from error

    def check_frame(self, frame: DataFrame) -> None:
        """Raise RunError for more or fewer columns than the placeholders take."""
        width = self._statement().width
        if width != len(frame.columns):
            raise RunError(
                f"{self.where}: query: has placeholders for {width} columns, and the data frame has "
                f"{len(frame.columns)}: {', '.join(frame.columns)}; nothing was written"
            )

    def write(self, frame: DataFrame) -> int:
        """Send every row, in batches; raises RunError that says how many rows stand."""
        asked = self._statement()
        ready = in_order(for_database(self._partitioned(frame), self.database), asked.columns)
        return self._send(frame.sparkSession, ready, asked.sql)

    def _partitioned(self, frame: DataFrame) -> DataFrame:
        """Up to `minPartitions`, then down to `maxPartitions`."""
        options = self.output.output_options
        found = self.partitioned(frame)
        least, most = options.min_partitions, options.max_partitions
        if least is None and most is None:
            return found
        count = found.rdd.getNumPartitions()
        if least is not None and count < least:
            return found.repartition(least)
        return found.coalesce(most) if most is not None and count > most else found

    def _send(self, session: SparkSession, frame: DataFrame, sql: str) -> int:
        """One partition is in the driver at a time, packed as Spark sends it, and one batch of it unpacked."""
        batches = self._batches(session, frame)
        done = 0
        while True:
            check()
            batch = self._next(batches, done)
            if batch is None:
                return done
            try:
                self._batch(session, frame, sql, batch)
            except Exception as error:
                raise RunError(
                    f"{self.where}: {self.database.failure(error)}; "
                    f"the batch of rows {done + 1} to {done + batch.size()} was undone, {_stand(done)}"
                ) from error
            done += batch.size()

    def _batches(self, session: SparkSession, frame: DataFrame) -> Any:
        rows = java_frame(frame).toLocalIterator()
        # The one converter that Scala 2.12, of Spark 3.5, has as well.
        convert = java_class(session, "scala.collection.JavaConverters").asScalaIterator
        return convert(rows).grouped(self.output.output_options.max_batch_size)

    def _next(self, batches: Any, done: int) -> Any:
        try:
            return batches.next() if batches.hasNext() else None
        except Exception as error:
            raise RunError(f"{self.where}: {sentence(error)}; {_stand(done)}") from error

    def _batch(self, session: SparkSession, frame: DataFrame, sql: str, batch: Any) -> None:
        database = self.database
        utils = java_class(session, "org.apache.spark.sql.execution.datasources.jdbc.JdbcUtils")
        options = database.java_options(session)
        with in_task(session):
            utils.savePartition(
                "",
                batch.iterator(),
                java_frame(frame).schema(),
                sql,
                batch.size(),
                database.dialect(session),
                _READ_COMMITTED,
                options,
            )


def _stand(done: int) -> str:
    return f"{done} rows before it are committed" if done else "nothing was written"
