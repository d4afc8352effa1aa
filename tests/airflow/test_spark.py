"""The whole line with real Spark: `dag.test()` without any connection."""

from __future__ import annotations

import json
from pathlib import Path

DAG = """\
from airflow.sdk import DAG
from airflow_metorikku import MetorikkuTaskGroup
with DAG("held_back", schedule=None):
    good = MetorikkuTaskGroup("good", "job.yaml", variables={"top": "{{ 5 + 4 }}"})
    bad = MetorikkuTaskGroup("bad", "bad.yaml")
    good >> bad
"""
METRIC = """\
steps:
  - dataFrameName: t
    sql: SELECT id AS v FROM range(10) WHERE id < ${top}
    dq: {level: error, checks: [{isComplete: {column: v}}, {hasSize: {assertion: "== 9"}}]}
output:
  - {dataFrameName: t, outputType: Parquet, outputOptions: {saveMode: Overwrite, path: out/good}}
"""
BAD = """\
steps:
  - dataFrameName: t
    sql: SELECT IF(id % 10 = 0, NULL, id) AS v FROM range(100)
    dq: {level: error, checks: [{isComplete: {column: v, id: v_complete}}]}
output:
  - {dataFrameName: t, outputType: Parquet, outputOptions: {saveMode: Overwrite, path: out/bad}}
"""


def test_what_is_good_is_published_and_what_is_bad_is_held_back(files, states):
    files.write("movies.yaml", METRIC)
    files.write("bad.yaml", "metrics: [bad_metric.yaml]\nresults: results\n")
    files.write("bad_metric.yaml", BAD)
    assert states(files.dag(DAG)) == {
        "good.run": "success",
        "good.movies.data_quality": "success",
        "bad.run": "success",
        "bad.bad_metric.data_quality": "failed",
    }
    assert list(Path(files.folder, "out", "good").glob("*.parquet"))
    assert not Path(files.folder, "out", "bad").exists()
    (found,) = Path(files.folder, "results").rglob("result.json")
    (constraint,) = json.loads(found.read_text())["metrics"][0]["constraints"]
    # 10 of 100 are null.
    assert (constraint["id"], constraint["status"], constraint["value"]) == (
        "v_complete",
        "failed",
        0.9,
    )
