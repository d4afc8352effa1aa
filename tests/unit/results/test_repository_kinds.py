"""A metric of every check's analyzer is kept, and found again."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import made_kinds
import pytest

from airflow_metorikku.config.load import read_job
from airflow_metorikku.config.records.analyzers import ANALYZER_NAMES
from airflow_metorikku.config.records.analyzers.base import Analyzer, RowRule
from airflow_metorikku.config.records.analyzers.quantiles import ApproxQuantiles
from airflow_metorikku.config.records.analyzers.rows import Compliance
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.plan.jobs import require_sound
from airflow_metorikku.results.distributions import Keyed
from airflow_metorikku.results.history import series
from airflow_metorikku.results.repository import (
    StoredMetric,
    StoredRun,
    runs_from,
    success_rows,
    text_of,
)


@pytest.fixture(scope="module")
def analyzers(tmp_path_factory: pytest.TempPathFactory) -> list[Analyzer]:
    file = made_kinds.write_job(tmp_path_factory.mktemp("kinds"))
    job = require_sound(read_job(file, environ={}), final=True)
    dq = job.metrics[0].steps[0].dq
    assert dq is not None
    return [one.analyzer for one in constraints("d", dq, "fail")]


def stored(analyzer: Analyzer) -> StoredMetric:
    return StoredMetric(
        analyzer=analyzer,
        entity=analyzer.entity,
        instance=analyzer.instance,
        name=analyzer.name,
        value=0.5,
    )


def test_what_is_kept_is_found_again(analyzers: list[Analyzer]) -> None:
    assert len(analyzers) >= len(made_kinds.CHECKS)
    for analyzer in analyzers:
        text = text_of([StoredRun(time=1, metrics=(stored(analyzer),))])
        (run,) = runs_from(text)
        (metric,) = run.metrics
        if type(analyzer) in ANALYZER_NAMES:
            assert metric.analyzer == analyzer
            assert [point.value for point in series([run], analyzer)] == [0.5]
        elif isinstance(analyzer, RowRule):
            # A rule that users cannot name as an analyzer: Compliance, as it is to Deequ.
            assert isinstance(metric.analyzer, Compliance)
            assert metric.analyzer.instance == analyzer.instance
        else:
            assert metric.name == analyzer.name
        assert text_of([run]) == text or isinstance(analyzer, RowRule)


def test_deequ_sees_only_what_it_can_read(analyzers: list[Analyzer]) -> None:
    known = {
        "Size", "Completeness", "Minimum", "Maximum", "MinLength", "MaxLength", "Compliance", "PatternMatch", "Sum",
        "Mean", "Range", "InterquartileRange", "StandardDeviation", "Variance", "Skewness", "Kurtosis", "ZerosCount",
        "DataType", "ApproxCountDistinct", "Entropy", "CountDistinct", "Distinctness", "MutualInformation",
        "Uniqueness", "UniqueValueRatio", "DuplicateRowCount", "Correlation", "RatioOfSums", "ApproxQuantile",
        "ApproxQuantiles", "ExactQuantile", "Histogram", "HistogramBinned", "KLLSketch",
    }  # fmt: skip
    (run,) = json.loads(text_of([StoredRun(time=1, metrics=tuple(map(stored, analyzers)))]))
    names = {one["analyzer"]["analyzerName"] for one in run["analyzerContext"]["metricMap"]}
    assert names <= known
    assert "Compliance" in names
    compliance = [
        one
        for one in run["analyzerContext"]["metricMap"]
        if one["analyzer"]["analyzerName"] == "Compliance"
    ]
    assert all({"instance", "predicate", "columns"} <= one["analyzer"].keys() for one in compliance)


def test_several_numbers_by_name_are_kept_and_found_again() -> None:
    analyzer = ApproxQuantiles(column="x", quantiles=(Decimal("0.5"), Decimal("0.9")))
    given = Keyed(values={"0.5": 1.0, "0.9": 2.5})
    text = text_of([StoredRun(time=1, metrics=(replace(stored(analyzer), value=given),))])
    (run,) = runs_from(text)
    assert run.metrics[0].value == given
    assert [row["name"] for row in success_rows([run])] == [
        "ApproxQuantiles-0.5",
        "ApproxQuantiles-0.9",
    ]
