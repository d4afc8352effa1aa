"""CPU of many test files: all in one call, a call for each, and Spark's session restarted for each in one process.

The calls for each are measured on a few and counted up. A bar that is missed is exit code 1.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

FILES = 60
SAMPLE = 3
# At most so much of the CPU of a call for each, and of a session for each.
OF_CALLS, OF_SESSIONS = 0.15, 0.3
SQL = "SELECT shop, sum(CAST(amount AS DECIMAL(18, 2))) AS total FROM orders GROUP BY shop"
# The same tests by the same code; only Spark is as it comes, and anew for each.
RESTARTING = """
import sys
from pyspark import SparkContext
from pyspark.sql import SparkSession
from airflow_metorikku.config.metric_tests import read_test
from airflow_metorikku.plan.metric_tests import compile_test
from airflow_metorikku.spark.tester.run_test import run_test
for folder in sys.argv[1:]:
    session = SparkSession.builder.master("local[*]").getOrCreate()
    outcome = run_test(session, compile_test(read_test(folder + "/totals_test.json").test, scratch=folder))
    assert outcome.passed, outcome
    session.stop()
java = SparkContext._gateway
java.shutdown()
java.proc.stdin.close()
java.proc.wait()  # only what was waited for is counted
"""


def make(folder: Path, number: int) -> None:
    """One test: a mock, an aggregation, two expected rows; no two files have the same SQL."""
    folder.mkdir()
    rows = [f"{i},{'ab'[i % 2]},{number}.50" for i in range(10)]
    (folder / "orders.csv").write_text("\n".join(["id,shop,amount", *rows]) + "\n")
    step = {"dataFrameName": "totals", "sql": f"{SQL} HAVING count(*) > {number % 5 - 5}"}
    (folder / "m.json").write_text(json.dumps({"steps": [step]}))
    expected = [{"shop": shop, "total": 5 * (number + 0.5)} for shop in "ab"]
    settings = {
        "metric": "m.json",
        "mocks": [{"name": "orders", "path": "orders.csv"}],
        "keys": {"totals": ["shop"]},
        "tests": {"totals": expected},
    }
    (folder / "totals_test.json").write_text(json.dumps(settings))


def cpu(*command: str) -> float:
    """CPU seconds of a program and all that it started and waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    program = str(Path(sys.executable).with_name("metorikku"))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory() as scratch:
        folders = [Path(scratch, f"t{number:02}") for number in range(FILES)]
        for number, folder in enumerate(folders):
            make(folder, number)
        os.chdir(scratch)
        # The archive of the fast start is there but for the first call of all.
        os.environ["XDG_CACHE_HOME"] = f"{scratch}/cache"
        cpu(program, "test", "-t", str(folders[0]))
        together = cpu(program, "test", "-t", scratch)
        calls = sum(cpu(program, "test", "-t", str(folder)) for folder in folders[:SAMPLE])
        sessions = cpu(sys.executable, "-c", RESTARTING, *map(str, folders))
    each = calls / SAMPLE * FILES
    print(f"{FILES} files in one call           {together:7.1f} s CPU")
    print(
        f"a call for each                 {each:7.1f} s CPU, ratio {together / each:.3f} (bar {OF_CALLS})"
    )
    print(
        f"a session for each              {sessions:7.1f} s CPU, ratio {together / sessions:.3f} (bar {OF_SESSIONS})"
    )
    return int(together / each > OF_CALLS or together / sessions > OF_SESSIONS)


if __name__ == "__main__":
    sys.exit(main())
