"""Whole plans in one session: what is written, what is withheld, what is said."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from made_runs import Run, dq, metric, output, rows, step
from pyspark.sql import SparkSession

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.checks.freshness import HasFreshness
from airflow_metorikku.config.records.checks.keys import IsUnique
from airflow_metorikku.config.records.checks.numbers import HasMin, HasSum
from airflow_metorikku.config.records.checks.rows import HasSize, IsComplete, Satisfies
from airflow_metorikku.config.records.inputs import FileInput
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import Step
from airflow_metorikku.config.records.outputs import FileSettings, OutputSettings
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.records import Identity, Plan
from airflow_metorikku.results.records import Result
from airflow_metorikku.spark import stage
from airflow_metorikku.spark.runner import run_plan

NULLS = "SELECT id, IF(id % 10 = 0, NULL, id) AS v FROM range(100)"


def test_steps_in_order_and_an_output(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    result = run(
        metric(
            step("a", "SELECT 1 AS x UNION ALL SELECT 2"),
            step("b", "SELECT x + 1 AS y FROM a"),
            out=(output("b", "out"),),
        )
    )
    assert (result.verdict, result.error) == ("good", None)
    assert rows(spark, tmp_path / "out") == [(2,), (3,)]
    assert [one.status for one in result.metrics[0].steps] == ["ok", "ok"]
    assert (result.metrics[0].outputs[0].rows, result.metrics[0].outputs[0].published) == (2, True)
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("kind", ["Parquet", "CSV", "JSON"])
def test_a_warning_publishes_and_an_error_withholds(
    run: Run, spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    options = {"kind": kind, "save_mode": "overwrite"}
    checks = (IsComplete(column="v", id="v_complete"), HasSize(size=100, operator="=="))
    first = run(
        metric(step("t", NULLS, dq=dq("warn", *checks)), out=(output("t", "out", **options),))
    )
    found = {one.id: one for one in first.metrics[0].constraints}
    assert first.verdict == "warning"
    assert (found["v_complete"].status, found["v_complete"].value) == ("failed", 0.9)
    assert found["hasSize"].status == "passed"
    assert first.metrics[0].outputs[0].rows == 100
    held = run(
        metric(
            step("t", NULLS.replace("100", "200"), dq=dq("error", checks[0])),
            out=(output("t", "out", **options),),
        )
    )
    assert (held.verdict, held.error) == ("critical", None)
    assert not held.metrics[0].outputs[0].published
    assert len(rows(spark, tmp_path / "out", kind.lower())) == 100
    assert os.listdir(tmp_path) == ["out"]


def test_a_check_of_a_frame_that_is_not_written(run: Run, tmp_path: Path) -> None:
    result = run(
        metric(
            step(
                "a",
                NULLS,
                dq=dq(
                    "error",
                    IsUnique(column="id"),
                    HasMin(column="id", assertion=Assertion.from_text(">= 0")),
                ),
            ),
            step("b", "SELECT 1 AS x", dq=dq("error", IsComplete(column="nope"))),
            out=(output("b", "out"),),
        )
    )
    found = {one.id: one.status for one in result.metrics[0].constraints}
    assert found["isUnique.id"] == "passed"
    assert found["isComplete.nope"] == "error"
    assert not (tmp_path / "out").exists()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("kept", "told"), [("id < 50", True), ("id < 0", True), ("id < 50", False)]
)
def test_what_passes_on_the_way_to_an_output_counts_once(
    run: Run, monkeypatch: pytest.MonkeyPatch, kept: str, told: bool
) -> None:
    """Whatever is asked after the write of what is written, which an observation cannot tell."""
    if not told:  # then it is computed again
        monkeypatch.setattr(stage, "rows_written", lambda *_: 7)
    size, total = Assertion.from_text("== 100"), Assertion.from_text("== 4950")
    newest = HasFreshness(column="at", assertion=Assertion.from_text(">= 0"), unit="days")
    made = "SELECT id, TIMESTAMP'2024-01-01 00:00:00' AS at FROM src"
    result = run(
        metric(
            step("src", "SELECT * FROM range(0, 100, 1, 3)"),
            step(
                "a",
                made,
                dq=dq("warn", HasSize(assertion=size), HasSum(column="id", assertion=total)),
            ),
            step("b", f"SELECT * FROM a WHERE {kept}", dq=dq("warn", newest)),
            out=(output("b", "out", kind="CSV"),),
        )
    )
    found = {one.id: one for one in result.metrics[0].constraints}
    assert [found[name].status for name in ("hasSize", "hasSum.id")] == ["passed", "passed"]
    assert (found["hasFreshness.at"].how == "observed") is told


def test_all_outputs_of_a_metric_or_none(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    bad = step("b", NULLS, dq=dq("error", IsComplete(column="v")))
    result = run(
        metric(step("a", "SELECT 1 AS x"), bad, out=(output("a", "one"), output("b", "two")))
    )
    assert result.verdict == "critical"
    assert os.listdir(tmp_path) == []
    assert [one.published for one in result.metrics[0].outputs] == [False, False]


def test_checks_of_a_step_that_may_fail_have_no_effect(run: Run, tmp_path: Path) -> None:
    result = run(
        metric(
            step("t", NULLS, ignore_on_failures=True, dq=dq("error", IsComplete(column="v"))),
            out=(output("t", "out"),),
        )
    )
    assert result.verdict == "information"
    assert not result.metrics[0].constraints[0].counts
    assert (tmp_path / "out").exists()


@pytest.mark.parametrize("flag", ["step", "job"])
def test_a_failing_step_that_may_fail(
    run: Run, spark: SparkSession, tmp_path: Path, flag: str
) -> None:
    broken = step(
        "u",
        "SELECT nope FROM range(1)",
        ignore_on_failures=flag == "step",
        dq=dq("error", IsComplete(column="nope")),
    )
    result = run(
        metric(broken, step("t", "SELECT 1 AS x"), out=(output("t", "out"),)),
        continue_on_failed_step=flag == "job",
    )
    assert [one.status for one in result.metrics[0].steps] == ["ignored", "ok"]
    assert "`nope` cannot be resolved" in str(result.metrics[0].steps[0].error)
    assert [(one.status, one.counts) for one in result.metrics[0].constraints] == [("error", False)]
    assert rows(spark, tmp_path / "out") == [(1,)]


def test_a_failing_step_stops_the_metric_and_the_job(run: Run, tmp_path: Path) -> None:
    result = run(
        metric(
            step("t", "SELECT nope FROM range(1)"),
            step("u", "SELECT 1 AS x"),
            out=(output("u", "out"),),
        ),
        metric(step("v", "SELECT 1 AS x"), out=(output("v", "later"),), name="later"),
    )
    assert result.error is not None
    assert "step 't' of metric 'm' (m.yaml:3)" in result.error
    assert "SQLSTATE" not in result.error
    assert "\n" not in result.error
    assert [one.status for one in result.metrics[0].steps] == ["failed"]
    assert not result.metrics[1].ran
    assert result.verdict == "critical"
    assert os.listdir(tmp_path) == []


@pytest.mark.usefixtures("ansi")
def test_an_error_in_a_row_is_the_outputs(run: Run, tmp_path: Path) -> None:
    result = run(
        metric(step("t", "SELECT 1 / (id - 1) AS x FROM range(3)"), out=(output("t", "out"),))
    )
    assert "output of 't' to Parquet in metric 'm'" in str(result.error)
    assert "[DIVIDE_BY_ZERO]" in str(result.error)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("given", ["soon", "-1", "nan"])
def test_a_wait_that_is_no_time(run: Run, spark: SparkSession, tmp_path: Path, given: str) -> None:
    setting = "spark.metorikku.publish.waitSeconds"
    spark.conf.set(setting, given)
    try:
        result = run(metric(step("t", "SELECT 1 AS x"), out=(output("t", "out"),)))
    finally:
        spark.conf.unset(setting)
    assert result.error == f"{setting}: got '{given}', expected a number of seconds"
    assert os.listdir(tmp_path) == []


def test_metrics_that_share_nothing_go_on(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    bad = metric(step("a", NULLS, dq=dq("error", IsComplete(column="v"))), name="bad")
    user = metric(step("b", "SELECT * FROM a"), out=(output("b", "b"),), name="user")
    second = metric(step("c", "SELECT * FROM b"), out=(output("c", "c"),), name="second")
    other = metric(step("d", "SELECT 1 AS x"), out=(output("d", "d"),), name="other")
    result = run(bad, user, second, other, on_failed_metric="continue")
    assert {one.name: one.ran for one in result.metrics} == {
        "bad": True,
        "user": False,
        "second": False,
        "other": True,
    }
    assert os.listdir(tmp_path) == ["d"]
    stopped = run(bad, other, on_failed_metric="stop")
    assert not stopped.metrics[1].ran


# --- outputs -----------------------------------------------------------------------------------


def test_the_default_mode_fails_before_anything_runs(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/precious").write_text("x")
    result = run(metric(step("t", "SELECT raise_error('ran') AS x"), out=(output("t", "out"),)))
    assert f"{tmp_path}/out: exists already" in str(result.error)
    assert [one.ran for one in result.metrics] == [False]
    assert os.listdir(tmp_path / "out") == ["precious"]


def test_save_modes(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    def write(value: int, mode: str, run_id: str) -> Result:
        return run(
            metric(step("t", f"SELECT {value} AS x"), out=(output("t", "out", save_mode=mode),)),
            run_id=run_id,
        )

    write(1, "append", "r1")
    write(2, "append", "r2")
    assert rows(spark, tmp_path / "out") == [(1,), (2,)]
    write(3, "append", "r1")
    assert rows(spark, tmp_path / "out") == [(2,), (3,)]
    ignored = write(4, "ignore", "r3")
    assert rows(spark, tmp_path / "out") == [(2,), (3,)]
    assert not ignored.metrics[0].outputs[0].published
    write(5, "overwrite", "r4")
    assert rows(spark, tmp_path / "out") == [(5,)]
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("by", ["option", "conf"])
def test_dynamic_partition_overwrite(
    run: Run, spark: SparkSession, tmp_path: Path, by: str
) -> None:
    def write(sql: str, **more: Any) -> None:
        options = {"partition_by": ("k",), "save_mode": "overwrite", **more}
        assert run(metric(step("t", sql), out=(output("t", "out", **options),))).error is None

    write("SELECT 1 AS x, 1 AS k UNION ALL SELECT 2, 2")
    if by == "conf":
        spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    try:
        write(
            "SELECT 3 AS x, 2 AS k UNION ALL SELECT 4, 3",
            **({"partition_overwrite": "dynamic"} if by == "option" else {}),
        )
    finally:
        spark.conf.unset("spark.sql.sources.partitionOverwriteMode")
    assert rows(spark, tmp_path / "out") == [(1, 1), (3, 2), (4, 3)]
    write("SELECT 5 AS x, 2 AS k", partition_overwrite="static")
    assert rows(spark, tmp_path / "out") == [(5, 2)]


def test_checks_of_a_partitioned_output(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    """An empty text as a partition is read back as null: the check is on what the frame held."""
    sql = "SELECT id, IF(id = 1, '', 'b') AS k FROM range(3)"
    result = run(
        metric(
            step("t", sql, dq=dq("error", IsComplete(column="k"))),
            out=(output("t", "out", partition_by=("k",)),),
        )
    )
    assert [one.status for one in result.metrics[0].constraints] == ["passed"]
    number = "SELECT id, id % 2 AS k FROM range(3)"
    result = run(
        metric(
            step("t", number, dq=dq("error", IsComplete(column="k"))),
            out=(output("t", "n", partition_by=("k",)),),
        )
    )
    assert [one.status for one in result.metrics[0].constraints] == ["passed"]


def test_unique_paths_are_one_folder_for_a_run(run: Run, tmp_path: Path) -> None:
    settings = OutputSettings(file=FileSettings(dir=str(tmp_path / "base")))
    out = (output("t", "a", create_unique_path=True), output("t", "b", create_unique_path=True))
    before = int(time.time() * 1000)
    result = run(metric(step("t", "SELECT 1 AS x"), out=out), output=settings)
    (folder,) = os.listdir(tmp_path / "base")
    assert before <= int(folder) <= time.time() * 1000
    assert sorted(os.listdir(tmp_path / "base" / folder)) == ["a", "b"]
    assert result.metrics[0].outputs[0].target == f"{tmp_path}/base/{folder}/a"


def test_protection_from_empty_outputs(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    run(metric(step("t", "SELECT 1 AS x"), out=(output("t", "out"),)))
    empty = metric(
        step("t", "SELECT 1 AS x WHERE false"),
        out=(output("t", "out", save_mode="overwrite", protect_from_empty_output=True),),
    )
    result = run(empty)
    assert (
        "Abort writing dataframe: t, empty dataframe output is not allowed according to configuration"
        in str(result.error)
    )
    assert rows(spark, tmp_path / "out") == [(1,)]
    assert os.listdir(tmp_path) == ["out"]


def test_an_empty_frame_keeps_its_columns(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    result = run(
        metric(
            step("t", "SELECT 1 AS x, 'a' AS y WHERE false"),
            out=(output("t", "p"), output("t", "c", "CSV")),
        )
    )
    assert [one.rows for one in result.metrics[0].outputs] == [0, 0]
    assert spark.read.parquet(str(tmp_path / "p")).columns == ["x", "y"]
    assert "".join(path.read_text() for path in (tmp_path / "c").glob("part-*")) == '"x","y"\n'


def test_csv_is_written_as_metorikku_writes_it(run: Run, tmp_path: Path) -> None:
    """The oracle's e20_csv_text."""
    sql = "SELECT 1 AS i, 'a\"b' AS s, CAST(NULL AS decimal(5,2)) AS d, '' AS e UNION ALL SELECT 2, 'x,y', 1.50, 'z'"
    run(metric(step("t", sql), out=(output("t", "out", "CSV", coalesce=True),)))
    (part,) = (tmp_path / "out").glob("part-*.csv")
    assert part.read_text() == '"i","s","d","e"\n"1","a""b","",""\n"2","x,y","1.50","z"\n'


