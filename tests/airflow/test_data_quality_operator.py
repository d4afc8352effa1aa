"""DataQualityOperator: the plan that it makes of its arguments, and what it does of a verdict."""

from __future__ import annotations

import dataclasses
import json
from types import SimpleNamespace

import pytest

from airflow_metorikku.config.records.checks.rows import HasCompleteness, IsComplete
from airflow_metorikku.errors import ConfigError
from airflow_metorikku.operators.data_quality import table_parts
from airflow_metorikku.operators.metorikku import DataQualityOperator, RunBrokenError
from airflow_metorikku.plan.records import Plan
from airflow_metorikku.verdicts import DataQualityFailed


@pytest.fixture
def context():
    """Makes as much of a task instance's context as the operator asks for."""
    ti = SimpleNamespace(
        dag_id="movies",
        run_id="r",
        task_id="check",
        map_index=-1,
        xcom_push=lambda key, value: None,
    )
    return lambda: {"ti": ti, "dag_run": SimpleNamespace(run_after=None)}


CHECKS = [{"isComplete": {"column": "v", "id": "v_complete"}}]


def operator(files, checks=CHECKS, **arguments):
    dag = files.dag("from airflow.sdk import DAG\ndag = DAG('movies', schedule=None)\n")
    return DataQualityOperator(task_id="check", checks=checks, dag=dag, **arguments)


def answers(spark_submit, make, *constraints, name="movies", **given):
    named = [dataclasses.replace(one, data_frame=name) for one in constraints]
    made = make.metric(*named, outputs=(), name=name, **given)
    spark_submit.answer = lambda identity: make.result(
        made, attempt=identity["attempt"], job=name, verdict=made.verdict
    )


def plan_of(files, context, spark_submit, make, name, checks=CHECKS, **arguments):
    answers(spark_submit, make, make.constraint(data_frame=name), name=name)
    operator(files, checks, **arguments).execute(context())
    return Plan.from_plain(spark_submit.plans[-1])


def test_rules_of_dqdl_may_stand_alone(files, context, spark_submit, make):
    rules = {"dqdl": 'Rules = [ IsComplete "v" ]'}
    plan = plan_of(files, context, spark_submit, make, "m", rules, path="/data/m", data_frame="m")
    assert [type(rule).__name__ for rule in plan.metrics[0].steps[0].dq.dqdl] == ["IsComplete"]


def test_a_path_is_an_input_with_its_own_rows_as_the_step(files, context, spark_submit, make):
    plan = plan_of(
        files,
        context,
        spark_submit,
        make,
        "daily_sales",
        path="data/daily sales",
        format="csv",
        options={"sep": ";"},
    )
    ((name, given),) = plan.settings.inputs.items()
    assert (name, given.path, given.format, given.options) == (
        "daily_sales", f"{files.folder}/data/daily sales", "csv", {"sep": ";"},
    )  # fmt: skip
    ((step,),) = [metric.steps for metric in plan.metrics]
    assert (step.data_frame_name, step.sql) == ("daily_sales", "SELECT * FROM `daily_sales`")
    assert step.dq.checks == (IsComplete(column="v", id="v_complete"),)
    assert step.dq.level == "error"
    assert (plan.reads, plan.metrics[0].output) == (("daily_sales",), ())


def test_a_table_is_quoted_and_a_query_takes_variables(files, context, spark_submit, make):
    plan = plan_of(files, context, spark_submit, make, "orders", table="shop.orders")
    assert plan.metrics[0].steps[0].sql == "SELECT * FROM `shop`.`orders`"
    query = "SELECT * FROM orders WHERE day = ${day} AND dag = '${dag_id}'"
    given = {"query": query, "variables": {"day": "2026-01-01"}, "data_frame": "today"}
    plan = plan_of(files, context, spark_submit, make, "today", **given)
    assert (
        plan.metrics[0].steps[0].sql == "SELECT * FROM orders WHERE day = ${day} AND dag = 'movies'"
    )
    assert plan.settings.variables == {"day": "2026-01-01"}


