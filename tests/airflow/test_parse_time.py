"""What parsing a DAG file may cost: no Spark, no data libraries, no network, no connection; each in a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ["pyspark", "py4j", "pandas", "numpy", "pyarrow", "slack_sdk"]
NAMES = [
    "airflow_metorikku:MetorikkuDag",
    "airflow_metorikku:MetorikkuTaskGroup",
    "airflow_metorikku:load_dags",
    "airflow_metorikku.operators.metorikku:MetorikkuSubmitOperator",
    "airflow_metorikku.operators.metorikku:DataQualityOperator",
    "airflow_metorikku.sensors.data_quality:DataQualitySensor",
    "airflow_metorikku.sensors.control_measures:ControlMeasureSensor",
]


def fresh(code: str, *arguments: str) -> Any:
    """Run code in a process of its own; its last line is JSON."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        # What `dag.test()` leaves behind in the environment says that only one DAG is asked for.
        env={name: text for name, text in os.environ.items() if "PARSING_CONTEXT" not in name},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_documented_names_import_nothing_heavy():
    code = """
import importlib, json, sys
heavy, names = json.loads(sys.argv[1])
for each in names:
    module, name = each.split(":")
    getattr(importlib.import_module(module), name)
print(json.dumps([name for name in heavy if name in sys.modules]))
"""
    assert fresh(code, json.dumps([HEAVY, NAMES])) == []


def test_our_imports_are_few_beside_airflows_own():
    # The provider for Spark is the floor: what we add to it is this package and what reading YAML takes.
    code = """
import json, sys
import airflow.sdk, airflow.providers.apache.spark.operators.spark_submit
before = set(sys.modules)
from airflow_metorikku import MetorikkuDag
import airflow_metorikku.operators.metorikku, airflow_metorikku.sensors.data_quality, airflow_metorikku.sensors.control_measures
new = {name.partition('.')[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names)
print(json.dumps(sorted(new)))
"""
    assert set(fresh(code)) <= {"airflow_metorikku", "yaml", "_yaml", "airflow"}


PARSE = """
import json, os, socket, sys
os.environ |= {"AIRFLOW_HOME": sys.argv[1], "AIRFLOW__CORE__LOAD_EXAMPLES": "False"}
import airflow.sdk
try:
    from airflow.dag_processing.dagbag import DagBag
except ImportError:  # Airflow 3.1
    from airflow.models.dagbag import DagBag
from airflow.sdk import BaseHook, Variable

def refuse(*_args, **_kwargs):
    raise AssertionError("a DAG file must not do this while it is parsed")

socket.socket.connect = socket.getaddrinfo = refuse
BaseHook.get_connection = Variable.get = refuse
bag = DagBag(sys.argv[2], safe_mode=True)
print(json.dumps({
    "dags": {name: {task.task_id: sorted(task.downstream_task_ids) for task in dag.tasks} for name, dag in bag.dags.items()},
    "errors": list(bag.import_errors.values()),
    "heavy": [heavy for heavy in sys.argv[3:] if heavy in sys.modules],
}))
"""


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The examples, parsed by Airflow in a process that can reach nothing."""
    return fresh(PARSE, str(tmp_path_factory.mktemp("home")), str(ROOT / "dags_examples"), *HEAVY)


def test_examples_parse_without_network_connections_or_anything_heavy(parsed: Any):
    assert parsed["heavy"] == []
    assert set(parsed["dags"]) == {
        "movies",
        "failing_check",
        "control_totals",
        "payments_feed",
        "python_step",
        "quarantine",
        "numbers",
        "letters",
        "quality_gate",
        "tables",
    }


def test_a_broken_file_of_a_folder_is_an_import_error_of_its_own(parsed: Any):
    (error,) = parsed["errors"]
    assert "broken.yaml:2: inputz" in error
    assert "broken.yaml:3: showPreviewLines" in error


def test_tasks_of_the_movies_example(parsed: Any):
    # What a job becomes: a run, a gate for each metric with checks, a gate where control measures are reconciled.
    gates = [
        "movies.rated_movies.control_measures",
        "movies.rated_movies.data_quality",
        "movies.top_movies.data_quality",
    ]
    assert parsed["dags"]["movies"] == {
        "movies.run": gates,
        **{gate: ["send_report"] for gate in gates},
        "send_report": [],
    }
