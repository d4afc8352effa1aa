"""An example in YAML of every kind that a job can have; the tests that each kind must pass are made of them."""

from __future__ import annotations

import textwrap
import zlib
from math import log
from pathlib import Path

from airflow_metorikku.config.records.controls import CONTROL_TYPES

PRICES = ("10.00", "20.00", "30.00")

INPUTS = {
    "file": "{path: trades.csv}",
    "file_date_range": "{template: 'day-%s.csv', date_range: {format: yyyy-MM-dd, startDate: 2026-01-01, endDate: 2026-01-02}}",
    # Spark brings Derby along.
    "jdbc": "{connectionUrl: 'jdbc:derby:memory:kinds;create=true', table: '(VALUES (1, 2)) AS t(a, b)'}",
}
LATER_INPUTS = {
    "kafka": "{topic: t}",
    "cassandra": "{keySpace: k, table: t}",
    "elasticsearch": "{index: i}",
    "mongo": "{database: d, collection: c}",
}
# The first has the columns that checks and controls are about.
STEPS = {
    "sql": "SELECT CAST(id AS INT) AS id, CAST(price AS DECIMAL(10, 2)) AS price, side, TIMESTAMP'2026-01-01 06:00:00' AS at, DATE'2026-01-01' AS day FROM file_view",
    "file": "step.sql",
    "python": "step_of_ours:make",
    "classpath": "step_of_ours:make",
}
STEP_ROWS = {"sql": 3, "file": 2, "python": 1, "classpath": 1}
# Options, and the value that they must give.
CHECKS: dict[str, tuple[str, float]] = {
    "hasSize": ("{size: 3, operator: '=='}", 3),
    "hasColumnCount": ("{assertion: '== 5'}", 5),
    "hasColumn": ("{column: price}", 1),
    "isComplete": ("{column: id}", 1),
    "hasCompleteness": ("{column: side, assertion: '>= 0.9'}", 1),
    "areComplete": ("{columns: [id, side]}", 1),
    "haveCompleteness": ("{columns: [id, side], assertion: '>= 0.9'}", 1),
    "areAnyComplete": ("{columns: [id, side]}", 1),
    "haveAnyCompleteness": ("{columns: [id, side], assertion: '>= 0.9'}", 1),
    "isUnique": ("{column: id}", 1),
    "hasUniqueness": ("{columns: [id, side]}", 1),
    "isContainedIn": ("{column: side, allowedValues: [B, S]}", 1),
    "isNonNegative": ("{column: price}", 1),
    "isPositive": ("{column: price}", 1),
    "isLessThan": ("{columnA: id, columnB: price}", 1),
    "isLessThanOrEqualTo": ("{columnA: id, columnB: price}", 1),
    "isGreaterThan": ("{columnA: price, columnB: id}", 1),
    "isGreaterThanOrEqualTo": ("{columnA: price, columnB: price}", 1),
    "satisfies": ("{predicate: price > 0, name: prices are positive, columns: [price]}", 1),
    "hasMin": ("{column: price, assertion: '== 10'}", 10),
    "hasMax": ("{column: price, assertion: '== 30'}", 30),
    "hasRange": ("{column: price, assertion: '== 20'}", 20),
    "hasMean": ("{column: price, between: [19, 21]}", 20),
    "hasSum": ("{column: price, assertion: '== 60'}", 60),
    "hasStandardDeviation": ("{column: id, between: [0.8, 0.9]}", (2 / 3) ** 0.5),
    "hasVariance": ("{column: id, between: [0.6, 0.7]}", 2 / 3),
    "hasSkewness": ("{column: id, assertion: '== 0'}", 0),
    "hasKurtosis": ("{column: id, assertion: '== -1.5'}", -1.5),
    "hasZerosCount": ("{column: id, assertion: '== 0'}", 0),
    "hasCorrelation": ("{columnA: id, columnB: price, assertion: '>= 0.99'}", 1),
    "hasApproxQuantile": ("{column: id, quantile: 0.5, assertion: '== 2'}", 2),
    "hasExactQuantile": ("{column: id, quantile: 0.5, assertion: '== 2'}", 2),
    "hasInterquartileRange": ("{column: id, assertion: '== 1'}", 1),
    "hasApproxCountDistinct": ("{column: side, assertion: '== 2'}", 2),
    "hasMinLength": ("{column: side, assertion: '== 1'}", 1),
    "hasMaxLength": ("{column: side, assertion: '== 1'}", 1),
    "hasPattern": ("{column: side, pattern: '^[BS]$'}", 1),
    "anomaly": ("{metric: {Size: {}}, strategy: {SimpleThreshold: {lowerBound: 1}}}", 3),
    "completenessCheck": ("{columns: [id], criticalThreshold: 0.9}", 1),
    "uniquenessCheck": ("{columns: [id, side]}", 1),
    "recentTimestampCheck": ("{column: at, nowOverride: '2026-01-01 12:00:00'}", 3),
    "genericSQLCheck": ("{criticalChecks: [price > 0]}", 1),
    "columnValues": ("{column: side, operator: in, texts: [B, S]}", 1),
    "columnLength": ("{column: side, operator: '==', numbers: [1]}", 1),
    "hasRowSchema": ("{columns: [{name: id, type: int, min: 1}, {name: side, maxLength: 1}]}", 1),
    "hasColumns": ("{columns: {id: int, price: 'decimal(10,2)', side: }, extra: ignore}", 1),
    "areUnique": ("{columns: [id, price]}", 1),
    "isPrimaryKey": ("{column: id, more: [side], nulls: fail}", 1),
    "hasDistinctness": ("{column: side, assertion: '> 0.6'}", 2 / 3),
    "hasUniqueValueRatio": ("{columns: [side], assertion: '== 0.5'}", 0.5),
    "hasDuplicateRowCount": ("{}", 0),
    "hasEntropy": ("{column: side, assertion: '> 0'}", log(3) - 2 * log(2) / 3),
    # The prices tell the sides.
    "hasMutualInformation": (
        "{columnA: side, columnB: price, assertion: '> 0.1'}",
        (3 * log(3) - 2 * log(2)) / 3,
    ),
    "hasNumberOfDistinctValues": ("{column: side, assertion: '== 2'}", 2),
    "hasHistogramValues": (
        "{column: side, key: B, field: absolute, assertion: '== 2'}",
        2,
    ),
    "hasHistogramBinnedValues": (
        "{column: price, edges: [0, 15, 40], bin: 1, assertion: '== 2'}",
        2,
    ),
    "hasHistogramBinnedBins": ("{column: price, binCount: 4, assertion: '== 4'}", 4),
    "kllSketchSatisfies": (
        "{column: price, numberOfBuckets: 2, bucket: 1, assertion: '== 2'}",
        2,
    ),
    "customSql": ("{sql: SELECT count(*) FROM sql_step WHERE price > 10, assertion: '== 2'}", 2),
    "doesDatasetMatch": ("{other: sql_step, keys: {id: id}, match: {side: side}}", 1),
    "referentialIntegrity": ("{columns: [side], other: file_view}", 1),
    "rowCountMatch": ("{other: file_view}", 1),
    "schemaMatch": ("{other: sql_step}", 1),
    "hasFreshness": ("{column: day, assertion: '<= 6', now: '2026-01-01T06:00:00Z'}", 6),
    "columnNamesMatch": ("{pattern: '[a-z]+'}", 1),
    "containsCreditCardNumber": ("{column: side, assertion: '== 0'}", 0),
    "containsEmail": ("{column: side, assertion: '== 0'}", 0),
    "containsURL": ("{column: side, assertion: '== 0'}", 0),
    "containsSocialSecurityNumber": ("{column: side, assertion: '== 0'}", 0),
    "hasDataType": ("{column: price, dataType: Fractional}", 1),
    "allOf": ("{checks: [{isComplete: {column: id}}, {hasSize: {size: 3, operator: '=='}}]}", 2),
    "anyOf": (
        "{checks: [{isUnique: {column: side}}, {hasMin: {column: price, assertion: '> 1'}}]}",
        1,
    ),
}
CONTROLS = {
    "count": "3",
    "distinctCount": "3",
    "aggregatedTotal": "60",
    "absAggregatedTotal": "60",
    "aggregatedTruncTotal": "60",
    "absAggregatedTruncTotal": "60",
    "hashCrc32": str(sum(zlib.crc32(price.encode()) for price in PRICES)),
}
OUTPUTS = {
    "File": "{path: File, format: orc}",
    "Parquet": "{path: Parquet}",
    "CSV": "{path: CSV}",
    "JSON": "{path: JSON}",
}
ALERTERS = {
    "slack": "{token: T0/B0/x}",
    "email": "{host: localhost, to: [a@example.com]}",
    "exception": "{alertOn: [warning]}",
    "custom": "{class: builtins.print}",
}


