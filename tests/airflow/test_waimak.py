"""Waimak's properties under Airflow: gates that they ask for, alerters that they name, and no secret where others look."""

from __future__ import annotations

import json

import pytest

PREFIX = "spark.waimak.dataquality."
CONF = {
    "spark.waimak.dataflow.extensions": "deequ",
    f"{PREFIX}alerters": "pager, exception",
    f"{PREFIX}alerters.pager.class": "pager.tell",
    f"{PREFIX}alerters.pager.key": "hidden-key",
    f"{PREFIX}alerters.pager.alertOn": "warning,critical",
    f"{PREFIX}alerters.exception.alertOn": "warning",
    f"{PREFIX}deequ.labelsToMonitor": "t",
    f"{PREFIX}deequ.labels.t.checks": "completenessCheck",
    f"{PREFIX}deequ.labels.t.completenessCheck.columns": "v",
    f"{PREFIX}deequ.labels.t.completenessCheck.warningThreshold": "0.9",
}
PAGER = """\
import json, pathlib

def tell(context, key):
    alert = context["alert"]
    with (pathlib.Path(__file__).parent / "told.txt").open("a") as told:
        told.write(json.dumps([alert.level, alert.label, alert.text, key]) + "\\n")
"""


@pytest.mark.parametrize("place", ["job", "operator"])
def test_properties_make_checks_gates_and_alerts(
    files, spark_submit, states, make, monkeypatch, place
):
    monkeypatch.syspath_prepend(str(files.folder))
    files.write("pager.py", PAGER)
    files.write("movies.yaml", "steps:\n- {dataFrameName: t, sql: SELECT 1 AS v}\n")
    lines = "".join(f"  {name}: {json.dumps(value)}\n" for name, value in CONF.items())
    files.write("job.yaml", f"{files.JOB}sparkConf:\n{lines}" if place == "job" else files.JOB)
    spark = "" if place == "job" else f", spark={{'conf': {CONF!r}}}"
    failed = make.constraint(
        id="completenessCheck.v.warning", status="failed", level="warning", value=0.8,
        constraint="completenessCheck(v) >= 0.9", check="completenessCheck",
        message="value 0.8, expected >= 0.9; Less than 90.0% of v values were complete.",
    )  # fmt: skip
    spark_submit.answer = lambda identity: make.result(
        make.metric(failed, verdict="warning", outputs=()),
        attempt=identity["attempt"],
        verdict="warning",
    )
    text = f"from airflow_metorikku import MetorikkuDag\ndag = MetorikkuDag('job.yaml', dag_id='m', schedule=None{spark})\n"
    got = states(files.dag(text))
    # A warning fails the gate, as the exception alerter asks.
    assert got == {"run": "success", "movies.data_quality": "failed"}
    ((level, label, alert, key),) = [
        json.loads(line) for line in (files.folder / "told.txt").read_text().splitlines()
    ]
    assert (level, label, key) == ("warning", "t", "hidden-key")
    assert alert.startswith(
        "Warning alert for label t\n\ncompletenessCheck(v) >= 0.9 : value 0.8, expected >= 0.9; "
        "Less than 90.0% of v values were complete."
    )
    (checks,) = [step["dq"]["checks"] for step in spark_submit.plans[0]["metrics"][0]["steps"]]
    assert [list(check) for check in checks] == [["completenessCheck"]]
    assert "hidden-key" not in json.dumps(spark_submit.plans) + json.dumps(spark_submit.commands)


def test_secrets_of_alerters_are_no_part_of_a_task(files):
    text = f"""
        from airflow_metorikku import MetorikkuDag
        dag = MetorikkuDag("job.yaml", dag_id="m", schedule=None, spark={{"conf": {CONF!r}}})
    """
    from airflow_names import DagSerialization

    dag = files.dag(text.replace("\n        ", "\n"))
    assert "hidden-key" not in json.dumps(DagSerialization.to_dict(dag), default=str)
