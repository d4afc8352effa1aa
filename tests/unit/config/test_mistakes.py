"""A thousand files with one mistake each: every one is refused at its line; editors flag by the schema what we refuse."""

from __future__ import annotations

import json
import re
from collections import defaultdict

import jsonschema
import pytest
from made_mistakes import KEYS_OF_KINDS, dump, example_files, load, mistakes, sources

from airflow_metorikku import cli
from airflow_metorikku.config.json_schema import json_schema

OK = "steps:\n- {dataFrameName: t, sql: SELECT 1 AS x}\n"
VALIDATORS = {
    kind: jsonschema.Draft7Validator(json_schema(kind)) for kind in ("job", "metric", "test")
}
MISTAKES = mistakes(1000)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ok.yaml").write_text(OK)
    (tmp_path / "movies.csv").write_text("id\n")
    for name in ("top_movies.sql", "topFantasyMovies.sql"):
        (tmp_path / name).write_text("SELECT 1 AS x")
    return tmp_path


def checked(capsys, names):
    code = cli.main(["check", *names])
    said = capsys.readouterr()
    assert "Traceback" not in said.out + said.err
    assert "bug" not in said.err
    return code, said.out


def test_the_files_are_right_before_a_mistake_is_put_in(here, capsys):
    names = []
    for number, (kind, data) in enumerate(sources()):
        names.append(f"{kind}{number}.yaml")
        (here / names[-1]).write_text(dump(data))
    code, said = checked(capsys, names)
    # One metric for all jobs: what names another's data frames is a mistake between files, not in one.
    within = [line for line in said.splitlines() if "expected the name of" not in line]
    assert within == []
    assert code in (0, 1)


def test_every_mistake_is_refused_at_its_line(here, capsys):
    for number, mistake in enumerate(MISTAKES):
        (here / f"f{number}.yaml").write_text(mistake.text)
    code, said = checked(capsys, [f"f{number}.yaml" for number in range(len(MISTAKES))])
    assert code == 1
    lines = defaultdict(set)
    for file, line in re.findall(r"^f(\d+)\.yaml:(\d+): ", said, re.MULTILINE):
        lines[int(file)].add(int(line))
    missed = [
        f"{mistake.kind}: {mistake.what}: line {mistake.line}, reported {sorted(lines[number])}"
        for number, mistake in enumerate(MISTAKES)
        if mistake.line not in lines[number]
    ]
    assert missed == []


def test_the_mistakes_are_of_all_sorts_and_kinds_of_files():
    for kind in VALIDATORS:
        for sort in ("misspelt", "added", "which is no", "removed", "twice"):
            assert any(m.kind == kind and sort in m.what for m in MISTAKES), (kind, sort)


@pytest.mark.parametrize("kind", VALIDATORS)
def test_the_schema_is_one(kind):
    jsonschema.Draft7Validator.check_schema(json_schema(kind))


def test_the_schema_takes_every_example():
    files = [load(path.read_text(encoding="utf-8")) for path in example_files()]
    assert len(files) > 10
    for data in [*files, *(data for _, data in sources())]:
        kind = next(kind for key, kind in KEYS_OF_KINDS.items() if key in data)
        assert [str(error) for error in VALIDATORS[kind].iter_errors(data)] == []


def test_the_schema_flags_every_mistake_but_a_key_that_stands_twice():
    passed = [
        f"{mistake.kind}: {mistake.what}"
        for mistake in MISTAKES
        if not mistake.what.endswith("twice") and VALIDATORS[mistake.kind].is_valid(mistake.data)
    ]
    assert passed == []


def test_the_command_prints_the_schema(capsys):
    assert cli.main(["schema", "metric"]) == 0
    assert json.loads(capsys.readouterr().out) == json_schema("metric")
