"""Rows that are recent: instants compared as such, what has no zone as of the check's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from pyspark.sql import functions as F
from pyspark.sql.types import DataType, DateType, StringType, TimestampNTZType, TimestampType

from airflow_metorikku.config.records.analyzers.recent import moment
from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.quality.subject import NO_ROW_ASKED, Subject, wrong_type
from airflow_metorikku.spark.quality.values import MetricValue

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column

    from airflow_metorikku.config.records.analyzers.recent import RecentRows

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def recent_rows(analyzer: RecentRows, subject: Subject) -> Ask[MetricValue]:
    """Number of rows at or after the bound; a null is not recent."""
    found = subject.columns.find(analyzer.column)
    compare = _COMPARED.get(type(found.type))
    if compare is None:
        raise wrong_type(analyzer.column, found.type, "a timestamp, a date, or texts of them")
    zone = analyzer.zone or _session_zone(subject)
    now = moment(analyzer.now, zone) if analyzer.now else datetime.now(UTC)
    bound = now.astimezone(UTC) - timedelta(hours=analyzer.hours)
    recent = subject.count(
        compare(found.column, bound.astimezone(ZoneInfo(zone))),
        *("recent", found.path, analyzer.hours, analyzer.now, analyzer.zone),
    )
    rows = subject.rows

    def answer(facts: Facts) -> MetricValue:
        if not facts.values[rows.key]:
            return NO_ROW_ASKED if subject.where_text is None else MetricValue(number=0)
        return MetricValue(number=facts.values[recent.key])

    return Ask(aggregates=(rows, recent), risky=subject.is_risky, answer=answer)


def _session_zone(subject: Subject) -> str:
    return str(subject.frame.sparkSession.conf.get("spark.sql.session.timeZone"))


def _instant(bound: datetime) -> Column:
    return F.timestamp_micros(F.lit((bound - _EPOCH) // _MICROSECOND))


def _since(column: Column, bound: datetime) -> Column:
    return column >= _instant(bound)


def _since_local(column: Column, bound: datetime) -> Column:
    return column >= F.lit(bound.replace(tzinfo=None).isoformat(" ")).cast("timestamp_ntz")


def _since_day(column: Column, bound: datetime) -> Column:
    return column >= F.lit(bound.date())


def _since_text(column: Column, bound: datetime) -> Column:
    return F.try_to_timestamp(column) >= _instant(bound)


_COMPARED: dict[type[DataType], Callable[[Any, datetime], Column]] = {
    TimestampType: _since,
    TimestampNTZType: _since_local,
    DateType: _since_day,
    StringType: _since_text,
}
