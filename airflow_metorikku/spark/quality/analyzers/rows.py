"""Rows counted, and shares of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from airflow_metorikku.spark.aggregates import Aggregate, Cell, count_of
from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.quality.analyzers.conditions import condition_of
from airflow_metorikku.spark.quality.cleaned import cleaned
from airflow_metorikku.spark.quality.subject import Subject, share
from airflow_metorikku.spark.quality.values import MetricValue, no_data

if TYPE_CHECKING:
    from airflow_metorikku.config.records.analyzers.base import RowRule
    from airflow_metorikku.config.records.analyzers.rows import Completeness, Size


def size(_analyzer: Size, subject: Subject) -> Ask[MetricValue]:
    """Number of rows; of no rows it is 0, not unknown."""
    rows = subject.rows
    return Ask(
        aggregates=(rows,),
        risky=subject.is_risky,
        answer=lambda facts: MetricValue(number=facts.values[rows.key]),
    )


def completeness(analyzer: Completeness, subject: Subject) -> Ask[MetricValue]:
    """Share of rows in which the column is not null."""
    found = cleaned(subject.columns.find(analyzer.column), analyzer)
    return share(subject, subject.not_null(found))


def obeying(rule: RowRule, subject: Subject) -> Ask[MetricValue]:
    """Share of rows that obey a rule; one that nothing decides in every row says nothing."""
    condition = condition_of(rule, subject.frame, subject.columns)
    # The sum is null where no row is decided: one aggregate tells both.
    obeys = Cell(key=("obeys", rule), column=subject.only(condition.obeys.cast("int")))
    holds = Aggregate(key=("obeys", rule), cell=obeys, shape=("sum",), of=F.sum)
    decided = Aggregate(key=("decided", rule), cell=obeys, shape=("count",), of=F.count)
    shared = share(
        subject,
        holds,
        of=None if condition.of_all else decided,
        risky=condition.risky,
        empty=condition.undecided,
    )
    if condition.known is None:
        return shared
    known = count_of(("known", rule), subject.only(condition.known))

    def answer(facts: Facts) -> MetricValue:
        if facts.values[subject.rows.key] and not facts.values[known.key]:
            return no_data(condition.undecided)
        return shared.answer(facts)

    return Ask(aggregates=(*shared.aggregates, known), risky=shared.risky, answer=answer)
