"""Control measures through whole runs: several sources, outputs and appends, listeners, and how many jobs it takes."""

from __future__ import annotations

import json
import os
import sys
import time
import types
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.records.controls import (
    Checkpoint,
    ControlMeasures,
    Drop,
    Source,
)
from airflow_metorikku.config.records.inputs import FileInput
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import Metric, Output, Step
from airflow_metorikku.config.records.outputs import FileOptions
from airflow_metorikku.config.records.reconciliation import ReconcileRule
from airflow_metorikku.plan.records import Identity, Plan
from airflow_metorikku.results.records import Result
from airflow_metorikku.results.run_status import Event
from airflow_metorikku.spark import stage
from airflow_metorikku.spark.accumulated import ADDED
from airflow_metorikku.spark.outputs import file
from airflow_metorikku.spark.outputs.rows import last_execution
from airflow_metorikku.spark.runner import run_plan

Run = Callable[..., Result]


def output(frame: str, path: str, kind: str = "Parquet", **more: Any) -> Output:
    checkpoint = more.pop("control_checkpoint", None)
    return Output(
        data_frame_name=frame,
        output_type=kind,
        control_checkpoint=checkpoint,
        output_options=FileOptions(**{"path": path, "save_mode": "overwrite", **more}),
    )


@pytest.fixture
def run(spark: SparkSession, tmp_path: Path) -> Iterator[Run]:
    """Run steps (data frame to SQL) and outputs over the inputs `trades` and `quotes`, each with five rows."""
    for name in ("trades", "quotes"):
        if not (tmp_path / name).exists():
            spark.range(1, 6).selectExpr("id", "id * 2 AS v").write.parquet(str(tmp_path / name))

    def go(steps: dict[str, str], *outputs: Output, run_id: str = "r+1", **measures: Any) -> Result:
        taken: dict[str, str] = measures.pop("taken", {})
        may_fail: bool = measures.pop("may_fail", False)
        measures.setdefault("source", Source(input="trades", columns=("v",)))
        if "sources" in measures:
            measures["source"] = None
        inputs = {name: FileInput(path=str(tmp_path / name)) for name in ("trades", "quotes")}
        plan = Plan(
            job="job",
            file="job.yaml",
            base=str(tmp_path),
            metrics=(
                Metric(
                    name="m",
                    file="m.yaml",
                    steps=tuple(
                        Step(
                            data_frame_name=name,
                            sql=sql,
                            control_checkpoint=taken.get(name),
                            ignore_on_failures=may_fail,
                        )
                        for name, sql in steps.items()
                    ),
                    output=outputs,
                ),
            ),
            reads=tuple(inputs),
            settings=JobFile(
                metrics=("m.yaml",),
                inputs=inputs,
                log_level="ERROR",
                control_measures=ControlMeasures(**measures),
            ),
            identity=Identity(
                dag_id="d",
                run_id=run_id,
                task_id="t",
                attempt=f"a{time.monotonic_ns()}",
                result=f"file:{tmp_path}/results/result.json",
            ),
        )
        return run_plan(plan, spark)

    yield go
    for name in ("trades", "quotes", "a", "b", "both"):
        spark.catalog.dropTempView(name)


