"""Jobs as task groups and DAGs: what Airflow gets to see of them."""

from __future__ import annotations

import json
import os
from datetime import timedelta

import pytest

TWO = "metrics: [movies.yaml, other.yaml]\n"


@pytest.fixture
def two(files):
    """A job of two metrics that share nothing; the second has no checks."""
    files.write("job.yaml", TWO)
    files.write("other.yaml", "steps:\n  - {dataFrameName: u, sql: SELECT 1 AS x}\n")
    return files


def edges(dag):
    return {task.task_id: sorted(task.upstream_task_ids) for task in dag.tasks}


def serialized(dag):
    from airflow_names import DagSerialization

    whole = DagSerialization.to_dict(dag)["dag"]
    # Airflow's own, which it leaves out of a version's hash.
    return json.dumps(
        {key: whole[key] for key in whole if key not in ("fileloc", "_processor_dags_folder")},
        sort_keys=True,
        default=str,
    )


GROUP = """\
from airflow.sdk import DAG, task
from airflow_metorikku import MetorikkuTaskGroup
with DAG("dag", schedule=None):
    @task
    def send_report(): ...
    movies = MetorikkuTaskGroup(group_id="movies", job="job.yaml"{})
    movies >> send_report()
"""


def test_a_group_is_a_run_and_its_gates_and_what_follows_waits_for_the_gates(two):
    assert edges(two.dag(GROUP.format(""))) == {
        "movies.run": [],
        "movies.movies.data_quality": ["movies.run"],
        "send_report": ["movies.movies.data_quality"],
    }


def test_a_group_without_gates_ends_with_its_run(files):
    files.write("movies.yaml", "steps:\n  - {dataFrameName: u, sql: SELECT 1 AS x}\n")
    assert edges(files.dag(GROUP.format(""))) == {"movies.run": [], "send_report": ["movies.run"]}


def test_split_metrics_have_runs_of_their_own(two):
    assert edges(two.dag(GROUP.format(', split="metric"'))) == {
        "movies.run_movies": [],
        "movies.run_other": [],
        "movies.movies.data_quality": ["movies.run_movies"],
        "send_report": ["movies.movies.data_quality", "movies.run_other"],
    }


def test_a_metric_that_takes_part_in_control_measures_has_a_gate_for_them(files):
    files.write(
        "job.yaml",
        files.JOB
        + """\
inputs: {src: {file: {path: in.csv}}}
controlMeasures:
  source: {input: src, columns: [v]}
  checkpoints: [{name: Enriched, dataFrameName: t}]
""",
    )
    assert edges(files.dag()) == {
        "run": [],
        "movies.data_quality": ["run"],
        "movies.control_measures": ["run"],
    }


def test_names_that_airflow_does_not_take_are_changed_and_stay_apart(files):
    files.write("job.yaml", "metrics: ['top movies.yaml', 'top?movies.yaml']\n")
    files.write("top movies.yaml", files.METRIC)
    files.write(
        "top?movies.yaml",
        files.METRIC.replace("dataFrameName: t", "dataFrameName: u").replace(
            "path: out", "path: o2"
        ),
    )
    ids = sorted(task.task_id for task in files.dag().tasks)
    assert ids[0] == "run"
    assert len(ids) == 3
    assert "top_movies.data_quality" in ids


def test_arguments_reach_their_tasks(files):
    dag = files.dag("""\
from airflow_metorikku import MetorikkuDag
dag = MetorikkuDag("job.yaml", dag_id="movies", schedule=None, tags=["etl"], spark={"conn_id": "c", "conf": {"a": "b"}, "retries": 3},
    gate={"mode": "reschedule", "poke_interval": 5}, thresholds={"v_complete": ">= 0.9"}, results="/data/results", variables={"d": "{{ ds }}"})
""")
    run, gate = dag.get_task("run"), dag.get_task("movies.data_quality")
    assert (run._conn_id, run.conf, run.retries, run.results, run.variables) == (
        "c",
        {"a": "b"},
        3,
        "/data/results",
        {"d": "{{ ds }}"},
    )
    assert (gate.mode, gate.poke_interval, gate.thresholds) == (
        "reschedule",
        5,
        {"v_complete": ">= 0.9"},
    )
    assert dag.tags == {"etl"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ('gates="watch"', "'watch' comes with a later version"),
        ('gates="before"', "expected 'after'"),
        ('split="step"', "expected 'job' or 'metric'"),
        ('thresholds={"v_compleet": ">= 1"}', "did you mean 'v_complete'"),
        (
            'thresholds={"v_complete": "big", "x": "{{ params.x }}"}',
            "thresholds: v_complete: got 'big'",
        ),
        ('thresholds={"v_complete": "big"}', "thresholds: v_complete: got 'big'"),
        ('thresholds=["v_complete"]', "thresholds: got ['v_complete'], expected a mapping"),
        ('variables="day=1"', "variables: got 'day=1', expected a mapping"),
        ('spark={"application": "/app.py"}', "application: is set by"),
    ],
)
def test_wrong_arguments_are_told_in_words(files, arguments, says):
    from airflow_names import DagBag

    files.write(
        "dag.py",
        f"from airflow_metorikku import MetorikkuDag\nMetorikkuDag('job.yaml', schedule=None, {arguments})\n",
    )
    (error,) = DagBag(files.folder, safe_mode=False).import_errors.values()
    assert says in error


