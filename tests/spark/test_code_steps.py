"""Metorikku's own code steps, and code in a JAR; the oracle asks the rest of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.records.code_steps import CODE_STEPS, PACKAGE
from airflow_metorikku.config.records.metric import Metric, Step
from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.jvm import java_class
from airflow_metorikku.spark.names import register
from airflow_metorikku.spark.steps import prepare
from airflow_metorikku.spark.steps.code import BUILT_IN
from airflow_metorikku.spark.steps.prepared import Scene
from airflow_metorikku.spark.variables import Variables

Do = Callable[..., DataFrame]


def prepared(session: SparkSession, classpath: str, params: dict[str, str] | None) -> Any:
    step = Step(data_frame_name="t", classpath=classpath, params=params)
    ready = prepare(Metric(name="m", file="m.yaml", steps=(step,)), step)
    variables = Variables(session, quotes=True)
    return ready(Scene(session=session, variables=variables, show_query=False))


@pytest.fixture
def do(spark: SparkSession) -> Do:
    """`do("DropColumns", {"a": "SELECT …"}, table="a")`: the step, after views are made by SQL."""

    def run(name: str, views: dict[str, str], **params: str) -> DataFrame:
        for view, sql in views.items():
            register(spark.sql(sql), view)
        made: DataFrame = prepared(spark, PACKAGE + name, params)
        return made

    return run


def rows(frame: DataFrame) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in frame.collect()), key=str)


A = "SELECT * FROM VALUES (1, 10, 'a', 1.5D), (2, 20, 'b', 2.5D), (3, 30, 'c', NULL) AS x(Id, Shop, name, v1)"
B = "SELECT * FROM VALUES (1, 10, 'X', 7), (2, 99, 'Y', 8) AS x(id, shop, NAME, v2)"


def test_every_code_step_of_the_reference_is_there() -> None:
    assert BUILT_IN.keys() == CODE_STEPS.keys()


@pytest.mark.parametrize("keys", ["id shop", "id,shop", " Id ,  SHOP "])
def test_selective_merge_takes_blanks_or_commas_between_keys(do: Do, keys: str) -> None:
    merged = do("SelectiveMerge", {"a": A, "b": B}, df1="a", df2="b", joinKeys=keys)
    assert merged.columns == ["id", "shop", "name", "v1", "v2"]
    assert rows(merged) == [
        (1, 10, "X", 1.5, 7),
        (2, 20, None, 2.5, None),
        (2, 99, "Y", None, 8),
        (3, 30, None, None, None),
    ]


def test_selective_merge_says_which_key_is_missing(do: Do) -> None:
    with pytest.raises(RunError, match="joinKeys: got v1, which 'b' has not"):
        do("SelectiveMerge", {"a": A, "b": B}, df1="a", df2="b", joinKeys="v1")
    twice = "SELECT 1 AS id, 2 AS ID"
    with pytest.raises(RunError, match="'b' has several columns that are 'id' in lower case"):
        do("SelectiveMerge", {"a": A, "b": twice}, df1="a", df2="b", joinKeys="id")


def test_remove_duplicates(do: Do) -> None:
    views = {
        "a": "SELECT * FROM VALUES (1, 'x', 1), (1, 'x', 2), (1, 'y', 1), (1, 'x', 1) AS t(k, `l m`, n)"
    }
    assert rows(do("RemoveDuplicates", views, table="a")) == [(1, "x", 1), (1, "x", 2), (1, "y", 1)]
    some = do("RemoveDuplicates", views, table="a", columns="k, l m")
    assert [row[:2] for row in rows(some)] == [(1, "x"), (1, "y")]
    with pytest.raises(RunError, match="columns: got no, which 'a' has not; expected some of k"):
        do("RemoveDuplicates", views, table="a", columns="k,no")


def test_drop_columns(do: Do) -> None:
    views = {"a": "SELECT 1 AS a, 2 AS `b.c`, 3 AS `d e`, 4 AS ` f`"}
    assert do("DropColumns", views, table="a", columns="A,b.c, f,zz").columns == ["d e"]


def test_align_tables_gives_nulls_the_type_they_have_there(do: Do) -> None:
    views = {"a": "SELECT 'x' AS n, 1 AS Id", "b": "SELECT 1L AS id, 2 AS n, DATE'2026-01-01' AS d"}
    aligned = do("AlignTables", views, **{"from": "a", "to": "b"})
    assert aligned.dtypes == [("id", "bigint"), ("n", "string"), ("d", "date")]
    assert rows(aligned) == [(None, "x", None)]


def test_load_if_exists(do: Do, spark: SparkSession) -> None:
    views = {"a": "SELECT 1 AS x"}
    missing = do("LoadIfExists", views, dfName="a", tableName="not_there")
    assert (missing.columns, rows(missing)) == (["x"], [])
    spark.sql("CREATE TABLE default.there_of_code_steps USING parquet AS SELECT 5 AS y")
    try:
        for name in ("there_of_code_steps", "default.there_of_code_steps"):
            assert rows(do("LoadIfExists", views, dfName="a", tableName=name)) == [(5,)]
    finally:
        spark.sql("DROP TABLE default.there_of_code_steps")


@pytest.mark.parametrize(
    ("columns", "delimiter"), [("s|n", "|"), ("s.n", "."), ("s|n", r"\|"), ("s.n", "[.]")]
)
def test_obfuscate_columns_takes_the_delimiter_as_it_is(
    do: Do, columns: str, delimiter: str
) -> None:
    views = {"a": "SELECT * FROM VALUES ('a', 1, 'k'), (NULL, 2, 'l') AS t(s, n, kept)"}
    hidden = do(
        "obfuscate.ObfuscateColumns",
        views,
        table="a",
        columns=columns,
        delimiter=delimiter,
        value="md5",
    )
    # md5 of the texts `a`, `1` and `2`, by md5sum.
    assert rows(hidden) == [
        ("0cc175b9c0f1b6a831c399e269772661", "c4ca4238a0b923820dcc509a6f75849b", "k"),
        (None, "c81e728d9d4c2f636f067f89cc14862c", "l"),
    ]


def test_watermark(do: Do) -> None:
    views = {"a": "SELECT TIMESTAMP'2026-01-01 00:00:00' AS at"}
    frame = do("Watermark", views, table="a", eventTime="at", delayThreshold="10 minutes")
    assert len(rows(frame)) == 1


def test_registrator_makes_a_function_and_no_data_frame(do: Do, spark: SparkSession) -> None:
    assert do("Registrator", {}) is None
    told = spark.sql(
        "SELECT CAST(EPOCH_MILLI_TO_TIMESTAMP(1577836800123L) AS STRING), EPOCH_MILLI_TO_TIMESTAMP(NULL)"
    )
    assert rows(told) == [("2020-01-01 00:00:00.123", None)]


MADE = """
package com.mine;
public class Made$ {
  public static final Made$ MODULE$ = new Made$();
  public void run(org.apache.spark.sql.SparkSession spark, String metric, String frame, scala.Option params) {
    Object given = "none";
    if (params.isDefined()) { given = ((scala.collection.immutable.Map) params.get()).apply("x"); }
    spark.sql("SELECT '" + metric + "' AS metric, '" + given + "' AS x").createOrReplaceTempView(frame);
  }
}
"""
SILENT = """
package com.mine;
public class Silent {
  public static void run(org.apache.spark.sql.SparkSession spark, String metric, String frame, scala.Option params) {
    spark.conf().set("silent.was.here", frame);
  }
}
"""


@pytest.fixture
def jar(spark: SparkSession) -> Iterator[None]:
    """Classes that the thread's class loader finds as it finds those of a JAR; Spark's own compiler makes them."""
    thread = java_class(spark, "java.lang.Thread").currentThread()
    before = thread.getContextClassLoader()
    for source in (MADE, SILENT):
        compiler = java_class(spark, "org.codehaus.janino.SimpleCompiler")()
        compiler.setParentClassLoader(thread.getContextClassLoader())
        compiler.cook(source)
        thread.setContextClassLoader(compiler.getClassLoader())
    yield
    thread.setContextClassLoader(before)


def test_a_scala_object_of_a_jar_is_called_as_metorikku_calls_it(
    spark: SparkSession, jar: None
) -> None:
    assert rows(prepared(spark, "com.mine.Made", {"x": "5"})) == [("m", "5")]
    assert rows(prepared(spark, "com.mine.Made", None)) == [("m", "none")]


def test_a_java_class_may_register_no_view(spark: SparkSession, jar: None) -> None:
    spark.catalog.dropTempView("t")
    assert prepared(spark, "com.mine.Silent", None) is None
    assert spark.conf.get("silent.was.here") == "t"


@pytest.mark.parametrize("name", ["com.mine.Nowhere", "com.mine.Nowhere:run"])
def test_a_class_that_is_nowhere(spark: SparkSession, name: str) -> None:
    logging.getLogger("py4j").disabled = True
    with pytest.raises(RunError, match=r"no JAR of this run has such a class .* jars or packages"):
        prepared(spark, name, None)
