"""The README's quick start and the DAGs of the documentation, as they stand there."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pyarrow.parquet
import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = re.findall(r"```yaml\n# (\S+)\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"^(metorikku .*?)(?:\s+#.*)?$", README, re.MULTILINE)


def python_of(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the quick start; what is below /data there is below this folder."""
    made = tmp_path_factory.mktemp("quick_start")
    for name, text in FILES:
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(text.replace("/data/", f"{made}/data/"))
    (made / "data/orders").mkdir(parents=True)
    orders = "shop,amount\nnorth,1.50\nnorth,2.25\nsouth,10\n"
    (made / "data/orders/2026-01-03.csv").write_text(orders)
    (made / "jobs/orders/orders.csv").write_text(orders)
    return made


def test_quick_start(folder: Path):
    said = {}
    for command in COMMANDS:
        program, verb, *arguments = shlex.split(command.partition(" > ")[0])
        if verb == "show":
            (result,) = (folder / "metorikku-results").rglob("result.json")
            shown = Path(arguments[0]).parts
            assert shown[:2] + shown[3:4] == ("metorikku-results", "local", "orders")
            assert len(result.relative_to(folder).parts) == len(shown)
            arguments = [str(result)]
        done = subprocess.run(
            [Path(sys.executable).parent / program, verb, *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        said[verb] = done.stdout
    assert set(said) == {
        "check", "plan", "run", "show", "test", "schema", "report", "profile", "suggest", "info",
    }  # fmt: skip
    assert "isComplete" in said["suggest"]
    assert json.loads(said["info"])["checkpoints"][0]["controls"][0]["controlValue"] == "3"
    assert "daily_totals_test.yaml" in said["test"]
    assert json.loads(said["schema"])["$schema"]
    assert "gate daily_totals.data_quality" in said["plan"]
    assert "orders: verdict good" in said["run"]
    assert "<title>orders: good</title>" in (folder / said["report"].strip()).read_text()
    assert said["show"].split() == said["run"].split()
    rows = pyarrow.parquet.read_table(folder / "data/warehouse/dailyTotals").to_pylist()
    assert {row["shop"]: str(row["total"]) for row in rows} == {"north": "3.75", "south": "10.00"}


ROOM = """\
import pendulum
from airflow.sdk import DAG, TaskGroup
from airflow_metorikku import MetorikkuDag, MetorikkuTaskGroup, load_dags
from airflow_metorikku.operators.metorikku import DataQualityOperator, MetorikkuSubmitOperator
from airflow_metorikku.sensors.control_measures import ControlMeasureSensor
from airflow_metorikku.sensors.data_quality import DataQualitySensor
with DAG("orders", start_date=pendulum.datetime(2026, 1, 1)):
"""
PRINT = """
try:
    from airflow.dag_processing.dagbag import DagBag
except ImportError:  # Airflow 3.1
    from airflow.models.dagbag import DagBag
bag = DagBag("dag_file.py", safe_mode=False)
assert not bag.import_errors, bag.import_errors
for name, dag in bag.dags.items():
    print(name, sorted((task.task_id, *sorted(task.upstream_task_ids)) for task in dag.tasks))
"""


def tasks_of(folder: Path, block: str) -> str:
    """What Airflow makes of a block of Python; one without a DAG of its own is put into one."""
    if "with DAG(" not in block:
        block = ROOM + textwrap.indent(block, "    ")
    (folder / "dag_file.py").write_text(block)
    done = subprocess.run(
        [sys.executable, "-c", PRINT],
        cwd=folder,
        env=os.environ | {"AIRFLOW_HOME": str(folder / "home")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_python_of_the_readme(folder: Path):
    (block,) = python_of("README.md")
    gate = "orders.daily_totals.data_quality"
    wanted = [(gate, "orders.run"), ("orders.run",), ("send_report", gate)]
    assert f"orders {wanted}" in tasks_of(folder, block)


@pytest.mark.parametrize("block", python_of("docs/airflow.md"))
def test_python_of_airflows_page(folder: Path, block: str):
    (folder / "checks.yaml").write_text("- hasSize: {assertion: '>= 1'}\n")
    said = tasks_of(folder, block)
    names = re.findall(r'(?:task|group)_id="(\w+)"', block)
    assert names
    assert [name for name in names if f"'{name}" not in said] == []