@pytest.mark.parametrize(
    ("table", "parts"),
    [
        ("t", ("t",)),
        ("db.t", ("db", "t")),
        ("`my db`.`a.b`", ("my db", "a.b")),
        ("cat.db.t", ("cat", "db", "t")),
    ],
)
def test_names_of_tables(table, parts):
    assert table_parts(table) == parts


@pytest.mark.parametrize("table", ["", ".t", "t.", "a..b", "`open"])
def test_what_is_no_name_of_a_table(table):
    with pytest.raises(ValueError, match=r"expected table or database.table"):
        table_parts(table)


@pytest.mark.parametrize(
    "text",
    [
        "- hasCompleteness: {column: v, assertion: '>= 0.9', where: day = ${day}}\n",
        "level: warn\nchecks:\n- hasCompleteness: {column: v, assertion: '>= 0.9', where: day = ${day}}\n",
        "dq:\n  checks:\n  - hasCompleteness: {column: v, assertion: '>= 0.9', where: day = ${day}}\n",
    ],
)
def test_checks_from_a_file(files, context, spark_submit, make, text):
    files.write("rules/checks.yaml", text)
    arguments = {"path": "t.parquet", "data_frame": "movies", "variables": {"day": "1"}}
    plan = plan_of(files, context, spark_submit, make, "movies", "rules/checks.yaml", **arguments)
    (check,) = plan.metrics[0].steps[0].dq.checks
    assert isinstance(check, HasCompleteness)
    assert check.where_ == "day = ${day}"
    assert plan.metrics[0].steps[0].dq.level == "warn"


def test_the_arguments_own_level_wins_over_the_files(files, context, spark_submit, make):
    files.write("checks.yaml", "level: warn\nchecks: [{isComplete: {column: v}}]\n")
    plan = plan_of(
        files,
        context,
        spark_submit,
        make,
        "movies",
        "checks.yaml",
        path="movies",
        level="error",
        quality={"emptyData": "warn"},
    )
    assert plan.metrics[0].steps[0].dq.level == "error"
    assert plan.settings.quality.empty_data == "warn"


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({}, ValueError, "expected one of path, table and query, got none"),
        ({"path": "a", "table": "t"}, ValueError, "got path and table"),
        ({"table": "t", "format": "csv"}, ValueError, "format and options: stand only beside path"),
        ({"path": "a", "job": "job.yaml"}, ValueError, "job: has no meaning here"),
        ({"path": "a", "thresholds": {"v_complete": "most"}}, ValueError, "thresholds: v_complete: got 'most'"),
        ({"path": "a", "thresholds": {"v_complete": "most", "x": "{{ params.x }}"}}, ValueError, "thresholds: v_complete: got 'most'"),
        ({"path": "{{ ds }}", "thresholds": {"v_complete": "most"}}, ValueError, "thresholds: v_complete: got 'most'"),
        ({"path": "a", "checks": [{"isComplet": {"column": "v"}}]}, ConfigError, r"checks of task check: dq.checks\[0\].isComplet: unknown check 'isComplet'; did you mean 'isComplete'"),
        ({"path": "a", "checks": "no.yaml"}, ConfigError, r"checks of task check: checks: .*no.yaml"),
        ({"path": "a", "checks": []}, ConfigError, "checks"),
    ],
)  # fmt: skip
def test_mistakes_are_found_when_the_dag_is_parsed(files, arguments, error, says):
    with pytest.raises(error, match=says):
        operator(files, **{"checks": CHECKS, **arguments})


def test_columns_are_one_in_any_case_unless_spark_is_told_otherwise(files):
    checks = [{"areUnique": {"columns": ["v", "V"]}}]
    with pytest.raises(ConfigError, match="v and V are one column"):
        operator(files, path="a", checks=checks)
    operator(files, path="a", checks=checks, conf={"spark.sql.caseSensitive": True})


