"""Mocks as tables: columns and rows are those that Spark itself finds in the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from airflow_metorikku.config.records.test_settings import Mock
from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.formats import CSV_READ
from airflow_metorikku.spark.tester.isolation import isolated
from airflow_metorikku.spark.tester.mocks import make_mock

HEADERS = {
    "plain": "id,name\n1,Ann\n,\n",
    "one column": "id\n1\n2\n",
    "no rows, no line's end": "id,Name_2",
    "of Windows": "id,name\r\n1,Ann\r\n",
    "of the Macintosh": "id,name\r1,Ann\r",
    "a blank": "id,first name\n1,Ann\n",
    "quotes": '"id","a,b"\n1,2\n',
    "twice": "id,ID\n1,2\n",
    "without a name": "id,\n1,2\n",
    "an empty line first": "\nid,name\n1,Ann\n",
    "a byte order mark": "\ufeffid,name\n1,Ann\n",
    "letters of no ASCII": "größe\n1\n",
    "nothing": "",
    "thousands of columns": ",".join(f"column_{n}" for n in range(6000)) + "\n",
}


@pytest.mark.parametrize("text", HEADERS.values(), ids=HEADERS.keys())
def test_a_csv_is_read_as_spark_reads_it(spark: SparkSession, tmp_path: Path, text: str) -> None:
    path = tmp_path / "mock.csv"
    path.write_text(text, encoding="utf-8", newline="")
    options = {name: CSV_READ[name] for name in ("header", "quote", "escape")}
    expected = spark.read.options(**options).csv(str(path))
    with isolated(spark, str(tmp_path)) as session:
        make_mock(session, Mock(name="mock", path=str(path)))
        found = session.table("mock")
        assert found.schema == expected.schema
        assert found.collect() == expected.collect()


def test_a_plain_header_takes_no_query(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "mock.csv"
    path.write_text("id,name\n1,Ann\n")
    spark.sparkContext.setJobGroup("mock", "mock")
    with isolated(spark, str(tmp_path)) as session:
        make_mock(session, Mock(name="mock", path=str(path)))
    spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)
    assert spark.sparkContext.statusTracker().getJobIdsForGroup("mock") == []


def test_a_file_that_spark_passes_over_is_told(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "_mock.csv"
    path.write_text("id,name\n1,Ann\n")
    with (
        isolated(spark, str(tmp_path)) as session,
        pytest.raises(RunError, match=r"mock 'mock': .*_mock\.csv"),
    ):
        make_mock(session, Mock(name="mock", path=str(path)))
