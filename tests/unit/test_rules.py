"""The house's rules, each as a test: what the code's shape promises to those who read it."""

from __future__ import annotations

import ast
import re
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from airflow_metorikku.config.records.alerters import ALERTERS
from airflow_metorikku.config.records.checks import CHECKS
from airflow_metorikku.config.records.code_steps import CODE_STEPS
from airflow_metorikku.config.records.controls import CONTROL_TYPES
from airflow_metorikku.config.records.inputs import INPUTS
from airflow_metorikku.config.records.outputs import FILE_OUTPUTS, LATER_OUTPUTS

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "airflow_metorikku"
EXAMPLES = ROOT / "dags_examples"
MODULES = sorted(PACKAGE.rglob("*.py"))
BIN = Path(sys.executable).parent


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_rooms_import_only_what_lies_below_them():
    done = run(BIN / "lint-imports", "--no-cache")
    assert done.returncode == 0, done.stdout + done.stderr


def test_spark_side_imports_only_pyspark_and_the_standard_library():
    # A process of its own, where whatever else gets imported shows; pyspark's own imports are pyspark's.
    code = """
import importlib, pkgutil, sys
import pyspark.sql, pyspark.sql.functions, pyspark.sql.window
before = set(sys.modules)
import airflow_metorikku.spark as room
names = [m.name for m in pkgutil.walk_packages(room.__path__, 'airflow_metorikku.spark.')]
assert len(names) > 10, names
for name in names:
    importlib.import_module(name)
tops = {name.partition('.')[0] for name in set(sys.modules) - before}
print(sorted(tops - set(sys.stdlib_module_names) - {'airflow_metorikku', 'pyspark', 'py4j'}))
"""
    done = run(sys.executable, "-c", code)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_entrypoint_is_alone_in_its_folder():
    # spark-submit puts that folder first on sys.path: a file beside it could hide another package.
    names = [
        path.name for path in (PACKAGE / "spark/entrypoint").iterdir() if path.name != "__pycache__"
    ]
    assert names == ["metorikku_entrypoint.py"]


def test_modules_are_small():
    sizes = {
        path.relative_to(ROOT): len(lines(path)) for path in MODULES if path.name != "__init__.py"
    }
    assert {path: size for path, size in sizes.items() if size > 350} == {}
    assert statistics.median(sizes.values()) <= 150


def test_functions_are_short():
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.body[0].lineno >= 40
        and not _returns_one_literal(node)
    ]
    assert long == []


def _returns_one_literal(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Data is as long as it is: a docstring and `return {...}`."""
    return (
        len(node.body) == 2
        and isinstance(node.body[1], ast.Return)
        and isinstance(node.body[1].value, ast.Dict)
    )


def test_no_ten_lines_stand_twice():
    places: dict[tuple[str, ...], list[str]] = defaultdict(list)
    sources = [
        *MODULES,
        *(
            p
            for p in (ROOT / "dev").rglob("*")
            if p.is_file() and p.suffix != ".txt" and "__pycache__" not in p.parts
        ),
    ]
    for path in sources:
        code = [
            (number, text) for number, line in enumerate(lines(path), 1) if (text := line.strip())
        ]
        for i in range(len(code) - 9):
            window = tuple(text for _, text in code[i : i + 10])
            places[window].append(f"{path.relative_to(ROOT)}:{code[i][0]}")
    assert [where for where in places.values() if len(where) > 1] == []


def test_nothing_is_left_unfinished():
    words = re.compile(
        r"\b(TODO|FIXME|XXX|HACK|NotImplementedError)\b|not implemented|issue [34]\b", re.IGNORECASE
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in [
            *MODULES,
            *EXAMPLES.rglob("*.py"),
            *EXAMPLES.rglob("*.yaml"),
            *(ROOT / "docs").glob("*.md"),
        ]
        for number, line in enumerate(lines(path), 1)
        if words.search(line)
    ]
    assert found == []


def test_every_public_thing_has_a_docstring_and_no_module_hides_in_a_vague_name():
    vague = re.compile(r"(Manager|Helper|Utils?|Base|Factory)$|^(utils?|helpers?|common|misc)$")
    found = [str(path.relative_to(ROOT)) for path in MODULES if vague.search(path.stem)]
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        where = path.relative_to(ROOT)
        if not ast.get_docstring(tree) and tree.body:
            found.append(f"{where}: no docstring")
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
                if vague.search(node.name):
                    found.append(f"{where}: {node.name}")
                if not ast.get_docstring(node) and not _is_overload(node):
                    found.append(f"{where}: {node.name} has no docstring")
    assert found == []


def _is_overload(node: ast.ClassDef | ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "overload" for mark in node.decorator_list)


def test_reference_is_what_the_records_say():
    done = run("dev/docs", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("kind", [*INPUTS, *CHECKS, *ALERTERS])
def test_every_kind_has_its_section_in_the_reference(kind: str):
    assert f"\n### `{kind}`\n" in (ROOT / "docs/reference.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*FILE_OUTPUTS, *LATER_OUTPUTS, *CONTROL_TYPES, *CODE_STEPS])
def test_every_other_name_stands_in_the_reference(name: str):
    assert f"`{name}`" in (ROOT / "docs/reference.md").read_text(encoding="utf-8")


def test_commands_of_the_readme_exist():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    scripts = set(re.findall(r"\./(dev/[\w/]+|\.ci/run)", text))
    assert {"dev/demo", "dev/test", "dev/setup"} <= scripts
    missing = [name for name in scripts if not (ROOT / name).stat().st_mode & 0o100]
    commands = set(re.findall(r"^metorikku (\w+)", text, re.MULTILINE))
    assert {"check", "run", "plan", "show"} <= commands
    said = run(BIN / "metorikku", "--help").stdout
    assert [
        *missing,
        *(name for name in commands if not re.search(rf"^\s+{name}\s", said, re.MULTILINE)),
    ] == []


def test_links_of_the_documents_lead_somewhere():
    broken = []
    for page in [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        *(ROOT / "docs").glob("*.md"),
        EXAMPLES / "DATA.md",
    ]:
        text = page.read_text(encoding="utf-8")
        headings = {
            re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-")
            for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        }
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            path, _, anchor = target.partition("#")
            if target.startswith("http") or (path and (page.parent / path).exists()):
                continue
            if path or anchor not in headings:
                broken.append(f"{page.name}: {target}")
    assert broken == []


@pytest.mark.parametrize(
    "dag",
    sorted(p for p in EXAMPLES.glob("*/*.py") if "airflow_metorikku" in p.read_text()),
    ids=lambda p: p.stem,
)
def test_dag_files_of_the_examples_are_short(dag: Path):
    assert len(lines(dag)) <= 15


def test_each_example_has_a_dag_file_of_its_name():
    folders = [path for path in EXAMPLES.iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert len(folders) >= 5
    assert [folder.name for folder in folders if not (folder / f"{folder.name}.py").exists()] == []


def test_data_of_the_examples_is_what_its_generator_makes(tmp_path: Path):
    copy = tmp_path / "make_data.py"
    copy.write_text((EXAMPLES / "make_data.py").read_text(encoding="utf-8"), encoding="utf-8")
    assert run(sys.executable, copy).returncode == 0
    made = {
        path.relative_to(tmp_path): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file() and path != copy
    }
    assert len(made) == 6
    assert made == {path: (EXAMPLES / path).read_bytes() for path in made}