def test_the_job_stays_relative_and_the_version_follows_the_files(files, tmp_path):
    import shutil

    from airflow_names import DagBag

    before = serialized(files.dag())
    assert '"job.yaml"' in before
    assert str(files.folder) not in before
    copy = shutil.copytree(files.folder, tmp_path / "bundle")
    (elsewhere,) = DagBag(copy / "dag.py", safe_mode=False, bundle_path=copy).dags.values()
    assert elsewhere.get_task("run").job_hash == files.dag().get_task("run").job_hash
    assert serialized(files.dag()) == before
    files.write("movies.yaml", files.METRIC.replace("range(10)", "range(11)"))
    assert files.dag().get_task("run").job_hash != elsewhere.get_task("run").job_hash


def test_no_secret_of_an_alerter_is_in_the_serialised_dag(files):
    files.write(
        "job.yaml",
        files.JOB
        + """\
alerters:
  - slack: {token: T0/B0/verysecret}
  - email: {host: mail, auth: true, user: me, pass: verysecret2, to: [a@x.org]}
""",
    )
    dag = files.dag()
    gate, run = dag.get_task("movies.data_quality"), dag.get_task("run")
    assert [
        len(each)
        for each in (gate.on_failure_callback, gate.on_success_callback, run.on_failure_callback)
    ] == [2, 2, 2]
    assert "verysecret" not in serialized(dag)
    assert "verysecret" not in repr([gate, run, vars(gate)])


LOAD = "from airflow_metorikku import load_dags\nload_dags('jobs', schedule=None)\n"


@pytest.fixture
def jobs(files):
    """A folder with two good jobs, their metric, and a broken one."""
    for name in ("a.yaml", "b.yml"):
        files.write(f"jobs/{name}", files.JOB)
    files.write("jobs/movies.yaml", files.METRIC)
    files.write("jobs/movies_test.yaml", "metric: movies.yaml\ntests: {t: [{v: 1}]}\n")
    files.write("jobs/broken.yaml", "metrics: [movies.yaml]\ninpust: {}\n")
    files.write("dag.py", LOAD)
    return files


def test_each_job_file_is_a_dag_and_a_broken_one_costs_no_other(jobs):
    from airflow_names import DagBag

    bag = DagBag(jobs.folder, safe_mode=False, bundle_path=jobs.folder)
    assert sorted(bag.dags) == ["a", "b"]
    ((name, error),) = bag.import_errors.items()
    assert name == "jobs/broken.yaml"
    assert "broken.yaml:2: inpust" in error
    assert "Traceback" not in error


def test_pipes_and_large_data_beside_the_jobs_are_not_read(jobs):
    from airflow_names import DagBag

    jobs.write("jobs/data/large.json", '{"metrics": "' + "x" * 2_000_000 + '"}')
    os.mkfifo(jobs.folder / "jobs/pipe.yaml")
    os.mkfifo(jobs.folder / "jobs/data/pipe.yaml")
    bag = DagBag(jobs.folder, safe_mode=False, bundle_path=jobs.folder)
    assert sorted(bag.dags) == ["a", "b"]
    assert sorted(bag.import_errors) == ["jobs/broken.yaml", "jobs/pipe.yaml"]
    assert "is no regular file" in bag.import_errors["jobs/pipe.yaml"]


def test_the_database_keeps_the_broken_file_as_an_import_error_of_its_own(jobs, airflow_database):
    from airflow.dag_processing.bundles.manager import DagBundlesManager
    from airflow.models import DagModel
    from airflow.models.errors import ParseImportError
    from airflow.utils.session import create_session
    from airflow_names import DagBag, sync_bag_to_db
    from sqlalchemy import select

    DagBundlesManager().sync_bundles_to_db()
    bag = DagBag(jobs.folder, safe_mode=False, bundle_path=jobs.folder)
    sync_bag_to_db(bag, "dags-folder", None)
    with create_session() as session:
        assert session.scalars(select(ParseImportError.filename)).all() == ["jobs/broken.yaml"]
        dags = session.scalars(select(DagModel).where(DagModel.dag_id.in_(["a", "b"]))).all()
        assert [(dag.has_import_errors, dag.is_stale) for dag in dags] == [(False, False)] * 2


def test_a_worker_builds_only_the_dag_that_it_runs(jobs, monkeypatch):
    monkeypatch.setenv("_AIRFLOW_PARSING_CONTEXT_DAG_ID", "b")
    assert [dag.dag_id for dag in jobs.dags(LOAD)] == ["b"]


