"""`metorikku report`: which result it takes, where the page goes, and what it says when there is none."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from made_results import a_result, foreign, kept

from airflow_metorikku.cli import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "metorikku-results"


def page(path: str = "report.html") -> str:
    return Path(path).read_text(encoding="utf-8")


def test_newest_result_of_the_default_folder(folder, capsys):
    # The newest run, whatever was copied here last.
    kept(folder, a_result(day=2), run="second", seconds=1)
    kept(folder, a_result(day=1), run="first", seconds=2)
    kept(folder, a_result("orders"), run="other", seconds=3)
    assert main(["report"]) == 0
    assert capsys.readouterr().out == "report.html\n"
    text = page()
    assert text.index("trades-a2") < text.index("History") < text.index("first")
    assert "2 values, oldest 11, newest 12" in text
    assert text.index("Other jobs</h2>") < text.index("orders")
    assert oct(Path("report.html").stat().st_mode)[-3:] == "644"
    assert sorted(os.listdir()) == ["metorikku-results", "report.html"]


def test_one_result_with_those_of_its_task(folder, capsys):
    first = kept(folder, a_result(day=1), run="a+b")
    kept(folder, a_result(day=2), run="c")
    kept(folder, a_result("orders"), run="d")
    assert main(["report", str(first), "--output", "-"]) == 0
    text = capsys.readouterr().out
    assert "<dt>Run</dt><dd>a+b</dd>" in text
    assert "trades-a2" in text
    assert "orders" not in text
    assert main(["report", str(first.parent), "-o", "-"]) == 0
    assert capsys.readouterr().out == text


def test_a_result_that_lies_alone(folder, capsys):
    Path("mine.json").write_text(a_result().to_json(), encoding="utf-8")
    assert main(["report", "mine.json", "-o", "here.html"]) == 0
    assert "trades" in page("here.html")


def test_newest_result_of_a_job(folder, capsys):
    kept(folder, a_result("orders", day=1), run="r1")
    kept(folder, a_result("trades", day=2), run="r2")
    assert main(["report", "--job", "orders"]) == 0
    assert "<title>orders: warning</title>" in page()
    assert main(["report", "--job", "order"]) == 1
    assert "no result of job 'order'; there are orders, trades" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a whole result"),
        (a_result().to_json()[:-20], "not a whole result"),
        (foreign(), "got a result of format 'theirs', expected 1"),
        ("[" * 100_000, "not a whole result"),
        ("\x00", "not a whole result"),
    ],
)
def test_a_result_that_is_none(folder, capsys, text, says):
    path = kept(folder, a_result(), run="r", text=text)
    assert main(["report", str(path)]) == 1
    said = capsys.readouterr()
    assert said.err.startswith(f"{path}: ")
    assert says in said.err
    assert says in page().replace("&#39;", "'")
    assert "Traceback" not in said.err


def test_a_result_in_bytes_of_no_text(folder, capsys):
    path = kept(folder, a_result(), run="r")
    path.write_bytes(b"\xff\xfe{")
    assert main(["report"]) == 1
    assert "codec can" in capsys.readouterr().err


def test_no_result(folder, capsys):
    assert main(["report"]) == 1
    assert "metorikku-results: no such file or folder" in capsys.readouterr().err
    folder.mkdir()
    assert main(["report"]) == 1
    assert "no result.json there or below" in capsys.readouterr().err


def test_somebody_elses_page_is_left_alone(folder, capsys):
    kept(folder, a_result(), run="r")
    Path("report.html").write_text("<h1>My own</h1>", encoding="utf-8")
    assert main(["report"]) == 1
    assert "is no report of ours" in capsys.readouterr().err
    assert page() == "<h1>My own</h1>"
    assert main(["report", "-o", "report.html"]) == 0
    assert main(["report"]) == 0
    assert "trades" in page()


def test_no_place_for_the_page(folder, capsys):
    kept(folder, a_result(), run="r")
    assert main(["report", "-o", "no/such/folder.html"]) == 1
    assert "the page cannot be written: No such file or directory" in capsys.readouterr().err


def test_names_that_file_systems_and_patterns_mean_otherwise(folder, capsys):
    odd = replace(a_result(), job="[a]*?", attempt="x/../y")
    kept(folder, odd, run="r1:00+00")
    path = kept(folder, replace(odd, attempt="z"), run="r2")
    assert main(["report", str(path), "-o", "-"]) == 0
    assert "r1:00+00" in capsys.readouterr().out
