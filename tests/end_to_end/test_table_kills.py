"""Tables with files of their own when the driver is killed with -9 on the way: the next run leaves a whole table."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

START = "import sys; from airflow_metorikku.cli import main; sys.exit(main(sys.argv[1:]))"
PATIENCE = 150
# Two rows a second where it is slow, so that a kill finds the write in its middle.
METRIC = """\
steps:
- {{dataFrameName: t, sql: "SELECT java_method('java.lang.Thread', 'sleep', CAST({pause} AS BIGINT)) AS x, id FROM range(0, {rows}, 1, 2)"}}
output:
- {{dataFrameName: t, outputType: Parquet, outputOptions: {{saveMode: {mode}, tableName: own}}}}
"""
READ = """\
steps:
- {dataFrameName: n, sql: SELECT count(*) AS rows FROM own}
- {dataFrameName: p, sql: SHOW TBLPROPERTIES own}
output:
- {dataFrameName: n, outputType: JSON, outputOptions: {path: n, saveMode: Overwrite}}
- {dataFrameName: p, outputType: JSON, outputOptions: {path: p, saveMode: Overwrite}}
"""


def write_job(folder: Path) -> None:
    job = {
        "metrics": ["m.yaml"],
        "catalog": {"database": "kept"},
        "output": {"file": {"dir": "out"}},
        "sparkConf": {
            "spark.sql.catalogImplementation": "hive",
            "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={folder}/metastore;create=true",
            "spark.hadoop.datanucleus.schema.autoCreateAll": "true",
            "spark.hadoop.hive.metastore.schema.verification": "false",
            "spark.sql.warehouse.dir": f"{folder}/warehouse",
        },
    }
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")


def write_metric(folder: Path, *, mode: str, rows: int, pause: int = 0) -> None:
    (folder / "m.yaml").write_text(METRIC.format(mode=mode, rows=rows, pause=pause))


def start(folder: Path) -> subprocess.Popen[bytes]:
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-c", START, "run", "-c", "job.json", "--run-id", "r", "--master", "local[2]"],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip


def run(folder: Path) -> None:
    assert start(folder).wait(timeout=PATIENCE) == 0, (folder / "log").read_text()


def below(pid: int) -> list[int]:
    table = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True)
    pairs = [tuple(map(int, line.split())) for line in table.stdout.splitlines()]
    found = [pid]
    for parent in found:
        found += [child for child, of in pairs if of == parent]
    return found


def kill_when(folder: Path, is_time: Callable[[], bool]) -> None:
    process = start(folder)
    until = time.monotonic() + PATIENCE
    try:
        while not is_time():
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < until
            time.sleep(0.01)
    finally:
        for number in below(process.pid):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        process.wait(timeout=PATIENCE)


def rows_of(folder: Path, name: str) -> list[dict[str, object]]:
    paths = (folder / "out" / name).glob("part-*")
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


def is_staged(folder: Path) -> bool:
    return any((folder / "warehouse").glob("**/data/**/part-*"))


def is_published(folder: Path) -> bool:
    return "published" in (folder / "log").read_text()


@pytest.mark.parametrize(
    "is_time", [is_staged, is_published], ids=["while staging", "once published"]
)
@pytest.mark.parametrize("mode", ["Overwrite", "Append"])
def test_a_new_table_is_whole_after_the_next_run(
    tmp_path: Path, mode: str, is_time: Callable[[Path], bool]
) -> None:
    write_job(tmp_path)
    slow = is_time is is_staged
    write_metric(tmp_path, mode=mode, rows=200 if slow else 4, pause=100 if slow else 0)
    kill_when(tmp_path, lambda: is_time(tmp_path))
    write_metric(tmp_path, mode=mode, rows=4)
    run(tmp_path)
    (tmp_path / "m.yaml").write_text(READ)
    run(tmp_path)
    assert rows_of(tmp_path, "n") == [{"rows": 4}]
    assert not [row for row in rows_of(tmp_path, "p") if "metorikku" in str(row["key"])]
