"""A fresh AIRFLOW_HOME with its own database, a fake spark-submit, and DAG files made by the tests."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

# Before the first import of Airflow, which reads its configuration then.
HOME = Path(tempfile.mkdtemp(prefix="metorikku-airflow-"))
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ |= {
    "AIRFLOW_HOME": str(HOME),
    "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
    "AIRFLOW__CORE__DAGS_FOLDER": str(HOME / "dags"),
    "AIRFLOW__LOGGING__LOGGING_LEVEL": "WARNING",
    "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{HOME}/airflow.db",
}
for name in [name for name in os.environ if name.startswith("AIRFLOW_CONN_")]:
    del os.environ[name]
(HOME / "dags").mkdir()

import pytest  # noqa: E402

from airflow_metorikku.results.records import (  # noqa: E402
    Application,
    ConstraintResult,
    MetricResult,
    OutputResult,
    ReconciliationResult,
    Result,
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Airflow and what it stands on warn of themselves; only our own warnings are errors here."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.filterwarnings("default"))
            item.add_marker(pytest.mark.filterwarnings("error:::airflow_metorikku"))


@pytest.fixture(scope="session")
def airflow_database() -> Path:
    """A migrated database in the fresh AIRFLOW_HOME."""
    from airflow.utils.db import initdb

    initdb()
    return HOME


@pytest.fixture
def dags_folder() -> Iterator[Path]:
    """The DAGs folder, emptied after the test."""
    folder = HOME / "dags"
    yield folder
    shutil.rmtree(folder)
    folder.mkdir()


JOB = "metrics: [movies.yaml]\n"
METRIC = """\
steps:
  - dataFrameName: t
    sql: SELECT id AS v FROM range(10)
    dq: {level: error, checks: [{isComplete: {column: v, id: v_complete}}, {hasSize: {assertion: ">= 1", id: size, level: warn}}]}
output:
  - {dataFrameName: t, outputType: Parquet, outputOptions: {saveMode: Overwrite, path: out}}
"""
DAG_FILE = """\
from airflow_metorikku import MetorikkuDag
dag = MetorikkuDag("job.yaml", dag_id="movies", schedule=None)
"""


@dataclass
class Files:
    """The files of one job and the DAG file that names it."""

    folder: Path
    JOB: ClassVar[str] = JOB
    METRIC: ClassVar[str] = METRIC

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    def dag(self, text: str = DAG_FILE, name: str = "dag.py") -> Any:
        """Parse a DAG file as Airflow does and return its only DAG."""
        (found,) = self.dags(text, name)
        return found

    def dags(self, text: str, name: str = "dag.py") -> list[Any]:
        from airflow_names import DagBag

        bag = DagBag(self.write(name, text), safe_mode=False, bundle_path=self.folder)
        assert bag.import_errors == {}
        return list(bag.dags.values())


@pytest.fixture
def files(dags_folder: Path) -> Files:
    """A job with one metric and two checks, in the DAGs folder."""
    made = Files(dags_folder)
    made.write("job.yaml", JOB)
    made.write("movies.yaml", METRIC)
    return made


def constraint(**given: Any) -> ConstraintResult:
    """A passed constraint of the data frame `t`, with changes."""
    return ConstraintResult(
        **{
            "id": "v_complete",
            "data_frame": "t",
            "check": "isComplete",
            "constraint": "isComplete(v) == 1",
            "level": "critical",
            "status": "passed",
            "value": 1.0,
            "message": "",
            "how": "scanned",
            **given,
        }
    )


def size(**given: Any) -> ConstraintResult:
    return constraint(
        id="size", check="hasSize", constraint="hasSize() >= 1", level="warning", value=10, **given
    )


def metric(*constraints: ConstraintResult, **given: Any) -> MetricResult:
    """A good metric `movies` with the constraints of METRIC, with changes."""
    return MetricResult(
        **{
            "name": "movies",
            "verdict": "good",
            "seconds": 1.0,
            "constraints": constraints or (constraint(), size()),
            "outputs": (
                OutputResult(
                    data_frame="t", type="Parquet", target="/out", rows=10, published=True
                ),
            ),
            **given,
        }
    )


def result(*metrics: MetricResult, **given: Any) -> Result:
    """A result of the job that `files` has, which its folder names, with changes."""
    return Result(
        **{
            "job": "dags",
            "attempt": "a",
            "plan_hash": "h",
            "verdict": "good",
            "started": "2026-01-01T00:00:00Z",
            "ended": "2026-01-01T00:00:01Z",
            "application": Application(id="local-1", master="local[*]", spark="4.2.0"),
            "metrics": metrics or (metric(),),
            **given,
        }
    )


def rule(**given: Any) -> ReconciliationResult:
    return ReconciliationResult(
        **{
            "checkpoint": "Enriched",
            "against": "Loaded",
            "control": "recordCount",
            "expected": "100",
            "actual": "100",
            "metric": "movies",
            "data_frame": "t",
            "level": "critical",
            "status": "passed",
            **given,
        }
    )


@pytest.fixture
def make() -> SimpleNamespace:
    """The makers of results."""
    return SimpleNamespace(
        result=result, metric=metric, constraint=constraint, size=size, rule=rule
    )


@dataclass
class FakeSpark:
    """Stands for spark-submit: keeps what it was given, and leaves the result that the test wants."""

    answer: Callable[[dict[str, Any]], Result | str | None]
    exit_error: str | None = None
    plans: list[dict[str, Any]] = field(default_factory=list)
    commands: list[list[str]] = field(default_factory=list)
    environments: list[dict[str, str]] = field(default_factory=list)

    def submit(self, hook: Any, application: str) -> None:
        self.commands.append(hook._build_spark_submit_command(application))
        self.environments.append(hook._env)
        plan_file = Path(self.commands[-1][-1])
        assert plan_file.stat().st_mode & 0o777 == 0o600
        plan = json.loads(plan_file.read_text())
        self.plans.append(plan)
        made = self.answer(plan["identity"])
        if made is not None:
            target = Path(plan["identity"]["result"].removeprefix("file:"))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(made if isinstance(made, str) else made.to_json())
        if self.exit_error:
            from airflow.providers.common.compat.sdk import AirflowException

            raise AirflowException(self.exit_error)


@pytest.fixture
def spark_submit(monkeypatch: pytest.MonkeyPatch) -> FakeSpark:
    """A spark-submit that answers with a good result of the attempt that it was given."""
    from airflow_metorikku.operators.submit_hook import MetorikkuSubmitHook

    fake = FakeSpark(lambda identity: result(attempt=identity["attempt"]))

    def submit(hook: MetorikkuSubmitHook, application: str = "", **_: Any) -> None:
        fake.submit(hook, application)

    monkeypatch.setattr(MetorikkuSubmitHook, "submit", submit)
    return fake


@pytest.fixture
def states(airflow_database: Path) -> Callable[..., dict[str, str]]:
    """Run a DAG by `dag.test()`; the states of its tasks."""

    def run(dag: Any, **arguments: Any) -> dict[str, str]:
        dag_run = dag.test(**arguments)
        return {ti.task_id: str(ti.state) for ti in dag_run.get_task_instances()}

    return run
