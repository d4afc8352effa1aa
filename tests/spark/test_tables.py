"""Tables over published folders, and their properties, in the catalog in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from airflow_metorikku.config.records.catalog import CatalogOptions, CatalogSettings
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import Metric, Output, Step
from airflow_metorikku.config.records.outputs import FileOptions
from airflow_metorikku.plan.records import Identity, Plan
from airflow_metorikku.results.records import Result
from airflow_metorikku.spark.runner import run_plan
from airflow_metorikku.spark.tester.catalog import catalog_state, restore_catalog

Run = Callable[..., Result]
ROWS = "VALUES (1, 'a\"b', '01'), (2, 'c,d', '02') AS t(id, name, day)"


@pytest.fixture(autouse=True)
def catalog_as_it_was(spark: SparkSession) -> Iterator[None]:
    before = catalog_state(spark)
    yield
    spark.catalog.setCurrentDatabase("default")
    restore_catalog(spark, before)


@pytest.fixture
def run(spark: SparkSession, tmp_path: Path) -> Run:
    def go(*metrics: Metric) -> Result:
        settings = JobFile(metrics=("m.yaml",), catalog=CatalogSettings(database="select"))
        identity = Identity(
            dag_id="d", run_id="r", task_id="t", attempt="a", result=f"file:{tmp_path}/result.json"
        )
        plan = Plan(
            job="j",
            file="j.yaml",
            reads=(),
            settings=settings,
            metrics=metrics,
            base=str(tmp_path),
            identity=identity,
        )
        return run_plan(plan, spark)

    return go


def metric(sql: str, *outputs: Output, name: str = "m") -> Metric:
    step = Step(data_frame_name=f"{name}_t", sql=sql)
    return Metric(name=name, file=f"{name}.yaml", steps=(step,), output=outputs)


def table(path: str, kind: str = "Parquet", frame: str = "m_t", **more: Any) -> Output:
    options = FileOptions(path=path, table_name="tt", save_mode="overwrite", **more)
    return Output(data_frame_name=frame, output_type=kind, output_options=options)


def rows(spark: SparkSession, columns: str = "id, name, day") -> set[tuple[Any, ...]]:
    return {tuple(row) for row in spark.sql(f"SELECT {columns} FROM `select`.tt").collect()}


def properties(spark: SparkSession) -> dict[str, str]:
    return {row[0]: row[1] for row in spark.sql("SHOW TBLPROPERTIES `select`.tt").collect()}


@pytest.mark.parametrize("kind", ["Parquet", "CSV", "JSON"])
def test_a_table_gives_back_what_was_written_by_any_format_in_its_place(
    spark: SparkSession, run: Run, kind: str
):
    assert run(metric(f"SELECT * FROM {ROWS}", table("one"))).error is None
    result = run(metric(f"SELECT * FROM {ROWS}", table("two", kind)))
    assert result.error is None
    assert rows(spark) == {(1, 'a"b', "01"), (2, "c,d", "02")}


def test_csv_with_its_own_separator(spark: SparkSession, run: Run):
    options = {"sep": "|", "header": "false"}
    result = run(metric(f"SELECT * FROM {ROWS}", table("one", "CSV", csv_options=options)))
    assert result.error is None
    assert rows(spark) == {(1, 'a"b', "01"), (2, "c,d", "02")}


def test_partitions_are_found_and_columns_follow_the_data(spark: SparkSession, run: Run):
    run(metric(f"SELECT * FROM {ROWS}", table("one", partition_by=("day",))))
    assert rows(spark, "id, day") == {(1, "01"), (2, "02")}
    result = run(metric(f"SELECT id, 5 AS n, day FROM {ROWS}", table("one", partition_by=("day",))))
    assert result.error is None
    assert rows(spark, "*") == {(1, 5, "01"), (2, 5, "02")}


def test_columns_stay_where_they_are_to_stay(spark: SparkSession, run: Run):
    run(metric("SELECT 1 AS id", table("one")))
    again = table("two", always_update_schema_in_catalog=False)
    assert run(metric("SELECT 2 AS id, 3 AS n", again)).error is None
    assert rows(spark, "*") == {(2,)}


def test_properties_are_any_texts_and_outlive_another_format(spark: SparkSession, run: Run):
    odd = 'it\'s \\ "${x}" é 😀\n;'
    run(metric("SELECT 1 AS id", table("one", table_properties={"k'1": odd})))
    run(metric("SELECT 1 AS id", table("two", "JSON")))
    assert properties(spark)["k'1"] == odd


def test_a_later_metric_reads_what_was_just_written(spark: SparkSession, run: Run):
    run(metric("SELECT 1 AS id", table("one")))
    later = metric("SELECT max(id) AS id FROM tt", table("two", frame="n_t"), name="n")
    assert run(metric("SELECT 7 AS id", table("one")), later).error is None
    assert rows(spark, "id") == {(7,)}


def properties_of(frame: str) -> Output:
    return Output(
        data_frame_name=frame, output_type="Catalog", output_options=CatalogOptions(table_name="tt")
    )


def test_a_row_becomes_properties(spark: SparkSession, run: Run):
    sql = "SELECT 3 AS id, date'2024-01-02' AS `a day`"
    assert run(metric(sql, table("one"), properties_of("m_t"))).error is None
    assert properties(spark)["a day"] == "2024-01-02"
    assert properties(spark)["id"] == "3"


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("SELECT id FROM range(2)", "got more, expected exactly one row"),
        ("SELECT id FROM range(0)", "got none, expected exactly one row"),
        ("SELECT CAST(null AS int) AS id", "column 'id' is null"),
    ],
)
def test_what_is_no_row_of_properties_leaves_all_as_it_was(
    run: Run, tmp_path: Path, sql: str, says: str
):
    result = run(metric(sql, table("one"), properties_of("m_t")))
    assert says in str(result.error)
    assert not (tmp_path / "one").exists()


def test_a_managed_table_is_not_replaced(spark: SparkSession, run: Run, tmp_path: Path):
    spark.sql("CREATE DATABASE `select`")
    spark.sql("CREATE TABLE `select`.tt (id int) USING parquet")
    result = run(metric("SELECT 1 AS id", table("one")))
    assert "tt is there already, as a managed table" in str(result.error)
    assert not (tmp_path / "one").exists()


def test_a_table_that_cannot_be_made_says_that_the_files_are_there(run: Run, tmp_path: Path):
    options = FileOptions(path="one", table_name="none.tt", save_mode="overwrite")
    out = Output(data_frame_name="m_t", output_type="Parquet", output_options=options)
    error = str(run(metric("SELECT 1 AS id", out)).error)
    assert "the files are published; the table none.tt is not registered" in error
    assert error.endswith("the next run does it")
    assert (tmp_path / "one").exists()
