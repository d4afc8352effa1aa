"""Wrong arguments: words, and the exit code of a user's mistake."""

from __future__ import annotations

import pytest

from airflow_metorikku.cli import main


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["frobnicate"], "invalid choice: 'frobnicate'"),
        (["check"], "the following arguments are required: PATH"),
        (["run", "-c", "job.yaml", "--var", "x"], "argument --var: got 'x', expected NAME=VALUE"),
        (["plan", "--var", "=x"], "argument --var: got '=x', expected NAME=VALUE"),
        (["plan", "--split", "half"], "argument --split: invalid choice"),
    ],
)
def test_wrong_arguments(arguments, says, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 1
    assert says in capsys.readouterr().err


def test_no_job_is_a_mistake_too(capsys):
    assert main(["plan"]) == 1
    assert "expected -c JOB or --job JSON" in capsys.readouterr().err
