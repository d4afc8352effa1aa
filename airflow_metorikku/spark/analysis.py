"""Values of analyzers without checks: what profiles are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.config.records.analyzers.base import Analyzer
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.spark.aggregates import SPARK_ERRORS
from airflow_metorikku.spark.asks import Ask
from airflow_metorikku.spark.audit import gather
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.evaluate import answer_of, ask_analyzer
from airflow_metorikku.spark.quality.values import MetricValue
from airflow_metorikku.spark.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from pyspark.sql import DataFrame


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """What analyzers gave: a value, or a sentence where one could not be evaluated."""

    rows: int
    values: Mapping[Analyzer, MetricValue | str]

    def value(self, analyzer: Analyzer) -> MetricValue:
        """The value of an analyzer; an empty one where it was not asked for or could not be evaluated."""
        found = self.values.get(analyzer)
        return found if isinstance(found, MetricValue) else MetricValue()

    def why_not(self, columns: Container[str]) -> list[str]:
        """Why analyzers of some columns could not be evaluated, each sentence once."""
        sentences = (
            value
            for analyzer, value in self.values.items()
            if isinstance(value, str) and any(one in columns for one in analyzer.columns_analyzed())
        )
        return list(dict.fromkeys(sentences))


def analyze(frame: DataFrame, data_frame: str, analyzers: Iterable[Analyzer]) -> Analysis:
    """Evaluate all in the passes of one audit; raises RunError where the data frame itself cannot be read."""
    columns = Columns(frame, data_frame)
    asks: dict[Analyzer, Ask[MetricValue] | str] = {}
    for analyzer in dict.fromkeys(analyzers):
        try:
            asks[analyzer] = ask_analyzer(analyzer, frame, columns)
        except (MetorikkuError, *SPARK_ERRORS) as error:
            asks[analyzer] = sentence(error)
    facts, why_not = gather(frame, [one for one in asks.values() if isinstance(one, Ask)], {})

    def value(analyzer: Analyzer, asked: Ask[MetricValue] | str) -> MetricValue | str:
        if isinstance(asked, str) or id(asked) in why_not:
            return asked if isinstance(asked, str) else why_not[id(asked)]
        try:
            return answer_of(analyzer, asked, facts)
        except MetorikkuError as error:
            return str(error)

    return Analysis(rows=facts.rows, values={one: value(one, asked) for one, asked in asks.items()})
