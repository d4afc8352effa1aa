"""What alerts may show of failing rows, and how many they are."""

from __future__ import annotations

import json
from decimal import Decimal

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.checks.keys import IsUnique
from airflow_metorikku.config.records.checks.numbers import HasMean
from airflow_metorikku.config.records.checks.rows import IsComplete, Satisfies
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.quality.samples import LONGEST, with_samples


def test_failing_rows_are_counted_and_shown_as_far_as_allowed(spark):
    frame = spark.sql(
        "SELECT id AS `the id`, IF(id < 3, NULL, id) AS v, id % 8 AS k, repeat('x', 1000) AS long FROM range(10)"
    )
    checks = (
        IsComplete(column="v", id="v"),
        IsUnique(column="k", id="k"),
        Satisfies(predicate="id >= 0", id="unknown"),
        Satisfies(predicate="k >= 0", id="good"),
        HasMean(column="k", assertion=Assertion(">", Decimal(100)), id="mean"),
    )
    asked = constraints("t", DataQuality(checks=checks), "fail")
    results = Audit("t", asked).scan(frame).constraints
    counted = {one.id: (one.status, one.failing, one.rows) for one in results}
    assert counted == {
        "v": ("failed", 3, 10),
        "k": ("failed", 4, 10),
        "unknown": ("error", None, None),
        "good": ("passed", 0, 10),
        "mean": ("failed", None, None),
    }
    assert with_samples(results, asked, frame, 0) == results
    shown = {one.id: one.sample for one in with_samples(results, asked, frame, 2)}
    assert {id_: len(rows) for id_, rows in shown.items()} == {
        "v": 2,
        "k": 2,
        "unknown": 0,
        "good": 0,
        "mean": 0,
    }
    assert all(len(row) <= LONGEST for rows in shown.values() for row in rows)
    (row, *_) = with_samples(results, asked, frame.drop("long"), 1)[0].sample
    assert json.loads(row)["v"] is None
    assert set(json.loads(row)) == {"the id", "v", "k"}
