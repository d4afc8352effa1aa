"""How new the rows are."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from pyspark.sql import functions as F
from pyspark.sql.types import DateType, TimestampNTZType, TimestampType

from airflow_metorikku.config.records.analyzers.freshness import SECONDS
from airflow_metorikku.spark.aggregates import Aggregate, Cell
from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.quality.subject import Subject, wrong_type
from airflow_metorikku.spark.quality.values import MetricValue, no_data, quotient

if TYPE_CHECKING:
    from pyspark.sql import Column

    from airflow_metorikku.config.records.analyzers.freshness import Freshness
    from airflow_metorikku.spark.quality.columns import FoundColumn

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def freshness(analyzer: Freshness, subject: Subject) -> Ask[MetricValue]:
    """Age of the newest value that is not later than now."""
    now = analyzer.moment(datetime.now(UTC))
    found, value = _times(analyzer, subject)
    # Without the moment that is now: what a write observed is asked for again after it.
    key = "newest", subject.where_text, found.path, analyzer.now, analyzer.zone
    past = F.when(value <= _bound(found, now, analyzer.zone), value)
    cell = Cell(key=key, column=subject.only(past))
    newest = Aggregate(key=key, cell=cell, shape=("max",), of=F.max)

    def answer(facts: Facts) -> MetricValue:
        latest = facts.values[newest.key]
        if latest is None:
            return no_data(
                f"no value of {analyzer.column} that is not later than {now.isoformat()}"
            )
        age = (now - _moment(latest, analyzer.zone)) // _MICROSECOND
        return MetricValue(number=quotient(Decimal(age), SECONDS[analyzer.unit] * 1_000_000))

    return Ask(aggregates=(newest,), risky=subject.is_risky, answer=answer)


def _times(analyzer: Freshness, subject: Subject) -> tuple[FoundColumn, Column]:
    """The column, and what it is compared by: microseconds of moments, else itself; raises WrongTypeError for no time."""
    found = subject.columns.find(analyzer.column)
    if isinstance(found.type, TimestampType):
        return found, F.unix_micros(found.column)
    if isinstance(found.type, TimestampNTZType | DateType):
        return found, found.column
    raise wrong_type(
        analyzer.column, found.type, "a timestamp or a date; cast it in the step's SQL"
    )


def _bound(found: FoundColumn, moment: datetime, zone: str) -> Column:
    if isinstance(found.type, TimestampType):
        return F.lit((moment - _EPOCH) // _MICROSECOND)
    local = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    if isinstance(found.type, DateType):
        return F.lit(local.date())
    # As text, since a datetime of Python's becomes a moment in the session's zone.
    return F.lit(local.isoformat(sep=" ")).cast("timestamp_ntz")


def _moment(value: Any, zone: str) -> datetime:
    """The moment of a value: of a local one in the zone."""
    if isinstance(value, int):
        return _EPOCH + timedelta(microseconds=value)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time())
    local: datetime = value
    return local.replace(tzinfo=ZoneInfo(zone))
