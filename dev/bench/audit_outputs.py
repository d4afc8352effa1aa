"""CPU of writes with 16 checks and with 6 control measures, over plain writes, all in one Spark session.

    ./dev/bench/audit [ROWS] [ROUNDS]      5,000,000 rows, 5 timed rounds; exit 1 above a limit

Round-robin after two rounds to warm up; the figure is the median CPU of JVM and Python together.
`cached` is how Metorikku and Deequ do it: cache, one pass of the same checks, write.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.load import read_job
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.jobs import require_sound
from airflow_metorikku.spark.jvm import java_class
from airflow_metorikku.spark.runner import run_plan
from airflow_metorikku.submission import identify

WARM_UP = 2
LIMITS = {"checks/plain": 1.5, "checks/cached": 0.75, "controls/plain": 1.4}
STEP = "SELECT id, customer, amount, price * 2 AS price, name, email, day, side FROM orders WHERE id % 17 <> 3"
ORDERS = """
SELECT id, id % 1000 AS customer, CAST(id * 1.25 % 10000 AS DECIMAL(18, 2)) AS amount,
  CAST(id % 977 AS DOUBLE) / 7 AS price, concat('name ', id % 50000) AS name, concat('u', id, '@example.com') AS email,
  IF(id % 100 = 0, NULL, date_add(DATE'2020-01-01', CAST(id % 700 AS INT))) AS day,
  element_at(array('B', 'S'), CAST(id % 2 + 1 AS INT)) AS side
FROM range({rows})
"""
CHECKS = """
      - isComplete: {column: id}
      - isComplete: {column: customer}
      - isComplete: {column: amount}
      - isComplete: {column: name}
      - isComplete: {column: email}
      - hasCompleteness: {column: day, assertion: ">= 0.9"}
      - hasSize: {assertion: ">= 1"}
      - hasMin: {column: id, assertion: ">= 0"}
      - hasMin: {column: amount, assertion: ">= 0"}
      - hasMax: {column: amount, assertion: "<= 10000"}
      - hasMax: {column: customer, assertion: "< 1000"}
      - hasMean: {column: price, assertion: ">= 0"}
      - hasSum: {column: price, assertion: ">= 0"}
      - isContainedIn: {column: side, allowedValues: [B, S]}
      - satisfies: {predicate: customer < 1000, name: customer is known}
      - satisfies: {predicate: price >= 0, name: price is no debt}
"""
# The same 16 values by hand, for the pattern that caches.
VALUES = [
    *(f"count({column})" for column in ("id", "customer", "amount", "name", "email", "day")),
    "count(*)",
    "min(id)",
    "min(amount)",
    "max(amount)",
    "max(customer)",
    "avg(price)",
    "sum(price)",
    "count_if(side IN ('B', 'S'))",
    "count_if(customer < 1000)",
    "count_if(price >= 0)",
]
# Six measures: of the output only, where an _INFO of the input is there; of both, where it is not.
MEASURED = "input: orders, columns: [id, {amount: aggregatedTotal}, {price: absAggregatedTotal}, {name: hashCrc32}, {customer: distinctCount}]"
CONTROLS = """
controlMeasures:
  source: {SOURCE}
  checkpoints: [{name: Written, dataFrameName: kept}]
  reconcile: [{checkpoint: Written, expect: ignore}]
  level: warn
