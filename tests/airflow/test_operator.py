"""The operator: what it hands to spark-submit, and that it fails closed."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException

from airflow_metorikku.operators.metorikku import XCOM_KEY, MetorikkuSubmitOperator, RunBrokenError


class Ti:
    """As much of a task instance as the operator asks for."""

    dag_id, run_id, task_id, map_index = "movies", "manual__2026-01-02T00:00:00+00:00", "run", -1

    def __init__(self) -> None:
        self.pushed: dict[str, object] = {}

    def xcom_push(self, key: str, value: object) -> None:
        self.pushed[key] = json.loads(json.dumps(value))


class Run:
    run_after = datetime(2026, 1, 2, tzinfo=UTC)


def context(**given):
    return {"ti": Ti(), "dag_run": Run(), **given}


def operator(files, **arguments):
    dag = files.dag("from airflow.sdk import DAG\ndag = DAG('movies', schedule=None)\n")
    return MetorikkuSubmitOperator(task_id="run", job="job.yaml", dag=dag, **arguments)


def test_the_attempt_is_pushed_before_spark_starts(files, spark_submit, make):
    run = operator(files)
    given = context()
    seen = []
    spark_submit.answer = lambda identity: (
        seen.append(dict(given["ti"].pushed)) or make.result(attempt=identity["attempt"])
    )
    summary = run.execute(given)
    (pushed,) = seen
    assert pushed[XCOM_KEY]["attempt"] == spark_submit.plans[0]["identity"]["attempt"]
    assert pushed[XCOM_KEY]["metrics"] == {"movies": {"t": 2}}
    assert pushed[XCOM_KEY]["result"].startswith(
        f"{os.environ['AIRFLOW_HOME']}/metorikku/results/movies/manual__2026-01-02T00%3A00%3A00%2B00%3A00/run/"
    )
    assert summary == {
        "attempt": pushed[XCOM_KEY]["attempt"],
        "result": pushed[XCOM_KEY]["result"],
        "verdict": "good",
        "application": "local-1",
        "metrics": {"movies": "good"},
    }


def test_each_execution_is_an_attempt_of_its_own(files, spark_submit):
    run = operator(files)
    first, second = run.execute(context()), run.execute(context())
    assert first["attempt"] != second["attempt"]
    assert first["result"] != second["result"]
    # The second command holds nothing of the first, whose scratch folder is gone.
    (files_of_second,) = [
        v
        for k, v in zip(spark_submit.commands[1], spark_submit.commands[1][1:], strict=False)
        if k == "--files"
    ]
    assert files_of_second == spark_submit.commands[1][-1]


def test_a_cluster_run_is_never_taken_for_done(files):
    """Airflow's durable Spark operator finds the old application of a cleared task, and does not run."""
    assert operator(files).durable is False


def test_without_a_connection_spark_runs_here_with_this_interpreter(
    files, spark_submit, capsys, monkeypatch
):
    monkeypatch.delenv("SPARK_HOME", raising=False)
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setattr(
        "airflow_metorikku.submission.shutil.which", lambda *_, **__: "/usr/bin/java"
    )
    operator(files).execute(context())
    command = spark_submit.commands[0]
    assert command[:3] == ["spark-submit", "--master", "local[*]"]
    assert "yarn" not in command
    environment = spark_submit.environments[0]
    assert environment["PYSPARK_PYTHON"] == sys.executable
    assert Path(environment["SPARK_HOME"], "bin", "spark-submit").exists()
    assert environment["PATH"].split(os.pathsep)[0] == str(Path(sys.executable).parent)
    assert (
        "Connection spark_default does not exist: Spark runs with master local[*]"
        in capsys.readouterr().out
    )


def test_a_connection_says_where_spark_runs(files, spark_submit, monkeypatch):
    monkeypatch.setenv(
        "AIRFLOW_CONN_CLUSTER", '{"conn_type": "spark", "host": "spark://cluster:7077"}'
    )
    monkeypatch.setattr(
        "airflow_metorikku.submission.shutil.which", lambda *_, **__: "/usr/bin/java"
    )
    operator(files, conn_id="cluster").execute(context())
    assert spark_submit.commands[0][:3] == ["spark-submit", "--master", "spark://cluster:7077"]


