"""What Metorikku itself did with each of its probes, asked again here, all in one Spark session.

The answers are in `tests/oracle/metorikku`; what differs on purpose is in `tests/oracle/differences.py`.
"""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import logging
import re
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow.orc
import pyarrow.parquet
import pytest

from airflow_metorikku import cli
from airflow_metorikku.cli import run as cli_run
from airflow_metorikku.cli import test as cli_test
from airflow_metorikku.cli.test_session import SparkForTests
from airflow_metorikku.config.metric_tests import MetricTest
from airflow_metorikku.plan.metric_tests import MetricTestPlan, compile_test
from airflow_metorikku.plan.records import Plan
from airflow_metorikku.results import outcome
from airflow_metorikku.spark.runner import run_plan
from airflow_metorikku.spark.tester.catalog import catalog_state, restore_catalog
from airflow_metorikku.spark.tester.run_test import run_test

ORACLE = Path(__file__).resolve().parents[1] / "oracle"
# The answers hold at most so many characters of a file, and so many rows of a Parquet file.
CUT_TEXT = 800


def _lists() -> ModuleType:
    spec = importlib.util.spec_from_file_location("differences", ORACLE / "differences.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["differences"] = module
    spec.loader.exec_module(module)
    return module


LISTS = _lists()
CASES = [
    json.loads(line)
    for line in (ORACLE / "metorikku/cases.jsonl").read_text(encoding="utf-8").splitlines()
]
JOBS = [case for case in CASES if case["program"] == "metorikku"]
TESTS = [case for case in CASES if case["program"] == "tester"]
Files = dict[str, Counter[str]]


@dataclass(frozen=True)
class Outcome:
    exit: int
    text: str
    files: Files


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the probes to run in, as the originals were asked."""
    shutil.copytree(ORACLE / "metorikku/probes/data", tmp_path / "probes/data")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROBE_ENV_A", "envA")
    return tmp_path


def ask(case: Mapping[str, Any], here: Path, capsys: pytest.CaptureFixture[str]) -> Outcome:
    """Put a probe's question to our command line."""
    probe = case["probe"]
    if probe in AFTER:
        before = next(other for other in JOBS if other["probe"] == AFTER[probe])
        assert ask(before, here, capsys).exit == 0
    source = ORACLE / "metorikku/probes" / probe
    if source.exists():
        shutil.copytree(source, here / "probes" / probe)
        # Spark's process stays where it was started, and Derby's folders are relative to that.
        for file in (here / "probes" / probe).glob("job.*"):
            text = file.read_text(encoding="utf-8")
            file.write_text(text.replace("jdbc:derby:probes", f"jdbc:derby:{here}/probes"))
    arguments = [argument for argument in case["args"] if argument]
    try:
        code = cli.main(["run", *arguments, "--results", str(here / "results")])
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    finally:
        logging.getLogger().handlers.clear()
    said = capsys.readouterr()
    return Outcome(code, said.out + said.err, files_of(here / "probes" / probe))


# They ask for the database that another one makes.
AFTER = dict.fromkeys(
    ("m02_jdbc_read", "m03_jdbc_read_default", "m05_jdbc_default_mode"), "m01_jdbc"
)
# What they ask can only be seen in a Spark that was started for them.
OWN_SPARK = ("l01_appname",)
# Spark 3.5 answers as Metorikku's did.
SPARK_4 = ("e52_null_type_parquet",)
# They log Java stacks of queries that fail; the entrypoint silences them as well.
NOISY = ("SQLQueryContextLogger", "DataFrameQueryContextLogger", "py4j")


@pytest.fixture(autouse=True)
def one_session(
    spark: Any, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line submits to the tests' session, not to a Spark of its own."""
    for name in NOISY:
        # Where pyspark has not made its own yet, a logger of ours would take its name for good.
        if name in logging.root.manager.loggerDict:
            monkeypatch.setattr(logging.getLogger(name), "disabled", True)
    if any(f"[{probe}]" in request.node.name for probe in OWN_SPARK):
        return

    def submit(plan: Plan, _master: str, _secrets: Mapping[str, str]) -> int:
        session = spark.newSession()  # views and settings of one probe are not the next one's
        run_plan(Plan.from_plain(json.loads(json.dumps(plan.to_plain()))), session)
        return 0

    monkeypatch.setattr(cli_run, "submit", submit)


@pytest.fixture(autouse=True)
def catalog_as_it_was(spark: Any) -> Iterator[None]:
    """Tables and databases of one probe are not the next one's."""
    before = catalog_state(spark)
    yield
    restore_catalog(spark, before)


def files_of(folder: Path) -> Files:
    """Rows of every data file below a folder, by the folder that it lies in."""
    found: Files = defaultdict(Counter)
    for path in sorted(folder.rglob("*")):
        if (
            path.is_file()
            and not path.name.startswith((".", "_"))
            and path.suffix in READERS
            and path.name.startswith("part-")
        ):
            found[place(path.relative_to(folder))].update(map(plain, READERS[path.suffix](path)))
    return dict(found)


def place(path: Path) -> str:
    """Folder of a data file, without what is a time in it."""
    return re.sub(
        r"(?<=/)\d{13}(?=/|$)", "MILLIS", re.sub(r"_\d{8}T\d{9}", "_TIME", path.parent.as_posix())
    )


def plain(row: Mapping[str, object]) -> str:
    return json.dumps(
        {name: value for name, value in row.items() if value is not None},
        sort_keys=True,
        default=str,
    )


def json_rows(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def csv_rows(text: str) -> list[dict[str, object]]:
    """A header names the columns; without one, as Spark would name them."""
    rows = list(csv.reader(io.StringIO(text)))
    head, *body = (
        rows
        if rows and not rows[0][0].isdigit()
        else [[f"_c{i}" for i in range(len(rows[0]))], *rows]
    )
    return [dict(zip(head, row, strict=True)) for row in body]


READERS: dict[str, Any] = {
    ".json": lambda path: json_rows(path.read_text(encoding="utf-8")),
    ".csv": lambda path: csv_rows(path.read_text(encoding="utf-8")),
    ".parquet": lambda path: pyarrow.parquet.ParquetFile(path).read().to_pylist(),
    ".orc": lambda path: pyarrow.orc.read_table(path).to_pylist(),
}


def expected_files(case: Mapping[str, Any]) -> Files:
    found: Files = defaultdict(Counter)
    for name, content in case.get("files", {}).items():
        if Path(name).name.startswith(("_", ".")):
            continue
        if isinstance(content, Mapping):
            rows: Iterable[Mapping[str, object]] = content["rows"]
        elif name.endswith(".orc"):
            rows = [{"ORC": "which the answers do not read"}]
        else:
            assert len(content) < CUT_TEXT, f"{name}: the answer is cut"
            rows = csv_rows(content) if name.endswith(".csv") else json_rows(content)
        found[place(Path(name))].update(map(plain, rows))
    return dict(found)


def test_the_lists_name_probes_that_exist_and_none_twice():
    probes = {case["probe"] for case in CASES}
    assert len(CASES) == 155
    assert set(LISTS.DIFFERENCES) | set(LISTS.LATER) <= probes
    assert set(LISTS.DIFFERENCES) & set(LISTS.LATER) == set()
    assert {case["probe"] for case in TESTS}.isdisjoint(LISTS.LATER)


SAME = [
    case
    for case in JOBS
    if case["probe"] not in LISTS.DIFFERENCES and case["probe"] not in LISTS.LATER
]


# Spark's own description of a table: times, versions and folders.
OF_THE_MOMENT = {"j03_table_read_next_metric": "out/d"}


@pytest.mark.parametrize("case", SAME, ids=lambda case: case["probe"])
def test_same_rows_or_failure_as_metorikku(
    case: Mapping[str, Any], here: Path, capsys: pytest.CaptureFixture[str]
):
    ours = ask(case, here, capsys)
    assert (ours.exit == 0) == (case["upstream"] == "success"), ours.text
    theirs = expected_files(case)
    if moment := OF_THE_MOMENT.get(case["probe"]):
        assert set(ours.files.pop(moment)) & set(theirs.pop(moment))
    assert ours.files == theirs, ours.text
    assert "Traceback" not in ours.text


@pytest.mark.parametrize(
    "case", [c for c in JOBS if c["probe"] in LISTS.DIFFERENCES], ids=lambda case: case["probe"]
)
def test_a_difference_that_is_meant(
    case: Mapping[str, Any],
    here: Path,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
):
    if case["probe"] in SPARK_4:
        request.getfixturevalue("needs_spark_4")
    meant = LISTS.DIFFERENCES[case["probe"]]
    ours = ask(case, here, capsys)
    assert ours.exit == meant.exit, ours.text
    assert meant.says in ours.text
    assert ours.files == {
        folder: Counter(map(plain, rows)) for folder, rows in meant.files.items()
    }, ours.text
    assert "Traceback" not in ours.text
    theirs = (case["upstream"] == "success", expected_files(case))
    assert theirs != (ours.exit == 0, ours.files), "this is no difference: take it off the list"


@pytest.mark.parametrize(
    "case", [c for c in JOBS if c["probe"] in LISTS.LATER], ids=lambda case: case["probe"]
)
def test_what_waits_for_a_later_version_is_refused_before_anything_runs(
    case: Mapping[str, Any], here: Path, capsys: pytest.CaptureFixture[str]
):
    ours = ask(case, here, capsys)
    assert ours.exit == 1, ours.text
    assert "later version" in ours.text or "comes with" in ours.text or "come with" in ours.text
    assert ours.files == {}


class SameSpark(SparkForTests):
    """The command line's session, in the tests' Spark."""

    spark: Any = None

    def run(self, test: MetricTest) -> outcome.Outcome:
        plan = compile_test(test, scratch=f"{test.folder}/scratch", preview=self.preview)
        return outcome.Outcome.from_plain(
            run_test(
                self.spark, MetricTestPlan.from_plain(json.loads(json.dumps(plan.to_plain())))
            ).to_plain()
        )


@pytest.mark.parametrize("case", TESTS, ids=lambda case: case["probe"])
def test_the_tester_passes_or_fails_as_metorikkus(
    case: Mapping[str, Any],
    here: Path,
    capsys: pytest.CaptureFixture[str],
    spark: Any,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(SameSpark, "spark", spark)
    monkeypatch.setattr(cli_test, "SparkForTests", SameSpark)
    shutil.copytree(ORACLE / "metorikku/probes" / case["probe"], here / "probes" / case["probe"])
    code = cli.main(["test", *case["args"]])
    logging.getLogger().handlers.clear()
    said = capsys.readouterr()
    text = said.out + said.err
    assert "Traceback" not in text
    if case["probe"] in LISTS.DIFFERENCES:
        meant = LISTS.DIFFERENCES[case["probe"]]
        assert code == meant.exit, text
        assert meant.says in text
        assert (code == 0) != (case["upstream"] == "success"), "this is no difference"
    else:
        assert (code == 0) == (case["upstream"] == "success"), text
        assert ("FAILED" in text) == (code == 2)
