"""Names of data frames as Spark takes them: always quoted, so that blanks and dots belong to the name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.spark.jvm import java_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructField


def plain(name: str) -> str:
    """A name without the backticks that a user may have put around it."""
    if len(name) > len("``") and name[0] == name[-1] == "`":
        return name[1:-1].replace("``", "`")
    return name


def quoted(name: str) -> str:
    """A name, of a column too, as Spark SQL takes it whatever is in it."""
    return "`" + name.replace("`", "``") + "`"


def quoted_name(name: str) -> str:
    """A name in backticks, one part."""
    return quoted(plain(name))


def column_of(frame: DataFrame, name: str) -> StructField | None:
    """The column of a name, in any case as in SQL; None where there is none."""
    wanted = plain(name).lower()
    return next((one for one in frame.schema if one.name.lower() == wanted), None)


def register(frame: DataFrame, name: str) -> None:
    """Make a data frame a temporary view."""
    frame.createOrReplaceTempView(quoted_name(name))


def is_registered(session: SparkSession, name: str) -> bool:
    """Whether a temporary view has the name."""
    found = java_session(session).sessionState().catalog().getTempView(plain(name))
    return bool(found.isDefined())


def frame_named(session: SparkSession, name: str) -> DataFrame:
    """The view of a name; where there is none, the table, whose name may have a database before a dot."""
    return session.table(quoted_name(name) if is_registered(session, name) else name)
