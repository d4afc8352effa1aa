"""Output `Catalog`: one row as properties of a table (Metorikku: `CatalogWriter`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pyspark.sql import functions as F

from airflow_metorikku.config.records.catalog import check_property
from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.catalog import ddl, facts_of, pairs, table_name
from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.outputs.direct import Direct

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, kw_only=True)
class CatalogOutput(Direct):
    """Each column of the one row becomes a property, its value as text."""

    after_publish: ClassVar[bool] = True

    @property
    def target(self) -> str:
        """The table."""
        return str(self.output.output_options.table_name)

    def check(self, session: SparkSession) -> None:
        """Nothing: the table may be one that this run makes."""

    def check_frame(self, frame: DataFrame) -> None:
        """Raise RunError unless there is one row, without nulls."""
        self._properties(frame)

    def write(self, frame: DataFrame) -> int:
        """Set the properties."""
        session = frame.sparkSession
        name = table_name(session, self.target)
        if facts_of(session, name) is None:
            raise RunError(f"{self.where}: there is no table {name}")
        given = pairs(self._properties(frame))
        ddl(session, f"ALTER TABLE {name.quoted} SET TBLPROPERTIES ({given})")
        return 1

    def _check_name(self, name: str) -> None:
        try:
            check_property(f"column of '{self.output.data_frame_name}'", name)
        except ValueError as error:
            raise RunError(f"{self.where}: {error}") from None

    def _properties(self, frame: DataFrame) -> dict[str, str]:
        rows = frame.select([F.col(quoted(name)).cast("string") for name in frame.columns]).take(2)
        if len(rows) != 1:
            got = "none" if not rows else "more"
            raise RunError(
                f"{self.where}: got {got}, expected exactly one row, whose columns become properties of {self.target}"
            )
        values = dict(zip(frame.columns, rows[0], strict=True))
        for name in values:
            self._check_name(name)
        if empty := [name for name, value in values.items() if value is None]:
            raise RunError(
                f"{self.where}: column '{empty[0]}' is null; a property of {self.target} is a text"
            )
        return values