def test_the_operators_arguments_win_over_the_jobs_and_lists_add_up(files, spark_submit):
    files.write(
        "job.yaml",
        files.JOB
        + """\
sparkConf: {spark.a: job, spark.b: job}
packages: [g:a:1]
driverMemory: 1g
executorMemory: 2g
appName: of the job
""",
    )
    operator(files, conf={"spark.a": "task"}, packages="g:b:2", driver_memory="3g").execute(
        context()
    )
    command = " ".join(spark_submit.commands[0])
    assert "--conf spark.a=task" in command
    assert "--conf spark.b=job" in command
    assert "--packages g:a:1,g:b:2" in command
    assert "--driver-memory 3g" in command
    assert "--executor-memory 2g" in command
    assert "--name of the job" in command


def test_variables_and_texts_of_the_run_are_compiled_in(files, spark_submit):
    files.write(
        "movies.yaml",
        files.METRIC.replace(
            "AS v FROM range(10)", "AS v, ${country}, '${ds}', '${run_after}' FROM range(10)"
        ),
    )
    given = context(ds="2026-01-01", logical_date=datetime(2026, 1, 1, tzinfo=UTC))
    operator(files, variables={"country": "ZA"}).execute(given)
    (plan,) = spark_submit.plans
    assert plan["settings"]["variables"] == {"country": "ZA"}
    sql = plan["metrics"][0]["steps"][0]["sql"]
    assert "'2026-01-01'" in sql
    assert "'2026-01-02T00:00:00+00:00'" in sql


def test_a_run_without_logical_date_has_no_ds_and_says_what_there_is(files, spark_submit, make):
    files.write("movies.yaml", files.METRIC.replace("AS v", "AS v, '${ds}'"))
    with pytest.raises(AirflowFailException, match="run_after"):
        operator(files).execute(context())
    assert spark_submit.plans == []


@pytest.mark.parametrize(
    "answer",
    [
        lambda make, identity: None,
        lambda make, identity: "",
        lambda make, identity: make.result(attempt=identity["attempt"]).to_json()[:-20],
        lambda make, identity: make.result(attempt="another"),
    ],
)
def test_no_whole_result_of_this_attempt_is_a_failure_though_spark_submit_ended_well(
    files, spark_submit, make, answer
):
    spark_submit.answer = lambda identity: answer(make, identity)
    with pytest.raises(RunBrokenError):
        operator(files).execute(context())


def test_the_runs_own_sentence_is_the_tasks(files, spark_submit, make):
    spark_submit.answer = lambda identity: make.result(
        attempt=identity["attempt"], error="step t: no such table"
    )
    spark_submit.exit_error = "Cannot execute: ... Error code is: 3."
    with pytest.raises(RunBrokenError, match=r"^step t: no such table$"):
        operator(files).execute(context())


def test_spark_submits_error_stands_where_no_result_tells_more(files, spark_submit):
    spark_submit.answer = lambda _: None
    spark_submit.exit_error = "Cannot execute: ... Error code is: 137."
    with pytest.raises(AirflowException, match="Error code is: 137") as raised:
        operator(files).execute(context())
    assert not isinstance(raised.value, AirflowFailException)


def test_a_good_result_of_a_driver_that_was_killed_afterwards_is_no_success(files, spark_submit):
    spark_submit.exit_error = "Cannot execute: ... Error code is: 137."
    with pytest.raises(AirflowException, match="137"):
        operator(files).execute(context())


def test_a_bad_verdict_is_no_failure_of_the_run(files, spark_submit, make):
    spark_submit.answer = lambda identity: make.result(
        attempt=identity["attempt"], verdict="critical"
    )
    assert operator(files).execute(context())["verdict"] == "critical"


def test_mistakes_in_the_files_are_not_retried(files, spark_submit):
    run = operator(files)
    files.write("job.yaml", "metrics: [none.yaml]\n")
    with pytest.raises(AirflowFailException, match=r"none\.yaml"):
        run.execute(context())
    assert spark_submit.plans == []


def test_a_run_of_some_metrics_has_only_those(files, spark_submit):
    files.write("job.yaml", "metrics: [movies.yaml, other.yaml]\n")
    files.write(
        "other.yaml",
        files.METRIC.replace("dataFrameName: t", "dataFrameName: u").replace(
            "path: out", "path: out2"
        ),
    )
    operator(files, metrics=["other"]).execute(context())
    assert [metric["name"] for metric in spark_submit.plans[0]["metrics"]] == ["other"]


def test_the_operator_sets_the_application_itself(files):
    with pytest.raises(ValueError, match="application"):
        operator(files, application="/app.py")


def test_a_good_run_passes_its_gate(files, spark_submit, states):
    assert states(files.dag()) == {"run": "success", "movies.data_quality": "success"}
