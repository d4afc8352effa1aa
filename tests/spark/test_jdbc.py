"""Inputs and outputs over JDBC, against PostgreSQL and MariaDB themselves."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession
from real_servers import Server, jar

from airflow_metorikku.config.load import read_job
from airflow_metorikku.config.records.inputs import JdbcInput
from airflow_metorikku.errors import MetorikkuError, RunError
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.jobs import require_sound
from airflow_metorikku.plan.records import Plan
from airflow_metorikku.results.records import Result
from airflow_metorikku.spark.databases import Database
from airflow_metorikku.spark.inputs import read_input
from airflow_metorikku.spark.runner import run_plan

Run = Callable[..., Result]


@pytest.fixture(params=["postgresql", "mariadb"])
def server(request: pytest.FixtureRequest) -> Server:
    jar(request.param)
    found: Server = request.getfixturevalue(request.param)
    return found


def database(server: Server) -> Database:
    return Database(url=server.url, user=server.user, password=server.password)


def sql(spark: SparkSession, server: Server, *statements: str) -> None:
    database(server).run(spark, *statements)


def rows(spark: SparkSession, server: Server, table: str) -> list[Row]:
    reader = spark.read.format("jdbc").options(**database(server).spark_options())
    return reader.option("dbtable", table).load().collect()


def given(server: Server, **more: Any) -> JdbcInput:
    fields = {"connection_url": server.url, "user": server.user, "password": server.password}
    return JdbcInput(**{**fields, **more})


@pytest.fixture
def run(spark: SparkSession, tmp_path: Path) -> Run:
    """Run a job of one step, whose outputs go to a database."""

    def run_job(
        server: Server, step: str, *outputs: dict[str, Any], inputs: Any = None, **block: Any
    ) -> Result:
        settings = {
            "connectionUrl": server.url, "user": server.user, "password": server.password, **block,
        }  # fmt: skip
        (tmp_path / "m.yaml").write_text(
            json.dumps(
                {
                    "steps": [{"dataFrameName": "t", "sql": step}],
                    "output": [{"dataFrameName": "t", **output} for output in outputs],
                }
            )
        )
        (tmp_path / "job.yaml").write_text(
            json.dumps(
                {
                    "metrics": ["m.yaml"],
                    "inputs": inputs or {},
                    "output": {"jdbc": settings, "file": {"dir": "out"}},
                }
            )
        )
        job = require_sound(read_job(tmp_path / "job.yaml", environ={}), final=True)
        (plan,) = compile_job(job)
        return run_plan(Plan.from_plain(json.loads(json.dumps(plan.to_plain()))), spark)

    return run_job


def table(mode: str, **more: Any) -> dict[str, Any]:
    return {"outputType": "JDBC", "outputOptions": {"saveMode": mode, "dbTable": "people", **more}}


def query(text: str, **more: Any) -> dict[str, Any]:
    return {"outputType": "JDBCQuery", "outputOptions": {"query": text, **more}}


PEOPLE = "SELECT * FROM VALUES (1, 'Ann'), (2, 'Bob') AS t(id, name)"
NUMBERS = "SELECT CAST(id AS INT) AS id, CONCAT('n', id) AS name FROM RANGE(0, {}, 1, 1)"


@pytest.fixture
def people(spark: SparkSession, server: Server) -> None:
    """An empty table."""
    sql(
        spark,
        server,
        "DROP TABLE IF EXISTS people",
        "CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(50))",
    )


def test_save_modes(spark: SparkSession, server: Server, people: None, run: Run):
    assert run(server, PEOPLE, table("Append")).error is None
    assert sorted(rows(spark, server, "people")) == [(1, "Ann"), (2, "Bob")]
    refused = run(server, PEOPLE, table("ErrorIfExists"))
    assert "table people exists already" in str(refused.error)
    ignored = run(server, "SELECT 3 AS id, 'Cid' AS name", table("ignore"))
    assert (ignored.error, len(rows(spark, server, "people"))) == (None, 2)
    done = run(server, "SELECT 4 AS id, 'Dee' AS name", table("OVERWRITE"))
    assert (done.error, done.metrics[0].outputs[0].rows) == (None, 1)
    assert rows(spark, server, "people") == [(4, "Dee")]
    sql(spark, server, "DROP TABLE people")
    assert run(server, PEOPLE, table("error")).error is None
    assert len(rows(spark, server, "people")) == 2


@pytest.mark.parametrize("table_of_input", ["people", "(SELECT * FROM people WHERE id > 0) AS p"])
def test_an_overwrite_of_what_is_read_is_refused(
    spark: SparkSession, server: Server, people: None, run: Run, table_of_input: str
):
    """Spark would empty the table first, then read nothing, and all would look well."""
    assert run(server, PEOPLE, table("Append")).error is None
    block = {"connectionUrl": server.url, "user": server.user, "password": server.password}
    inputs = {"p": {"jdbc": {**block, "table": table_of_input}}}
    step = "SELECT id + 1 AS id, name FROM p"
    refused = run(server, step, table("Overwrite"), inputs=inputs)
    assert "would empty people before its rows are read, as input 'p' is of it" in str(
        refused.error
    )
    assert sorted(rows(spark, server, "people")) == [(1, "Ann"), (2, "Bob")]
    assert run(server, step, table("Overwrite", dbTable="people2"), inputs=inputs).error is None
    assert len(rows(spark, server, "people2")) == 2


def test_what_is_left_as_it_was_is_not_called_published(server: Server, people: None, run: Run):
    (metric,) = run(server, PEOPLE, table("Ignore")).metrics
    assert [(one.rows, one.published) for one in metric.outputs] == [(None, False)]


def test_a_name_that_is_no_table_is_said_with_its_output(server: Server, run: Run):
    error = str(run(server, PEOPLE, table("Append", dbTable="no such.table")).error)
    assert error.startswith("output of 't' to JDBC in metric 'm'")
    assert "table no such.table: jdbc:" in error


def test_truncate_keeps_the_table_itself(
    spark: SparkSession, server: Server, people: None, run: Run
):
    sql(spark, server, "INSERT INTO people VALUES (9, 'Old')")
    assert run(server, PEOPLE, table("overwrite"), truncate=True).error is None
    assert sorted(rows(spark, server, "people")) == [(1, "Ann"), (2, "Bob")]
    # The primary key is there still: an overwrite without truncate would have made a table without one.
    again = run(server, PEOPLE, table("append"))
    assert "uplicate" in str(again.error)
    assert "its old rows are there still" in str(again.error)


def test_post_query_runs_once_after_the_write(
    spark: SparkSession, server: Server, people: None, run: Run
):
    copy = "INSERT INTO people SELECT id + 10, name FROM people"
    assert run(server, PEOPLE, table("append", postQuery=copy)).error is None
    assert sorted(row[0] for row in rows(spark, server, "people")) == [1, 2, 11, 12]
    failed = run(
        server, "SELECT 5 AS id, 'E' AS name", table("append", postQuery="UPDATE nowhere SET x = 1")
    )
    assert "postQuery" in str(failed.error)
    assert "nowhere" in str(failed.error)
    assert "the 1 rows themselves are written" in str(failed.error)
    assert len(rows(spark, server, "people")) == 5


def test_session_init_is_run_before_post_query(spark: SparkSession, postgresql: Server, run: Run):
    sql(spark, postgresql, "CREATE SCHEMA IF NOT EXISTS other", "DROP TABLE IF EXISTS other.x",
        "CREATE TABLE other.x (a INT)", "DROP TABLE IF EXISTS people")  # fmt: skip
    done = run(
        postgresql,
        PEOPLE,
        table("overwrite", postQuery="INSERT INTO x VALUES (7)"),
        sessionInitStatement="SET search_path = other",
    )
    assert done.error is None
    assert rows(spark, postgresql, "other.x") == [(7,)]


def test_session_init_of_an_input(spark: SparkSession, postgresql: Server):
    sql(spark, postgresql, "CREATE SCHEMA IF NOT EXISTS other", "DROP TABLE IF EXISTS other.y",
        "CREATE TABLE other.y (a INT)", "INSERT INTO other.y VALUES (1)")  # fmt: skip
    options = {"sessionInitStatement": "SET search_path = other"}
    got = read_input(spark, "y", given(postgresql, table="other.y", options=options))
    assert got.collect() == [(1,)]


@pytest.mark.parametrize("placeholders", ["?, ?", "$1, $2"])
def test_query_in_batches(
    spark: SparkSession, server: Server, people: None, run: Run, placeholders: str
):
    done = run(
        server,
        NUMBERS.format(7),
        query(f"INSERT INTO people VALUES ({placeholders})", maxBatchSize=3),
    )
    assert (done.error, done.metrics[0].outputs[0].rows) == (None, 7)
    assert sorted(rows(spark, server, "people")) == [(n, f"n{n}") for n in range(7)]


def test_numbered_placeholders_may_repeat(
    spark: SparkSession, server: Server, people: None, run: Run
):
    done = run(
        server,
        "SELECT 'Ann' AS name, 1 AS id",
        query("INSERT INTO people VALUES ($2, CONCAT($1, $1))"),
    )
    assert done.error is None
    assert rows(spark, server, "people") == [(1, "AnnAnn")]


def test_a_failed_batch_is_undone_and_the_earlier_ones_stand(
    spark: SparkSession, server: Server, people: None, run: Run
):
    sql(spark, server, "INSERT INTO people VALUES (4, 'there')")
    failed = run(
        server, NUMBERS.format(9), query("INSERT INTO people VALUES (?, ?)", maxBatchSize=3)
    )
    assert "uplicate" in str(failed.error)
    assert "the batch of rows 4 to 6 was undone, 3 rows before it are committed" in str(
        failed.error
    )
    assert sorted(row[0] for row in rows(spark, server, "people")) == [0, 1, 2, 4]
    assert failed.metrics[0].outputs[0].published is False


def test_an_upsert_may_be_repeated(spark: SparkSession, server: Server, people: None, run: Run):
    upsert = "INSERT INTO people VALUES ($1, $2) " + (
        "ON CONFLICT (id) DO UPDATE SET name = $2"
        if server.name == "postgresql"
        else "ON DUPLICATE KEY UPDATE name = $2"
    )
    for _ in range(2):
        assert run(server, NUMBERS.format(5), query(upsert, maxBatchSize=2)).error is None
    assert len(rows(spark, server, "people")) == 5


def test_columns_that_do_not_fit_are_refused_before_anything_is_written(
    spark: SparkSession, server: Server, people: None, run: Run
):
    # The first output would fit; nothing of the metric is written.
    fits, short = (
        query("INSERT INTO people VALUES (?, ?)"),
        query("INSERT INTO people VALUES (?, 'x')"),
    )
    failed = run(server, PEOPLE, fits, short)
    assert "has placeholders for 1 columns, and the data frame has 2: id, name" in str(failed.error)
    assert "nothing was written" in str(failed.error)
    assert rows(spark, server, "people") == []


def test_partitions_of_a_query(spark: SparkSession, server: Server, people: None, run: Run):
    step = "SELECT CAST(id AS INT) AS id, 'n' AS name FROM RANGE(0, 20, 1, 4)"
    upto = query("INSERT INTO people VALUES (?, ?)", maxPartitions=1)
    assert run(server, step, upto).error is None
    sql(spark, server, "DELETE FROM people")
    least = query("INSERT INTO people VALUES (?, ?)", minPartitions=6)
    assert run(server, step, least).metrics[0].outputs[0].rows == 20
    assert len(rows(spark, server, "people")) == 20


def test_an_empty_frame(spark: SparkSession, server: Server, people: None, run: Run):
    nothing = f"{PEOPLE} WHERE id > 5"
    insert = "INSERT INTO people VALUES (?, ?)"
    assert run(server, nothing, query(insert), table("append")).error is None
    protected = run(server, nothing, query(insert, protectFromEmptyOutput=True))
    assert "empty dataframe output is not allowed" in str(protected.error)
    assert rows(spark, server, "people") == []


TYPES = """SELECT * FROM VALUES
    (1, 9000000000L, 1.5D, TRUE, 12345678901234.5678BD, DATE'2026-02-28',
     TIMESTAMP'2026-02-28 12:34:56.789', X'00ff', 'it\\'s "quoted" — ☃ \\\\ ;--'),
    (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
    AS t(i, l, d, b, dec, day, ts, bin, s)"""
TYPED = {
    "postgresql": "i INT, l BIGINT, d DOUBLE PRECISION, b BOOLEAN, dec DECIMAL(20, 4), day DATE, ts TIMESTAMP, bin BYTEA, s TEXT",
    "mariadb": "i INT, l BIGINT, d DOUBLE, b BOOLEAN, `dec` DECIMAL(20, 4), day DATE, ts DATETIME(3), bin VARBINARY(10), s TEXT",
}


@pytest.mark.parametrize("by", ["query", "table"])
def test_types_and_nulls_there_and_back(spark: SparkSession, server: Server, run: Run, by: str):
    sql(spark, server, "DROP TABLE IF EXISTS people", f"CREATE TABLE people ({TYPED[server.name]})")
    marks = ", ".join("?" * 9)
    output = query(f"INSERT INTO people VALUES ({marks})") if by == "query" else table("append")
    assert run(server, TYPES, output).error is None
    full, nulls = sorted(rows(spark, server, "people"))
    assert tuple(nulls) == (2, *[None] * 8)
    values = full.asDict()
    assert (values["l"], values["d"], bool(values["b"])) == (9000000000, 1.5, True)
    assert values["dec"] == Decimal("12345678901234.5678")
    assert values["day"] == date(2026, 2, 28)
    assert spark.createDataFrame([full]).selectExpr(
        "date_format(ts, 'yyyy-MM-dd HH:mm:ss.SSS')"
    ).first() == ("2026-02-28 12:34:56.789",)
    assert bytes(values["bin"]) == b"\x00\xff"
    assert values["s"] == 'it\'s "quoted" — ☃ \\ ;--'


def test_nested_values_become_json_and_arrays_stay_where_the_database_has_them(
    spark: SparkSession, server: Server, run: Run
):
    kind = "INT[]" if server.name == "postgresql" else "TEXT"
    sql(
        spark,
        server,
        "DROP TABLE IF EXISTS people",
        f"CREATE TABLE people (a {kind}, s TEXT, m TEXT, v TEXT)",
    )
    step = "SELECT ARRAY(1, 2) AS a, STRUCT(1 AS x, 'y' AS z) AS s, MAP('k', 1) AS m, NULL AS v"
    insert = query("INSERT INTO people VALUES (?, ?, ?, ?)")
    assert run(server, step, insert, table("append")).error is None
    wanted = [1, 2] if server.name == "postgresql" else "[1,2]"
    assert rows(spark, server, "people") == [(wanted, '{"x":1,"z":"y"}', '{"k":1}', None)] * 2


def test_quotes_blanks_and_letters_in_names(spark: SparkSession, server: Server, run: Run):
    quote = '"' if server.name == "postgresql" else "`"
    name = f"{quote}Löhne & Co{quote}"
    sql(spark, server, f"DROP TABLE IF EXISTS {name}")
    step = 'SELECT 1 AS `a b`, 2 AS `größe`, 3 AS `Sel"ect`'
    output = {"outputType": "JDBC", "outputOptions": {"saveMode": "overwrite", "dbTable": name}}
    if server.name == "postgresql":
        step = step.replace('Sel"ect', "select")
    assert run(server, step, output).error is None
    got = read_input(spark, "loehne", given(server, table=name))
    assert got.columns[:2] == ["a b", "größe"]
    assert got.collect() == [(1, 2, 3)]


def numbers(spark: SparkSession, server: Server, count: int) -> None:
    sql(
        spark,
        server,
        "DROP TABLE IF EXISTS numbers",
        "CREATE TABLE numbers (id BIGINT, name VARCHAR(20))",
        "INSERT INTO numbers VALUES " + ", ".join(f"({n}, 'n{n}')" for n in range(count)),
    )


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        ({}, 1),
        ({"partitions_number": 4}, 4),
        ({"partition_column": "ID"}, 10),
        ({"partition_column": '"id"', "partitions_number": 3}, 3),
        (
            {
                "table": "(SELECT id, name FROM numbers WHERE id >= 0) AS some_numbers",
                "partitions_number": 5,
            },
            5,
        ),
        ({"partitions_number": 4, "options": {"numPartitions": "2"}}, 2),
        (
            {
                "options": {
                    "partitionColumn": "id",
                    "lowerBound": "0",
                    "upperBound": "40",
                    "numPartitions": "8",
                }
            },
            8,
        ),
    ],
)
def test_reads_in_as_many_partitions_as_asked(
    spark: SparkSession, server: Server, asked: dict[str, Any], parts: int
):
    numbers(spark, server, 40)
    got = read_input(spark, "numbers", given(server, **{"table": "numbers", **asked}))
    assert got.rdd.getNumPartitions() == parts
    assert sorted(row[0] for row in got.collect()) == list(range(40))


def test_a_partitioned_read_of_an_empty_table(spark: SparkSession, server: Server):
    sql(spark, server, "DROP TABLE IF EXISTS numbers", "CREATE TABLE numbers (id INT)")
    got = read_input(spark, "numbers", given(server, table="numbers", partitions_number=4))
    assert got.collect() == []


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"table": "nowhere"}, "nowhere"),
        (
            {"table": "numbers", "partition_column": "nr"},
            "there is no such column; expected one of id, name",
        ),
        ({"table": "numbers", "partition_column": "name"}, "expected a whole number"),
        ({"table": "numbers", "password": "wrong one"}, "metorikku"),
        ({"table": "numbers", "connection_url": "jdbc:postgresql://127.0.0.1:1/x"}, "127.0.0.1:1"),
        ({"table": "numbers", "connection_url": "jdbc:oracle:thin:@h:1/x"}, "ojdbc11"),
        (
            {"table": "numbers", "options": {"driver": "no.such.Driver"}},
            "the JDBC driver no.such.Driver is not there",
        ),
        ({"table": "numbers", "connection_url": "jdbc:nobody:x"}, "no driver is known for it"),
    ],
)
def test_what_cannot_be_read_is_said_in_words(
    spark: SparkSession, server: Server, asked: dict[str, Any], says: str
):
    numbers(spark, server, 3)
    with pytest.raises(RunError) as caught:
        read_input(spark, "numbers", given(server, **asked)).collect()
    assert says in str(caught.value)
    assert str(caught.value).startswith("input 'numbers': ")
    assert "wrong one" not in str(caught.value)
    assert server.password not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("block", "says"),
    [
        ({"password": "wrong one"}, "cannot connect"),
        ({"connectionUrl": "jdbc:postgresql://127.0.0.1:1/x"}, "127.0.0.1:1"),
        ({"connectionUrl": "jdbc:oracle:thin:@h:1/x"}, "com.oracle.database.jdbc:ojdbc11"),
        ({"driver": "no.such.Driver"}, "no.such.Driver is not there"),
    ],
)
@pytest.mark.parametrize("output", [table("append"), query("INSERT INTO people VALUES (?, ?)")])
def test_nobody_there_is_said_before_any_step_runs(
    server: Server, run: Run, output: dict[str, Any], block: dict[str, Any], says: str
):
    try:
        failed = run(server, "SELECT 1 / 0 AS never", output, **block)
        text = str(failed.error)
    except MetorikkuError as error:
        text = str(error)
    assert says in text
    assert "wrong one" not in text
    assert "never" not in text
    assert "\n" not in text


def test_a_table_that_does_not_exist(server: Server, run: Run):
    failed = run(server, PEOPLE, query("INSERT INTO nowhere VALUES (?, ?)"))
    assert "nowhere" in str(failed.error)
    assert "nothing was written" in str(failed.error)


def test_files_stay_as_they_were_when_the_database_fails(server: Server, run: Run, tmp_path: Path):
    parquet = {"outputType": "Parquet", "outputOptions": {"path": "p"}}
    failed = run(server, PEOPLE, parquet, query("INSERT INTO nowhere VALUES (?, ?)"))
    assert failed.error
    assert not (tmp_path / "out/p").exists()


def test_no_connection_stays_open(spark: SparkSession, server: Server, people: None, run: Run):
    for _ in range(2):
        run(server, NUMBERS.format(9), query("INSERT INTO people VALUES (?, ?)", maxBatchSize=2))
    count = (
        "(SELECT COUNT(*) AS n FROM pg_stat_activity WHERE client_port IS NOT NULL) AS a"
        if server.name == "postgresql"
        else "(SELECT COUNT(*) AS n FROM information_schema.processlist WHERE user = 'metorikku') AS a"
    )
    assert [int(row[0]) for row in rows(spark, server, count)] == [1]  # the one that asks


def test_now_is_not_what_a_database_takes_for_utc(
    spark: SparkSession, postgresql: Server, run: Run
):
    """An instant goes out and comes back as the same instant, with a time zone or without."""
    sql(spark, postgresql, "DROP TABLE IF EXISTS people", "CREATE TABLE people (a TIMESTAMPTZ)")
    step = "SELECT TIMESTAMP'2026-07-01 00:30:00+00:00' AS a"
    assert run(postgresql, step, query("INSERT INTO people VALUES (?)")).error is None
    (row,) = rows(spark, postgresql, "people")
    assert row[0].astimezone(UTC) == datetime(2026, 7, 1, 0, 30, tzinfo=UTC)
