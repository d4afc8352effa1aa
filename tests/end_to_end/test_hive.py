"""Tables in Hive's metastore, which Derby keeps in a folder or PostgreSQL in a database, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import metorikku
from real_servers import Server, jar

WRITE = """
steps:
- {dataFrameName: t, sql: "SELECT id, CAST(id % 2 AS string) AS part, 'ä,\\"' AS x FROM range(4)"}
- {dataFrameName: c, sql: SELECT count(*) AS rows FROM t}
output:
- {dataFrameName: t, outputType: CSV, outputOptions: {path: t, saveMode: Overwrite, tableName: tt, partitionBy: [part]}}
- {dataFrameName: t, outputType: JSON, outputOptions: {saveMode: Overwrite, tableName: own, partitionBy: [part]}}
- {dataFrameName: t, outputType: Parquet, outputOptions: {saveMode: Append, tableName: kept.Added}}
- {dataFrameName: c, outputType: Catalog, outputOptions: {tableName: tt}}
"""
READ = """
steps:
- {{dataFrameName: r, sql: "SELECT count(*) AS rows, max(x) AS x FROM kept.tt WHERE part = '1'"}}
- {{dataFrameName: o, sql: "SELECT count(*) AS rows, max({more}) AS more FROM kept.own WHERE part = '1'"}}
- {{dataFrameName: a, sql: "SELECT count(*) AS rows FROM added"}}
- {{dataFrameName: p, sql: "SHOW TBLPROPERTIES kept.tt"}}
- {{dataFrameName: n, sql: "SHOW PARTITIONS own"}}
output:
- {{dataFrameName: r, outputType: JSON, outputOptions: {{path: r, saveMode: Overwrite}}}}
- {{dataFrameName: o, outputType: JSON, outputOptions: {{path: o, saveMode: Overwrite}}}}
- {{dataFrameName: a, outputType: JSON, outputOptions: {{path: a, saveMode: Overwrite}}}}
- {{dataFrameName: p, outputType: JSON, outputOptions: {{path: p, saveMode: Overwrite}}}}
- {{dataFrameName: n, outputType: JSON, outputOptions: {{path: n, saveMode: Overwrite}}}}
"""


def derby(folder: Path) -> dict[str, str]:
    return {
        "spark.sql.catalogImplementation": "hive",
        "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={folder}/metastore;create=true",
        "spark.hadoop.datanucleus.schema.autoCreateAll": "true",
    }


def in_postgresql(server: Server) -> dict[str, str]:
    """Its connection alone says that the catalog is Hive's."""
    jdo, nucleus = "spark.hadoop.javax.jdo.option", "spark.hadoop.datanucleus.schema"
    return {
        "spark.driver.extraClassPath": jar("postgresql"),
        f"{jdo}.ConnectionURL": server.url,
        f"{jdo}.ConnectionDriverName": "org.postgresql.Driver",
        f"{jdo}.ConnectionUserName": server.user,
        f"{jdo}.ConnectionPassword": server.password,
        # autoCreateAll blocks itself in PostgreSQL.
        f"{nucleus}.autoCreateTables": "true",
        f"{nucleus}.autoCreateColumns": "true",
        f"{nucleus}.autoCreateConstraints": "false",
    }


def run(folder: Path, metric: str, run_id: str) -> None:
    (folder / "m.yaml").write_text(metric, encoding="utf-8")
    done = metorikku(folder, "run", "-c", "job.json", "--run-id", run_id)
    assert done.returncode == 0, done.stdout + done.stderr


def rows(folder: Path) -> list[dict[str, object]]:
    return [
        json.loads(line)
        for path in folder.glob("part-*")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def write_job(folder: Path, metastore: dict[str, str]) -> None:
    job = {
        "metrics": ["m.yaml"],
        "catalog": {"database": "kept"},
        "output": {"file": {"dir": "out"}},
        "sparkConf": {
            **metastore,
            "spark.hadoop.hive.metastore.schema.verification": "false",
            "spark.sql.warehouse.dir": f"{folder}/warehouse",
        },
    }
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")


def test_tables_outlive_the_runs_that_made_them(tmp_path: Path):
    write_job(tmp_path, derby(tmp_path))
    run(tmp_path, WRITE, "first")
    run(
        tmp_path,
        WRITE.replace("AS x", "AS x, id AS more").replace(
            ", tableName: kept.Added", ", path: other"
        ),
        "second",
    )
    run(tmp_path, READ.format(more="more"), "third")
    out = tmp_path / "out"
    assert rows(out / "r") == [{"rows": 2, "x": 'ä,"'}]
    assert rows(out / "o") == [{"rows": 2, "more": 3}]
    assert rows(out / "a") == [{"rows": 4}]
    assert {"key": "rows", "value": "4"} in rows(out / "p")
    assert {tuple(row.values()) for row in rows(out / "n")} == {("part=0",), ("part=1",)}
    made = sorted(path.name for path in (tmp_path / "warehouse/kept.db").iterdir())
    assert made == ["added", "own"]


def test_a_metastore_in_postgresql(tmp_path: Path, postgresql: Server):
    write_job(tmp_path, in_postgresql(postgresql))
    run(tmp_path, WRITE, "first")
    run(tmp_path, READ.format(more="id"), "second")
    assert rows(tmp_path / "out/r") == [{"rows": 2, "x": 'ä,"'}]
    assert rows(tmp_path / "out/o") == [{"rows": 2, "more": 3}]
    assert rows(tmp_path / "out/a") == [{"rows": 4}]