def test_csv_options(run: Run, tmp_path: Path) -> None:
    options = {
        "csv_options": {"header": "true", "sep": ";"},
        "extra_options": {"header": "false"},
        "coalesce": True,
    }
    run(metric(step("t", "SELECT 1 AS a, 2 AS b"), out=(output("t", "out", "CSV", **options),)))
    (part,) = (tmp_path / "out").glob("part-*.csv")
    assert part.read_text() == '"1";"2"\n'


def test_formats_and_partitions(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    out = (
        output("t", "o", "File", format="orc", repartition=3),
        output("t", "p", "File"),
    )
    assert run(metric(step("t", "SELECT id FROM range(30)"), out=out)).error is None
    assert len(list((tmp_path / "o").glob("part-*.orc"))) == 3
    assert len(rows(spark, tmp_path / "o", "orc")) == len(rows(spark, tmp_path / "p")) == 30


@pytest.mark.usefixtures("needs_spark_4")
def test_xml_without_a_row_tag(run: Run, tmp_path: Path) -> None:
    out = (output("t", "x", "File", format="xml"),)
    assert run(metric(step("t", "SELECT id FROM range(3)"), out=out)).error is None
    assert "<ROW>" in next((tmp_path / "x").glob("part-*")).read_text()


def test_an_output_that_replaces_its_own_input(
    run: Run, spark: SparkSession, tmp_path: Path
) -> None:
    spark.range(5).write.parquet(str(tmp_path / "data"))
    again = metric(
        step("u", "SELECT count(*) AS n FROM data"), out=(output("u", "count"),), name="again"
    )
    result = run(
        metric(
            step("t", "SELECT id + 1 AS id FROM data"),
            out=(output("t", "data", save_mode="overwrite"),),
        ),
        again,
        inputs={"data": FileInput(path=str(tmp_path / "data"))},
    )
    assert result.error is None
    assert rows(spark, tmp_path / "data") == [(1,), (2,), (3,), (4,), (5,)]
    assert rows(spark, tmp_path / "count") == [(5,)]


@pytest.mark.parametrize("name", ["a b", "a%20b", "a:b", "ü'x", "a[1]{b}"])
def test_odd_paths(run: Run, spark: SparkSession, tmp_path: Path, name: str) -> None:
    checked = step("t", NULLS, dq=dq("warn", IsComplete(column="v")))
    for _ in range(2):
        result = run(metric(checked, out=(output("t", name, save_mode="overwrite"),)))
        assert (result.error, result.metrics[0].constraints[0].value) == (None, 0.9)
    assert os.listdir(tmp_path) == [name]


def test_a_null_column_to_parquet(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    """Spark 4.2 writes one and reads it back as nulls; 3.5 refuses it, which must be a sentence."""
    result = run(
        metric(
            step("t", "SELECT NULL AS n, 1 AS x", dq=dq("warn", IsComplete(column="n"))),
            out=(output("t", "out"),),
        )
    )
    if result.error is None:
        assert rows(spark, tmp_path / "out") == [(None, 1)]
        assert result.metrics[0].constraints[0].value == 0.0
    else:
        assert "output of 't' to Parquet" in result.error
        assert "`n`" in result.error
        assert os.listdir(tmp_path) == []


def test_what_a_format_cannot_hold_is_a_sentence(run: Run, tmp_path: Path) -> None:
    result = run(
        metric(step("t", "SELECT array(1) AS a, 1 AS x"), out=(output("t", "out", "CSV"),))
    )
    assert "output of 't' to CSV in metric 'm'" in str(result.error)
    assert "`a`" in str(result.error)
    assert os.listdir(tmp_path) == []


def test_a_file_where_the_target_should_be(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("precious")
    result = run(
        metric(step("t", "SELECT 1 AS x"), out=(output("t", "out", save_mode="overwrite"),))
    )
    assert "there is a file; expected a folder" in str(result.error)
    assert (tmp_path / "out").read_text() == "precious"


def test_an_output_of_a_frame_that_nobody_made(run: Run, tmp_path: Path) -> None:
    result = run(metric(step("t", "SELECT 1 AS x"), out=(output("t", "a"), output("nope", "b"))))
    assert "output of 'nope'" in str(result.error)
    assert os.listdir(tmp_path) == []


def test_a_checked_frame_that_a_later_step_replaces(
    run: Run, spark: SparkSession, tmp_path: Path
) -> None:
    """The checks are of the first frame, the output is of the second."""
    result = run(
        metric(
            step("t", NULLS, dq=dq("warn", IsComplete(column="v"))),
            step("t", "SELECT id AS v FROM t"),
            out=(output("t", "out"),),
        )
    )
    assert result.metrics[0].constraints[0].value == 0.9
    assert len(rows(spark, tmp_path / "out")) == 100


# --- steps -------------------------------------------------------------------------------------


@pytest.fixture
def code(tmp_path: Path) -> Path:
    (tmp_path / "own_steps_of_test_runs.py").write_text(
        "def made(spark, metric_name, data_frame_name, params):\n"
        "    return spark.createDataFrame([(metric_name, data_frame_name, params['n'])], ['m', 'd', 'n'])\n"
        "def run(spark, metric_name, data_frame_name, params):\n"
        "    spark.range(3).createOrReplaceTempView(data_frame_name)\n"
        "def nothing(spark, metric_name, data_frame_name, params):\n"
        "    pass\n"
        "def fails(spark, metric_name, data_frame_name, params):\n"
        "    raise KeyError('table')\n"
    )
    return tmp_path


def python(name: str, function: str, **more: Any) -> Step:
    return Step(data_frame_name=name, python=f"own_steps_of_test_runs:{function}", **more)


def test_python_steps(run: Run, spark: SparkSession, code: Path) -> None:
    steps = (
        python("a", "made", params={"n": "010"}),
        Step(data_frame_name="b", classpath="own_steps_of_test_runs"),
    )
    assert run(metric(*steps, out=(output("a", "a"), output("b", "b")))).error is None
    assert rows(spark, code / "a") == [("m", "a", "010")]
    assert rows(spark, code / "b") == [(0,), (1,), (2,)]


def test_functions_of_a_job_in_the_workers_of_spark(
    run: Run, spark: SparkSession, tmp_path: Path
) -> None:
    """The workers' Python does not find the job's folder; their error is told in its own words."""
    (tmp_path / "own_functions_of_test_runs.py").write_text(
        "from pyspark.sql import functions as F\n"
        "def _half(n):\n"
        "    return n // (n - 2)\n"
        "def run(spark, metric_name, data_frame_name, params):\n"
        "    half = F.udf(_half, 'long')\n"
        "    return spark.range(int(params['first']), 5).select(half('id').alias('x'))\n"
    )

    def halves(first: str) -> Step:
        params = {"first": first}
        return Step(data_frame_name="t", python="own_functions_of_test_runs", params=params)

    assert run(metric(halves("3"), out=(output("t", "t"),))).error is None
    assert rows(spark, tmp_path / "t") == [(2,), (3,)]
    error = run(metric(halves("2"), out=(output("t", "u"),))).error
    assert "output of 't'" in str(error)
    assert str(error).endswith("ZeroDivisionError: integer division or modulo by zero")


def test_python_steps_that_fail(run: Run, code: Path) -> None:
    assert "returned nothing and registered no view 'nobody'" in str(
        run(metric(python("nobody", "nothing"))).error
    )
    assert "KeyError: 'table'" in str(run(metric(python("t", "fails"))).error)
    ignored = run(metric(python("t", "fails", ignore_on_failures=True)))
    assert ignored.metrics[0].steps[0].status == "ignored"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"python": "no_such_module:f"}, "cannot import 'no_such_module'"),
        ({"python": "own_steps_of_test_runs:no"}, "has no function 'no'"),
        ({"classpath": "com.mine.Step"}, "no JAR of this run has such a class"),
    ],
)
def test_steps_that_are_not_there_stop_the_run_at_its_start(
    run: Run, code: Path, given: dict[str, str], said: str
) -> None:
    result = run(
        metric(step("a", "SELECT 1 AS x"), out=(output("a", "out"),)),
        metric(Step(data_frame_name="t", ignore_on_failures=True, **given), name="second"),
    )
    assert said in str(result.error)
    assert "step 't' of metric 'second'" in str(result.error)
    assert not (code / "out").exists()


