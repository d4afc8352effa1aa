"""CPU of data quality checks, as ratios in one Spark session; exit 1 above a limit.

    ./dev/bench/quality [ROWS] [ROUNDS] [--peer deequ]      5,000,000 rows, 5 timed rounds

`floor`: every column counted. `scan`: 16 checks that one scan answers. `suite`: 21 checks, a regular expression,
an approximate count and three sets of keys among them; `each`: the same, one audit a check; `plan`: the same values
in Deequ's plan, one aggregation of all that a scan can tell and a group-by for each set of keys. `id`, `code`: unique
whole numbers and texts, over `id by group`, `code by group`. `90`, `200`: so many predicates. `wide 250`, `wide 500`:
so many columns with four checks each.

With `--peer deequ` the environment's DEEQU_PEER is a program that runs Deequ's 16 checks on the same files in a Spark of
its own; it is called with DATA OUT.json RUNS and writes `{"deequ_16_checks": {"cpu_seconds": [...]}}`.
"""

from __future__ import annotations

import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import audit_outputs as bench
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.load import read_job
from airflow_metorikku.plan.constraints import Constraint, constraints
from airflow_metorikku.plan.jobs import require_sound
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.footers import Footers

LIMITS = {
    "scan/floor": 1.3,
    "suite/floor": 5.5,
    "suite/each": 0.75,
    "suite/plan": 0.9,
    "id/id by group": 0.6,
    "code/code by group": 0.85,
    "200/90": 1.4 * 200 / 90,
    "wide 500/wide 250": 2.4,
}
FOOTERS = 0.05
"""Of a scan's wall time."""
PEER = 0.75
# Deterministic; ten columns, of which Deequ's suite reads the first eight.
ORDERS = """
SELECT id, CAST(abs(xxhash64(id, 1)) % 200000 AS INT) AS customer,
  element_at(array('ZA', 'GB', 'US', 'DE', 'FR', 'KE', 'NG', 'BR'), CAST(abs(xxhash64(id, 2)) % 8 + 1 AS INT)) AS country,
  IF(abs(xxhash64(id, 3)) % 50 = 0, NULL, concat('ISIN', lpad(CAST(abs(xxhash64(id, 4)) % 1000000000 AS STRING), 9, '0'))) AS isin,
  IF(abs(xxhash64(id, 5)) % 20 = 0, 'not an address', concat('u', CAST(abs(xxhash64(id, 6)) % 1000000 AS STRING), '@example.org')) AS email,
  round(abs(xxhash64(id, 7)) % 1000000 / 100.0D, 2) AS price,
  IF(abs(xxhash64(id, 8)) % 10 = 0, NULL, CAST(abs(xxhash64(id, 9)) % 1000 - 5 AS INT)) AS quantity,
  timestamp_seconds(1700000000 + abs(xxhash64(id, 10)) % 31536000) AS ts,
  concat('order-', hex(id * 2654435761)) AS code, CAST(abs(xxhash64(id, 11)) % 100 AS DECIMAL(9, 2)) AS discount
FROM range(0, {rows}, 1, 8)
"""
COUNTRIES = "[ZA, GB, US, DE, FR, KE, NG, BR]"
SCAN = f"""
- hasSize: {{assertion: ">= 1"}}
- isComplete: {{column: id}}
- isComplete: {{column: customer}}
- isComplete: {{column: country}}
- isComplete: {{column: ts}}
- isComplete: {{column: code}}
- isComplete: {{column: discount}}
- hasCompleteness: {{column: isin, assertion: ">= 0.95"}}
- hasCompleteness: {{column: quantity, assertion: ">= 0.85"}}
- hasMin: {{column: price, assertion: ">= 0"}}
- hasMax: {{column: price, assertion: "< 10000"}}
- hasMean: {{column: price, between: [4000, 6000]}}
- hasSum: {{column: discount, assertion: ">= 0"}}
- hasCompleteness: {{column: email, assertion: ">= 0.9"}}
- satisfies: {{predicate: "price * coalesce(quantity, 0) < 1e7", name: amount, assertion: ">= 0.99"}}
- isContainedIn: {{column: country, allowedValues: {COUNTRIES}}}
"""
REGEX = '- hasPattern: {column: isin, pattern: "^ISIN[0-9]{9}$", assertion: ">= 0.95"}\n'
APPROXIMATE = '- hasApproxCountDistinct: {column: customer, assertion: ">= 1"}\n'
ID = "- isUnique: {column: id}\n"
CODE = "- isUnique: {column: code}\n"
PAIR = '- hasUniqueness: {columns: [customer, ts], assertion: ">= 0.5"}\n'
SUITE = SCAN + REGEX + APPROXIMATE + ID + CODE + PAIR
# What real Deequ is asked: 14 checks of a scan and two of keys.
DEEQU = f"""
- hasSize: {{assertion: ">= 1"}}
- isComplete: {{column: id}}
- isComplete: {{column: customer}}
- isComplete: {{column: country}}
- hasCompleteness: {{column: isin, assertion: ">= 0.95"}}
- hasCompleteness: {{column: quantity, assertion: ">= 0.85"}}
- isComplete: {{column: ts}}
- hasMin: {{column: price, assertion: ">= 0"}}
- hasMax: {{column: price, assertion: "< 10000"}}
- hasMean: {{column: price, between: [4000, 6000]}}
{REGEX}- containsEmail: {{column: email, assertion: ">= 0.9"}}
- satisfies: {{predicate: "price * coalesce(quantity, 0) < 1e7", name: amount, assertion: ">= 0.99"}}
- isContainedIn: {{column: country, allowedValues: {COUNTRIES}}}
{ID}{PAIR}"""
# The values of the suite that one aggregation can tell, by hand.
VALUES = [
    "count(*)",
    *(f"count({name})" for name in ("id", "customer", "country", "ts", "code", "discount", "isin")),
    *("count(quantity)", "min(price)", "max(price)", "avg(price)", "sum(discount)", "count(email)"),
    "count_if(price * coalesce(quantity, 0) < 1e7)",
    "count_if(country IN ('ZA', 'GB', 'US', 'DE', 'FR', 'KE', 'NG', 'BR'))",
    "count_if(regexp_extract(isin, '^ISIN[0-9]{9}$', 0) <> '')",
    "approx_count_distinct(customer)",
]


