"""Rows of a data frame as points of InfluxDB."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar

from pyspark.sql import functions as F
from pyspark.sql.types import IntegerType, LongType, NumericType

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.influxdb import BATCH, Database, Point
from airflow_metorikku.spark.instrumentation import Clock, database_of
from airflow_metorikku.spark.names import column_of, quoted
from airflow_metorikku.spark.outputs.direct import Direct

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

logger = logging.getLogger(__name__)

_NANOSECONDS_A_MILLISECOND = 1_000_000
_RESERVED = "time"
# What InfluxDB's integers hold.
_MOST = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class InstrumentationOutput(Direct):
    """One point a row: the value column is its field, all columns but that and the time its tags."""

    after_publish: ClassVar[bool] = True

    @property
    def target(self) -> str:
        """Database and measurement."""
        database = self._database()
        return f"{database.address}/{database.name}/{self.plan.settings.app_name}"

    def _database(self) -> Database:
        database = database_of(self.plan)
        if database is None:
            raise RunError(f"{self.where}: needs the job's instrumentation: {{influxdb: ...}}")
        return database

    def check(self, session: SparkSession) -> None:  # noqa: ARG002 - other outputs need it
        """Raise RunError without a database."""
        self._database()

    def check_frame(self, frame: DataFrame) -> None:
        """Raise RunError for columns that are not there, or not numbers."""
        options = self.output.output_options
        if not frame.columns:
            raise RunError(f"{self.where}: the data frame has no column")
        if any(name == _RESERVED != options.time_column for name in frame.columns):
            raise RunError(
                f"{self.where}: data frame '{self.output.data_frame_name}' has a column '{_RESERVED}', "
                "a name that InfluxDB keeps for itself; make it the timeColumn, or rename it"
            )
        self._check_column(frame, "valueColumn", self._value(frame), NumericType, "a number")
        if options.time_column:
            kinds = (IntegerType, LongType)
            wanted = "an int or bigint, milliseconds since 1970"
            self._check_column(frame, "timeColumn", options.time_column, kinds, wanted)

    def _value(self, frame: DataFrame) -> str:
        """The value column; by default the last one that is not the time."""
        options = self.output.output_options
        if options.value_column:
            return str(options.value_column)
        time = (options.time_column or "").lower()
        return next((n for n in reversed(frame.columns) if n.lower() != time), frame.columns[-1])

    def _check_column(
        self, frame: DataFrame, key: str, name: str, kinds: type | tuple[type, ...], wanted: str
    ) -> None:
        found = column_of(frame, name)
        if found is None:
            raise RunError(
                f"{self.where}: {key}: data frame '{self.output.data_frame_name}' has no column '{name}'"
            )
        if not isinstance(found.dataType, kinds):
            raise RunError(
                f"{self.where}: {key}: column '{name}' is {found.dataType.simpleString()}, expected {wanted}"
            )

    def write(self, frame: DataFrame) -> int | None:
        """Send the points, in batches; raises RunError when the database does not take them."""
        database, points = self._database(), self._points(frame)
        batch: list[Point] = []
        written = 0
        for row in points.select(frame).toLocalIterator():
            point = points.of(row)
            if point is not None:
                batch.append(point)
            if len(batch) == BATCH:
                written += self._send(database, batch)
                batch = []
        written += self._send(database, batch)
        if points.skipped:
            logger.warning(
                "%s: %s rows without a value or a time are left out", self.where, points.skipped
            )
        return written

    def _send(self, database: Database, batch: list[Point]) -> int:
        try:
            database.send(batch)
        except RunError as error:
            raise RunError(f"{self.where}: {error}") from None
        return len(batch)

    def _points(self, frame: DataFrame) -> _Points:
        time = self.output.output_options.time_column
        value = self._value(frame)
        taken = {value.lower(), (time or "").lower()}
        return _Points(
            measurement=self.plan.settings.app_name,
            value=next(n for n in frame.columns if n.lower() == value.lower()),
            time=time,
            columns=tuple(n for n in frame.columns if n.lower() not in taken),
            tags={"metric": self.metric, "dataframe": self.output.data_frame_name},
        )


@dataclass(kw_only=True)
class _Points:
    """Points from rows, each of its own time in its series: InfluxDB keeps only the last of the same."""

    measurement: str
    value: str
    time: str | None
    columns: tuple[str, ...]
    tags: Mapping[str, str]
    clock: Clock = field(default_factory=Clock)
    seen: Counter[int] = field(default_factory=Counter)
    skipped: int = 0

    def select(self, frame: DataFrame) -> DataFrame:
        """What `of` takes: value, time, then the tags as texts."""
        time = F.col(quoted(self.time)) if self.time else F.lit(0)
        tags = [F.col(quoted(name)).cast("string") for name in self.columns]
        return frame.select(F.col(quoted(self.value)), time, *tags)

    def of(self, row: Row) -> Point | None:
        """The point of a row, None without a value or a time."""
        given, time, *texts = row
        value = _number(given)
        if value is None or time is None:
            self.skipped += 1
            return None
        named = zip(self.columns, texts, strict=True)
        tags = {**{name: text for name, text in named if text is not None}, **self.tags}
        at = self._free(int(time), tags) if self.time else self.clock.now()
        return Point(
            measurement=self.measurement, field=self.value, value=value, tags=tags, time=at
        )

    def _free(self, milliseconds: int, tags: Mapping[str, str]) -> int:
        series = hash((milliseconds, *tags.items()))
        self.seen[series] += 1
        return milliseconds * _NANOSECONDS_A_MILLISECOND + self.seen[series] - 1


def _number(value: object) -> int | float | None:
    if isinstance(value, Decimal):
        whole = value.as_tuple().exponent == 0
        value = int(value) if whole and abs(value) <= _MOST else float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, int) else None