def test_two_files_of_one_name_are_not_one_dag(jobs):
    from airflow_names import DagBag

    jobs.write("jobs/a.json", json.dumps({"metrics": ["movies.yaml"]}))
    bag = DagBag(jobs.folder, safe_mode=False, bundle_path=jobs.folder)
    assert sorted(bag.dags) == ["a", "b"]
    assert "give one file another name" in bag.import_errors["jobs/a.yaml"]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("load_dags('nowhere')", "no such folder"),
        ("load_dags('jobs', dag_id='x')", "dag_id: each job file has its own name"),
    ],
)
def test_load_dags_tells_wrong_arguments(jobs, call, says):
    from airflow_names import DagBag

    jobs.write("dag.py", f"from airflow_metorikku import load_dags\n{call}\n")
    assert (
        says
        in DagBag(jobs.folder, safe_mode=False, bundle_path=jobs.folder).import_errors["dag.py"]
    )


def test_a_dag_of_a_job_hides_nothing_of_the_dag_files_own(files):
    files.write("jobs/json.yaml", files.JOB)
    files.write("jobs/movies.yaml", files.METRIC)
    (dag,) = files.dags("import json\n" + LOAD + "json.dumps({})\n")
    assert dag.dag_id == "json"


def test_a_job_file_called_job_gives_the_dag_its_folders_name(files):
    files.write("trades/job.yaml", files.JOB)
    files.write("trades/movies.yaml", files.METRIC)
    names = (
        "import airflow_metorikku as m\none = m.MetorikkuDag('trades/job.yaml', schedule=None)\n"
    )
    assert files.dag(names).dag_id == "trades"
    assert files.dag(LOAD.replace("jobs", "trades")).dag_id == "trades"


def test_an_import_error_tells_the_problems_of_the_files_and_those_between_them(files):
    from airflow_names import DagBag

    files.write("jobs/j.yaml", "metrics: [m.yaml]\nexplain: 7\n")
    files.write("jobs/m.yaml", "steps:\n- {dataFrameName: a, sql: SELECT * FROM nobody}\n")
    files.write("dag.py", LOAD)
    bag = DagBag(files.folder, safe_mode=False, bundle_path=files.folder)
    told = bag.import_errors["jobs/j.yaml"].splitlines()
    assert [line.split(": ")[1] for line in told] == ["explain", "sql"]


def test_job_files_in_folders_below_are_found_and_what_lies_beside_them_is_not(files):
    files.write("jobs/one/job.yaml", files.JOB)
    files.write("jobs/one/movies.yaml", files.METRIC)
    files.write("jobs/one/data/settings.yaml", "colour: red\n")
    files.write("jobs/two.yaml", files.JOB)
    files.write("jobs/movies.yaml", files.METRIC)
    files.write("jobs/.hidden/three.yaml", files.JOB)
    assert sorted(dag.dag_id for dag in files.dags(LOAD)) == ["one", "two"]


@pytest.mark.parametrize(
    ("arguments", "schedule"), [("", timedelta(minutes=20)), (", schedule=None", None)]
)
def test_a_periodic_job_is_the_schedule_of_its_dag_unless_that_has_one(files, arguments, schedule):
    files.write("job.yaml", "metrics: [movies.yaml]\nperiodic: {triggerDuration: 20 minutes}\n")
    dag = files.dag(
        "from airflow_metorikku import MetorikkuDag\n"
        f"dag = MetorikkuDag('job.yaml', dag_id='dag'{arguments})\n"
    )
    assert dag.schedule == schedule


def test_a_period_that_only_a_run_knows_is_no_schedule(files):
    from airflow_names import DagBag

    files.write("job.yaml", "metrics: [movies.yaml]\nperiodic: {triggerDuration: '${every}'}\n")
    files.write("dag.py", "from airflow_metorikku import MetorikkuDag\nMetorikkuDag('job.yaml')\n")
    (error,) = DagBag(files.folder, safe_mode=False).import_errors.values()
    assert "periodic: triggerDuration: got '${every}'" in error
    assert "or give the DAG a schedule" in error


def test_a_job_on_a_remote_file_system(files):
    import fsspec
    from airflow.sdk.io import attach

    system = fsspec.filesystem("memory")
    attach(protocol="memory", fs=system)
    system.pipe("memory://remote_of_test_dag/job.yaml", b"metrics: [m.yaml]\n")
    sql = b"steps:\n- {dataFrameName: t, sql: SELECT 1 AS x, dq: {checks: [isComplete: {column: x}]}}\n"
    system.pipe("memory://remote_of_test_dag/m.yaml", sql)
    made = (
        "from airflow_metorikku import MetorikkuDag\n"
        "dag = MetorikkuDag('memory://remote_of_test_dag/job.yaml', dag_id='dag', schedule=None)\n"
    )
    first = files.dag(made)
    assert edges(first) == {"run": [], "m.data_quality": ["run"]}
    run = first.get_task("run")
    assert run.job == "memory://remote_of_test_dag/job.yaml"
    assert run.job_name == "remote_of_test_dag"
    system.pipe("memory://remote_of_test_dag/m.yaml", sql.replace(b"SELECT 1", b"SELECT 2"))
    assert files.dag(made).get_task("run").job_hash != run.job_hash
