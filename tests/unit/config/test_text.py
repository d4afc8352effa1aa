"""Files that cannot be read, each with its sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from airflow_metorikku.config.text import LARGEST, read_text, shown
from airflow_metorikku.errors import Problem

BAD = {
    "empty": (b"", 0, "the file is empty"),
    "blank": (b" \n\n", 0, "the file is empty"),
    "latin-1": (b"a: 1\nb: 2\nc: caf\xe9\n", 3, "byte 0xe9 is not UTF-8"),
    "NUL": (b"a: 1\nb: \0\n", 2, "character U+0000 is not allowed"),
    "a character that marks variables": (
        "a: 1\nb: \ue000\n".encode(),
        2,
        "character U+E000 is not allowed",
    ),
    "too large": (b"#" * (LARGEST + 1), 0, f"got {LARGEST + 1} bytes, expected at most {LARGEST}"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_bytes(case, tmp_path):
    raw, line, sentence = BAD[case]
    path = tmp_path / "job.yaml"
    path.write_bytes(raw)
    problem = read_text(path, "job.yaml")
    assert isinstance(problem, Problem)
    assert (problem.file, problem.line) == ("job.yaml", line)
    assert sentence in problem.text


def test_largest_file_is_read(tmp_path):
    path = tmp_path / "job.yaml"
    path.write_bytes(b"#" * LARGEST)
    assert read_text(path, "job.yaml") == "#" * LARGEST


def test_byte_order_mark_and_windows_line_ends_are_left_out(tmp_path):
    path = tmp_path / "job.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    assert read_text(path, "job.yaml") == "a: 1\nb: 2\n"


def test_missing_file_offers_a_sibling_by_its_stem(tmp_path):
    (tmp_path / "movies_metric.yml").touch()
    (tmp_path / "other.yaml").touch()
    problem = read_text(tmp_path / "movie_metric.yaml", "movie_metric.yaml")
    assert str(problem) == "movie_metric.yaml: no such file; did you mean 'movies_metric.yml'?"


def test_missing_file_without_a_near_name(tmp_path):
    (tmp_path / "one.yaml").touch()
    assert str(read_text(tmp_path / "missing.yaml", "m")) == "m: no such file"


def test_missing_folder_is_named(tmp_path):
    problem = read_text(tmp_path / "no" / "such" / "job.yaml", "job.yaml")
    assert str(problem) == f"job.yaml: no such file; there is no folder {tmp_path / 'no'}"


def test_missing_file_is_reported_where_it_is_asked_for(tmp_path):
    asked = Problem(file="job.yaml", line=4, path="metrics[2]", text="")
    problem = read_text(tmp_path / "m.yaml", "m.yaml", asked)
    assert str(problem) == "job.yaml:4: metrics[2]: m.yaml: no such file"


def test_folder(tmp_path):
    assert str(read_text(tmp_path, "jobs")) == "jobs: is a folder, expected a file"


def test_names_below_the_working_folder_are_shown_relative(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert shown(tmp_path / "a" / "job.yaml") == "a/job.yaml"
    assert shown(Path("/elsewhere/job.yaml")) == "/elsewhere/job.yaml"
    assert shown(Path("../job.yaml")) == "../job.yaml"


def test_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "job.yaml")
    assert str(read_text(tmp_path / "job.yaml", "job.yaml")) == "job.yaml: is no regular file"