def info(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def values(checkpoint: dict[str, Any]) -> list[str]:
    return [control["controlValue"] for control in checkpoint["controls"]]


def test_two_sources_keep_a_story_each(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    result = run(
        {
            "both": "SELECT t.id, t.v, q.v AS bid FROM trades t JOIN quotes q ON t.id = q.id",
        },
        output("both", "out"),
        sources=(
            Source(input="trades", columns=({"v": "aggregatedTotal"},)),
            Source(input="quotes", columns=("id",)),
        ),
        checkpoints=(
            Checkpoint(name="Read", data_frame_name="quotes"),
            Checkpoint(name="Trades kept", data_frame_name="both", source="trades"),
            Checkpoint(name="Quotes kept", data_frame_name="both", source="quotes"),
        ),
        additional_info={"feed": "x"},
        run_unique_id="run-7",
    )
    assert result.verdict == "good", result
    trades, quotes = info(tmp_path / "out/_INFO"), info(tmp_path / "out/_INFO_quotes")
    assert [one["name"] for one in trades["checkpoints"]] == ["Source", "Trades kept"]
    assert [one["name"] for one in quotes["checkpoints"]] == ["Source", "Read", "Quotes kept"]
    assert values(trades["checkpoints"][1]) == ["5", "30"]
    assert values(quotes["checkpoints"][2]) == ["5", "15"]
    assert [one["order"] for one in quotes["checkpoints"]] == [1, 2, 3]
    for one in (trades, quotes):
        assert one["runUniqueId"] == "run-7"
        assert one["metadata"]["additionalInfo"] == {"feed": "x"}
    assert {(rule.checkpoint, rule.against) for rule in result.reconciliation} == {
        ("Read", "Source"),
        ("Trades kept", "Source"),
        ("Quotes kept", "Read"),
    }
    assert spark.read.parquet(str(tmp_path / "out")).count() == 5


def test_times_follow_each_other(run: Run, tmp_path: Path) -> None:
    result = run(
        {"a": "SELECT * FROM trades", "b": "SELECT * FROM a"},
        output("b", "out", control_checkpoint="Written"),
        taken={"a": "A", "b": "B"},
        time_zone="Asia/Kolkata",
    )
    assert result.verdict == "good", result
    found = info(tmp_path / "out/_INFO")["checkpoints"]
    assert [one["name"] for one in found] == ["Source", "A", "B", "Written"]
    pattern = "%d-%m-%Y %H:%M:%S %z"
    times = [
        tuple(
            datetime.strptime(one[key], pattern)  # noqa: DTZ007 - the pattern has the offset
            for key in ("processStartTime", "processEndTime")
        )
        for one in found
    ]
    for (_, ended), (started, then) in pairwise(times[1:]):
        assert started <= min(ended, then)
    assert all(start.utcoffset() == timedelta(hours=5, minutes=30) for start, _ in times)


def test_each_format_has_its_info_and_appends_keep_every_runs(run: Run, tmp_path: Path) -> None:
    def go(run_id: str, rows: int) -> Result:
        return run(
            {"a": f"SELECT * FROM trades WHERE id <= {rows}"},
            output("a", "csv", "CSV"),
            output("a", "json", "JSON"),
            output("a", "all", save_mode="append"),
            output("a", "days", partition_by=("id",), partition_overwrite="dynamic"),
            run_id=run_id,
            taken={"a": "A"},
            reconcile=(ReconcileRule(checkpoint="A", expect="ignore"),),
            destination=f"{tmp_path}/kept/last.info",
            file_permissions="640",
        )

    def count(path: Path) -> str:
        return values(info(path)["checkpoints"][-1])[0]

    assert go("r+1", 5).error is None
    assert go("r+2", 4).error is None
    (tmp_path / "all/._INFO.crc").write_text("of a file that Hadoop wrote")
    assert go("r+2", 3).error is None
    assert {count(tmp_path / name / "_INFO") for name in ("csv", "json", "all", "days")} == {"3"}
    assert not (tmp_path / "all/._INFO.crc").exists()
    for folder in ("all", "days"):
        history = {
            path.name.rsplit(".", 1)[0]: path for path in (tmp_path / folder).glob("_INFO.*")
        }
        assert {name: count(path) for name, path in history.items()} == {
            "_INFO.r%2B1": "5",
            "_INFO.r%2B2": "3",
        }
    assert sorted(path.name for path in (tmp_path / "csv").glob("_INFO*")) == ["_INFO"]
    assert count(tmp_path / "kept/last.info") == count(tmp_path / "results/info/m/_INFO") == "3"
    umask = os.umask(0)
    os.umask(umask)
    assert (tmp_path / "all/_INFO").stat().st_mode & 0o777 == 0o640 & ~umask


def test_a_withheld_run_keeps_its_info_beside_the_result(run: Run, tmp_path: Path) -> None:
    result = run({"a": "SELECT * FROM trades LIMIT 3"}, output("a", "out"), taken={"a": "A"})
    assert result.verdict == "critical"
    assert not (tmp_path / "out").exists()
    found = info(tmp_path / "results/info/m/_INFO")
    assert [values(one)[0] for one in found["checkpoints"]] == ["5", "3"]


def test_a_checkpoint_of_a_step_that_failed_is_no_pass(run: Run, tmp_path: Path) -> None:
    """The other checkpoint agrees, and would have been all that the gate sees."""
    steps = {"a": "SELECT * FROM trades", "b": "SELECT nothing FROM a"}
    taken = {"a": "A", "b": "B"}
    result = run(steps, output("a", "out"), taken=taken, may_fail=True)
    assert result.verdict == "critical"
    assert not (tmp_path / "out").exists()
    wrong = [one for one in result.reconciliation if one.status != "passed"]
    assert [(one.checkpoint, one.control, one.status) for one in wrong] == [
        ("B", "recordCount", "error"),
        ("B", "vControlTotal", "error"),
    ]
    assert "its step failed" in wrong[0].message
    ignored = ReconcileRule(checkpoint="B", expect="ignore")
    result = run(steps, output("a", "out"), taken=taken, may_fail=True, reconcile=(ignored,))
    assert result.verdict == "good"


def test_a_checkpoint_without_controls_is_no_pass(run: Run, tmp_path: Path) -> None:
    result = run(
        {"a": "SELECT * FROM trades", "b": "SELECT id FROM a"},
        taken={"a": "A", "b": "B"},
        drops=tuple(Drop(column=column, at_checkpoint="B") for column in ("*", "v")),
    )
    (wrong,) = [one for one in result.reconciliation if one.status != "passed"]
    assert (result.verdict, wrong.checkpoint, wrong.status) == ("critical", "B", "error")
    assert "no controls left" in wrong.message


@pytest.fixture
def heard() -> Iterator[list[Event]]:
    """What the listener `a_dashboard:follow` was told; `a_dashboard:broken` throws."""
    events: list[Event] = []
    module: Any = types.ModuleType("a_dashboard")
    module.follow = events.append
    module.broken = lambda _: 1 / 0
    sys.modules["a_dashboard"] = module
    yield events
    del sys.modules["a_dashboard"]


LISTENERS = ("a_dashboard:broken", "a_dashboard:follow", "no_such_module:f")


def test_listeners_follow_and_change_nothing(
    run: Run, tmp_path: Path, heard: list[Event], caplog: pytest.LogCaptureFixture
) -> None:
    result = run(
        {"a": "SELECT * FROM trades"}, output("a", "out"), taken={"a": "A"}, listeners=LISTENERS
    )
    assert result.verdict == "good"
    assert [(one.kind, one.status.status if one.status else "") for one in heard] == [
        ("status", "running"),
        ("load", ""),
        ("update", ""),
        ("save", ""),
        ("status", "stageSucceeded"),
        ("status", "allSucceeded"),
        ("end", ""),
    ]
    assert heard[3].path == f"{tmp_path}/out/_INFO"
    assert heard[2].info is not None
    assert [one.name for one in heard[2].info.checkpoints] == ["Source", "A"]
    assert "listener a_dashboard:broken: ZeroDivisionError" in caplog.text
    assert "listener no_such_module:f: cannot import" in caplog.text


def test_listeners_hear_of_a_failure(run: Run, heard: list[Event]) -> None:
    result = run(
        {"a": "SELECT * FROM trades", "b": "SELECT nothing FROM a"},
        taken={"a": "A"},
        listeners=LISTENERS[1:2],
    )
    assert result.error
    failed = [one.status for one in heard if one.status and one.status.status == "failed"]
    assert len(failed) == 1
    plain = failed[0].to_plain()["error"]
    assert isinstance(plain, dict)
    assert (plain["job"], plain["step"]) == ("job", "b")
    assert "nothing" in plain["description"]
    assert heard[-1].kind == "end"


def test_listeners_hear_of_a_run_that_cannot_begin(
    run: Run, tmp_path: Path, heard: list[Event]
) -> None:
    (tmp_path / "trades/_INFO").write_text('{"metadata": {}, "checkpoints": [')
    result = run({"a": "SELECT * FROM trades"}, taken={"a": "A"}, listeners=LISTENERS[1:2])
    assert result.error
    assert [(one.kind, one.status.status if one.status else "") for one in heard] == [
        ("status", "running"),
        ("status", "failed"),
        ("end", ""),
    ]
    assert heard[1].status
    assert heard[1].status.error
    assert "trades/_INFO: not JSON" in heard[1].status.error.description


def test_how_many_queries_it_takes(run: Run, spark: SparkSession, tmp_path: Path) -> None:
    """One pass for each checkpoint, however many controls; none of its own where the write observes it."""
    (tmp_path / "trades/_INFO").write_text(
        json.dumps(
            {
                "metadata": {},
                "checkpoints": [
                    {
                        "name": "Raw",
                        "order": 1,
                        "controls": [
                            {
                                "controlName": f"c{number}",
                                "controlType": kind,
                                "controlCol": column,
                                "controlValue": value,
                            }
                            for number, (kind, column, value) in enumerate(
                                [
                                    ("count", "*", "5"),
                                    ("aggregatedTotal", "v", "30"),
                                    ("absAggregatedTotal", "id", "15"),
                                    ("aggregatedTruncTotal", "v", "30"),
                                ]
                            )
                        ],
                    }
                ],
            }
        )
    )

    def queries(
        kind: str,
        b: str = "SELECT id, v FROM a",
        into: dict[str, Any] | None = None,
        **measures: Any,
    ) -> int:
        before = last_execution(spark)
        result = run(
            {"a": "SELECT id, v FROM trades", "b": b},
            output("b", "out", kind, **(into or {})),
            **measures,
        )
        assert result.verdict == "good", result
        assert all(rule.actual == rule.expected for rule in result.reconciliation)
        return last_execution(spark) - before

    # Observed in the write of CSV, with whatever it is made of row by row.
    observed = queries("CSV", taken={"b": "B"})
    checkpoints = (Checkpoint(name="Read", data_frame_name="trades"),)
    assert queries("CSV", taken={"a": "A", "b": "B"}, checkpoints=checkpoints) == observed
    both = {"a": "A", "b": "B"}
    assert queries("CSV", taken=both, into={"coalesce": True}) == observed
    assert queries("CSV", taken={"b": "B"}, into={"repartition": 2}) == observed
    # A shuffle that is done again would count rows below it twice.
    assert queries("CSV", taken=both, into={"repartition": 2}) == observed + 1
    # Read from what was written as Parquet: one pass more, for however many controls.
    assert queries("Parquet", taken={"a": "A", "b": "B"}) == observed + 1
    # Behind a shuffle, not every row passes once: a pass of its own.
    shuffled = "SELECT DISTINCT id, v FROM a"
    alone = queries("CSV", shuffled, taken={"b": "B"})
    assert queries("CSV", shuffled, taken={"a": "A", "b": "B"}) == alone + 1


def test_nothing_is_observed_below_the_shuffle_of_an_output(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows below it count twice when Spark does it again."""
    written: list[str] = []

    def write(session: SparkSession, frame: DataFrame, *others: Any) -> None:
        written.append(frame._jdf.queryExecution().analyzed().toString())
        file.write(session, frame, *others)

    monkeypatch.setattr(stage, "write", write)
    result = run(
        {"a": "SELECT id FROM trades", "b": "SELECT id FROM a"},
        output("b", "out", "CSV", repartition=2),
        taken={"a": "A", "b": "B"},
        source=Source(input="trades", columns=("id",)),
    )
    assert result.verdict == "good", result
    (plan,) = written
    assert plan.count(f"Filter {ADDED}") == 1
    assert plan.index(f"Filter {ADDED}") < plan.index("Repartition 2")
