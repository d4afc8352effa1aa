"""Code steps that change the columns or rows of one data frame."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.names import frame_named, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyspark.sql import Column, DataFrame, SparkSession

_WORD_START = re.compile(r"_([a-z0-9])")
# A delimiter that was written for Metorikku, which takes it as a regular expression: `\|` or `[|]`.
_ESCAPED = re.compile(r"\\(\W)|\[(\W)\]")


def _sha256(text: Column) -> Column:
    return F.sha2(text, 256)


_HASHES: dict[str, Callable[[Column], Column]] = {"md5": F.md5, "sha256": _sha256}


def remove_duplicates(session: SparkSession, params: Mapping[str, str]) -> DataFrame:
    """One row of each set of rows with the same values."""
    frame = frame_named(session, params["table"])
    columns = params.get("columns")
    if not columns:
        return frame.dropDuplicates()
    return frame.dropDuplicates(_known(frame, _names(frame, columns), params["table"]))


def drop_columns(session: SparkSession, params: Mapping[str, str]) -> DataFrame:
    """The data frame without some columns."""
    frame = frame_named(session, params["table"])
    dropped = {name.lower() for name in _names(frame, params["columns"])}
    return frame.select(*(quoted(name) for name in frame.columns if name.lower() not in dropped))


def camel_case_column_names(session: SparkSession, params: Mapping[str, str]) -> DataFrame:
    """`employee_name` becomes `employeeName`."""
    frame = frame_named(session, params["table"])
    return frame.toDF(
        *(_WORD_START.sub(lambda match: match[1].upper(), name) for name in frame.columns)
    )


def align_tables(session: SparkSession, params: Mapping[str, str]) -> DataFrame:
    """The rows of `from` with the columns of `to`; a null has the type that its column has there."""
    rows, target = frame_named(session, params["from"]), frame_named(session, params["to"])
    own = set(rows.columns)
    return rows.select(
        *(
            F.col(quoted(field.name))
            if field.name in own
            else F.lit(None).cast(field.dataType).alias(field.name)
            for field in target.schema.fields
        )
    )


def obfuscate_columns(session: SparkSession, params: Mapping[str, str]) -> DataFrame:
    """Hashes or a text in place of values; nulls stay."""
    frame = frame_named(session, params["table"])
    delimiter = _ESCAPED.sub(lambda match: match[1] or match[2], params["delimiter"])
    names = _names(frame, params["columns"], delimiter)
    hidden = {name.lower() for name in _known(frame, names, params["table"])}
    make = _HASHES.get(params["value"])

    def column(name: str) -> Column:
        value = F.col(quoted(name))
        if name.lower() not in hidden:
            return value
        instead = make(value.cast("string")) if make else F.lit(params["value"])
        return F.when(value.isNotNull(), instead).alias(name)

    return frame.select(*map(column, frame.columns))


def watermark(session: SparkSession, params: Mapping[str, str]) -> DataFrame:
    """Spark's watermark."""
    frame = frame_named(session, params["table"])
    return frame.withWatermark(params["eventTime"], params["delayThreshold"])


def _names(frame: DataFrame, text: str, delimiter: str = ",") -> list[str]:
    """The columns that a text lists; blanks around a name count only where a column has them."""
    known = set(frame.columns)
    return [name if name in known else name.strip() for name in text.split(delimiter)]


def _known(frame: DataFrame, names: list[str], table: str) -> list[str]:
    """The names, each of which must be a column; raises RunError with those that are none."""
    known = {name.lower() for name in frame.columns}
    if odd := [name for name in names if name.lower() not in known]:
        raise RunError(
            f"columns: got {', '.join(odd)}, which '{table}' has not; "
            f"expected some of {', '.join(frame.columns)}"
        )
    return names
