"""The gate on `_INFO` files of other systems: waits, judges, and fails closed."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from pathlib import Path

import pytest
from airflow.providers.common.compat.sdk import (
    AirflowFailException,
    AirflowSensorTimeout,
    AirflowSkipException,
    TaskDeferred,
)
from airflow_errors import AirflowRescheduleException, TaskDeferralError

from airflow_metorikku.errors import ConfigError
from airflow_metorikku.sensors.control_measures import ControlMeasureSensor, ControlMeasuresFailed
from airflow_metorikku.triggers.info_file import InfoFileTrigger

CONTEXT = {
    "ti": type("Ti", (), {"task_id": "gate", "get_first_reschedule_date": lambda *_: None})()
}


def checkpoint(name, order=1, **values):
    return {
        "name": name,
        "processStartTime": "01-01-2026 08:00:00",
        "processEndTime": "01-01-2026 08:00:01",
        "workflowName": name,
        "order": order,
        "controls": [
            {"controlName": n, "controlType": "count", "controlCol": "*", "controlValue": value}
            for n, value in values.items()
        ],
    }


def info(*checkpoints, **metadata):
    return json.dumps({"metadata": metadata, "checkpoints": checkpoints})


GOOD = info(checkpoint("Source", 1, n="4"), checkpoint("Raw", 2, n="4"))
BAD = info(checkpoint("Source", 1, n="4"), checkpoint("Raw", 2, n="3"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "_INFO"


def gate(path, **arguments):
    given = {"timeout": 0, "poke_interval": 0, "stable_seconds": 0, **arguments}
    return ControlMeasureSensor(task_id="gate", info_path=str(path), **given)


SETTINGS = [
    {},
    {"soft_fail": True},
    {"never_fail": True},
    {"mode": "reschedule", "soft_fail": True},
]


def test_a_file_that_adds_up_passes(path):
    path.write_text(GOOD)
    assert gate(path).execute(CONTEXT) == {
        "verdict": "good",
        "info_path": str(path),
        "checkpoints": ["Source", "Raw"],
    }
    assert gate(f"{path.parent}/").execute(CONTEXT)["info_path"] == str(path)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_file_that_does_not_add_up_fails_whatever_the_sensor_is_told(path, setting):
    path.write_text(BAD)
    sensor = gate(path, **setting)
    with pytest.raises(ControlMeasuresFailed) as caught:
        sensor.execute(CONTEXT)
    assert isinstance(caught.value, AirflowFailException)
    text = "n at Raw : expected 4 as at Source, got 3, -1 (-25 %) (id Raw.n)"
    assert text in str(caught.value)
    assert f"file {path}" in str(caught.value)
    assert sensor.announcement.file == str(path)
    assert [str(finding) for finding in sensor.announcement.findings] == [text]


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("\ufeff \n", "is empty"),
        (GOOD[:-3], "not JSON"),
        ("<html/>", "not JSON"),
        ("[]", "expected an object"),
        ('{"metadata":{}}', "checkpoints: got nothing, expected a list"),
        ('{"metadata":{},"checkpoints":[]}', "has no checkpoints"),
        (b"\xff\xfe{", "not text in UTF-8"),
        (info({**checkpoint("Raw"), "order": "first"}), "expected a whole number"),
    ],
)
def test_what_cannot_be_judged_is_closed_when_the_time_is_over(path, setting, text, says):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    sensor = gate(path, **setting)
    time.sleep(0.01)
    with pytest.raises(ControlMeasuresFailed, match=says) as caught:
        sensor.execute(CONTEXT)
    assert str(path) in str(caught.value)
    (finding,) = sensor.announcement.findings
    assert (finding.level, finding.label) == ("critical", str(path))


@pytest.mark.parametrize(
    ("setting", "raises"),
    [
        ({}, AirflowSensorTimeout),
        ({"soft_fail": True}, AirflowSkipException),
        ({"mode": "reschedule", "timeout": 60}, AirflowRescheduleException),
    ],
)
def test_a_file_that_never_comes_is_a_timeout(path, setting, raises):
    with pytest.raises(raises) as caught:
        gate(path, **setting).execute(CONTEXT)
    if raises is AirflowSensorTimeout:
        assert str(caught.value) == f"{path} did not come within 0 seconds"


def test_one_checkpoint_alone_is_no_pass(path):
    path.write_text(info(checkpoint("Source", n="4")))
    with pytest.raises(ControlMeasuresFailed, match="nothing in it was compared"):
        gate(path).execute(CONTEXT)


def test_a_control_that_is_lost_on_the_way_is_no_pass_unless_a_rule_says_so(path):
    path.write_text(info(checkpoint("Source", 1, n="4", m="1"), checkpoint("Raw", 2, n="4")))
    with pytest.raises(ControlMeasuresFailed, match="Raw has no control m; Source has 1"):
        gate(path).execute(CONTEXT)
    ignored = [{"checkpoint": "Raw", "control": "m", "expect": "ignore"}]
    assert gate(path, reconcile=ignored).execute(CONTEXT)["verdict"] == "good"


def test_rules_are_as_in_yaml(path):
    (path.parent / "totals.csv").write_text("control,value\nn,5\n")
    path.write_text(BAD)
    rules = [
        {"checkpoint": "Raw", "expect": {"maxAbsoluteLoss": 1}},
        {"checkpoint": "Source", "against": {"totals": str(path.parent / "totals.csv")}},
    ]
    with pytest.raises(ControlMeasuresFailed) as caught:
        gate(path, reconcile=rules).execute(CONTEXT)
    (failure,) = caught.value.failures
    assert failure.id == "Source.n"
    assert failure.message == f"expected 5 as at {path.parent}/totals.csv, got 4, -1 (-20 %)"


def test_rules_that_can_be_read_only_once_are_kept(path):
    path.write_text(GOOD)
    given = {"checkpoint": "Source", "against": {"infoFile": f"{path}.none"}}
    with pytest.raises(ControlMeasuresFailed, match="is not there"):
        gate(path, reconcile=(rule for rule in [given])).execute(CONTEXT)


def test_a_warning_passes_and_is_announced(path):
    path.write_text(BAD)
    sensor = gate(path, level="warn")
    assert sensor.execute(CONTEXT)["verdict"] == "warning"
    assert [finding.id for finding in sensor.announcement.findings] == ["Raw.n"]
    with pytest.raises(ControlMeasuresFailed):
        gate(path, level="warn", alerters=[{"exception": {"alertOn": ["warning"]}}]).execute(
            CONTEXT
        )


def test_odd_files_are_read_as_far_as_they_can_be(path, capsys):
    odd = [checkpoint("A", 7, n="4"), {**checkpoint("B", 7, n="4"), "processEndTime": "31-02-2026"}]
    odd[1]["controls"][0]["controlType"] = "someControlType"
    path.write_text(info(*odd, informationDate="32-13-2026"))
    assert gate(path).execute(CONTEXT)["checkpoints"] == ["A", "B"]
    said = capsys.readouterr().out
    for words in ("have the order 7", "'31-02-2026' is no time", "'32-13-2026'", "someControlType"):
        assert words in said


def test_a_file_that_changes_while_it_is_read_is_not_judged(path):
    path.write_text(BAD)
    writer = threading.Timer(0.2, lambda: path.write_text(GOOD))
    writer.start()
    sensor = gate(path, stable_seconds=0.6, timeout=20)
    assert sensor.execute(CONTEXT)["verdict"] == "good"
    writer.join()


def test_a_checkpoint_that_a_rule_names_is_waited_for(path):
    path.write_text(info(checkpoint("Source", 1, n="4")))
    sensor = gate(path, reconcile=[{"checkpoint": "Raw", "against": "Source"}])
    with pytest.raises(ControlMeasuresFailed, match="has no checkpoint Raw; it has Source"):
        sensor.execute(CONTEXT)


def test_a_store_that_cannot_be_reached_is_an_ordinary_failure(path, monkeypatch):
    def unreachable(_):
        raise ConnectionError("no route")

    monkeypatch.setattr("airflow_metorikku.sensors.info_file.read_text", unreachable)
    with pytest.raises(ConnectionError):
        gate(path, soft_fail=True).execute(CONTEXT)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"metric": "m"}, ValueError, "leave metric, run_task_id and result out"),
        ({"level": "loud"}, ValueError, "level: got 'loud'"),
        (
            {"reconcile": [{"checkpoint": "a", "expct": "equal"}]},
            ConfigError,
            "did you mean 'expect'",
        ),
        ({"thresholds": {"n": "eqal"}}, ConfigError, "thresholds"),
    ],
)
def test_arguments_that_make_no_sense_are_refused_at_parse(path, arguments, error, says):
    with pytest.raises(error, match=says):
        gate(path, **arguments)


def test_places_that_make_no_sense_are_refused_at_parse():
    with pytest.raises(ValueError, match="the rules of a job stand in its file"):
        ControlMeasureSensor(
            task_id="g", metric="m", run_task_id="r", reconcile=[{"checkpoint": "a"}]
        )
    with pytest.raises(ValueError, match="metric: expected the name"):
        ControlMeasureSensor(task_id="g", run_task_id="r")


def events(trigger):
    async def first():
        return [event.payload["ended"] async for event in trigger.run()]

    return asyncio.run(first())


def test_the_trigger_waits_for_a_whole_file_with_its_checkpoints(path):
    path.write_text(GOOD[:-3])
    wait = {"checkpoints": ["Raw"], "poke_interval": 0.05}
    ended = InfoFileTrigger(path=str(path), deadline=time.time() + 0.2, **wait)
    assert events(ended) == [True]
    writer = threading.Timer(0.2, lambda: path.write_text(GOOD))
    writer.start()
    module, arguments = InfoFileTrigger(
        path=str(path), deadline=time.time() + 20, **wait
    ).serialize()
    assert module == "airflow_metorikku.triggers.info_file.InfoFileTrigger"
    assert events(InfoFileTrigger(**arguments)) == [False]
    writer.join()


def test_a_deferred_gate_judges_when_it_comes_back(path):
    sensor = gate(path, deferrable=True, timeout=60, soft_fail=True)
    with pytest.raises(TaskDeferred) as deferred:
        sensor.execute(CONTEXT)
    assert deferred.value.method_name == "execute_complete"
    early, late = (
        {"event": {"ended": ended, "deadline": time.time() + 60}} for ended in (False, True)
    )
    path.write_text(BAD)
    with pytest.raises(ControlMeasuresFailed):
        sensor.resume_execution("execute_complete", early, CONTEXT)
    path.write_text("{")
    with pytest.raises(ControlMeasuresFailed, match="not JSON"):
        sensor.resume_execution("execute_complete", late, CONTEXT)
    with pytest.raises(TaskDeferred):
        sensor.resume_execution("execute_complete", early, CONTEXT)
    path.unlink()
    with pytest.raises(AirflowSkipException):
        sensor.resume_execution("execute_complete", late, CONTEXT)
    with pytest.raises(TaskDeferralError):
        sensor.resume_execution("__fail__", {"error": "lost"}, CONTEXT)


DAG = """\
import json
from airflow.sdk import DAG, task
from airflow_metorikku.sensors.control_measures import ControlMeasureSensor

