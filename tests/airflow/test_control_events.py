"""Listeners on Airflow's side: what they are told of a run, from what it has left."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from types import SimpleNamespace

import pytest

from airflow_metorikku.config.records.controls import ControlMeasures, Source
from airflow_metorikku.operators import control_events
from airflow_metorikku.operators.control_events import tell
from airflow_metorikku.results.records import MetricResult, OutputResult, Result
from airflow_metorikku.results.run_status import Event

PLAN = SimpleNamespace(
    settings=SimpleNamespace(control_measures=ControlMeasures(source=Source(input="t")))
)
INFO = json.dumps({"metadata": {}, "checkpoints": [{"name": "A", "order": 1, "controls": []}]})


def output(target: str, *, published: bool = True, kind: str = "Parquet") -> OutputResult:
    return OutputResult(data_frame="a", type=kind, target=target, rows=1, published=published)


def result(*metrics: MetricResult, error: str | None = None) -> Result:
    return Result(
        job="job",
        attempt="a",
        plan_hash="h",
        verdict="critical" if error else "good",
        started="2024-01-01T00:00:00.000Z",
        ended="2024-01-01T00:00:01.000Z",
        application=None,
        metrics=metrics,
        error=error,
    )


def test_events_of_a_run(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "info/m").mkdir(parents=True)
    (tmp_path / "info/m/_INFO").write_text(INFO)
    heard: list[Event] = []

    def broken(_: Event) -> None:
        raise ValueError("no dashboard today")

    metrics = (
        MetricResult(
            name="m",
            verdict="good",
            seconds=1.0,
            outputs=(
                output("/out"),
                output("/withheld", published=False),
                output("jdbc:x", kind="JDBC"),
            ),
        ),
        MetricResult(name="n", verdict="critical", seconds=1.0, error="step 'b' failed"),
    )
    with caplog.at_level(logging.ERROR):
        tell(
            [broken, heard.append],
            PLAN,
            result(*metrics, error="step 'b' failed"),
            f"file://{tmp_path}/result.json",
        )
    shown = [(one.kind, one.path, one.status.status if one.status else "") for one in heard]
    assert shown == [
        ("update", "", ""),
        ("save", "/out/_INFO", ""),
        ("status", "", "stageSucceeded"),
        ("status", "", "failed"),
        ("end", "", ""),
    ]
    assert heard[0].info is not None
    assert heard[0].info.checkpoints[0].name == "A"
    assert "ValueError: no dashboard today; the run goes on" in caplog.text


@pytest.mark.parametrize("content", [b"", b'{"metadata": {}, "che', INFO.encode()[:-1], b"\xff"])
def test_an_info_file_that_cannot_be_read_is_told_of_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    (tmp_path / "info/m").mkdir(parents=True)
    (tmp_path / "info/m/_INFO").write_bytes(content)
    heard: list[Event] = []
    metric = MetricResult(name="m", verdict="good", seconds=1.0, outputs=(output("/out"),))
    with caplog.at_level(logging.WARNING):
        tell([heard.append], PLAN, result(metric), f"file://{tmp_path}/result.json")
    assert [one.kind for one in heard] == ["status", "status", "end"]
    assert "info/m/_INFO" in caplog.text


def test_a_store_that_cannot_be_reached_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: str) -> str:
        raise PermissionError("no way")

    monkeypatch.setattr(control_events, "read_text", gone)
    heard: list[Event] = []
    metric = MetricResult(name="m", verdict="good", seconds=1.0)
    tell([heard.append], PLAN, result(metric), f"file://{tmp_path}/result.json")
    assert heard[-1].kind == "end"


def test_a_job_without_control_measures_tells_nothing(tmp_path: Path) -> None:
    heard: list[Event] = []
    plan = SimpleNamespace(settings=SimpleNamespace(control_measures=None))
    tell([heard.append], plan, result(), f"file://{tmp_path}/result.json")
    assert heard == []
