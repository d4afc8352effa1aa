"""CPU of control measures, over plain writes and over Atum's pattern, all in one Spark session.

    ./dev/bench/control [ROWS] [ROUNDS]      5,000,000 rows, 5 timed rounds; exit 1 above a limit

`six`: a write with six measures of what is written. `atum`: the same as Atum does it: cache, an action for
each measure, write. `chain`: a job of three steps with a checkpoint of four measures on each, over the
same job without (`steps`). The `_INFO` of the input is there in all of them.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import audit_outputs as bench
from pyspark.sql import SparkSession

LIMITS = {"six/plain": 1.4, "six/atum": 0.7, "chain/steps": 1.5}
GOALS = {"six/plain": 1.25, "six/atum": 0.6, "chain/steps": 1.3}
FOUR = "input: orders, columns: [{amount: aggregatedTotal}, {price: absAggregatedTotal}, {name: hashCrc32}]"
STEPS = """
steps:
- {dataFrameName: kept, sql: "SELECT id, customer, amount, price, name, email, day, side FROM orders WHERE id % 17 <> 3"}
- {dataFrameName: priced, sql: "SELECT id, customer, amount, price * 2 AS price, name, email, day, side FROM kept WHERE day IS NOT NULL"}
output:
- {dataFrameName: priced, outputType: Parquet, outputOptions: {saveMode: Overwrite, path: out}}
"""
CHAIN = """
controlMeasures:
  source: {SOURCE}
  checkpoints: [{name: Loaded, dataFrameName: orders}, {name: Kept, dataFrameName: kept}, {name: Priced, dataFrameName: priced}]
  reconcile: [{checkpoint: Loaded, expect: ignore}, {checkpoint: Kept, expect: ignore}, {checkpoint: Priced, expect: ignore}]
  level: warn
"""


def chain(folder: Path, name: str, data: Path, source: str = "") -> Path:
    place = folder / name
    place.mkdir()
    controls = CHAIN.replace("SOURCE", source) if source else ""
    text = f"metrics: [metric.yaml]\ninputs: {{orders: {{file: {{path: {data}}}}}}}\n{controls}"
    (place / "job.yaml").write_text(text)
    (place / "metric.yaml").write_text(STEPS)
    return place / "job.yaml"


def atum(session: SparkSession, folder: Path, data: Path) -> None:
    """Cache, one action a measure, write."""
    frame = bench.kept(session, data).cache()
    frame.count()
    for measure in ("CAST(id AS DECIMAL(38, 0))", "amount", "abs(price)", "crc32(name)"):
        frame.selectExpr(f"sum({measure})").collect()
    frame.select("customer").distinct().count()
    frame.write.mode("overwrite").parquet(str(folder / "atum"))
    frame.unpersist(blocking=True)


def info_of(session: SparkSession, job: Path) -> str:
    """A source that is measured already, by a run of the job."""
    bench.runs(session, job)()
    return f"infoFile: {job.parent}/out/_INFO"


def main() -> int:
    rows, rounds = bench.asked()
    session = bench.new_session()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = folder / "orders"
        session.sql(bench.ORDERS.format(rows=rows)).repartition(4).write.parquet(str(data))
        six = info_of(session, bench.job(folder, "six0", data, source=bench.MEASURED))
        four = info_of(session, chain(folder, "chain0", data, FOUR))
        cases = {
            "plain": bench.runs(session, bench.job(folder, "plain", data)),
            "six": bench.runs(session, bench.job(folder, "six", data, source=six)),
            "atum": lambda: atum(session, folder, data),
            "steps": bench.runs(session, chain(folder, "steps", data)),
            "chain": bench.runs(session, chain(folder, "chain", data, four)),
        }
        seconds = bench.timed(session, cases, rounds)
    session.stop()
    code: int = bench.judged(rows, seconds, LIMITS, LIMITS)
    print("goals: " + ", ".join(f"{pair} {goal}" for pair, goal in GOALS.items()))
    return code


if __name__ == "__main__":
    sys.exit(main())
