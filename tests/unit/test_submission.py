"""What a spark-submit is given."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from made_jobs import make_job, metric

from airflow_metorikku import submission
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.addresses import hadoop_uri
from airflow_metorikku.plan.compile import compile_job


@pytest.mark.parametrize(
    ("address", "uri"),
    [
        ("/a/b c", "file:/a/b c"),
        ("file:///a/b", "file:/a/b"),
        ("s3://conn@bucket/x", "s3a://bucket/x"),
        ("s3://bucket/x@y", "s3a://bucket/x@y"),
        ("gs://conn@bucket/x", "gs://bucket/x"),
        ("hdfs://host:8020/x", "hdfs://host:8020/x"),
    ],
)
def test_hadoop_uri(address: str, uri: str) -> None:
    assert hadoop_uri(address) == uri


def test_a_relative_address_starts_from_the_working_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert hadoop_uri("results") == f"file:{tmp_path}/results"


def test_results_of_odd_run_ids_are_one_folder_each() -> None:
    (plan,) = compile_job(make_job(metric("one", {"t": "SELECT 1"})))
    names = {
        "dag_id": "d",
        "run_id": "manual__2024-01-01T00:00:00+00:00/../x",
        "task_id": "..",
        "attempt": "a",
    }
    _, address = submission.identify(plan, results="/r", **names)
    assert address == "/r/d/manual__2024-01-01T00%3A00%3A00%2B00%3A00%2F..%2Fx/%2E%2E/a/result.json"


def test_plan_file_is_the_owners_and_complete(tmp_path: Path) -> None:
    (plan,) = compile_job(make_job(metric("one", {"t": "SELECT 1"})))
    path = submission.write_plan(plan, tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert json.loads(path.read_text())["job"] == "job"


def test_archive_is_pure_python_equal_and_enough_for_spark(tmp_path: Path) -> None:
    first = submission.write_archive(tmp_path)
    content = first.read_bytes()
    assert submission.write_archive(tmp_path).read_bytes() == content
    names = zipfile.ZipFile(first).namelist()
    assert all(name.endswith(".py") for name in names)
    assert not [
        name for name in names if name.split("/")[1] in ("cli", "operators", "sensors", "dag.py")
    ]
    # In an interpreter without site-packages: standard library only.
    code = "import airflow_metorikku.spark.result_file, airflow_metorikku.plan.records, airflow_metorikku.plan.constraints, airflow_metorikku.results.records"
    subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(first)!r}); {code}"],
        check=True,
    )


def test_options_come_from_the_job(tmp_path: Path) -> None:
    settings = JobFile(
        metrics=("m.yaml",),
        packages=("a:b:1", "c:d:2"),
        spark_conf={"spark.x": "1"},
        driver_memory="2g",
        py_files=("/lib.zip",),
        executor_cores=2,
    )
    options = submission.SubmitOptions.of(
        settings, files=[tmp_path / "plan.json"], archive=tmp_path / "a.zip"
    )
    assert options.packages == "a:b:1,c:d:2"
    assert options.conf == {"spark.x": "1"}
    assert options.py_files == f"{tmp_path}/a.zip,/lib.zip"
    assert (options.driver_memory, options.executor_cores, options.jars) == ("2g", 2, None)


def test_spark_is_that_of_this_interpreter_unless_chosen() -> None:
    found = submission.spark_environment({"PATH": "/usr/bin:/bin", "JAVA_HOME": "/java"})
    assert (Path(found["SPARK_HOME"]) / "bin" / "spark-submit").exists()
    assert found["PYSPARK_PYTHON"] == sys.executable
    assert (
        submission.spark_environment({"SPARK_HOME": "/opt/spark", "JAVA_HOME": "/java"})[
            "SPARK_HOME"
        ]
        == "/opt/spark"
    )


def test_no_java_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(RunError, match="no Java here: Spark needs Java 17 or newer"):
        submission.spark_environment({"PATH": "/nowhere"})


@pytest.mark.parametrize(
    ("master", "local"),
    [("local", True), ("local[*]", True), ("spark://h:7077", False), ("yarn", False)],
)
def test_is_local(master: str, *, local: bool) -> None:
    assert submission.is_local(master) is local
