"""`metorikku info show | compare`: files made here by hand, codes and texts by the documentation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from airflow_metorikku.cli import main
from airflow_metorikku.cli.info_build import _columns, _metadata
from airflow_metorikku.config.records.controls import Metadata
from airflow_metorikku.errors import ConfigError


def info(*checkpoints: dict[str, str], **metadata: object) -> str:
    return json.dumps(
        {
            "metadata": metadata,
            "checkpoints": [
                {
                    "name": f"C{order}",
                    "processStartTime": "01-01-2026 08:00:00",
                    "processEndTime": "01-01-2026 08:00:01",
                    "workflowName": "w",
                    "order": order,
                    "controls": [
                        {"controlName": n, "controlType": "count", "controlCol": "*", "controlValue": v}
                        for n, v in controls.items()
                    ],
                }
                for order, controls in enumerate(checkpoints, 1)
            ],
        }
    )  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    (first / "_INFO").write_text(info({"n": "1", "t": "9"}, {"n": "1000", "t": "5.50"}))
    second.write_text(info({"n": "999", "t": "5.5"}))
    return str(first), str(second)


def test_show_has_a_row_a_control_and_a_column_a_checkpoint(files, capsys):
    assert main(["info", "show", files[0]]) == 0
    shown = capsys.readouterr().out
    assert "control  type   column  C1    C2\n" in shown
    assert "n        count  *        1  1000\n" in shown
    assert "C2              2  w         01-01-2026 08:00:00  01-01-2026 08:00:01\n" in shown


def test_show_says_what_is_odd(tmp_path, capsys):
    (tmp_path / "_INFO").write_text(info({"n": "1"}, informationDate="2026-99-99", country="ZA"))
    assert main(["info", "show", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "country          ZA" in shown
    assert "'2026-99-99' is no date" in shown


def test_show_json_is_the_file(files, capsys):
    assert main(["info", "show", "--json", files[1]]) == 0
    text = capsys.readouterr().out
    shown = json.loads(text)
    assert shown["checkpoints"] == json.loads(Path(files[1]).read_text())["checkpoints"]
    assert len(text.splitlines()) > 10


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 2),
        (["--tolerance", "0.001"], 0),
        (["--max-loss", "0.001"], 0),
        (["--max-gain", "0.001"], 2),
        (["--absolute-tolerance", "1"], 0),
        (["--max-absolute-loss", "0.5"], 2),
        (["--max-absolute-gain", "1"], 2),
        (["--control", "t"], 0),
        (["--control", "n"], 2),
        (["--ignore", "n"], 0),
        (["--ignore", "n", "--ignore", "t"], 2),
        (["--against", "C1"], 2),
        (["--control", "nosuch"], 2),
    ],
)
def test_compare_says_whether_two_files_agree(files, options, code, capsys):
    assert main(["info", "compare", *files, *options]) == code


def test_a_name_to_ignore_that_neither_file_has_is_said(files, capsys):
    assert main(["info", "compare", *files, "--ignore", "n", "--ignore", "m"]) == 1
    said = capsys.readouterr().err
    assert "--ignore: neither file has it: unknown control 'm'; expected one of n, t" in said


def test_compare_shows_both_side_by_side(files, capsys):
    assert main(["info", "compare", *files]) == 2
    shown = capsys.readouterr().out
    assert "-1 (-0.1 %)  failed\n" in shown
    assert "C2 of /" in shown
    assert "n: got 999, expected 1000\n" in shown
    assert shown.endswith("2 controls compared, 1 disagreeing\n")
    assert main(["info", "compare", "--json", *files]) == 2
    assert json.loads(capsys.readouterr().out)[0] == {
        "control": "n",
        "expected": "1000",
        "actual": "999",
        "status": "failed",
        "message": "got 999, expected 1000",
    }


def test_a_control_that_only_the_first_has_is_missed(files, tmp_path, capsys):
    lost = tmp_path / "lost"
    lost.write_text(info({"t": "5.5"}))
    assert main(["info", "compare", files[0], str(lost)]) == 2
    assert "has no control n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "is not there"),
        ("", "is empty"),
        ("{", "not JSON"),
        ("[]", "expected an object"),
        ('{"metadata":{},"checkpoints":[]}', "has no checkpoints"),
    ],
)
def test_a_file_that_cannot_be_compared_is_a_mistake_of_one(files, tmp_path, text, says, capsys):
    other = tmp_path / "other"
    if text is not None:
        other.write_text(text)
    assert main(["info", "compare", files[0], str(other)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{other}: ")
    assert says in said


@pytest.mark.parametrize("command", [["info", "show"], ["report", "--output", "-"]])
@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_a_file_that_cannot_be_read_is_the_users_mistake(tmp_path, command, content, capsys):
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    assert main([*command, str(path)]) == 1
    assert str(path) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ["--checkpoint", "C3"],
            "there is no checkpoint C3, so there is nothing to compare with; there are C1",
        ),
        (["--tolerance", "-1"], "tolerance: got -1.0, expected 0 or more"),
    ],
)
def test_wrong_options_are_mistakes_of_one(files, options, says, capsys):
    assert main(["info", "compare", *files, *options]) == 1
    assert says in capsys.readouterr().err


def test_a_number_that_is_none_is_a_mistake(files, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["info", "compare", *files, "--tolerance", "much"])
    assert ended.value.code == 1
    assert "got 'much', expected a number" in capsys.readouterr().err


def test_columns_and_metadata_of_build():
    assert _columns("a, b:HASHCRC32,c:d:count") == ("a", {"b": "hashCrc32"}, {"c:d": "count"})
    assert _metadata(
        [("country", "UK"), ("version", "2"), ("additionalInfo.k", "v=w")]
    ) == Metadata(country="UK", version=2, additional_info={"k": "v=w"})
    with pytest.raises(ConfigError, match="did you mean 'hashCrc32'"):
        _columns("b:hashCrc23")
    with pytest.raises(ConfigError, match="did you mean 'country'"):
        _metadata([("countri", "UK")])
    with pytest.raises(ConfigError, match="expected a whole number"):
        _metadata([("version", "two")])
