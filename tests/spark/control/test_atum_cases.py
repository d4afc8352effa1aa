"""What the real Atum answered, question by question: measures, info files, plans and the builder (`tests/oracle/atum/cases.txt`)."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from oracle.atum_differences import CASES
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku import __version__
from airflow_metorikku.config.records.controls import CONTROL_TYPES, Metadata
from airflow_metorikku.errors import MetorikkuError, RunError
from airflow_metorikku.results.info import Control, Info, read_info
from airflow_metorikku.results.reconcile import NOT_MEASURED
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.control import InfoBuilder, append, build, read, read_for, write
from airflow_metorikku.spark.control.measures import ControlRequest

TEXT = (Path(__file__).parents[2] / "oracle/atum/cases.txt").read_text()
SECTIONS = {part.split(" ", 1)[0]: part for part in re.split(r"^## ", TEXT, flags=re.MULTILINE)}

# What the questions were about, as their answers tell: each sum and hash is of these values alone.
TYPED = """
SELECT CAST(v AS TINYINT) AS `by`, CAST(v * 10 AS SMALLINT) AS sh, v * 100 AS i, CAST(v * 1000 AS BIGINT) AS l,
  CAST(v AS FLOAT) / 10 AS f0, CAST(CASE v WHEN 1 THEN '0.1' WHEN -2 THEN '-0.2' END AS FLOAT) AS f,
  CAST(abs(v) AS DOUBLE) / 10 AS d, CAST(CASE v WHEN 1 THEN '1.50' WHEN -2 THEN '-2.25' END AS DECIMAL(10, 2)) AS dec,
  s, date_add(DATE'2019-12-31', abs(v)) AS dt, CAST(date_add(DATE'2019-12-31', abs(v)) AS TIMESTAMP) AS ts,
  v > 0 AS bo, IF(v IS NULL, NULL, named_struct('x', abs(v))) AS st
FROM VALUES (1, '1.9'), (-2, '-2.9'), (-2, 'abc'), (NULL, NULL) AS t(v, s)
"""
EXTREME = """
SELECT i, l, dec, 1e300D AS d, s FROM VALUES
  (-2147483648, 9223372036854775807L, CAST('99999999999999999999999999999999999999' AS DECIMAL(38, 0)), '123456789012345678901'),
  (1, 1L, CAST(1 AS DECIMAL(38, 0)), '0.1234567890123456789') AS t(i, l, dec, s)
