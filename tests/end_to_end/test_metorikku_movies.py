"""Metorikku's movies example, in the layout of its authors, runs from the folder above without an edit."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path

import pyarrow.parquet
import pytest
from command_line import metorikku

HERE = Path(__file__).parent
# By hand from the fixture's four ratings: (4 + 5) / 2 and 3.5.
TOP = [("1", "Lighthouse, The (1931)", 4.5, 2), ("3", "Ember & Ash (1999)", 3.5, 1)]


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("above")
    shutil.copytree(HERE / "metorikku_movies/examples", folder / "examples")
    done = metorikku(folder, "run", "-c", "examples/movies.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "examples/output"


def test_parquet_below_a_folder_of_its_own_for_the_run(output: Path):
    (unique,) = [path for path in output.iterdir() if path.name.isdigit()]
    assert len(unique.name) == 13
    rows = pyarrow.parquet.read_table(unique / "topFantasyMovies.parquet").to_pylist()
    assert [tuple(row.values()) for row in rows] == TOP


def test_csv_in_one_file_with_a_header(output: Path):
    (part,) = (output / "topFantasyMovies.csv").glob("part-*.csv")
    head, *rows = csv.reader(part.open(encoding="utf-8"))
    assert head == ["movieid", "title", "avgRating", "ratings"]
    assert rows == [
        [number, title, str(average), str(count)] for number, title, average, count in TOP
    ]


def test_json_of_the_favourite(output: Path):
    lines = [
        line
        for part in (output / "favouriteRated.jsonl").glob("part-*.json")
        for line in part.read_text().splitlines()
    ]
    assert [json.loads(line)["title"] for line in lines] == ["Lighthouse, The (1931)"]


def test_xml_with_the_row_tag_that_the_package_took(output: Path):
    text = "".join(
        part.read_text(encoding="utf-8")
        for part in (output / "topFantasyMovies.xml").iterdir()
        if part.name.startswith("part-")
    )
    assert len(re.findall("<ROW>", text)) == 2
    assert "<title>Ember &amp; Ash (1999)</title>" in text
