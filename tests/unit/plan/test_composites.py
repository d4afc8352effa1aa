"""Checks that are joined to one constraint: what may be joined, and how what they read and say is found."""

from __future__ import annotations

from decimal import Decimal

import pytest

from airflow_metorikku.config.fields import sql_texts, with_sql
from airflow_metorikku.config.plain import from_plain, to_plain
from airflow_metorikku.config.records.analyzers.rows import Size
from airflow_metorikku.config.records.checks import CHECKS
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.config.records.strategies import DynamicThreshold
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.results.repository import StoredMetric, StoredRun, runs_from, text_of

SIZE = CHECKS["hasSize"](size=3, operator="==")
COMPLETE = CHECKS["isComplete"](column="a", where_="b = '${ds}'")
STRATEGY = DynamicThreshold(assertion="> last()")


def test_a_composite_travels_and_has_one_id() -> None:
    inner = CHECKS["anyOf"](checks=(SIZE, COMPLETE))
    dq = DataQuality(
        checks=(CHECKS["allOf"](checks=(inner, SIZE), id="both", level="error"), inner)
    )
    assert from_plain(DataQuality, to_plain(dq)) == dq
    first, second = constraints("t", dq, "fail")
    assert (first.id, first.level) == ("both", "critical")
    assert second.id.startswith("anyOf.")
    assert {(part.id, part.level) for part in first.computed} == {("both", "critical")}
    assert (len(first.computed), len(second.computed)) == (3, 2)
    assert first.options.columns_checked() == ("a",)


def test_variables_in_the_sql_of_parts() -> None:
    whole = CHECKS["allOf"](checks=(SIZE, COMPLETE))
    assert list(sql_texts(whole)) == [("checks[1].where", "b = '${ds}'")]
    assert with_sql(whole, lambda text: text.replace("${ds}", "x")).checks[1].where_ == "b = 'x'"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"checks": (SIZE,)}, "checks: got 1, expected two or more"),
        ({"checks": (SIZE, SIZE), "where_": "a > 1"}, "where: stands at each of the checks"),
        (
            {"checks": (SIZE, CHECKS["hasSize"](size=1, operator="==", id="x"))},
            "checks: id of hasSize",
        ),
        (
            {"checks": (SIZE, CHECKS["hasSize"](size=1, operator="==", level="warn"))},
            "checks: level of hasSize",
        ),
        (
            {
                "checks": (
                    SIZE,
                    CHECKS["completenessCheck"](columns=("a",), warning_threshold=Decimal(1)),
                )
            },
            "completenessCheck has a level of its own",
        ),
        (
            {"checks": (SIZE, CHECKS["anomaly"](metric=Size(), strategy=STRATEGY))},
            "anomaly needs includeAnomalies: true",
        ),
    ],
)
def test_what_cannot_be_joined(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        CHECKS["anyOf"](**given)


def test_the_whole_in_a_history() -> None:
    analyzer = CHECKS["anyOf"](checks=(SIZE, COMPLETE)).analyzer()
    stored = StoredMetric(
        analyzer=analyzer,
        entity=analyzer.entity,
        instance=analyzer.instance,
        name=analyzer.name,
        value=1,
        constraint_id="x",
        status="failed",
    )
    (run,) = runs_from(text_of([StoredRun(time=1, metrics=(stored,))]))
    assert run.metrics == (stored,)
