"""A number by SQL of the user's."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.spark.asks import Ask, Query
from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.quality.values import MetricValue, no_data

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from airflow_metorikku.config.records.analyzers.comparisons import CustomSql
    from airflow_metorikku.spark.quality.subject import Subject


_PRIMARY = "primary"


class NotOneNumberError(MetorikkuError):
    """A query that gives something else than one number."""


def custom_sql(analyzer: CustomSql, subject: Subject) -> Ask[MetricValue]:
    """The number of a query, in which the data frame's name means the data frame that is audited."""

    def run(frame: DataFrame) -> MetricValue:
        kept = frame if subject.where is None else frame.where(subject.where)
        return _value(kept, subject.columns.data_frame, analyzer.sql)

    query = Query(key=("sql", subject.where_text, analyzer.sql), run=run)
    return Ask(query=query, risky=True, answer=lambda facts: facts.queries[query.key])


def _value(frame: DataFrame, name: str, sql: str) -> MetricValue:
    session = frame.sparkSession
    # The name may be that of a view, which stays what it is: what is audited may be the written data.
    view = f"metorikku_{uuid.uuid4().hex}"
    frame.createOrReplaceTempView(view)
    try:
        # DQDL's word for the data frame. A view of that name must not take its place: it would be judged instead.
        names = {name.lower(), _PRIMARY}
        audited = "WITH " + ", ".join(f"{quoted(one)} AS (TABLE {quoted(view)})" for one in names)
        # The whole text is a query of the user's, who may read whatever the run may.
        found = session.sql(f"{audited} SELECT * FROM (\n{_query(sql)}\n)")  # noqa: S608 - see above
        if len(found.columns) != 1:
            raise NotOneNumberError(f"the query gives {len(found.columns)} columns, expected one")
        rows = found.limit(2).collect()
    finally:
        session.catalog.dropTempView(view)
    if len(rows) != 1:
        raise NotOneNumberError(
            f"the query gives {'more than one row' if rows else 'no row'}, expected one"
        )
    return _number(rows[0][0])


def _query(sql: str) -> str:
    return sql.strip().rstrip(";")


def _number(value: Any) -> MetricValue:
    if value is None:
        return no_data("the query gives null")
    if isinstance(value, bool):
        return MetricValue(number=int(value))
    if isinstance(value, int | float | Decimal):
        return MetricValue(number=value)
    raise NotOneNumberError(f"the query gives {value!r}, expected a number")
