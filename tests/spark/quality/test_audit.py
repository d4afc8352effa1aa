"""One audit of one data frame: what is computed how, and that one bad constraint costs no other."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import udf

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.checks import base, keys, numbers, row_rules, rows, texts
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.config.records.metric import Step
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.constraints import Constraint, constraints
from airflow_metorikku.results.records import ConstraintResult
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.checked import Checked
from airflow_metorikku.spark.control.measures import ControlRequest
from airflow_metorikku.spark.quality.failing_rows import dump_failed, dump_failing_rows, dump_frame


def asked(
    *given: base.Check, level: str = "error", empty_data: str = "fail"
) -> tuple[Constraint, ...]:
    return constraints("t", DataQuality(checks=given, level=level), empty_data)


def scan(frame: DataFrame, *given: base.Check) -> dict[str, ConstraintResult]:
    return {result.id: result for result in Audit("t", asked(*given)).scan(frame).constraints}


def at_least(text: str) -> Assertion:
    return Assertion.from_text(text)


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> DataFrame:
    return spark.sql(
        "SELECT * FROM VALUES (1, 'a', 10.5BD, 0), (2, 'a', 0.5BD, 1), (3, NULL, NULL, 2), (4, 'b', 1BD, NULL)"
        " AS v(id, `odd ``name.x`, price, zero)"
    )


@pytest.mark.usefixtures("ansi")
def test_one_bad_constraint_costs_no_other(frame: DataFrame) -> None:
    results = scan(
        frame,
        rows.IsComplete(column="fakeColumn", id="missing"),
        rows.IsComplete(column="idd", id="misspelt"),
        numbers.HasMin(column="odd `name.x", id="text", assertion=at_least(">= 0")),
        rows.Satisfies(predicate="1 / zero > 0", id="raises"),
        rows.Satisfies(predicate="id >", id="no sql"),
        rows.Satisfies(predicate="id > 0) OR (id < 0", id="two halves"),
        rows.Satisfies(predicate="count(*) > 0", id="aggregate"),
        texts.HasPattern(column="odd `name.x", pattern=r"\i", id="pattern"),
        rows.HasSize(where_="nosuch = 1", size=1, operator="==", id="where"),
        rows.IsComplete(column="id", id="good"),
        rows.IsComplete(column="price", id="bad"),
    )
    assert {id_: result.status for id_, result in results.items()} == dict.fromkeys(
        [
            "missing",
            "misspelt",
            "text",
            "raises",
            "no sql",
            "two halves",
            "aggregate",
            "pattern",
            "where",
        ],
        "error",
    ) | {"good": "passed", "bad": "failed"}
    assert "column 'idd' is not in data frame t; did you mean 'id'?" in results["misspelt"].message
    assert "expected a number" in results["text"].message
    assert "DIVIDE_BY_ZERO" in results["raises"].message
    assert "nosuch" in results["where"].message
    assert results["missing"].how == "none"
    assert all("\n" not in result.message for result in results.values())


def test_without_ansi_a_row_that_cannot_be_computed_does_not_comply(
    spark: SparkSession, frame: DataFrame
) -> None:
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", "false")
    try:
        results = scan(frame, rows.Satisfies(predicate="1 / zero > 0", id="raises"))
    finally:
        spark.conf.set("spark.sql.ansi.enabled", before)
    # Of 0, 1, 2 and null two rows comply.
    assert (results["raises"].status, results["raises"].value) == ("failed", 0.5)


def test_names_that_need_quotes(spark: SparkSession, frame: DataFrame) -> None:
    nested = spark.sql(
        "SELECT 1 AS `a.b`, named_struct('b', NULL, 'C d', 5) AS a, 2 AS `Long Name`, 3 AS Long, 4 AS Name"
    )
    results = scan(
        nested,
        rows.IsComplete(column="a.b", id="flat first"),
        rows.IsComplete(column="`a.b`", id="flat in quotes"),
        numbers.HasMin(column="A.`c D`", assertion=at_least("== 5"), id="nested in any case"),
        numbers.HasMin(column="Long Name", assertion=at_least("== 2"), id="not an alias"),
    )
    assert {result.status for result in results.values()} == {"passed"}
    odd = scan(frame, keys.HasUniqueness(columns=("odd `name.x", "id"), id="backtick"))
    assert odd["backtick"].status == "passed"


def test_a_column_that_stands_twice_is_not_guessed(spark: SparkSession) -> None:
    twice = spark.sql("SELECT 1 AS x, 2 AS x")
    assert "2 columns of that name" in scan(twice, rows.IsComplete(column="x", id="x"))["x"].message


def test_values_are_exact(spark: SparkSession) -> None:
    frame = spark.sql(
        "SELECT * FROM VALUES (9007199254740993L, 9223372036854775807L, 99999999999999999999999999999999999999BD),"
        " (1L, 9223372036854775807L, 99999999999999999999999999999999999999BD) AS v(a, b, c)"
    )
    results = scan(
        frame,
        numbers.HasMax(column="a", assertion=at_least("== 9007199254740993"), id="max"),
        numbers.HasSum(column="b", assertion=at_least("== 18446744073709551614"), id="sum"),
        numbers.HasMean(column="b", assertion=at_least("== 9223372036854775807"), id="mean"),
        numbers.HasSum(
            column="c", assertion=at_least("== 199999999999999999999999999999999999998"), id="wide"
        ),
    )
    assert {result.status for result in results.values()} == {"passed"}, results
    assert results["sum"].value == 18446744073709551614
    assert results["mean"].message.startswith("value 9223372036854775807, expected ==")


def test_nan_and_infinity(spark: SparkSession) -> None:
    frame = spark.sql("SELECT * FROM VALUES (1D), (double('NaN')), (double('-Infinity')) AS v(d)")
    results = scan(
        frame,
        numbers.HasMax(column="d", assertion=at_least("<= 5"), id="max"),
        numbers.HasMin(column="d", assertion=at_least("< -1"), id="min"),
        numbers.HasSum(column="d", assertion=at_least("!= 0"), id="sum"),
    )
    assert [result.status for result in results.values()] == ["failed", "passed", "passed"]


EVERY = (
    rows.IsComplete(column="id"),
    keys.IsUnique(column="id"),
    row_rules.IsContainedIn(column="id", allowed_values=("1",)),
    numbers.HasMin(column="id", assertion=Assertion.from_text(">= 0")),
    numbers.HasSum(column="id", assertion=Assertion.from_text(">= 0")),
    rows.Satisfies(predicate="id > 0", name="p"),
    texts.HasPattern(column="odd `name.x", pattern="a"),
)


@pytest.mark.parametrize(
    ("policy", "level", "counts"),
    [("fail", "critical", True), ("warn", "warning", True), ("pass", "critical", False)],
)
def test_a_frame_without_rows_has_no_data_but_a_size(
    frame: DataFrame, policy: str, level: str, *, counts: bool
) -> None:
    given = asked(*EVERY, rows.HasSize(size=0, operator="=="), empty_data=policy)
    audit = Audit("t", given).scan(frame.where("id < 0"))
    *others, size = audit.constraints
    assert {(result.status, result.level, result.counts) for result in others} == {
        ("no_data", level, counts)
    }
    assert (size.status, size.value, audit.rows) == ("passed", 0, 0)


def test_a_condition_that_holds_for_no_row(frame: DataFrame) -> None:
    found = scan(
        frame,
        rows.IsComplete(column="price", where_="id < 0", id="row rule"),
        numbers.HasMin(column="price", where_="id < 0", assertion=at_least(">= 0"), id="minimum"),
        rows.HasSize(where_="id < 0", size=0, operator="==", id="size"),
        keys.IsUnique(column="id", where_="id < 0", id="unique"),
    )
    assert {id_: (result.status, result.value) for id_, result in found.items()} == {
        "row rule": ("passed", None),
        "minimum": ("no_data", None),
        "size": ("passed", 0),
        "unique": ("passed", None),
    }
    assert "no row satisfies the condition" in found["row rule"].message


def test_all_null(spark: SparkSession) -> None:
    frame = spark.sql("SELECT CAST(NULL AS INT) AS n, CAST(NULL AS STRING) AS s FROM range(3)")
    results = scan(
        frame,
        rows.IsComplete(column="n", id="complete"),
        numbers.HasMax(column="n", assertion=at_least(">= 0"), id="max"),
        keys.IsUnique(column="n", id="unique"),
        row_rules.IsContainedIn(column="s", allowed_values=("a",), id="contained"),
        texts.HasPattern(column="s", pattern="a", nulls="ignore", id="ignored"),
        texts.HasPattern(column="s", pattern="a", id="pattern"),
        rows.Satisfies(predicate="n > 0", id="null rule"),
    )
    assert {id_: result.status for id_, result in results.items()} == {
        "complete": "failed",
        "max": "no_data",
        "unique": "no_data",
        "contained": "no_data",
        "ignored": "no_data",
        "pattern": "failed",
        "null rule": "no_data",
    }
    assert results["complete"].value == 0.0


def test_many_questions_are_few_jobs(spark: SparkSession, frame: DataFrame) -> None:
    spark.sparkContext.setJobGroup("few", "few")
    given = asked(
        *EVERY[:1],
        *EVERY[3:6],
        rows.HasCompleteness(column="id", id="again", assertion=at_least(">= 0.5")),
        keys.IsUnique(column="id"),
        keys.HasUniqueness(columns=("id",), id="shared"),
        keys.HasUniqueness(columns=("id", "price"), id="pair"),
        keys.HasUniqueness(columns=("price", "id"), id="pair too"),
    )
    controls = [ControlRequest(checkpoint="c", name="d", type="distinctCount", column="id")]
    audit = Audit("t", given, controls).scan(frame)
    jobs = spark.sparkContext.statusTracker().getJobIdsForGroup("few")
    spark.sparkContext.setJobGroup("other", "other")
    # One pass and two key sets; a shuffle shows as a job of its own under adaptive execution.
    assert len(jobs) <= 8
    assert audit.controls[0].value == "4"
    assert {result.how for result in audit.constraints} == {"scanned", "grouped"}


def test_more_questions_than_one_pass_takes(spark: SparkSession) -> None:
    wide = spark.range(10).selectExpr(*(f"id + {number} AS c{number}" for number in range(120)))
    given = asked(
        *(
            numbers.HasMin(column=f"c{number}", assertion=at_least(f"== {number}"))
            for number in range(120)
        )
    )
    assert {result.status for result in Audit("t", given).scan(wide).constraints} == {"passed"}


def test_what_is_observed_is_what_is_scanned(frame: DataFrame, tmp_path: Path) -> None:
    given = asked(*EVERY, rows.HasSize(size=4, operator="=="))
    controls = [
        ControlRequest(checkpoint="c", name=kind, type=kind, column="id")
        for kind in ("count", "distinctCount", "aggregatedTotal", "hashCrc32")
    ]
    audit = Audit("t", given, controls)
    audit.observe(frame).write.parquet(str(tmp_path / "out"))
    observed, scanned = audit.collect(frame), Audit("t", given, controls).scan(frame)
    assert [(one.id, one.status, one.value) for one in observed.constraints] == [
        (one.id, one.status, one.value) for one in scanned.constraints
    ]
    assert observed.controls == scanned.controls
    assert observed.rows == 4
    hows = {result.check: result.how for result in observed.constraints}
    # A predicate may raise on a row, which must not end the write.
    assert (hows["isComplete"], hows["satisfies"], hows["isUnique"]) == (
        "observed",
        "scanned",
        "grouped",
    )


def test_what_a_lost_shuffle_makes_spark_do_again_is_counted_once(
    spark: SparkSession, tmp_path: Path
) -> None:
    local_folders = list(
        spark._jvm.org.apache.spark.SparkEnv.get()
        .blockManager()
        .diskBlockManager()
        .localDirsString()
    )
    lost = tmp_path / "lost"

    def lose(number):
        if not lost.exists():
            lost.touch()
            for folder in local_folders:
                for file in Path(folder).glob("*/shuffle_*"):
                    file.unlink()
        return number

    # A function of Python runs behind the shuffle, in the tasks that read it.
    frame = spark.range(0, 1000, 1, 4).repartition(8)
    frame = frame.select(udf(lose, "bigint", useArrow=False)("id").alias("id"))
    audit = Audit("t", asked(rows.HasSize(size=1000, operator="==")))
    audit.observe(frame).write.parquet(str(tmp_path / "out"))
    assert lost.exists()
    found = audit.collect(frame)
    assert (found.rows, found.constraints[0].how) == (1000, "observed")


def test_other_rows_than_were_written_count_for_nothing(frame: DataFrame, tmp_path: Path) -> None:
    audit = Audit("t", asked(rows.HasSize(size=4, operator="==")))
    audit.observe(frame.limit(3)).write.parquet(str(tmp_path / "out"))
    found = audit.collect(frame, 4)
    assert (found.rows, found.constraints[0].how) == (4, "scanned")


def test_an_empty_relation_is_observed_too(frame: DataFrame, tmp_path: Path) -> None:
    audit = Audit("t", asked(rows.HasSize(size=0, operator="==")))
    audit.observe(frame.where("false")).write.parquet(str(tmp_path / "out"))
    assert audit.collect(frame.where("false")).rows == 0


def test_observable() -> None:
    def one(*given: base.Check) -> Audit:
        return Audit("t", asked(*given))

    assert one(rows.IsComplete(column="a")).observable(1)
    assert not one(rows.IsComplete(column="a"), rows.IsComplete(column="b")).observable(1)
    assert not any(
        one(check).observable(9)
        for check in (
            keys.IsUnique(column="a"),
            rows.Satisfies(predicate="a > 0"),
            rows.IsComplete(column="a", where_="b"),
        )
    )
    assert Audit("t").empty


def test_a_frame_that_cannot_be_read_is_the_runs_error(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "gone"
    spark.range(3).write.parquet(str(path))
    frame = spark.read.parquet(str(path))
    for file in path.glob("part-*"):
        file.unlink()
    with pytest.raises(RunError):
        Audit("t", asked(rows.IsComplete(column="id"))).scan(frame)


def test_failing_rows_name_the_constraints_that_they_fail(frame: DataFrame, tmp_path: Path) -> None:
    given = asked(
        rows.IsComplete(column="price", id="no price"),
        keys.IsUnique(column="odd `name.x", id="twice"),
        rows.Satisfies(predicate="id <> 4", id="four"),
        numbers.HasSum(column="id", assertion=at_least("< 0"), id="sum"),
        numbers.HasMin(column="price", where_="id > 1", assertion=at_least(">= 1"), id="small"),
    )
    assert dump_failing_rows(frame, given, str(tmp_path / "rows"), 10)
    dumped = [
        json.loads(line)
        for file in (tmp_path / "rows").glob("part-*")
        for line in file.read_text().splitlines()
    ]
    assert {row["id"]: row["failedChecks"] for row in dumped} == {
        1: ["twice"],
        2: ["twice", "small"],
        3: ["no price"],
        4: ["four"],
    }
    assert dump_failing_rows(frame, given, str(tmp_path / "few"), 2)
    assert (
        sum(len(file.read_text().splitlines()) for file in (tmp_path / "few").glob("part-*")) == 2
    )


@pytest.mark.usefixtures("ansi")
def test_what_cannot_be_evaluated_costs_no_row_of_the_dump(
    frame: DataFrame, tmp_path: Path
) -> None:
    given = asked(
        texts.HasPattern(column="odd `name.x", pattern="a{2,1}", id="pattern"),
        rows.Satisfies(predicate="1 / zero > 0", id="raises"),
        rows.IsComplete(column="price", id="no price"),
    )
    audit = Audit("t", given)
    step = Step(
        data_frame_name="t", sql="SELECT 1", dq=DataQuality(checks=(rows.IsComplete(column="id"),))
    )
    checked = Checked(
        name="t",
        frame=frame,
        audit=audit,
        constraints=given,
        step=step,
        counts=True,
        result=audit.scan(frame),
    )
    settings = SimpleNamespace(
        failed_df_location_prefix=None,
        quality=SimpleNamespace(failed_data_path=str(tmp_path), failed_data_limit=10),
    )
    run = SimpleNamespace(plan=SimpleNamespace(settings=settings), attempt="1")
    dump_failed(run, SimpleNamespace(name="m"), [checked])
    (line,) = [
        line for file in tmp_path.glob("m/t/1/part-*") for line in file.read_text().splitlines()
    ]
    assert json.loads(line)["failedChecks"] == ["no price"]


def test_a_dump_that_fails_changes_nothing(frame: DataFrame, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert dump_frame(frame, "t", str(tmp_path / "file")) is None
    assert not dump_failing_rows(
        frame, asked(rows.IsComplete(column="price")), str(tmp_path / "file"), 10
    )


def test_the_whole_frame_is_dumped_under_its_name_and_time(
    spark: SparkSession, frame: DataFrame, tmp_path: Path
) -> None:
    path = dump_frame(frame.select("id"), "t", str(tmp_path))
    assert path is not None
    assert len(path.rsplit("_", 1)[1]) == len("20240229T123059123")
    assert spark.read.parquet(path).count() == 4
