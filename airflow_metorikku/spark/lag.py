"""How late an output's data are: the time that has passed since the latest value of a time column."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import (
    DataType,
    DateType,
    IntegerType,
    LongType,
    TimestampNTZType,
    TimestampType,
)

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.names import column_of, quoted
from airflow_metorikku.spark.outputs.planned import PlannedOutput

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_TIMES = (DateType, TimestampType, TimestampNTZType)
_NUMBERS = (IntegerType, LongType)
_MILLISECONDS = {"SECONDS": 1000, "MILLISECONDS": 1}


@dataclass(frozen=True, kw_only=True)
class Lag:
    """The lag that an output reports."""

    output: PlannedOutput
    column: str | None
    latest: Callable[[Column], Column]
    """Milliseconds since 1970 of the greatest value."""

    @classmethod
    def of(cls, output: PlannedOutput, frame: DataFrame) -> Lag | None:
        """That of an output to be, None where it reports none; raises RunError for a column that is no time."""
        given = output.output
        if not given.report_lag:
            return None
        name = given.report_lag_time_column
        if name is None:
            return cls(output=output, column=None, latest=F.max)
        field = column_of(frame, name)
        if field is None:
            raise RunError(
                f"{output.where}: reportLagTimeColumn: data frame '{given.data_frame_name}' has no column '{name}'"
            )
        latest = _latest(field.dataType, given.report_lag_time_column_units)
        if latest is None:
            raise RunError(
                f"{output.where}: reportLagTimeColumn: column '{name}' is {field.dataType.simpleString()}, "
                "expected a timestamp or date without reportLagTimeColumnUnits, or an int or bigint with them"
            )
        return cls(output=output, column=field.name, latest=latest)

    def measure(self, frame: DataFrame) -> int:
        """Milliseconds from the latest time to now, 0 for an empty data frame; raises RunError where there is no time."""
        if self.column is None:
            if frame.isEmpty():
                return 0
            raise RunError(f"{self.output.where}: reportLag needs a reportLagTimeColumn")
        column = F.col(quoted(self.column))
        row = frame.agg(F.count(F.lit(1)), self.latest(F.max(column))).first()
        rows, latest = row or (0, None)
        if rows == 0:
            return 0
        if latest is None:
            raise RunError(
                f"{self.output.where}: reportLagTimeColumn: column '{self.column}' has only nulls"
            )
        return int(time.time() * 1000) - int(latest)


def _latest(kind: DataType, units: str | None) -> Callable[[Column], Column] | None:
    if units is None:
        return _millis if isinstance(kind, _TIMES) else None
    if not isinstance(kind, _NUMBERS):
        return None
    factor = _MILLISECONDS[units]
    return lambda column: column.cast("decimal(20,0)") * factor


def _millis(column: Column) -> Column:
    return F.unix_millis(column.cast("timestamp"))
