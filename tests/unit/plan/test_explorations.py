"""What is asked of a data frame, on its way to Spark."""

from __future__ import annotations

from decimal import Decimal

import pytest

from airflow_metorikku.cli import main
from airflow_metorikku.config.records.analyzers.distributions import Buckets
from airflow_metorikku.plan.explorations import OF_PATH, Exploration, plan_of_path


@pytest.mark.parametrize(
    "kll", [None, Buckets(), Buckets(number_of_buckets=3, shrinking_factor=Decimal("0.5"))]
)
def test_a_question_travels(kll: Buckets | None) -> None:
    asked = Exploration(
        plan=plan_of_path("data.csv", None, {}, base="/base", spark_conf={}),
        data_frame=OF_PATH,
        asks="profile",
        kll=kll,
        answer="/answer",
    )
    assert Exploration.from_plain(asked.to_plain()) == asked


@pytest.mark.parametrize("count", ["0", "101"])
def test_buckets_that_no_profile_has(count: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "--path", "data.csv", "--kll", count]) == 1
    assert f"numberOfBuckets: got {count}, expected 1 to 100" in capsys.readouterr().err