def test_previews_plans_queries_and_caches(
    run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "airflow_metorikku"):
        run(
            metric(step("t", "SELECT 'shown' AS x, ${secret} AS y", cache=True)),
            show_preview_lines=3,
            explain=True,
            show_query=True,
            cache_on_preview=True,
            variables={"secret": "hidden"},
        )
    assert "|shown|" in caplog.text
    assert "-- x: string" in caplog.text
    assert "== Physical Plan ==" in caplog.text
    assert "SELECT 'shown' AS x, ${secret} AS y" in caplog.text
    assert all(
        "'hidden'" not in record.getMessage()
        for record in caplog.records
        if record.getMessage().startswith("metric 'm', step")
    )


def test_checkpoints(
    run: Run, spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run(
        metric(step("t", "SELECT 1 AS x", checkpoint=True), out=(output("t", "out"),)),
        checkpoint_storage_location=str(tmp_path / "ck"),
    )
    assert rows(spark, tmp_path / "out") == [(1,)]
    assert list((tmp_path / "ck").rglob("part-*"))


def test_ddl_is_a_step(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    result = run(
        metric(
            step("v", "CREATE OR REPLACE TEMPORARY VIEW made AS SELECT 7 AS x"),
            step("t", "SELECT * FROM made;"),
            out=(output("t", "out"),),
        )
    )
    assert result.error is None
    assert rows(spark, tmp_path / "out") == [(7,)]


def test_variables_reach_steps(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    result = run(
        metric(step("t", "SELECT ${v} AS x"), out=(output("t", "out"),)), variables={"v": "O'Brien"}
    )
    assert result.error is None
    assert rows(spark, tmp_path / "out") == [("O'Brien",)]
    undefined = run(metric(step("t", "SELECT ${contry} AS x")), variables={"country": "1"})
    assert (
        undefined.error
        == "step 't' of metric 'm' (m.yaml:3): ${contry} is not defined; did you mean ${country}?"
    )


def test_the_result_says_what_ran(run: Run, spark: SparkSession) -> None:
    result = run(metric(step("t", "SELECT 1 AS x")))
    assert result.application is not None
    assert result.application.id == spark.sparkContext.applicationId
    assert json.loads(result.to_json())["started"].endswith("Z")


def test_variables_in_checks(run: Run) -> None:
    checks = dq(
        "error",
        HasSize(assertion=Assertion.from_text("== 1"), where_="x = ${v}", id="where"),
        Satisfies(predicate="x IN (${v}, ${w})", id="predicate"),
    )
    made = metric(step("t", "SELECT 'it\\'s' AS x UNION ALL SELECT 'b'", dq=checks))
    result = run(made, variables={"v": "it's", "w": "b"})
    assert [(one.id, one.status, one.value) for one in result.metrics[0].constraints] == [
        ("where", "passed", 1),
        ("predicate", "passed", 1.0),
    ]


def test_file_systems_that_spark_has_no_way_to(run: Run) -> None:
    """Each is told with the input or output that names it, and what to do."""
    writes = run(metric(step("t", "SELECT 1 AS x"), out=(output("t", "nosuch://bucket/out"),)))
    assert str(writes.error).startswith("output of 't' in metric 'm': ")
    assert "Spark has no way to this file system" in str(writes.error)
    assert "add what brings it to the job's packages" in str(writes.error)
    reads = run(
        metric(step("t", "SELECT 1 AS x")), inputs={"p": FileInput(path="nosuch://bucket/p.csv")}
    )
    assert str(reads.error).startswith("input 'p': ")


def test_a_path_that_is_not_there_is_one_sentence_and_no_stack(
    run: Run, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    result = run(
        metric(step("t", "SELECT 1 AS x")),
        inputs={"p": FileInput(path=f"{tmp_path}/none.csv")},
        log_level="WARN",
    )
    assert "there is no file or folder" in str(result.error)
    assert "FileNotFoundException" not in capfd.readouterr().err


def test_a_result_that_could_not_be_written_stops_the_run_before_it_writes_anything(
    spark: SparkSession, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    plan = Plan(
        job="job",
        file="job.yaml",
        base=str(tmp_path),
        metrics=(metric(step("t", "SELECT 1 AS x"), out=(output("t", "out"),)),),
        reads=(),
        settings=JobFile(metrics=("m.yaml",), log_level="ERROR"),
        identity=Identity(
            dag_id="d", run_id="r", task_id="t", attempt="a", result=f"file:{tmp_path}/file/r.json"
        ),
    )
    with pytest.raises(RunError, match="results: cannot make their folder"):
        run_plan(plan, spark)
    assert os.listdir(tmp_path) == ["file"]
