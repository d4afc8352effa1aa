"""`metorikku run` that is killed in the middle of a write: the target stays, nothing lives on, the next run cleans up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

COMMAND = (str(Path(sys.executable).with_name("metorikku")), "run", "-c", "job.yaml")
JOB = 'metrics: [m.yaml]\nsparkConf: {spark.sql.shuffle.partitions: "2"}\n'
METRIC = """\
steps:
- {{dataFrameName: t, sql: "{sql}"}}
output:
- {{dataFrameName: t, outputType: CSV, outputOptions: {{path: out, saveMode: overwrite}}}}
"""
QUICK = "SELECT id FROM range(0, {rows}, 1, 1)"
# Ten rows a second, so that the first file is there long before the last.
SLOW = "SELECT java_method('java.lang.Thread', 'sleep', CAST(100 AS BIGINT)), id FROM range(0, 3000, 1, 2)"
BROKE = 3
PATIENCE = 120


def write(folder: Path, sql: str) -> None:
    (folder / "job.yaml").write_text(JOB)
    (folder / "m.yaml").write_text(METRIC.format(sql=sql))


def start(folder: Path, **environment: str) -> subprocess.Popen[bytes]:
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            [*COMMAND, "--master", "local[2]", "--run-id", "r"],
            cwd=folder,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )


def run(folder: Path) -> int:
    return start(folder).wait(timeout=PATIENCE)


def children(pid: int) -> dict[int, str]:
    """Process numbers below a process, with their command lines."""
    table = subprocess.run(
        ["ps", "-ww", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    )
    rows = [line.split(None, 2) for line in table.stdout.splitlines()]
    below: dict[int, str] = {}
    parents = {pid}
    while parents:
        found = {int(row[0]): row[-1] for row in rows if int(row[1]) in parents}
        below |= found
        parents = set(found)
    return below


def kill_child(word: str, without: str = "\0") -> Callable[[int], None]:
    def kill(pid: int) -> None:
        found = [n for n, line in children(pid).items() if word in line and without not in line]
        # A JVM that is about to run a program is there twice for a moment; the first is itself.
        os.kill(min(found), signal.SIGKILL)

    return kill


def terminate(pid: int) -> None:
    os.kill(pid, signal.SIGTERM)


def wait_for_a_file(folder: Path, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while not any(folder.glob(".out.metorikku/*/data/**/part-*")):
        assert process.poll() is None, (folder / "log").read_text()
        assert time.monotonic() < until
        time.sleep(0.1)


def visible(folder: Path) -> set[str]:
    return set(os.listdir(folder)) - {"job.yaml", "m.yaml", "log", "metorikku-results"}


def rows(folder: Path) -> int:
    parts = (folder / "out").glob("part-*.csv")
    return sum(len(part.read_text().splitlines()) - 1 for part in parts)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a job and what its first run published."""
    folder = tmp_path_factory.mktemp("kills")
    write(folder, QUICK.format(rows=5))
    assert run(folder) == 0
    assert rows(folder) == 5
    return folder


@pytest.mark.parametrize(
    "kill",
    [
        pytest.param(kill_child("SparkSubmit"), id="the JVM"),
        pytest.param(kill_child("metorikku_entrypoint.py", "SparkSubmit"), id="the driver's Python"),
        pytest.param(terminate, id="SIGTERM to the command"),
    ],
)  # fmt: skip
def test_a_kill_in_the_middle_of_a_write(published: Path, kill: Callable[[int], None]) -> None:
    before = sorted(os.listdir(published / "out"))
    write(published, SLOW)
    process = start(published)
    try:
        wait_for_a_file(published, process)
        alive = children(process.pid)
        kill(process.pid)
        assert process.wait(timeout=PATIENCE) == BROKE
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
    assert not [pid for pid in alive if Path(f"/proc/{pid}").exists()]
    assert sorted(os.listdir(published / "out")) == before
    assert "Traceback" not in (published / "log").read_text()


def test_the_next_run_cleans_up(published: Path) -> None:
    write(published, QUICK.format(rows=7))
    assert run(published) == 0, (published / "log").read_text()
    assert rows(published) == 7
    assert visible(published) == {"out"}


def test_no_secret_outlives_a_kill_of_everything(tmp_path: Path) -> None:
    """Neither in the folder of the run, which goes only with the command, nor in one of Spark's."""
    write(tmp_path, SLOW)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    job = f"output: {{jdbc: {{connectionUrl: 'jdbc:x://h', password: hunter2}}}}\n{JOB}"
    (tmp_path / "job.yaml").write_text(job)
    process = start(tmp_path, TMPDIR=str(scratch), SPARK_LOCAL_DIRS=str(scratch))
    try:
        wait_for_a_file(tmp_path, process)
        assert list(scratch.glob("metorikku-*/plan.json"))
        alive = [process.pid, *children(process.pid)]
    finally:
        for number in [process.pid, *children(process.pid)]:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
    process.wait(timeout=PATIENCE)
    assert len(alive) > 2
    found = [
        path for path in scratch.rglob("*") if path.is_file() and b"hunter2" in path.read_bytes()
    ]
    assert found == []
