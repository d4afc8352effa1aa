"""Inputs: Metorikku's defaults, and a sentence for each thing that can be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.records.inputs import DateRange, FileDateRangeInput, FileInput
from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.inputs import read_input
from airflow_metorikku.spark.inputs.file import _reason

PEOPLE = '"id","name","note"\n"1","O\'Brien","say ""hi"""\n2,,"a,b"\n3,Zoe,\n'


def read(spark: SparkSession, path: Path | str, **more: Any) -> list[tuple[Any, ...]]:
    return [
        tuple(row) for row in read_input(spark, "p", FileInput(path=str(path), **more)).collect()
    ]


def fails(spark: SparkSession, path: Path | str, **more: Any) -> str:
    with pytest.raises(RunError) as raised:
        read_input(spark, "p", FileInput(path=str(path), at=Where(file="job.yaml", line=2), **more))
    text = str(raised.value)
    assert text.startswith("input 'p' (job.yaml:2): "), text
    assert "\n" not in text
    return text


def test_csv_defaults(spark: SparkSession, tmp_path: Path) -> None:
    """The oracle's b03_csv_defaults: texts only, nulls are empty texts, quotes are doubled."""
    (tmp_path / "p.csv").write_text(PEOPLE)
    assert read(spark, tmp_path / "p.csv") == [
        ("1", "O'Brien", 'say "hi"'),
        ("2", "", "a,b"),
        ("3", "Zoe", ""),
    ]
    assert spark.table("p").first()[0] == "1"


