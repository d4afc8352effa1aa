"""The gates: every way to fail closed, under every setting of the sensor."""

from __future__ import annotations

from pathlib import Path

import pytest
from airflow.providers.common.compat.sdk import (
    AirflowFailException,
    AirflowSensorTimeout,
    AirflowSkipException,
)
from airflow_errors import AirflowRescheduleException

from airflow_metorikku.errors import ConfigError
from airflow_metorikku.operators.metorikku import XCOM_KEY
from airflow_metorikku.results.findings import NoVerdictError
from airflow_metorikku.results.records import OutputResult
from airflow_metorikku.sensors.control_measures import ControlMeasureSensor, ControlMeasuresFailed
from airflow_metorikku.sensors.data_quality import DataQualityFailed, DataQualitySensor


class Ti:
    """As much of a task instance as a gate asks for."""

    dag_id, run_id, task_id, map_index = "movies", "r", "movies.data_quality", -1

    def __init__(self, pushed=None, state="success"):
        self.pushed, self.state = pushed, state

    def xcom_pull(self, task_ids, key):
        assert (task_ids, key) == ("run", XCOM_KEY)
        return self.pushed

    def get_task_states(self, dag_id, task_ids, run_ids):
        return {"r": {"run": self.state}}

    def get_first_reschedule_date(self, _):
        return None


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "r" / "a" / "result.json"


@pytest.fixture
def context(place, make):
    """Context of a gate behind a run that pushed attempt `a`, and left a result where one is given."""

    def of(result=None, *, state="success", **pushed):
        if result is not None:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(result if isinstance(result, str) else result.to_json())
        given = {
            "attempt": "a",
            "result": str(place),
            "job": "dags",
            "plan_hash": "h",
            "metrics": {"movies": {"t": 2}},
            **pushed,
        }
        return {"ti": Ti(given, state)}

    return of


def gate(kind=DataQualitySensor, **arguments):
    return kind(
        task_id="gate",
        metric="movies",
        run_task_id="run",
        **{"timeout": 0, "poke_interval": 0, **arguments},
    )


SETTINGS = [
    {},
    {"soft_fail": True},
    {"never_fail": True},
    {"mode": "reschedule", "soft_fail": True},
    {"mode": "reschedule"},
]


def test_a_good_verdict_passes(context, make):
    assert gate().execute(context(make.result())) == {
        "verdict": "good",
        "attempt": "a",
        "result": context()["ti"].pushed["result"],
    }


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_bad_verdict_fails_whatever_the_sensor_is_told(context, make, setting):
    bad = make.result(
        make.metric(make.constraint(status="failed", value=0.9), make.size(), verdict="critical")
    )
    with pytest.raises(DataQualityFailed, match=r"isComplete\(v\) == 1 : value 0\.9") as raised:
        gate(**setting).execute(context(bad))
    assert isinstance(raised.value, AirflowFailException)
    assert [(finding.id, finding.value) for finding in raised.value.failures] == [
        ("v_complete", 0.9)
    ]


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not a whole result"),
        ("{", "not a whole result"),
        ('{"format": 2}', "format 2"),
    ],
)
def test_an_unreadable_result_is_no_pass(context, setting, text, says):
    with pytest.raises(NoVerdictError, match=says) as raised:
        gate(**setting).execute(context(text))
    assert not isinstance(raised.value, AirflowFailException)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("changes", [{"attempt": "b"}, {"job": "other"}])
def test_a_foreign_result_is_no_pass(context, make, setting, changes):
    with pytest.raises(NoVerdictError, match="expected"):
        gate(**setting).execute(context(make.result(**changes)))


def test_a_truncated_result_is_no_pass(context, make):
    with pytest.raises(NoVerdictError):
        gate().execute(context(make.result().to_json()[:-3]))


def test_a_metric_that_is_not_in_the_result_is_no_pass(context, make):
    with pytest.raises(NoVerdictError, match="no metric 'movies'"):
        gate().execute(context(make.result(make.metric(name="other"))))


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("changes", [{"ran": False}, {"error": "step t broke"}])
def test_a_metric_that_did_not_run_to_its_end_is_no_pass(context, make, setting, changes):
    with pytest.raises(DataQualityFailed):
        gate(**setting).execute(context(make.result(make.metric(**changes))))


def test_planned_checks_without_results_are_no_pass(context, make):
    with pytest.raises(DataQualityFailed, match="1 constraints of data frame t, its plan has 2"):
        gate().execute(context(make.result(make.metric(make.constraint()))))


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("state", ["success", "failed", "upstream_failed", "skipped", "removed"])
def test_a_run_that_ended_without_a_result_is_no_pass(context, setting, state):
    with pytest.raises(NoVerdictError, match="left no result of its attempt"):
        gate(**setting).execute(context(state=state))


@pytest.mark.parametrize("pushed", [None, "a text", {"attempt": "a"}])
def test_a_run_that_pushed_nothing_of_ours_is_no_pass(pushed):
    with pytest.raises(NoVerdictError):
        gate().execute({"ti": Ti(pushed)})


@pytest.mark.parametrize(
    ("setting", "raises"),
    [
        ({}, AirflowSensorTimeout),
        ({"soft_fail": True}, AirflowSkipException),
        ({"mode": "reschedule", "timeout": 60}, AirflowRescheduleException),
    ],
)
def test_while_the_run_runs_the_gate_waits(context, setting, raises):
    with pytest.raises(raises):
        gate(**setting).execute(context(state="running"))


def test_a_store_that_cannot_be_reached_is_an_ordinary_failure(context, monkeypatch, make):
    def unreachable(_):
        raise ConnectionError("no route")

    monkeypatch.setattr("airflow_metorikku.sensors.gate.read_text", unreachable)
    with pytest.raises(ConnectionError):
        gate(soft_fail=True).execute(context(make.result()))


