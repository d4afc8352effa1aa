"""Files on remote file systems, here that of fsspec's memory and one that fails."""

from __future__ import annotations

import fsspec
import pytest

from airflow_metorikku.config.check import check_paths
from airflow_metorikku.config.load import read_job
from airflow_metorikku.config.remote import address_of, is_remote, path_of, shown_address
from airflow_metorikku.config.text import LARGEST
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.paths import resolve

METRIC = "steps:\n- {dataFrameName: t, file: sql/t.sql}\n"
FILES = {
    "jobs/job.yaml": (
        "metrics: [m.yaml, more, memory://other/n.yaml]\n"
        "inputs: {movies: {file: {path: in/movies.csv, schemaPath: s.json}}, all: {file: {path: /data/all}}}\n"
        "output: {file: {dir: ../out}}\n"
    ),
    "jobs/m.yaml": METRIC,
    "jobs/sql/t.sql": "SELECT * FROM movies",
    "jobs/more/b.yaml": METRIC.replace("sql/", "../sql/"),
    "jobs/more/a.json": '{"steps": [{"dataFrameName": "u", "sql": "SELECT 1 AS x"}]}',
    "jobs/more/notes.txt": "no metric",
    "other/n.yaml": METRIC.replace("sql/", "memory://jobs/sql/"),
}


@pytest.fixture
def write():
    system = fsspec.filesystem("memory")

    def put(files):
        for name, text in files.items():
            system.pipe(f"memory://{name}", text if isinstance(text, bytes) else text.encode())

    put(FILES)
    yield put
    for folder in ("jobs", "other"):
        system.rm(f"memory://{folder}", recursive=True)


def problems_of(job, **more):
    return [str(problem) for problem in read_job(job, environ={}, **more).problems]


def test_a_job_with_its_metrics_folders_and_sql(write):
    reading = read_job("memory://jobs/job.yaml", environ={})
    assert reading.problems == ()
    assert [metric.file for metric in reading.job.metrics] == [
        "memory://jobs/m.yaml",
        "memory://jobs/more/a.json",
        "memory://jobs/more/b.yaml",
        "memory://other/n.yaml",
    ]
    assert [metric.steps[0].sql for metric in reading.job.metrics] == [
        "SELECT * FROM movies",
        "SELECT 1 AS x",
        "SELECT * FROM movies",
        "SELECT * FROM movies",
    ]
    assert (reading.job.name, reading.job.base) == ("jobs", "memory://jobs")


def test_relative_paths_start_from_the_remote_folder(write):
    (plan,) = compile_job(read_job("memory://jobs/job.yaml", environ={}).job)
    movies = plan.settings.inputs["movies"]
    assert (movies.path, movies.schema_path) == (
        "memory://jobs/in/movies.csv",
        "memory://jobs/s.json",
    )
    assert plan.settings.inputs["all"].path == "/data/all"
    assert plan.settings.output.file.dir == "memory://out"


@pytest.mark.parametrize(
    ("base", "resolved"),
    [("sub/..", "memory://jobs/x"), ("memory://other", "memory://other/x"), ("/data", "/data/x")],
)
def test_a_base_that_is_given(write, base, resolved):
    write({"jobs/job.yaml": "metrics: ['memory://jobs/m.yaml']\n"})
    job = read_job("memory://jobs/job.yaml", environ={}, base=base).job
    assert resolve(job.base, "x") == resolved


def test_spark_reads_by_hadoops_names_without_airflows_connection():
    assert resolve("s3://conn@bucket/jobs", "in/a.csv") == "s3a://bucket/jobs/in/a.csv"
    assert resolve("gs://bucket/jobs", "../in/") == "gs://bucket/in/"


def test_a_local_job_with_a_remote_metric_and_a_prefix(write, tmp_path):
    (tmp_path / "job.yaml").write_text("metrics: ['memory://jobs/m.yaml']\n")
    assert problems_of(tmp_path / "job.yaml") == []
    prefixed = read_job("jobs/job.yaml", environ={"CONFIG_FILES_PATH_PREFIX": "memory://"})
    assert prefixed.job.file == "memory://jobs/job.yaml"


def test_files_and_folders_that_are_checked(write):
    write(
        {
            "jobs/m_test.yaml": "metric: m.yaml\ntests: {t: [{x: 1}]}\nmocks: [{name: movies, path: a.csv}]\n"
        }
    )
    files, problems = check_paths(["memory://jobs/m_test.yaml", "memory://jobs/more"], environ={})
    assert problems == []
    assert {
        "memory://jobs/m_test.yaml",
        "memory://jobs/m.yaml",
        "memory://jobs/more/a.json",
    } <= set(files)


def test_a_file_of_the_local_scheme_is_local(tmp_path):
    (tmp_path / "job.yaml").write_text("metrics: [m.yaml]\n")
    (tmp_path / "m.yaml").write_text("steps:\n- {dataFrameName: t, sql: SELECT 1 AS x}\n")
    for address in (f"file://{tmp_path}/job.yaml", f"file:{tmp_path}/job.yaml"):
        reading = read_job(address, environ={})
        assert (reading.problems, reading.job.base) == ((), str(tmp_path))


def test_what_is_not_there_is_told_at_its_place(write):
    write({"jobs/job.yaml": "metrics:\n- m.yaml\n- gone.yaml\n- none\n"})
    write({"jobs/m.yaml": METRIC.replace("t.sql", "gone.sql")})
    assert problems_of("memory://jobs/gone.yaml") == ["memory://jobs/gone.yaml: no such file"]
    assert problems_of("memory://jobs/job.yaml") == [
        "memory://jobs/job.yaml:3: metrics[1]: memory://jobs/gone.yaml: no such file",
        "memory://jobs/job.yaml:4: metrics[2]: memory://jobs/none: no such file",
        "memory://jobs/m.yaml:2: file: memory://jobs/sql/gone.sql: no such file",
    ]


def test_files_that_cannot_be_read(write):
    write({"jobs/job.yaml": b"metrics: [\xff]", "jobs/m.yaml": b"#" * (LARGEST + 1)})
    assert problems_of("memory://jobs/job.yaml") == [
        "memory://jobs/job.yaml:1: byte 0xff is not UTF-8; save the file as UTF-8"
    ]
    write({"jobs/job.yaml": "metrics: [m.yaml]"})
    assert problems_of("memory://jobs/job.yaml") == [
        f"memory://jobs/m.yaml: got more than {LARGEST} bytes, expected at most so many"
    ]


class Closed:
    def read(self, address, most):
        raise PermissionError(f"403 for {address}\nand much more")

    inside = read


def test_a_store_that_lets_nobody_in_is_told_without_the_password():
    assert problems_of("sftp://me:secret@host/job.yaml", store=Closed()) == [
        "sftp://***@host/job.yaml: cannot be read: 403 for sftp://***@host/job.yaml"
    ]


def test_a_scheme_that_nobody_knows():
    (problem,) = problems_of("nowhere://x/job.yaml")
    assert problem.startswith("nowhere://x/job.yaml: cannot be read: Protocol not known: nowhere")


def test_addresses():
    assert is_remote("s3://b/x")
    assert not is_remote("file:///x")
    assert not is_remote("a/b:c")
    assert path_of("file:///a/b").as_posix() == "/a/b"
    assert address_of(path_of("s3://b/x")) == "s3://b/x"
    assert shown_address("ftp://u:p@h/x") == "ftp://***@h/x"
