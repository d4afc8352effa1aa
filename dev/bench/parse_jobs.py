"""CPU of parsing one DAG file with N jobs, over that of the same Spark tasks and sensors written by hand.

    ./dev/bench/parse [JOBS] [ROUNDS]      1000 jobs, 3 rounds; exit 1 above the limit

Each parse is in a fresh process (cold: first parse; warm: the second in the same process), the two files in turn.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

LIMIT = 4.0
HEAVY = ("pyspark", "py4j", "pandas", "numpy")


JOB = """\
metrics: [metric{i}.yaml]
inputs: {{orders: {{file: {{path: data/orders.csv}}}}}}
variables: {{country: ZA}}
output: {{file: {{dir: out/{i}}}}}
"""
METRIC = """\
steps:
- dataFrameName: clean{i}
  sql: SELECT id, shop, amount FROM orders WHERE country = ${{country}} AND id > {i}
- dataFrameName: totals{i}
  sql: SELECT shop, sum(amount) AS total FROM clean{i} GROUP BY shop
  dq:
    level: error
    checks:
    - isUnique: {{column: shop}}
    - hasMin: {{column: total, assertion: ">= 0"}}
output:
- {{dataFrameName: totals{i}, outputType: Parquet, outputOptions: {{saveMode: Overwrite, path: totals}}}}
"""
OURS = """\
import datetime
from airflow.sdk import DAG
from airflow_metorikku import MetorikkuTaskGroup
with DAG("ours", schedule=None, start_date=datetime.datetime(2026, 1, 1)):
    for i in range({n}):
        MetorikkuTaskGroup(group_id=f"job{{i}}", job=f"jobs/job{{i}}.yaml")
"""
HAND = """\
import datetime
from airflow.sdk import DAG, TaskGroup
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.providers.standard.sensors.filesystem import FileSensor
with DAG("hand", schedule=None, start_date=datetime.datetime(2026, 1, 1)):
    for i in range({n}):
        with TaskGroup(f"job{{i}}"):
            run = SparkSubmitOperator(task_id="run", application="/app.py", application_args=[f"job{{i}}.yaml"])
            run >> FileSensor(task_id="data_quality", filepath="/result.json")
"""
PARSE = """\
import json, sys, time
import airflow.sdk
from airflow.dag_processing.dagbag import DagBag
def parse():
    start = time.process_time()
    bag = DagBag(sys.argv[1], safe_mode=False)
    assert not bag.import_errors, bag.import_errors
    return time.process_time() - start, sum(len(dag.tasks) for dag in bag.dags.values())
(cold, tasks), (warm, _) = parse(), parse()
print(json.dumps([cold, warm, tasks, [name for name in sys.argv[2:] if name in sys.modules]]))
"""


def make(folder: Path, jobs: int) -> None:
    (folder / "jobs").mkdir()
    for i in range(jobs):
        (folder / f"jobs/job{i}.yaml").write_text(JOB.format(i=i))
        (folder / f"jobs/metric{i}.yaml").write_text(METRIC.format(i=i))
    (folder / "ours.py").write_text(OURS.format(n=jobs))
    (folder / "hand.py").write_text(HAND.format(n=jobs))


def measure(folder: Path, name: str) -> list[Any]:
    environment = os.environ | {
        "AIRFLOW_HOME": str(folder / "home"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
    }
    command = [sys.executable, "-c", PARSE, str(folder / f"{name}.py"), *HEAVY]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr}")
    measured: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return measured


def main() -> int:
    given = [int(text) for text in sys.argv[1:3]]
    jobs, rounds = (*given, *(1000, 3)[len(given) :])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, jobs)
        got: dict[str, list[Any]] = {"hand": [], "ours": []}
        for _ in range(rounds):
            for which, values in got.items():
                values.append(measure(folder, which))
    cold, warm = (
        {k: statistics.median(v[i] for v in values) for k, values in got.items()} for i in (0, 1)
    )
    ratio = cold["ours"] / cold["hand"]
    heavy = got["ours"][0][3]
    print(
        json.dumps(
            {
                "jobs": jobs,
                "cold_ratio": round(ratio, 2),
                "warm_ratio": round(warm["ours"] / warm["hand"], 2),
                "cold_cpu_seconds": {k: round(v, 2) for k, v in cold.items()},
                "tasks": [v[0][2] for v in got.values()],
                "heavy": heavy,
            }
        )
    )
    return int(ratio > LIMIT or bool(heavy))


if __name__ == "__main__":
    sys.exit(main())
