"""Whole DAG runs with a fake spark-submit: who turns red, who is told, what follows."""

from __future__ import annotations

import json
from pathlib import Path

DAG = """\
import json
from airflow.sdk import DAG, task
from airflow_metorikku import MetorikkuTaskGroup

def tell(context, **params):
    alert = context["alert"]
    with open(%r, "a") as told:
        told.write(json.dumps([context["ti"].task_id, alert.level, alert.label, alert.text]) + "\\n")

with DAG("flow", schedule=None):
    @task
    def report(): ...
    MetorikkuTaskGroup(group_id="g", job="job.yaml", alerters=[tell]%s) >> report()
"""


def flow(files, states, arguments=""):
    told = files.folder / "told.txt"
    got = states(files.dag(DAG % (str(told), arguments)))
    return got, [
        json.loads(line) for line in told.read_text().splitlines()
    ] if told.exists() else []


def test_a_good_run_tells_nobody(files, spark_submit, states):
    assert flow(files, states) == (
        {"g.run": "success", "g.movies.data_quality": "success", "report": "success"},
        [],
    )


def test_a_bad_verdict_turns_the_gate_red_and_holds_back_what_follows(
    files, spark_submit, states, make
):
    bad = make.metric(
        make.constraint(status="failed", value=0.9, message="value 0.9"),
        make.size(),
        verdict="critical",
    )
    spark_submit.answer = lambda identity: make.result(
        bad, attempt=identity["attempt"], verdict="critical"
    )
    got, told = flow(files, states, ', gate={"soft_fail": True, "retries": 2}')
    assert got == {
        "g.run": "success",
        "g.movies.data_quality": "failed",
        "report": "upstream_failed",
    }
    ((task, level, label, text),) = told
    assert (task, level, label) == ("g.movies.data_quality", "critical", "t")
    assert "isComplete(v) == 1 : value 0.9" in text
    assert "log http" in text


def test_a_warning_passes_and_is_told(files, spark_submit, states, make):
    warned = make.metric(make.constraint(), make.size(status="failed"), verdict="warning")
    spark_submit.answer = lambda identity: make.result(
        warned, attempt=identity["attempt"], verdict="warning"
    )
    got, told = flow(files, states)
    assert got == {"g.run": "success", "g.movies.data_quality": "success", "report": "success"}
    assert [entry[:3] for entry in told] == [["g.movies.data_quality", "warning", "t"]]


def test_a_run_that_broke_is_red_and_told_as_critical_once(files, spark_submit, states, make):
    spark_submit.answer = lambda identity: make.result(
        attempt=identity["attempt"], error="step t: no such table"
    )
    got, told = flow(files, states)
    assert got == {
        "g.run": "failed",
        "g.movies.data_quality": "upstream_failed",
        "report": "upstream_failed",
    }
    ((task, level, label, text),) = told
    assert (task, level, label) == ("g.run", "critical", "dags")
    assert "step t: no such table" in text


def test_a_gate_in_reschedule_mode_passes(files, spark_submit, states):
    got, _ = flow(files, states, ', gate={"mode": "reschedule", "poke_interval": 1}')
    assert got["g.movies.data_quality"] == "success"


def test_clearing_the_run_runs_spark_again(files, spark_submit, states):
    dag = files.dag(DAG % (str(files.folder / "told.txt"), ""))
    for attempt in (1, 2):
        states(dag)
        assert len(spark_submit.plans) == attempt
    first, second = (Path(plan["identity"]["result"]) for plan in spark_submit.plans)
    assert first != second