def job_text() -> str:
    """A job of every kind that this version runs."""
    inputs = "\n".join(f"  {kind}_view: {{{kind}: {given}}}" for kind, given in INPUTS.items())
    columns = ", ".join(f"{{price: {name}}}" for name in CONTROL_TYPES)
    alerters = "\n".join(f"- {kind}: {given}" for kind, given in ALERTERS.items())
    return (
        f"metrics: [metric.yaml]\ninputs:\n{inputs}\noutput: {{file: {{dir: out}}}}\n"
        f"controlMeasures: {{source: {{input: file_view, columns: [{columns}]}}}}\n"
        f"alerters:\n{alerters}\n"
    )


def metric_text() -> str:
    """Its metric: a step of each kind, the first with all checks and outputs."""
    checks = "\n".join(f"    - {kind}: {given}" for kind, (given, _) in CHECKS.items())
    steps = [f"- dataFrameName: {kind}_step\n  {kind}: {given}\n" for kind, given in STEPS.items()]
    steps[0] += f"  controlCheckpoint: Made\n  dq:\n    level: error\n    checks:\n{checks}\n"
    outputs = "\n".join(
        f"- {{dataFrameName: sql_step, outputType: {kind}, outputOptions: {given}}}"
        for kind, given in OUTPUTS.items()
    )
    return f"steps:\n{''.join(steps)}output:\n{outputs}\n"


def write_job(folder: Path) -> Path:
    """The job with its files and data; the path of the job file."""
    rows = "".join(
        f"{n},{price},{side}\n" for n, price, side in zip("123", PRICES, "BSB", strict=True)
    )
    files = {
        "job.yaml": job_text(),
        "metric.yaml": metric_text(),
        "step.sql": "SELECT * FROM file_date_range_view",
        "step_of_ours.py": textwrap.dedent("""\
            def make(spark, metric_name, data_frame_name, params):
                return spark.range(1)
        """),
        "trades.csv": f"id,price,side\n{rows}",
        "day-2026-01-01.csv": "x\n1\n",
        "day-2026-01-02.csv": "x\n2\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "job.yaml"