"""
# Of this text only the total is known: that it is left out.
NOT_TOLD = {"EXTREME hashCrc32(s)"}
OTHERS = {
    "crc decimal(10,6) 100.12": ("hashCrc32", ["CAST(100.12 AS DECIMAL(10, 6))"]),
    "crc double 100.12": ("hashCrc32", ["100.12D"]),
    "crc dup": ("hashCrc32", ["'a'", "'a'"]),
}


def asked(spark: SparkSession, frame: DataFrame, questions: list[tuple[str, str]]) -> list[Any]:
    requests = [
        ControlRequest(checkpoint="c", name=str(number), type=kind, column=column)
        for number, (kind, column) in enumerate(questions)
    ]
    return list(Audit("t", controls=requests).scan(frame).measured)


def answers(section: str) -> dict[str, str]:
    lines = [line for line in SECTIONS[section].splitlines()[1:] if " =>" in line]
    return {left: right.strip() for left, _, right in (line.partition(" =>") for line in lines)}


@pytest.mark.parametrize("kind", ["", "EMPTY ", "EXTREME "])
def test_measures_of_every_type_of_column(spark: SparkSession, kind: str) -> None:
    pattern = re.compile(rf"{kind}({'|'.join(CONTROL_TYPES)})\((.+)\)")
    found = {left: match for left in answers("2") if (match := pattern.fullmatch(left))}
    questions = [(match[1], match[2]) for match in found.values()]
    frame = spark.sql(EXTREME if kind == "EXTREME " else TYPED).drop("f0")
    if kind == "EMPTY ":
        frame = frame.where("false")
    wrong = {}
    for left, got in zip(found, asked(spark, frame, questions), strict=True):
        there = answers("2")[left]
        is_error = there.startswith("THROWS") and left not in CASES
        expected = NOT_MEASURED if is_error else CASES[left][0] if left in CASES else there
        if left not in NOT_TOLD and (got.value.value, bool(got.error)) != (expected, is_error):
            wrong[left] = (expected, got.value.value, got.error)
    assert not wrong
    assert len(found) >= 35


def test_formats(spark: SparkSession) -> None:
    questions = {
        left: ("aggregatedTotal", [left.removeprefix("FORMAT ").rpartition(" ")[0]])
        for left in answers("2")
        if left.startswith("FORMAT ")
    } | OTHERS
    for left, (kind, values) in questions.items():
        frame = spark.sql(" UNION ALL ".join(f"SELECT {value} AS v" for value in values))
        (got,) = asked(spark, frame, [(kind, "v")])
        expected = CASES[left][0] if left in CASES else answers("2")[left]
        assert got.value.value == expected, left


def test_every_difference_is_one() -> None:
    assert not [left for left, (ours, _) in CASES.items() if answers("2")[left] == ours]


def told(line: str) -> dict[str, Any]:
    """The JSON of a line of the answers."""
    text = line[line.index("{") : line.rindex("}") + 1]
    found: dict[str, Any] = json.loads(text)
    return found


def same(info: Info | str) -> dict[str, Any]:
    """What is compared: all but which library measured, and when."""
    raw = json.loads(info if isinstance(info, str) else info.to_json())
    for checkpoint in raw["checkpoints"]:
        if "software" in checkpoint:
            checkpoint |= {"software": "x", "version": "x"}
            checkpoint["processStartTime"] = checkpoint["processEndTime"] = "x"
    found: dict[str, Any] = raw
    return found


def test_a_file_in_the_middle_of_atums_pipeline(spark: SparkSession, tmp_path: Path) -> None:
    lines = [line for line in SECTIONS["1"].splitlines() if line.startswith("{")]
    first, second = (told(line) for line in lines)
    given = first | {"checkpoints": first["checkpoints"][:2]}
    (tmp_path / "in").mkdir()
    (tmp_path / "in/_INFO").write_text(json.dumps(given))
    # Rows and totals as the two columns of Wikipedia's page views had.
    frame = spark.sql(
        "SELECT IF(id = 0, 856, 1) AS count_views, IF(id = 0, 97729547, 0) AS total_response_size FROM range(4964)"
    )
    info = read(spark, str(tmp_path / "in"))
    info = append(info, frame, "checkpoint1", workflow_name="Job 1")
    assert same(info) == same(json.dumps(first))
    (tmp_path / "out").mkdir()
    at = write(spark, info, str(tmp_path / "out"))
    assert at == f"{tmp_path}/out/_INFO"
    renamed = frame.withColumnRenamed("total_response_size", "trs")
    info = read(spark, at)
    info = append(
        info,
        renamed,
        "checkpoint2",
        workflow_name="Job 2",
        renames={" Total_Response_SIZE ": "trs"},
    )
    assert same(info) == same(json.dumps(second))
    three, four = info.checkpoints[2:]
    assert (three.software, three.version) == ("airflow-metorikku", __version__)
    assert four.started == three.ended


@pytest.fixture
def rows(spark: SparkSession) -> DataFrame:
    return spark.sql(
        "SELECT id, id * 1.5D AS amount, concat('n', id) AS name, CAST(id AS STRING) AS txt FROM range(10)"
    )


def line_with(section: str, text: str) -> str:
    return next(line for line in SECTIONS[section].splitlines() if text in line)


def test_every_type_and_an_unknown_one(rows: DataFrame) -> None:
    expected = told(next(x for x in SECTIONS["3"].splitlines() if x.startswith('{"metadata"')))
    # Atum's total of doubles: its text has a point, which `amount` there, a decimal, has not.
    frame = rows.withColumn("amount", rows.amount.cast("decimal(10,1)"))
    text = json.dumps(expected | {"checkpoints": expected["checkpoints"][:1]})
    info = read_info(text, "i").with_additional_info({"k1": "repl"}, replace_existing=True)
    info = info.with_additional_info({"k2": "v2", "k1": "kept?"}, replace_existing=False)
    known = [one for one in info.checkpoints[0].controls if one.type != "someControlType"]
    found = {
        one.value.name: one
        for one in Audit(
            "d",
            controls=[
                ControlRequest(checkpoint="c", name=one.name, type=one.type, column=one.column)
                for one in info.checkpoints[0].controls
            ],
        )
        .scan(frame)
        .measured
    }
    for number, limit in ((1, 10), (2, 5)):
        values = {
            x["controlName"]: x["controlValue"] for x in expected["checkpoints"][number]["controls"]
        }
        cut = frame.where(f"id < {limit}")
        got = append(_only(info, known), cut, f"cp{number}", workflow_name="wf")
        last = got.last
        assert last is not None
        assert {one.name: one.value for one in last.controls} | {"c8": "N/A"} == values
        assert last.row_count == limit
    assert (found["c8"].value.value, bool(found["c8"].error)) == ("N/A", True)
    assert info.metadata.additional_info == {"k1": "repl", "k2": "v2"}
    with pytest.raises(RunError, match="someControlType"):
        append(info, frame, "cp3")


def _only(info: Info, controls: list[Control]) -> Info:
    from dataclasses import replace

    (first,) = info.checkpoints
    return replace(info, checkpoints=(replace(first, controls=tuple(controls)),))


def test_renames_and_drops(rows: DataFrame) -> None:
    expected = told(next(x for x in SECTIONS["5"].splitlines() if x.startswith('{"metadata"')))
    frame = rows.withColumn("amount", rows.amount.cast("decimal(10,1)"))
    info = read_info(json.dumps(expected | {"checkpoints": expected["checkpoints"][:1]}), "i")
    info = append(info, frame, "before")
    renamed = frame.withColumnRenamed("amount", "amt").drop("name")
    info = append(info, renamed, "after", renames={"AMOUNT": "amt"}, drops=[" NAME "])
    assert same(info) == same(json.dumps(expected))
    with pytest.raises(RunError, match="column 'amt' is not in data frame"):
        append(info, renamed.withColumnRenamed("amt", "zzz"), "bad")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "is not there"),
        ("{bad", "not JSON"),
        ('{"metadata":{},"checkpoints":[]}', "has no checkpoints"),
        ("", "is empty"),
    ],
)
def test_what_is_no_info_file_is_refused(
    spark: SparkSession, tmp_path: Path, text: str | None, sentence: str
) -> None:
    if text is not None:
        (tmp_path / "_INFO").write_text(text)
    with pytest.raises(RunError, match=sentence) as caught:
        read(spark, str(tmp_path))
    assert f"{tmp_path}" in str(caught.value)


def info_text(count: int) -> str:
    control = {
        "controlName": "n",
        "controlType": "count",
        "controlCol": "*",
        "controlValue": str(count),
    }
    checkpoint = {"name": "Source", "order": 1, "controls": [control]}
    return json.dumps({"metadata": {}, "checkpoints": [checkpoint]})


def test_which_info_file_belongs_to_a_plan(spark: SparkSession, tmp_path: Path) -> None:
    for name, start in (("a", 0), ("b", 10), ("plain", 20)):
        spark.range(start, start + 3).selectExpr("id", "id % 2 AS p").write.partitionBy(
            "p"
        ).parquet(f"{tmp_path}/{name}")
    for number, name in enumerate("ab"):
        (tmp_path / name / "_INFO").write_text(info_text(number))
    a, b, plain = (spark.read.parquet(f"{tmp_path}/{name}") for name in ("a", "b", "plain"))
    one_file = next(iter((tmp_path / "a").rglob("*.parquet")))
    a.createOrReplaceTempView("a_view")
    cached = a.where("id > 0").cache()
    belonging = {
        "union of three": a.union(plain).union(a),
        "self join": a.alias("x").join(a.alias("y"), "id"),
        "join": plain.join(a, "id", "left"),
        "view": spark.sql("SELECT count(*) FROM a_view WHERE id IN (SELECT 1)"),
        "cached": cached.groupBy("p").count(),
        "single file": spark.read.parquet(str(one_file)),
        "partition": spark.read.parquet(f"{tmp_path}/a/p=0"),
        "pattern": spark.read.parquet(f"{tmp_path}/a/p=*"),
    }
    try:
        for name, frame in belonging.items():
            assert read_for(frame).checkpoints[0].row_count == 0, name
    finally:
        cached.unpersist()
    with pytest.raises(RunError, match="2 _INFO files belong to this data frame") as caught:
        read_for(a.union(b))
    assert f"{tmp_path}/a/_INFO, {tmp_path}/b/_INFO" in str(caught.value)
    with pytest.raises(RunError, match="no _INFO belongs to this data frame, which reads no files"):
        read_for(spark.range(3))
    with pytest.raises(RunError, match="no _INFO belongs to this data frame"):
        read_for(plain)


@pytest.fixture
def two(spark: SparkSession) -> DataFrame:
    return spark.sql(
        "SELECT i, d, s FROM VALUES (1, 1.50BD, 'a'), (-3, -5.25BD, NULL) AS t(i, d, s)"
    )


def test_the_builder(two: DataFrame, caplog: pytest.LogCaptureFixture) -> None:
    expected = told(line_with("8", "builder default strategy"))
    with caplog.at_level(logging.WARNING):
        got = same(build(two, ["i", "d", "s"]))
    expected["metadata"]["informationDate"] = got["metadata"]["informationDate"]
    assert got == same(json.dumps(expected))
    assert "sourceApplication is empty" in caplog.text
    builder = InfoBuilder(frame=two).with_columns(["d", "s"], "hashCrc32")
    values = [
        [(one.name, one.type, one.value) for one in built.checkpoints[0].controls]
        for built in (
            builder.with_columns(["i"], "aggregatedTotal").build(),
            builder.with_columns([]).with_column("i").with_column("I", "aggregatedTotal").build(),
        )
    ]
    # The given strategy counts, as in Atum's variant of one column; a column may stand twice.
    rows = ("recordCount", "count", "2")
    assert values == [
        [rows, ("iControlTotal", "aggregatedTotal", "-2")],
        [
            rows,
            ("iControlTotal_absAggregatedTotal", "absAggregatedTotal", "4"),
            ("iControlTotal_aggregatedTotal", "aggregatedTotal", "-2"),
        ],
    ]


def test_the_builder_warns_and_refuses(two: DataFrame, caplog: pytest.LogCaptureFixture) -> None:
    builder = InfoBuilder(
        frame=two,
        metadata=Metadata(
            source_application="app", data_filename="/p", information_date="2020/10/20"
        ),
    )
    text = builder.with_columns(["s"], "aggregatedTotal").build().to_json(pretty=True)
    assert "informationDate '2020/10/20' is no date" in caplog.text
    assert "aggregatedTotal of column s, which is string and no number" in caplog.text
    # The oracle's own text, with our software, times, and that date.
    there = SECTIONS["8"].split("numeric type on string => ")[1].split("\ncreateInfoFile")[0]
    shown = re.sub(r'("process\w+|"software|"version)" : "[^"]*"', r"\1", text)
    assert shown == re.sub(
        r'("process\w+|"software|"version)" : "[^"]*"',
        r"\1",
        there.replace("2020-10-20", "2020/10/20"),
    )
    with pytest.raises(RunError, match="column 'x' is not in data frame"):
        builder.with_columns(["x"]).build()
    with pytest.raises(MetorikkuError, match="did you mean 'aggregatedTotal'"):
        builder.with_column("i", "agregatedTotal")