def asked(folder: Path, checks: str) -> tuple[Constraint, ...]:
    """Constraints of checks as a metric file has them."""
    lines = "".join(f"    {line}\n" for line in checks.strip().splitlines())
    (folder / "job.yaml").write_text("metrics: [metric.yaml]\n")
    (folder / "metric.yaml").write_text(
        f"steps:\n- dataFrameName: orders\n  sql: SELECT 1\n  dq:\n    level: error\n    checks:\n{lines}"
    )
    job = require_sound(read_job(folder / "job.yaml"))
    dq = job.metrics[0].steps[0].dq
    return constraints("orders", dq, "fail") if dq else ()


def audit(frame: DataFrame, given: tuple[Constraint, ...]) -> Callable[[], None]:
    def run() -> None:
        bad = [
            one for one in Audit("orders", given).scan(frame).constraints if one.status != "passed"
        ]
        if bad:
            sys.exit(f"{bad[0].id}: {bad[0].message}")

    return run


def by_group(frame: DataFrame, *columns: str) -> Callable[[], None]:
    def run() -> None:
        groups = frame.groupBy(*columns).count()
        groups.selectExpr("count(*)", "sum(count)", "count_if(count = 1)").collect()

    return run


def predicates(count: int) -> str:
    """So many checks with a predicate each, which all rows obey."""
    return "".join(
        f"- satisfies: {{predicate: price >= {-1 - number}, name: p{number}}}\n"
        for number in range(count)
    )