def tell(context, **params):
    with open(%r, "a") as told:
        told.write(context["alert"].text + "\\n")

with DAG("feed", schedule=None):
    @task
    def report(): ...
    gate = ControlMeasureSensor(task_id="gate", info_path=%r, alerters=[tell], stable_seconds=0.1, poke_interval=1, %s)
    gate >> report()
"""
MODES = [
    "timeout=60",
    "timeout=60, mode='reschedule', soft_fail=True",
    "timeout=60, deferrable=True, soft_fail=True",
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("last", "state"), [(GOOD, "success"), (BAD, "failed")])
def test_a_dag_waits_for_a_file_that_grows(files, states, tmp_path, mode, last, state):
    told, path = tmp_path / "told.txt", tmp_path / "_INFO"

    def write():
        for text in (last[:40], last[:-10], last):
            time.sleep(1)
            path.write_text(text)

    writer = threading.Thread(target=write)
    dag = files.dag(DAG % (str(told), str(path), mode))
    writer.start()
    got = states(dag)
    writer.join()
    assert got == {"gate": state, "report": "success" if last == GOOD else "upstream_failed"}
    if last == BAD:
        text = told.read_text()
        assert f"Critical alert for label {path}" in text
        assert "n at Raw : expected 4 as at Source, got 3" in text
        assert f"file {path}\nDAG feed" in text
    else:
        assert not told.exists()


def test_paths_are_relative_to_the_dag_file(files, states):
    files.write("feed/_INFO", GOOD)
    files.write("totals.json", '{"n": 4}')
    dag = files.dag(
        """\
        from airflow.sdk import DAG
        from airflow_metorikku.sensors.control_measures import ControlMeasureSensor

        with DAG("feed", schedule=None):
            ControlMeasureSensor(
                task_id="gate", info_path="feed/", timeout=0, stable_seconds=0,
                reconcile=[{"checkpoint": "Raw", "against": {"totals": "totals.json"}}],
            )
        """
    )
    assert states(dag) == {"gate": "success"}


def test_a_dag_fails_closed_on_a_file_that_stays_half_written(files, states, tmp_path):
    told, path = tmp_path / "told.txt", tmp_path / "_INFO"
    path.write_text(GOOD[:-3])
    dag = files.dag(DAG % (str(told), str(path), "timeout=2, soft_fail=True, deferrable=True"))
    assert states(dag) == {"gate": "failed", "report": "upstream_failed"}
    assert "not JSON" in told.read_text()