"""


def job(folder: Path, name: str, data: Path, *, checks: bool = False, source: str = "") -> Path:
    place = folder / name
    place.mkdir()
    dq = f"\n  dq:\n    level: error\n    checks:{CHECKS.rstrip()}" if checks else ""
    text = f"metrics: [metric.yaml]\ninputs: {{orders: {{file: {{path: {data}}}}}}}\n"
    (place / "job.yaml").write_text(text + (CONTROLS.replace("SOURCE", source) if source else ""))
    (place / "metric.yaml").write_text(
        f"steps:\n- dataFrameName: kept\n  sql: {STEP}{dq}\noutput:\n"
        "- {dataFrameName: kept, outputType: Parquet, outputOptions: {saveMode: Overwrite, path: out}}\n"
    )
    return place / "job.yaml"


def runs(session: SparkSession, path: Path) -> Callable[[], None]:
    (compiled,) = compile_job(require_sound(read_job(path), final=True))

    def run() -> None:
        plan, _ = identify(
            compiled,
            results=str(path.parent / "results"),
            dag_id="bench",
            run_id=uuid.uuid4().hex,
            task_id="run",
            attempt=uuid.uuid4().hex,
        )
        result = run_plan(plan, session)
        if result.error or result.verdict != "good":
            sys.exit(f"{path}: {result.verdict}: {result.error}")

    return run


def kept(session: SparkSession, data: Path) -> DataFrame:
    session.read.parquet(str(data)).createOrReplaceTempView("orders")
    return session.sql(STEP)


def cpu(pid: int) -> float:
    """CPU seconds of this process and of Spark's."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return time.process_time() + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def asked() -> tuple[int, int]:
    """Rows and timed rounds, as the command line gives them."""
    given = [int(text) for text in sys.argv[1:3]]
    rows, rounds = (*given, *(5_000_000, 5)[len(given) :])
    return rows, rounds


def new_session() -> SparkSession:
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    session = (
        builder.config("spark.sql.shuffle.partitions", "8")
        .config("spark.driver.memory", "4g")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    return session


def timed(
    session: SparkSession, cases: Mapping[str, Callable[[], object]], rounds: int
) -> dict[str, list[float]]:
    """CPU seconds of each case, round-robin, after the rounds to warm up."""
    pid = java_class(session, "java.lang.ProcessHandle").current().pid()
    seconds: dict[str, list[float]] = {case: [] for case in cases}
    for number in range(WARM_UP + rounds):
        for case, run in cases.items():
            before = cpu(pid)
            run()
            if number >= WARM_UP:
                seconds[case].append(cpu(pid) - before)
    return seconds


def main() -> int:
    rows, rounds = asked()
    session = new_session()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = folder / "orders"
        session.sql(ORDERS.format(rows=rows)).repartition(4).write.parquet(str(data))

        def by_hand() -> None:
            kept(session, data).write.mode("overwrite").parquet(str(folder / "hand"))

        def cached() -> None:
            frame = kept(session, data).cache()
            frame.selectExpr(*VALUES).collect()
            frame.write.mode("overwrite").parquet(str(folder / "cached"))
            frame.unpersist(blocking=True)

        measuring_both = job(folder, "source", data, source=MEASURED)
        source_too = runs(session, measuring_both)
        source_too()
        info = measuring_both.parent / "out" / "_INFO"
        cases = {
            "hand": by_hand,
            "plain": runs(session, job(folder, "plain", data)),
            "checks": runs(session, job(folder, "checks", data, checks=True)),
            "source+controls": source_too,
            "controls": runs(session, job(folder, "controls", data, source=f"infoFile: {info}")),
            "cached": cached,
        }
        seconds = timed(session, cases, rounds)
    session.stop()
    return report(rows, seconds)


def report(rows: int, seconds: dict[str, list[float]]) -> int:
    pairs = (
        "plain/hand",
        "checks/plain",
        "checks/hand",
        "checks/cached",
        "controls/plain",
        "controls/hand",
        "source+controls/plain",
    )
    return judged(rows, seconds, pairs, LIMITS)


def judged(
    rows: int,
    seconds: Mapping[str, list[float]],
    pairs: Iterable[str],
    limits: Mapping[str, float],
) -> int:
    """Print the ratios of the medians; 1 when one is above its limit."""
    median = {case: statistics.median(values) for case, values in seconds.items()}
    ratios = {
        pair: round(median[pair.partition("/")[0]] / median[pair.partition("/")[2]], 2)
        for pair in pairs
    }
    print(
        json.dumps(
            {
                "rows": rows,
                **ratios,
                "cpu_seconds": {case: round(value, 2) for case, value in median.items()},
            }
        )
    )
    over = [
        f"{pair} {ratios[pair]} is above {limit}"
        for pair, limit in limits.items()
        if ratios[pair] > limit
    ]
    print("\n".join(over) or "within the limits")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