def wide(session: SparkSession, folder: Path, columns: int, rows: int) -> Callable[[], None]:
    """Completeness, minimum, maximum and mean of so many columns."""
    place = str(folder / f"wide{columns}")
    made = [f"CAST(id % {number + 2} AS INT) AS c{number}" for number in range(columns)]
    session.range(0, rows, 1, 2).selectExpr(*made).write.parquet(place)
    kinds = ("hasCompleteness", "hasMin", "hasMax", "hasMean")
    checks = "".join(
        f'- {kind}: {{column: c{number}, assertion: ">= 0"}}\n'
        for number in range(columns)
        for kind in kinds
    )
    return audit(session.read.parquet(place), asked(folder, checks))


def footers(frame: DataFrame, given: tuple[Constraint, ...]) -> float:
    """Wall time of size, completeness, minimum and maximum by footers, over a scan for the same."""

    def seconds(run: Callable[[], object]) -> float:
        started = time.perf_counter()
        run()
        return time.perf_counter() - started

    every = Audit("orders", given)
    by_footers = min(seconds(lambda: every.scan(frame, Footers(frame))) for _ in range(5))
    return by_footers / min(seconds(lambda: every.scan(frame)) for _ in range(5))


def main() -> int:
    if "--peer" in sys.argv:
        del sys.argv[(place := sys.argv.index("--peer")) : place + 2]
        return against_deequ()
    rows, rounds = bench.asked()
    session = bench.new_session()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        session.sql(ORDERS.format(rows=rows)).write.parquet(f"{name}/orders")
        orders = session.read.parquet(f"{name}/orders")
        suite = asked(folder, SUITE)

        def floor() -> None:
            orders.selectExpr(*(f"count({column})" for column in orders.columns)).collect()

        def each() -> None:
            for one in suite:
                audit(orders, (one,))()

        def plan() -> None:
            orders.selectExpr(*VALUES).collect()
            for columns in (("id",), ("code",), ("customer", "ts")):
                by_group(orders, *columns)()

        cases: dict[str, Callable[[], None]] = {
            "floor": floor,
            "scan": audit(orders, asked(folder, SCAN)),
            "suite": audit(orders, suite),
            "each": each,
            "plan": plan,
            "id": audit(orders, asked(folder, ID)),
            "id by group": by_group(orders, "id"),
            "code": audit(orders, asked(folder, CODE)),
            "code by group": by_group(orders, "code"),
            "90": audit(orders, asked(folder, predicates(90))),
            "200": audit(orders, asked(folder, predicates(200))),
            "wide 250": wide(session, folder, 250, rows // 100),
            "wide 500": wide(session, folder, 500, rows // 100),
        }
        seconds = bench.timed(session, cases, rounds)
        share = footers(orders, asked(folder, "\n".join(SCAN.strip().splitlines()[:9])))
    session.stop()
    code: int = bench.judged(rows, seconds, LIMITS, LIMITS)
    print(f"footers/scan {share:.3f} of the wall time (limit {FOOTERS})")
    return code or int(share > FOOTERS)


def against_deequ() -> int:
    """The 16 checks that Deequ is asked, on the same files."""
    command = os.environ.get("DEEQU_PEER")
    if not command:
        sys.exit(
            "--peer deequ: set DEEQU_PEER to the program that runs Deequ; see the head of this file"
        )
    rows, rounds = bench.asked()
    session = bench.new_session()
    with tempfile.TemporaryDirectory() as name:
        data, out = f"{name}/orders", f"{name}/peer.json"
        session.sql(ORDERS.format(rows=rows)).write.parquet(data)
        deequ = audit(session.read.parquet(data), asked(Path(name), DEEQU))
        ours = statistics.median(bench.timed(session, {"deequ": deequ}, rounds)["deequ"])
        session.stop()
        subprocess.run([*shlex.split(command), data, out, str(rounds)], check=True)
        told = json.loads(Path(out).read_text())
    theirs = statistics.median(told["deequ_16_checks"]["cpu_seconds"])
    print(f"ours {ours:.1f} s CPU, Deequ {theirs:.1f}: {ours / theirs:.2f} (limit {PEER})")
    return int(ours / theirs > PEER)


if __name__ == "__main__":
    sys.exit(main())
