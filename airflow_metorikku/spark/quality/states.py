"""States of analyzers: what is kept of some rows, so that metrics of all rows come without reading them again.

A state of each partition or day is saved; the union of states gives the metrics of the union of their rows, the
same as those of one pass over all (floating-point sums and moments up to rounding). Deequ, `StateProvider` and
`IncrementalAnalysis`; its files are not ours.

    states = states_of(frame, [Size(), Mean(column="price"), Uniqueness(columns=("id",))])
    states.save(session, "/data/states/2026-01-01")
    whole = union([load_states(session, f"/data/states/{day}") for day in days])
    whole.value(Mean(column="price")).number
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import reduce
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from airflow_metorikku.config.moments import Moment
from airflow_metorikku.config.plain import from_plain, to_plain
from airflow_metorikku.config.records.analyzers import ANALYZER_NAMES, ANALYZERS
from airflow_metorikku.config.records.analyzers.base import Analyzer
from airflow_metorikku.errors import MetorikkuError, RunError
from airflow_metorikku.spark.aggregates import ROWS, Aggregate, Key, count_rows
from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.files import files_at
from airflow_metorikku.spark.grouping import Grouping, counts_of, groups_of
from airflow_metorikku.spark.quality import central_moments
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.evaluate import answer_of, ask_analyzer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from airflow_metorikku.spark.quality.values import MetricValue

STATES = "states.json"
_FORMAT = 1
_WHAT = "the states"


class NotMergeableError(MetorikkuError):
    """An analyzer whose value needs all rows at once, or states that do not belong together."""


def _added(one: Any, other: Any) -> Any:
    return one + other


def _least(one: Any, other: Any) -> Any:
    """NaN is the largest of all, as in Spark."""
    return other if one != one or _in_order(other) < _in_order(one) else one  # noqa: PLR0124 - NaN


def _most(one: Any, other: Any) -> Any:
    return other if other != other or _in_order(other) > _in_order(one) else one  # noqa: PLR0124 - NaN


def _in_order(value: Any) -> Any:
    """Timestamps without a zone are told as texts, which years before 0 and after 9999 put in no order."""
    return Moment.from_text(value) if isinstance(value, str) else value


# How two values of an aggregate become one, by the first part of its key; null is nothing.
MERGES: Mapping[str, Callable[[Any, Any], Any]] = {
    "rows": _added,
    "count": _added,
    "not null": _added,
    "obeys": _added,
    "decided": _added,
    "known": _added,
    "sum": _added,
    "min": _least,
    "max": _most,
    "min length": _least,
    "max length": _most,
    **dict.fromkeys(central_moments.KINDS, central_moments.merged),
}


@dataclass(frozen=True, kw_only=True)
class States:
    """States of some analyzers on the rows of one data frame, or on those of several with the same columns."""

    analyzers: tuple[Analyzer, ...]
    schema: StructType
    values: Mapping[Key, Any]
    """Of aggregates by their keys; of moments, what `central_moments` keeps."""
    groups: Mapping[Grouping, DataFrame]
    """Different keys and how often each occurs, by grouping."""

    def value(self, analyzer: Analyzer) -> MetricValue:
        """The metric of one of the analyzers; raises MetorikkuError where it has none."""
        if analyzer not in self.analyzers:
            raise NotMergeableError(f"there is no state of {analyzer}")
        asked = _asked(_empty(self._session, self.schema), analyzer)
        keys = {}
        if asked.grouping:
            keys[asked.grouping] = counts_of(
                self.groups[asked.grouping], asked.grouping, asked.wanted
            )
        values = central_moments.finished(self.values)
        return answer_of(analyzer, asked, Facts(values=values, keys=keys, rows=values[ROWS]))

    def merged(self, other: States) -> States:
        """The states of the rows of both; raises NotMergeableError unless both have the same columns and analyzers."""
        if self.schema != other.schema:
            raise NotMergeableError("the states are of data frames with other columns")
        if self.analyzers != other.analyzers:
            raise NotMergeableError("the states are of other analyzers, or in another order")
        return States(
            analyzers=self.analyzers,
            schema=self.schema,
            values={key: _merged(key, one, other.values[key]) for key, one in self.values.items()},
            groups={
                grouping: _summed(groups.unionByName(other.groups[grouping]), grouping)
                for grouping, groups in self.groups.items()
            },
        )

    def save(self, session: SparkSession, folder: str) -> None:
        """Write them to a folder of their own, `states.json` last: a folder without it holds none. Raises RunError."""
        files, path = files_at(session, folder)
        if files.exists(path):
            raise RunError(
                f"{folder}: something is there already; states go to a folder of their own"
            )
        for number, groups in enumerate(self.groups.values()):
            groups.write.parquet(f"{files.uri(path)}/groups-{number}")
        said = {
            "format": _FORMAT,
            "schema": json.loads(self.schema.json()),
            "analyzers": [{ANALYZER_NAMES[type(one)]: to_plain(one)} for one in self.analyzers],
            "values": [[_key_text(key), _plain(value)] for key, value in self.values.items()],
        }
        files.write_text(f"{path}/{STATES}", json.dumps(said, ensure_ascii=False, indent=1))

    @property
    def _session(self) -> SparkSession:
        session = SparkSession.getActiveSession()
        assert session is not None
        return session


def states_of(frame: DataFrame, analyzers: Sequence[Analyzer]) -> States:
    """States of analyzers on the rows of a data frame: one pass, a second one for moments, and one shuffle for each set of key columns.

    Raises NotMergeableError for an analyzer that cannot have one, other MetorikkuErrors for what is not in the
    data frame, and Spark's own.
    """
    asks = [_asked(frame, analyzer) for analyzer in analyzers]
    return States(
        analyzers=tuple(analyzers),
        schema=frame.schema,
        values=central_moments.computed(frame, _aggregates(asks)),
        groups={grouping: groups_of(frame, grouping) for grouping in _groupings(asks)},
    )


def union(states: Iterable[States]) -> States:
    """The states of all rows; raises NotMergeableError as `States.merged`."""
    return reduce(States.merged, states)


def load_states(session: SparkSession, folder: str) -> States:
    """What `States.save` wrote; raises RunError where there is none, or none of this version."""
    files, path = files_at(session, folder)
    try:
        said = json.loads(files.read_text(f"{path}/{STATES}"))
        if said["format"] != _FORMAT:
            raise RunError(f"{folder}: got states of format {said['format']}, expected {_FORMAT}")
        schema = StructType.fromJson(said["schema"])
        analyzers = tuple(
            from_plain(ANALYZERS[name], plain)
            for one in said["analyzers"]
            for name, plain in one.items()
        )
        saved = {text: _value(plain) for text, plain in said["values"]}
    except FileNotFoundError:
        raise RunError(f"{folder}: there are no states: {STATES} is missing") from None
    except (ValueError, TypeError, KeyError) as error:
        raise RunError(f"{folder}: {STATES} is not as it was written: {error}") from error
    asks = [_asked(_empty(session, schema), analyzer) for analyzer in analyzers]
    keys = [one.key for one in _aggregates(asks)]
    if any(_key_text(key) not in saved for key in keys):
        raise RunError(
            f"{folder}: another version wrote the states, and computed some otherwise; make them again"
        )
    return States(
        analyzers=analyzers,
        schema=schema,
        values={key: saved[_key_text(key)] for key in keys},
        groups={
            grouping: session.read.parquet(f"{files.uri(path)}/groups-{number}")
            for number, grouping in enumerate(_groupings(asks))
        },
    )


def _empty(session: SparkSession, schema: StructType) -> DataFrame:
    return session.createDataFrame([], schema)


def _asked(frame: DataFrame, analyzer: Analyzer) -> Ask[MetricValue]:
    asked = ask_analyzer(analyzer, frame, Columns(frame, _WHAT))
    odd = [one for one in asked.aggregates if one.key[0] not in MERGES]
    if asked.query or odd or type(analyzer) not in ANALYZER_NAMES:
        raise NotMergeableError(
            f"{type(analyzer).__name__} has no state that can be merged: its value needs all rows at once"
        )
    return asked


def _aggregates(asks: Iterable[Ask[Any]]) -> list[Aggregate]:
    return list(dict.fromkeys([count_rows(), *(one for asked in asks for one in asked.aggregates)]))


def _groupings(asks: Iterable[Ask[Any]]) -> list[Grouping]:
    return list(dict.fromkeys(asked.grouping for asked in asks if asked.grouping))


def _merged(key: Key, one: Any, other: Any) -> Any:
    if one is None or other is None:
        return other if one is None else one
    return MERGES[str(key[0])](one, other)


def _summed(groups: DataFrame, grouping: Grouping) -> DataFrame:
    return groups.groupBy(*grouping.names).agg(F.sum("n").alias("n"))


def _key_text(key: Key) -> str:
    return json.dumps(key, default=str)


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal | date):
        return {_TYPES[type(value)]: str(value)}
    if isinstance(value, central_moments.State):
        return {type(value).__name__: central_moments.plain(value)}
    return value


def _value(plain: Any) -> Any:
    if isinstance(plain, dict):
        ((name, said),) = plain.items()
        return _READ[name](said)
    return plain


_TYPES = {Decimal: "decimal", date: "date", datetime: "time"}
_READ: dict[str, Callable[[Any], Any]] = {
    "decimal": Decimal,
    "date": date.fromisoformat,
    "time": datetime.fromisoformat,
    "CentralMoments": lambda said: central_moments.CentralMoments(*said),
    "CoMoments": lambda said: central_moments.CoMoments(*said),
}
