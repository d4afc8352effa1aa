"""How often keys occur."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.grouping import Grouping
from airflow_metorikku.spark.quality.analyzers.subject import (
    NO_ROW_ASKED,
    Subject,
    holds_map,
    wrong_type,
)
from airflow_metorikku.spark.quality.values import MetricValue, no_data, share_of

if TYPE_CHECKING:
    from airflow_metorikku.config.records.analyzers.keys import Uniqueness


def uniqueness(analyzer: Uniqueness, subject: Subject) -> Ask[MetricValue]:
    """Keys that occur once, per row of which some key part is not null."""
    found = [subject.columns.find(name) for name in analyzer.columns_analyzed()]
    for name, key in zip(analyzer.columns_analyzed(), found, strict=True):
        if holds_map(key.type):
            raise wrong_type(name, key.type, "a column that can be compared; maps cannot")
    grouping = Grouping(
        paths=frozenset(key.path for key in found),
        columns=tuple(key.column for key in found),
        where_text=subject.where_text,
        where=subject.where,
    )

    def answer(facts: Facts) -> MetricValue:
        counts = facts.keys[grouping]
        if not counts.rows:
            return NO_ROW_ASKED
        if not counts.keyed_rows:
            return no_data(f"every value of {', '.join(analyzer.columns_analyzed())} is null")
        return share_of(counts.single_keys, counts.keyed_rows)

    return Ask(grouping=grouping, risky=subject.is_risky, answer=answer)