@pytest.mark.parametrize(
    ("alerters", "fails"),
    [
        ([], False),
        ([{"exception": {"alertOn": ["critical"]}}], False),
        ([{"exception": {"alertOn": ["warning", "critical"]}}], True),
        ([{"exception": {"alertOn": ["Warning"]}}], True),
        (["exception"], True),
    ],
)
def test_warnings_pass_unless_an_exception_alerter_says_otherwise(context, make, alerters, fails):
    warned = make.result(
        make.metric(make.constraint(), make.size(status="failed"), verdict="warning")
    )
    sensor = gate(alerters=alerters)
    if fails:
        with pytest.raises(DataQualityFailed, match="hasSize"):
            sensor.execute(context(warned))
    else:
        assert sensor.execute(context(warned))["verdict"] == "warning"
        assert [finding.id for finding in sensor.announcement.findings] == ["size"]


def test_thresholds_of_the_gate_judge_the_value_anew(context, make):
    failed = make.result(
        make.metric(make.constraint(status="failed", value=0.9), make.size(), verdict="critical")
    )
    assert gate(thresholds={"v_complete": ">= 0.9"}).execute(context(failed))["verdict"] == "good"
    with pytest.raises(DataQualityFailed):
        gate(thresholds={"v_complete": ">= 0.91"}).execute(context(failed))


def test_a_threshold_that_is_no_assertion_names_its_constraint(context, make):
    with pytest.raises(ValueError, match=r"thresholds: v_complete: got 'big'"):
        gate(thresholds={"v_complete": "big"}).execute(context(make.result()))


def test_control_measures_have_their_own_gate(context, make):
    bad = make.result(reconciliation=(make.rule(status="failed", actual="99"),), verdict="critical")
    with pytest.raises(ControlMeasuresFailed, match="expected 100 as at Loaded, got 99"):
        gate(ControlMeasureSensor, soft_fail=True).execute(context(bad))
    good = make.result(reconciliation=(make.rule(),))
    assert gate(ControlMeasureSensor).execute(context(good))["verdict"] == "good"
    with pytest.raises(ControlMeasuresFailed, match="no reconciliation"):
        gate(ControlMeasureSensor).execute(context(make.result()))


def test_a_result_may_be_judged_by_its_address(place, make):
    place.parent.mkdir(parents=True)
    place.write_text(make.result().to_json())
    sensor = DataQualitySensor(task_id="gate", metric="movies", result=str(place))
    assert sensor.execute({"ti": Ti()})["verdict"] == "good"


@pytest.mark.parametrize("arguments", [{}, {"run_task_id": "run", "result": "/x"}])
def test_a_gate_wants_one_place_to_look_at(arguments):
    with pytest.raises(ValueError, match="expected one of run_task_id, result and repository"):
        DataQualitySensor(task_id="gate", metric="movies", **arguments)


@pytest.mark.parametrize("kind", [DataQualitySensor, ControlMeasureSensor])
def test_a_deferrable_gate_on_a_result_frees_the_worker(context, kind):
    with pytest.raises(AirflowRescheduleException):
        gate(kind, deferrable=True, timeout=60).execute(context(state="running"))


def test_thresholds_of_the_control_gate_judge_the_values_anew(context, make):
    lost = make.result(
        make.metric(verdict="critical"),
        reconciliation=(make.rule(status="failed", actual="99"),),
        verdict="critical",
    )
    lax = {"Enriched.recordCount": {"maxLoss": 0.01}}
    assert gate(ControlMeasureSensor, thresholds=lax).execute(context(lost))["verdict"] == "good"
    with pytest.raises(ControlMeasuresFailed, match=r"with maxLoss 0\.001 at this gate"):
        gate(ControlMeasureSensor, thresholds={"recordCount": {"maxLoss": 0.001}}).execute(
            context(lost)
        )
    with pytest.raises(
        NoVerdictError, match=r"expected controls that were compared: Enriched\.recordC"
    ):
        gate(ControlMeasureSensor, thresholds={"recordCuont": "equal"}).execute(context(lost))
    with pytest.raises(ConfigError, match="thresholds of the DAG file"):
        gate(ControlMeasureSensor, thresholds={"recordCount": {"maxLos": 1}})
    templated = {"recordCount": {"maxLoss": "{{ params.loss }}"}}
    gate(ControlMeasureSensor, thresholds=templated)
    with pytest.raises(ConfigError, match="maxLos"):
        gate(ControlMeasureSensor, thresholds={**templated, "total": {"maxLos": 1}})


def test_a_threshold_of_the_control_gate_publishes_nothing(context, make):
    output = OutputResult(data_frame="t", type="CSV", target="/out", rows=9, published=False)
    withheld = make.result(
        make.metric(verdict="critical", outputs=(output,)),
        reconciliation=(make.rule(status="failed", actual="99"),),
        verdict="critical",
    )
    with pytest.raises(ControlMeasuresFailed, match="the run withheld /out for it"):
        gate(ControlMeasureSensor, thresholds={"recordCount": "ignore"}).execute(context(withheld))


def test_errors_name_few_of_many(context, make):
    many = [make.constraint(id=f"c{n}", status="failed", message="x" * 1000) for n in range(100)]
    with pytest.raises(DataQualityFailed) as raised:
        gate().execute(
            context(
                make.result(make.metric(*many, verdict="critical")), metrics={"movies": {"t": 100}}
            )
        )
    assert len(str(raised.value)) < 5000
    assert len(raised.value.failures) == 100
