"""What the footers of Parquet files tell without a scan: rows, nulls, smallest and largest values.

Only what is certain: a file without a statistic makes it unknown, never zero. Floating point is left
out, as its statistics do not know NaN; texts are, as theirs may be cut; so are columns inside others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import Context, Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from pyspark.sql.types import (
    ArrayType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    IntegerType,
    LongType,
    MapType,
    ShortType,
    StructType,
)

from airflow_metorikku.spark.aggregates import ROWS, SPARK_ERRORS, Key
from airflow_metorikku.spark.jvm import java_class, java_context

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from pyspark.sql import DataFrame, SparkSession

MOST_CHUNKS = 2000
"""Above so many columns of files a scan, which many tasks share, is not slower than one driver that looks at them all."""
_WHOLE = (ByteType, ShortType, IntegerType, LongType)
_NESTED = (ArrayType, MapType, StructType)
_EXACT = Context(prec=38)
# As Parquet's statistics tell themselves (`Statistics.toString`): all of them in one call into the JVM. Texts are
# found in front of the number of nulls, and may be anything.
_NULLS = re.compile(r"num_nulls: (\d+)(?:, min/max not defined)?\Z")
_BOUNDS = re.compile(r"min: (\S+), max: (\S+), num_nulls")
_CALENDAR = date(1582, 10, 15)
"""Days before it are told apart by the calendar that a file was written in."""


@dataclass(frozen=True, kw_only=True)
class _Chunk:
    """One column in one block of rows; None where the footer does not say."""

    nulls: int | None
    bounds: tuple[str, str] | None
    """Smallest and largest, as texts; None also where every value is null."""
    all_null: bool


class Footers:
    """The footers of the files that a data frame reads, opened once and only when something is asked."""

    def __init__(self, frame: DataFrame) -> None:
        self._frame = frame
        self._types = {field.name: field.dataType for field in frame.schema.fields}

    def values(self, asked: Collection[Key]) -> dict[Key, Any]:
        """Values by the keys of those aggregates that the footers answer."""
        wanted = [key for key in asked if self._column(key) or key == ROWS]
        if not wanted:
            return {}
        columns = {column for key in wanted if (column := self._column(key))}
        try:
            files = self._frame.inputFiles()
            if len(files) * max(1, len(columns)) > MOST_CHUNKS:
                return {}
            rows, chunks = _read(self._frame.sparkSession, files, columns)
        except SPARK_ERRORS:  # a scan tells what is wrong with the files, in words
            return {}
        found: dict[Key, Any] = {ROWS: rows}
        for key in wanted:
            if key != ROWS:
                found |= self._answer(key, rows, chunks)
        return {key: found[key] for key in wanted if key in found}

    def _column(self, key: Key) -> str | None:
        """The column of a key that a footer may answer."""
        if len(key) != 3 or key[0] not in ("not null", "min", "max") or key[1] is not None:  # noqa: PLR2004 - kind, condition, path
            return None
        path = key[2]
        if not isinstance(path, tuple) or len(path) != 1:
            return None
        kind = self._types.get(str(path[0]))
        if kind is None or isinstance(kind, _NESTED):
            return None
        return str(path[0]) if key[0] == "not null" or _has_order(kind) else None

    def _answer(self, key: Key, rows: int, chunks: dict[str, list[_Chunk]]) -> dict[Key, Any]:
        column = self._column(key) or ""
        mine = chunks[column]
        if key[0] == "not null":
            nulls = [chunk.nulls for chunk in mine]
            known = [count for count in nulls if count is not None]
            return {key: rows - sum(known)} if len(known) == len(nulls) else {}
        if any(chunk.bounds is None and not chunk.all_null for chunk in mine):
            return {}
        kind = self._types[column]
        place, best = (0, min) if key[0] == "min" else (1, max)
        read = _reader(kind)
        try:
            values = [tuple(map(read, chunk.bounds)) for chunk in mine if chunk.bounds]
        except (ValueError, InvalidOperation):
            return {}
        return {key: best((both[place] for both in values), default=None)}


def _has_order(kind: DataType) -> bool:
    return isinstance(kind, (*_WHOLE, DateType, DecimalType))


def _read(
    session: SparkSession, files: Iterable[str], columns: Collection[str]
) -> tuple[int, dict[str, list[_Chunk]]]:
    """Rows of all files, and the chunks of each column; a block without the column is one that says nothing of it."""
    rows = 0
    chunks: dict[str, list[_Chunk]] = {column: [] for column in columns}
    # Each call into the JVM costs more than what it asks: the places of the columns are looked up once a schema.
    places: dict[str, dict[str, int]] = {}
    for schema, block in _blocks(session, files):
        count = block.getRowCount()
        rows += count
        found = block.getColumns()
        if schema not in places:
            places[schema] = {_name(chunk): at for at, chunk in enumerate(_items(found))}
        for column, mine in chunks.items():
            place = places[schema].get(column)
            told = None if place is None else found.get(place).getStatistics()
            mine.append(_chunk("" if told is None else told.toString(), count))
    return rows, chunks


def _blocks(session: SparkSession, files: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """The blocks of rows of all files, each with the text of its file's schema, which fixes the order of its columns."""
    readers, lists, paths, addresses = (
        java_class(session, name)
        for name in (
            "org.apache.parquet.hadoop.ParquetFileReader",
            "java.util.ArrayList",
            "org.apache.hadoop.fs.Path",
            "java.net.URI",
        )
    )
    conf = java_context(session).hadoopConfiguration()
    statuses = lists()
    for file in files:
        path = paths(addresses(file))
        statuses.add(path.getFileSystem(conf).getFileStatus(path))
    for file in _items(readers.readAllFootersInParallel(conf, statuses, False)):  # noqa: FBT003 - Parquet's own: blocks are not skipped
        footer = file.getParquetMetadata()
        schema = footer.getFileMetaData().getSchema().toString()
        for block in _items(footer.getBlocks()):
            yield schema, block


def _items(found: Any) -> Iterator[Any]:
    """Of a list in the JVM; where it ends by itself, an error is made there and translated, which takes as long as to open a file."""
    return (found.get(place) for place in range(found.size()))


def _name(chunk: Any) -> str:
    path = list(chunk.getPath().toArray())
    return path[0] if len(path) == 1 else ""


def _chunk(told: str, rows: int) -> _Chunk:
    nulls, bounds = _NULLS.search(told), _BOUNDS.match(told)
    count = int(nulls[1]) if nulls else None
    return _Chunk(
        nulls=count, bounds=(bounds[1], bounds[2]) if bounds else None, all_null=count == rows
    )


def _reader(kind: DataType) -> Callable[[str], Any]:
    """What makes a value of its text, as the aggregate gives it that is asked of Spark: of a date, its days since 1970."""
    if isinstance(kind, DecimalType):
        step = Decimal(1).scaleb(-kind.scale)
        return lambda text: Decimal(text).quantize(step, context=_EXACT)
    return _days if isinstance(kind, DateType) else int


def _days(text: str) -> int:
    day = date.fromisoformat(text)
    if day < _CALENDAR:
        raise ValueError(text)
    return (day - date(1970, 1, 1)).days