def test_a_bad_verdict_fails_without_retries_and_is_kept_for_alerters(
    files, context, spark_submit, make
):
    failed = make.constraint(status="failed", value=0.9, message="value 0.9, expected == 1")
    answers(spark_submit, make, failed, verdict="critical")
    task = operator(files, path="movies")
    with pytest.raises(
        DataQualityFailed, match=r"data quality of movies failed:\nisComplete\(v\) == 1 : value 0.9"
    ):
        task.execute(context())
    assert [finding.id for finding in task.announcement.findings] == ["v_complete"]


def test_a_warning_passes_unless_exception_asks_otherwise(files, context, spark_submit, make):
    warned = make.constraint(status="failed", level="warning", message="m")
    answers(spark_submit, make, warned, verdict="warning")
    assert operator(files, path="movies").execute(context())["verdict"] == "warning"
    with pytest.raises(DataQualityFailed):
        operator(files, path="movies", alerters=["exception"]).execute(context())


def test_thresholds_judge_anew(files, context, spark_submit, make):
    answers(spark_submit, make, make.constraint(value=0.95, status="failed"), verdict="critical")
    forgiving = operator(files, path="movies", thresholds={"v_complete": ">= 0.9"})
    assert forgiving.execute(context())["verdict"] == "good"


def test_without_a_gate_the_verdict_is_left_to_a_sensor(files, context, spark_submit, make):
    answers(spark_submit, make, make.constraint(status="failed"), verdict="critical")
    returned = operator(files, path="movies", gate=False).execute(context())
    assert returned["verdict"] == "critical"


def test_a_run_that_broke_is_retried(files, context, spark_submit, make):
    spark_submit.answer = lambda identity: make.result(
        attempt=identity["attempt"], job="movies", error="no such path"
    )
    with pytest.raises(RunBrokenError, match="no such path"):
        operator(files, path="movies").execute(context())


DAG = """\
import json
from airflow.sdk import DAG, task
from airflow_metorikku.operators.metorikku import DataQualityOperator
from airflow_metorikku.sensors.data_quality import DataQualitySensor

def tell(context, **params):
    alert = context["alert"]
    with open(%r, "a") as told:
        told.write(json.dumps([context["ti"].task_id, alert.level, alert.label]) + "\\n")

with DAG("%s", schedule=None):
    @task
    def report(): ...
    checked = DataQualityOperator(task_id="check", checks=[{"isComplete": {"column": "v"}}], path="{{ dag.dag_id }}/movies", data_frame="movies", alerters=[tell]%s)
    %s
"""


def flow(files, states, arguments="", after="checked >> report()", dag_id="quality"):
    told = files.folder / "told.txt"
    got = states(files.dag(DAG % (str(told), dag_id, arguments, after)))
    return got, [
        json.loads(line) for line in told.read_text().splitlines()
    ] if told.exists() else []


def test_a_bad_verdict_in_a_dag(files, spark_submit, states, make):
    answers(
        spark_submit,
        make,
        make.constraint(status="failed", data_frame="movies"),
        verdict="critical",
    )
    got, told = flow(files, states)
    assert got == {"check": "failed", "report": "upstream_failed"}
    assert told == [["check", "critical", "movies"]]
    assert spark_submit.plans[-1]["settings"]["inputs"]["movies"]["file"]["path"].endswith(
        "/quality/movies"
    )


def test_a_sensor_as_the_gate_in_a_dag(files, spark_submit, states, make):
    answers(
        spark_submit,
        make,
        make.constraint(status="failed", data_frame="movies"),
        verdict="critical",
    )
    gate = 'checked >> DataQualitySensor(task_id="gate", run_task_id="check", alerters=[tell]) >> report()'
    # Airflow 3.1 keeps in memory what a DAG of one name had for tasks: each flow has a name of its own.
    got, told = flow(files, states, ", gate=False", gate, dag_id="quality_sensor")
    assert got == {"check": "success", "gate": "failed", "report": "upstream_failed"}
    assert told == [["gate", "critical", "movies"]]