def test_csv_options_win(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("1;a\n2;\n")
    assert read(
        spark, tmp_path / "p.txt", format="csv", options={"sep": ";", "header": "false"}
    ) == [("1", "a"), ("2", "")]


def test_csv_spelt_otherwise_is_sparks(spark: SparkSession, tmp_path: Path) -> None:
    """The oracle's b11_fmt_CSV_upper."""
    (tmp_path / "p.csv").write_text("id,name\n1,\n")
    assert read(spark, tmp_path / "p.csv", format="CSV") == [("id", "name"), ("1", None)]


def test_formats_by_extension(spark: SparkSession, tmp_path: Path) -> None:
    for name in ("a.json", "b.jsonl"):
        (tmp_path / name).write_text('{"x": 1}\n{"x": 2}\n')
        assert read(spark, tmp_path / name) == [(1,), (2,)]
    spark.range(2).write.parquet(str(tmp_path / "folder"))
    assert sorted(read(spark, tmp_path / "folder")) == [(0,), (1,)]
    assert read(spark, f"{tmp_path}/a.json,{tmp_path}/b.jsonl") == [(1,), (2,), (1,), (2,)]
    assert len(read(spark, f"{tmp_path}/*.json*", format="json")) == 4
    assert read(spark, tmp_path / "a.json", format="text") == [('{"x": 1}',), ('{"x": 2}',)]


def test_header_only_csv_has_no_rows(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,name\n")
    frame = read_input(spark, "p", FileInput(path=str(tmp_path / "p.csv")))
    assert (frame.columns, frame.count()) == (["id", "name"], 0)


@pytest.mark.parametrize("name", ["none.csv", "none.json", "none"])
def test_a_missing_path(spark: SparkSession, tmp_path: Path, name: str) -> None:
    assert f"there is no file or folder {tmp_path}/{name}" in fails(spark, tmp_path / name)


def test_a_missing_path_among_others(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"x": 1}\n')
    assert "none.json" in fails(spark, f"{tmp_path}/a.json, {tmp_path}/none.json")


@pytest.mark.parametrize("kind", ["csv", "json", "parquet", "orc"])
def test_an_empty_folder(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    assert f"{tmp_path}: there is no {kind} file in it" in fails(spark, tmp_path, format=kind)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("z.csv", "is empty, so it has no columns; expected a line with their names"),
        ("z.json", "is empty, so it has no columns; expected at least one record"),
        ("z.parquet", "z.parquet"),
    ],
)
def test_a_file_of_no_bytes(spark: SparkSession, tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / name).write_bytes(b"")
    assert said in fails(spark, tmp_path / name)


def test_a_parquet_file_that_is_none(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "p.parquet").write_text("no parquet at all, just text")
    assert "p.parquet" in fails(spark, tmp_path / "p.parquet")


def test_formats_that_spark_lacks(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("x")
    scala = "2.13" if spark.version.startswith("4") else "2.12"
    assert f"packages: [org.apache.spark:spark-avro_{scala}:{spark.version}]" in fails(
        spark, tmp_path / "x", format="avro"
    )
    assert "Spark knows no format 'nope'" in fails(spark, tmp_path / "x", format="nope")


@pytest.mark.usefixtures("needs_spark_4")
def test_xml_without_a_row_tag(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text("<ROWS><ROW><a>1</a></ROW><ROW><a>2</a></ROW></ROWS>")
    assert read(spark, tmp_path / "x.xml", format="com.databricks.spark.xml") == [(1,), (2,)]
    assert read(spark, tmp_path / "x.xml", format="xml", options={"rowTag": "ROWS"}) == [
        ([(1,), (2,)],)
    ]


# --- schemas -----------------------------------------------------------------------------------

SCHEMA = {
    "id": "s",
    "name": "/",
    "type": "object",
    "properties": {
        "a": {"id": "1", "name": "id", "type": ["integer", "null"]},
        "b": {"id": "2", "name": "name", "type": "string"},
        "c": {"id": "3", "name": "price", "type": ["null", "number"]},
        "d": {
            "id": "4",
            "name": "tags",
            "type": ["array", "null"],
            "items": {"properties": {"x": {"id": "5", "name": "x", "type": "float"}}},
        },
        "e": {
            "id": "6",
            "name": "in",
            "type": ["object", "null"],
            "properties": {"y": {"id": "7", "name": "y", "type": ["boolean", "null"]}},
        },
        "f": {"id": "8", "name": "words", "type": ["array", "null"], "items": {"type": "string"}},
    },
}


def schema(tmp_path: Path, raw: object) -> str:
    (tmp_path / "schema.json").write_text(json.dumps(raw))
    return str(tmp_path / "schema.json")


def test_a_schema(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(
        '{"id": 1, "name": "n", "price": 2, "tags": [{"x": 1.5}], "in": {"y": true}, "words": ["w"]}\n'
    )
    frame = read_input(
        spark, "p", FileInput(path=str(tmp_path / "p.json"), schema_path=schema(tmp_path, SCHEMA))
    )
    assert [field.dataType.simpleString() for field in frame.schema.fields] == [
        "bigint",
        "string",
        "double",
        "array<struct<x:float>>",
        "struct<y:boolean>",
        "array<string>",
    ]
    assert frame.first()["tags"][0]["x"] == 1.5


def test_a_csv_with_a_schema(spark: SparkSession, tmp_path: Path) -> None:
    """The oracle's b23_schema_csv: empty texts, but numbers stay null."""
    (tmp_path / "p.csv").write_text("id,name,price\n1,,2\n,Zoe,\n")
    raw = {**SCHEMA, "properties": {key: SCHEMA["properties"][key] for key in "abc"}}
    assert read(spark, tmp_path / "p.csv", schema_path=schema(tmp_path, raw)) == [
        (1, "", 2.0),
        (None, "Zoe", None),
    ]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (
            {**SCHEMA, "name": "root"},
            "expected the root's name '/' and type 'object', got name 'root' and type 'object'",
        ),
        ([1], "expected a mapping, got list"),
        ({"name": "/", "type": "object"}, "expected properties"),
        (
            {"name": "/", "type": "object", "properties": {"a": {"name": "a", "type": "date"}}},
            "/a: got type 'date', expected one of string",
        ),
        (
            {"name": "/", "type": "object", "properties": {"a": {"type": "string"}}},
            "/a: expected a mapping with the column's name and type",
        ),
        (
            {
                "name": "/",
                "type": "object",
                "properties": {"a": {"name": "a", "type": ["string", "integer"]}},
            },
            "/a: got type",
        ),
    ],
)
def test_bad_schemas(spark: SparkSession, tmp_path: Path, raw: object, said: str) -> None:
    (tmp_path / "p.json").write_text('{"a": 1}\n')
    assert said in fails(spark, tmp_path / "p.json", schema_path=schema(tmp_path, raw))


def test_schema_files_that_cannot_be_read(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text('{"a": 1}\n')
    (tmp_path / "no.json").write_text("{")
    (tmp_path / "latin.json").write_bytes(b"\xff\xfe")
    assert "is no JSON" in fails(spark, tmp_path / "p.json", schema_path=str(tmp_path / "no.json"))
    assert "there is no such file" in fails(
        spark, tmp_path / "p.json", schema_path=str(tmp_path / "none.json")
    )
    assert "there is a folder" in fails(spark, tmp_path / "p.json", schema_path=str(tmp_path))
    assert "cannot be read" in fails(
        spark, tmp_path / "p.json", schema_path=str(tmp_path / "latin.json")
    )


# --- date ranges -------------------------------------------------------------------------------


def dates(tmp_path: Path, end: str, template: str = "%s/x.jsonl") -> FileDateRangeInput:
    return FileDateRangeInput(
        template=f"{tmp_path}/{template}",
        date_range=DateRange(format="yyyy-MM-dd", start_date="2020-01-30", end_date=end),
    )


def test_date_ranges(spark: SparkSession, tmp_path: Path) -> None:
    for day in ("2020-01-30", "2020-01-31", "2020-02-01"):
        (tmp_path / day).mkdir()
        (tmp_path / day / "x.jsonl").write_text(f'{{"d": "{day}"}}\n')
    assert sorted(
        row[0] for row in read_input(spark, "p", dates(tmp_path, "2020-02-01")).collect()
    ) == ["2020-01-30", "2020-01-31", "2020-02-01"]
    assert read_input(spark, "p", dates(tmp_path, "2020-01-30")).count() == 1
    with pytest.raises(RunError, match=r"there is no file or folder .*2020-02-02"):
        read_input(spark, "p", dates(tmp_path, "2020-02-02"))


def test_a_file_system_that_spark_has_no_way_to(spark: SparkSession) -> None:
    assert 'No FileSystem for scheme "nosuch"' in fails(spark, "nosuch://bucket/p.csv")


def test_a_file_that_is_gone_or_may_not_be_read(spark: SparkSession) -> None:
    """Spark says of both that the file does not exist."""
    error = RuntimeError("[FAILED_READ_FILE.FILE_NOT_EXIST] Encountered error while reading file x")
    assert "this user may not read it" in _reason(spark, "csv", error)
