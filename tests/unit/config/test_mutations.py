"""Files broken at random, always the same ones: a report, never another error, and lines that exist."""

from __future__ import annotations

import random

import pytest

from airflow_metorikku.config.check import check_paths

FILES = {
    "job.yaml": """\
metrics: [m.yaml]
inputs:
  movies: {file: {path: "${dir:-data}/movies.csv", options: {sep: ";"}}}
  ratings:
    file_date_range:
      template: r/%s.csv
      date_range: {format: yyyy-MM-dd, startDate: 2017-01-01, endDate: 2017-01-02}
variables: {a: 010, b: '$${x}'}
alerters: [exception, {slack: {token: x, alertOn: [critical]}}]
controlMeasures:
  source: {input: movies, columns: [id, {price: count}]}
""",
    "m.yaml": """\
steps:
- &first
  dataFrameName: t
  sql: |
    SELECT ${a} AS x
  dq:
    level: error
    checks:
    - isComplete: {column: x}
    - hasMin: {column: x, between: [1, 2]}
- {<<: *first, dataFrameName: u}
output:
- {dataFrameName: t, outputType: JSON, outputOptions: {path: out, saveMode: Overwrite}}
""",
}
SPLINTERS = (
    "${", "$${", "}", "{", "[", "]", ": ", "\n", "- ", "*a", "&a ", "!!x ", '"', "'", "\t", "|", "~", "null",
    "#", "%", "<<: ", "\ue000", "\u2028", "\0", "\\", "9" * 50, "%s", "  ",
)  # fmt: skip


def add(text, chance):
    at = chance.randrange(len(text))
    return text[:at] + chance.choice(SPLINTERS) + text[at:]


def remove(text, chance):
    at = chance.randrange(len(text))
    return text[:at] + text[at + chance.randint(1, 8) :]


def repeat(text, chance):
    at, start = chance.randrange(len(text)), chance.randrange(len(text))
    return text[:at] + text[start : start + 30] + text[at:]


def broken(text, chance):
    for _ in range(chance.randint(1, 4)):
        text = chance.choice((add, remove, repeat))(text, chance)
    return text


@pytest.mark.parametrize("seed", range(8))
def test_broken_files(seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chance = random.Random(seed)
    reported = 0
    for _ in range(40):
        texts = {name: broken(text, chance) for name, text in FILES.items()}
        for name, text in texts.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        _, problems = check_paths(["job.yaml", "m.yaml"], environ={})
        reported += bool(problems)
        for problem in problems:
            assert 0 <= problem.line <= texts.get(problem.file, "").count("\n") + 1
            assert problem.text
    assert reported > 20
