"""Shells are told how to complete our commands, and what."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from airflow_metorikku import cli

MAIN = "import sys; from airflow_metorikku.cli import main; sys.exit(main())"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_code_of_a_shell_names_our_program(shell, capsys):
    assert cli.main(["completion", shell]) == 0
    assert "metorikku" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        ("metorikku sch", {"schema"}),
        ("metorikku schema ", {"job", "metric", "test"}),
        ("metorikku run --max", {"--max-failed-rounds"}),
    ],
)
def test_answers(line, answers, tmp_path):
    answered = tmp_path / "answers"
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answered),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    subprocess.run(
        [sys.executable, "-c", MAIN], env={**os.environ, **asked}, check=True, timeout=60
    )
    found = {answer.strip() for answer in answered.read_text().splitlines()}
    assert answers <= found
    assert found - {"-h", "--help"} == answers


def test_nobody_who_does_not_ask_pays_for_it():
    code = "from airflow_metorikku import cli, __version__; import sys; cli.main(['schema', 'test']); sys.exit('argcomplete' in sys.modules)"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], check=False, stdout=subprocess.DEVNULL
        ).returncode
        == 0
    )
