"""Tables of a catalog (Spark's, in memory; Hive's are in tests/end_to_end): what is registered, and what a run that is killed leaves."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from airflow_metorikku.config.records.catalog import CatalogSettings
from airflow_metorikku.config.records.checks.rows import HasSize
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import Metric, Output, Step
from airflow_metorikku.config.records.outputs import CatalogOptions, FileOptions
from airflow_metorikku.plan.records import Identity, Plan
from airflow_metorikku.results.records import Result
from airflow_metorikku.spark import stage
from airflow_metorikku.spark.catalog import TableName, ddl, facts_of
from airflow_metorikku.spark.runner import run_plan
from airflow_metorikku.spark.steps.code.tables import load_if_exists
from airflow_metorikku.spark.tester.catalog import catalog_state, restore_catalog

Run = Callable[..., Result]


@pytest.fixture
def session(spark: SparkSession) -> Iterator[SparkSession]:
    """A session of its own, whose tables and databases go with it."""
    before = catalog_state(spark)
    yield spark.newSession()
    restore_catalog(spark, before)


@pytest.fixture
def run(session: SparkSession, tmp_path: Path) -> Run:
    def go(sql: str, *out: Output, run_id: str = "r1", dq: Any = None, **settings: Any) -> Result:
        settings.setdefault("log_level", "ERROR")
        settings.setdefault("catalog", CatalogSettings(database="mydb"))
        step = Step(data_frame_name="t", sql=sql, dq=dq)
        plan = Plan(
            job="job",
            file="job.yaml",
            base=str(tmp_path),
            metrics=(Metric(name="m", file="m.yaml", steps=(step,), output=out),),
            reads=(),
            settings=JobFile(metrics=("m.yaml",), **settings),
            identity=Identity(
                dag_id="d",
                run_id=run_id,
                task_id="t",
                attempt=f"a{time.monotonic_ns()}",
                result=f"file:{tmp_path}/result.json",
            ),
        )
        return run_plan(plan, session)

    return go


def table(name: str = "tt", kind: str = "Parquet", mode: str = "overwrite", **more: Any) -> Output:
    return Output(
        data_frame_name="t",
        output_type=kind,
        output_options=FileOptions(table_name=name, save_mode=mode, **more),
    )


def rows(session: SparkSession, name: str) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in session.table(name).collect())


def described(session: SparkSession, name: str) -> dict[str, str]:
    found = session.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
    return {row.col_name: row.data_type for row in found}


def properties(session: SparkSession, name: str) -> dict[str, str]:
    return {row.key: row.value for row in session.sql(f"SHOW TBLPROPERTIES {name}").collect()}


def good(result: Result) -> Result:
    assert (result.verdict, result.error) == ("good", None)
    return result


AWKWARD = """SELECT 1 AS id, 'a "quoted", text' AS `odd name`, DATE'2024-02-29' AS d"""


@pytest.mark.parametrize("kind", ["CSV", "JSON", "Parquet"])
def test_an_external_table_has_the_format_of_its_files(
    run: Run, session: SparkSession, tmp_path: Path, kind: str
) -> None:
    result = good(run(AWKWARD, table(kind=kind, path="out")))
    assert [
        (row.id, row["odd name"], str(row.d)) for row in session.table("mydb.tt").collect()
    ] == [(1, 'a "quoted", text', "2024-02-29")]
    found = described(session, "mydb.tt")
    assert (found["Type"], found["Provider"].lower()) == ("EXTERNAL", kind.lower())
    written = result.metrics[0].outputs[0]
    assert (written.target, written.table) == (f"{tmp_path}/out", "mydb.tt")


def test_own_csv_options_read_the_files_back(run: Run, session: SparkSession) -> None:
    options = {"sep": "|", "header": "false"}
    good(run("SELECT 1 AS x, 'a|b' AS y", table(kind="CSV", path="out", extra_options=options)))
    assert rows(session, "mydb.tt") == [(1, "a|b")]
    good(run("SELECT 2 AS x, 'c' AS y", table(kind="CSV", path="out")))
    assert rows(session, "mydb.tt") == [(2, "c")]


def test_an_existing_table_moves_changes_columns_and_format_and_keeps_what_is_the_users(
    run: Run, session: SparkSession
) -> None:
    odd = {"it's": "a 'quoted' \\ \"${value}\" é 😀\n;"}
    good(run("SELECT 1 AS a, 2 AS b", table(path="one", table_properties=odd)))
    assert properties(session, "mydb.tt")["it's"] == odd["it's"]
    good(run("SELECT 3L AS b, 'x' AS c", table(path="two")))
    assert session.table("mydb.tt").columns == ["b", "c"]
    assert rows(session, "mydb.tt") == [(3, "x")]
    good(run("SELECT 4 AS z", table(kind="JSON", path="three")))
    assert rows(session, "mydb.tt") == [(4,)]
    assert properties(session, "mydb.tt")["it's"] == odd["it's"]
    good(
        run(
            "SELECT 5 AS z, 6 AS y",
            table(kind="JSON", path="three", always_update_schema_in_catalog=False),
        )
    )
    assert rows(session, "mydb.tt") == [(5,)]


@pytest.mark.parametrize("path", ["out", None])
def test_partitions_are_those_of_the_files(
    run: Run, session: SparkSession, path: str | None
) -> None:
    def go(sql: str, **more: Any) -> list[str]:
        good(run(sql, table(path=path, partition_by=("day", "n"), **more)))
        return sorted(row[0] for row in session.sql("SHOW PARTITIONS mydb.tt").collect())

    days = "SELECT id, concat('d', id) AS day, 1 AS n FROM range(2)"
    assert go(days) == ["day=d0/n=1", "day=d1/n=1"]
    assert go("SELECT 7L AS id, 'd7' AS day, 1 AS n") == ["day=d7/n=1"]
    assert go(days, mode="append") == ["day=d0/n=1", "day=d1/n=1", "day=d7/n=1"]
    dynamic = {"partition_overwrite": "dynamic"}
    assert len(go("SELECT 9L AS id, 'd7' AS day, 1 AS n", **dynamic)) == 3
    assert rows(session, "mydb.tt") == [(0, "d0", 1), (1, "d1", 1), (9, "d7", 1)]


def test_partitions_follow_a_table_to_another_path(run: Run, session: SparkSession) -> None:
    good(run("SELECT 1 AS x, 'a' AS p", table(path="one", partition_by=("p",))))
    good(run("SELECT 2 AS x, 'a' AS p", table(path="two", partition_by=("p",))))
    assert rows(session, "mydb.tt") == [(2, "a")]


@pytest.mark.parametrize("kind", ["CSV", "JSON", "Parquet"])
def test_a_table_with_files_of_its_own(run: Run, session: SparkSession, kind: str) -> None:
    good(run("SELECT 1 AS x", table(kind=kind, mode="error")))
    found = described(session, "mydb.tt")
    assert (found["Type"], found["Provider"].lower()) == ("MANAGED", kind.lower())
    assert "metorikku.unfinished" not in properties(session, "mydb.tt")
    again = run("SELECT 2 AS x", table(kind=kind, mode="error"))
    assert "exists already" in str(again.error)
    good(run("SELECT 3 AS x", table(kind=kind, mode="ignore")))
    assert rows(session, "mydb.tt") == [(1,)]
    for _ in range(2):  # the same run again, as a retry
        good(run("SELECT 4 AS x", table(kind=kind, mode="append"), run_id="r2"))
        assert rows(session, "mydb.tt") == [(1,), (4,)]
    good(run("SELECT 'a' AS y, 5 AS z", table(kind=kind)))
    assert rows(session, "mydb.tt") == [("a", 5)]


def test_rows_with_other_columns_are_not_appended(run: Run, session: SparkSession) -> None:
    good(run("SELECT 1 AS x", table()))
    result = run("SELECT 'a' AS x, 2 AS y", table(mode="append"), run_id="r2")
    assert "x string (table: int), y int (table: missing)" in str(result.error)
    assert rows(session, "mydb.tt") == [(1,)]


@pytest.mark.parametrize("path", ["out", None])
def test_nothing_changes_where_an_empty_or_a_bad_frame_is_refused(
    run: Run, session: SparkSession, path: str | None
) -> None:
    good(run("SELECT 1 AS x", table(path=path)))
    empty = run("SELECT 1 AS x WHERE 1 = 0", table(path=path, protect_from_empty_output=True))
    assert "empty dataframe output is not allowed" in str(empty.error)
    bad = DataQuality(level="error", checks=(HasSize(size=5, operator="=="),))
    assert run("SELECT 2 AS x", table(path=path), dq=bad).verdict == "critical"
    assert run("SELECT 2 AS x", table("new"), dq=bad).verdict == "critical"
    assert rows(session, "mydb.tt") == [(1,)]
    assert not session.catalog.tableExists("mydb.new")


class KilledError(BaseException):
    """Ends a run as a kill does: nothing of it tidies up."""


def kill_at(monkeypatch: pytest.MonkeyPatch, place: object, name: str) -> None:
    def die(*_: Any) -> None:
        raise KilledError

    monkeypatch.setattr(place, name, die)
    monkeypatch.setattr(stage.Stage, "discard", lambda _: None)


def make_owner_dead(session: SparkSession) -> None:
    """This process lives on, so the mark is rewritten to that of one that does not."""
    # SHOW TBLPROPERTIES blacks out what looks like a secret, and an owner has a token.
    known = facts_of(session, TableName(database="mydb", table="tt"))
    assert known is not None
    mark = json.loads(known.properties["metorikku.unfinished"])
    mark["owner"] = json.dumps({**json.loads(mark["owner"]), "processes": []})
    value = json.dumps(mark).replace("\\", "\\\\").replace("'", "\\'")
    session.sql(f"ALTER TABLE mydb.tt SET TBLPROPERTIES ('metorikku.unfinished' = '{value}')")


def test_a_table_whose_run_was_killed_before_its_files_came_is_made_anew(
    run: Run, session: SparkSession
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        kill_at(patch, stage.Stage, "_publish_staged")
        with pytest.raises(KilledError):
            run("SELECT 1 AS x", table(mode="error"))
    busy = run("SELECT 2 AS x", table(mode="error"))
    assert "is making it" in str(busy.error)
    make_owner_dead(session)
    good(run("SELECT 'a' AS y", table(mode="error")))
    assert rows(session, "mydb.tt") == [("a",)]


def test_a_table_whose_run_was_killed_after_its_files_came_keeps_them(
    run: Run, session: SparkSession
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        kill_at(patch, stage, "register_tables")
        with pytest.raises(KilledError):
            run("SELECT 1 AS x", table(), run_id="r1")
    make_owner_dead(session)
    good(run("SELECT 2 AS x", table(mode="append"), run_id="r2"))
    assert rows(session, "mydb.tt") == [(1,), (2,)]
    assert "metorikku.unfinished" not in properties(session, "mydb.tt")


def test_what_is_no_table_to_write_is_refused_before_anything_runs(
    run: Run, session: SparkSession
) -> None:
    session.sql("CREATE DATABASE IF NOT EXISTS mydb")
    session.sql("CREATE VIEW mydb.v AS SELECT 1 AS x")
    assert "view" in str(run("SELECT 1 AS x", table("v", path="out")).error)
    good(run("SELECT 1 AS x", table()))
    assert "drop the table" in str(run("SELECT 1 AS x", table(kind="JSON")).error)
    assert rows(session, "mydb.tt") == [(1,)]
    assert "no database 'none'" in str(run("SELECT 1 AS x", table("none.tt")).error)


def test_the_catalog_output_sets_properties_of_one_row(run: Run, session: SparkSession) -> None:
    def catalog(name: str = "`tt`") -> Output:
        options = CatalogOptions(table_name=name)
        return Output(data_frame_name="t", output_type="Catalog", output_options=options)

    sql = 'SELECT 7 AS number_of_rows, "it\'s" AS `odd.name`'
    result = good(run(sql, table(path="out"), catalog()))
    assert (
        properties(session, "mydb.tt").items()
        >= {"number_of_rows": "7", "odd.name": "it's"}.items()
    )
    assert [one.published for one in result.metrics[0].outputs] == [True, True]
    two = run("SELECT id FROM range(2)", catalog())
    assert "exactly one row" in str(two.error)
    assert "is null" in str(run("SELECT CAST(NULL AS INT) AS x", catalog()).error)
    before = rows(session, "mydb.tt")
    spark_own = run("SELECT 8 AS owner", table(path="out"), catalog())
    assert "'owner' is kept for Spark itself" in str(spark_own.error)
    assert rows(session, "mydb.tt") == before
    assert "no table mydb.other" in str(run("SELECT 1 AS x", catalog("other")).error)


def test_an_output_reads_the_table_that_one_before_it_wrote(
    run: Run, session: SparkSession, tmp_path: Path
) -> None:
    def back(path: str) -> Output:
        options = FileOptions(path=path, save_mode="overwrite")
        return Output(data_frame_name="mydb.tt", output_type="Parquet", output_options=options)

    for number in (1, 2):
        good(run(f"SELECT {number} AS x", table(), back("back")))
        assert [row.x for row in session.read.parquet(f"{tmp_path}/back").collect()] == [number]


def test_a_step_loads_a_table_once_it_is_there(run: Run, session: SparkSession) -> None:
    session.sql("SELECT 1 AS x").createOrReplaceTempView("t")
    asked = {"tableName": "mydb.tt", "dfName": "t"}
    session.sql("CREATE DATABASE mydb")
    assert load_if_exists(session, asked).collect() == []
    good(run("SELECT 5 AS x", table()))
    assert [row.x for row in load_if_exists(session, asked).collect()] == [5]


def test_statements_are_read_as_written_without_a_setting_that_says_so_already(
    session: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spark warns each time that one of them is set."""
    asked: list[str] = []
    conf = type(session.conf)
    setting = conf.set

    def watch(self: Any, key: str, value: Any) -> None:
        asked.append(key)
        setting(self, key, value)

    monkeypatch.setattr(conf, "set", watch)
    name = "spark.sql.parser.escapedStringLiterals"
    for given, times in (("false", 0), ("true", 2)):
        setting(session.conf, name, given)
        ddl(session, "CREATE OR REPLACE TEMPORARY VIEW v AS SELECT 'a\\\\b' AS x")
        assert asked.count(name) == times
        assert session.conf.get(name) == given
        assert rows(session, "v") == [("a\\b",)]
