"""Tables in Hive's metastore, which Derby keeps in a folder, from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

START = "import sys; from airflow_metorikku.cli import main; sys.exit(main(sys.argv[1:]))"
JOB = """
metrics: [m.yaml]
catalog: {{database: kept}}
output: {{file: {{dir: out}}}}
sparkConf:
  spark.sql.catalogImplementation: hive
  spark.hadoop.javax.jdo.option.ConnectionURL: "jdbc:derby:;databaseName={folder}/metastore;create=true"
  spark.hadoop.datanucleus.schema.autoCreateAll: "true"
  spark.hadoop.hive.metastore.schema.verification: "false"
  spark.sql.warehouse.dir: {folder}/warehouse
"""
WRITE = """
steps:
- {dataFrameName: t, sql: "SELECT id, CAST(id % 2 AS string) AS part, 'ä,\\"' AS x FROM range(4)"}
- {dataFrameName: c, sql: SELECT count(*) AS rows FROM t}
output:
- {dataFrameName: t, outputType: CSV, outputOptions: {path: t, saveMode: Overwrite, tableName: tt, partitionBy: [part]}}
- {dataFrameName: c, outputType: Catalog, outputOptions: {tableName: tt}}
"""
READ = """
steps:
- {dataFrameName: r, sql: "SELECT count(*) AS rows, max(x) AS x FROM kept.tt WHERE part = '1'"}
- {dataFrameName: p, sql: "SHOW TBLPROPERTIES kept.tt"}
output:
- {dataFrameName: r, outputType: JSON, outputOptions: {path: r, saveMode: Overwrite}}
- {dataFrameName: p, outputType: JSON, outputOptions: {path: p, saveMode: Overwrite}}
"""


def run(folder: Path, metric: str) -> None:
    (folder / "m.yaml").write_text(metric, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", START, "run", "-c", "job.yaml"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def rows(folder: Path) -> list[dict[str, object]]:
    return [
        json.loads(line)
        for path in folder.glob("part-*")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def test_a_table_outlives_the_run_that_made_it(tmp_path: Path):
    (tmp_path / "job.yaml").write_text(JOB.format(folder=tmp_path), encoding="utf-8")
    run(tmp_path, WRITE)
    run(tmp_path, WRITE.replace("AS x", "AS x, id AS more"))
    run(tmp_path, READ)
    assert rows(tmp_path / "out/r") == [{"rows": 2, "x": 'ä,"'}]
    assert {"key": "rows", "value": "4"} in rows(tmp_path / "out/p")
