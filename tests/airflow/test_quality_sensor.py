"""DataQualitySensor on any result and on histories of metrics: which run, which verdict, what is waited for."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from airflow.sdk import DAG

from airflow_metorikku.config.records.analyzers.rows import Completeness, Size
from airflow_metorikku.errors import ConfigError
from airflow_metorikku.results.findings import NoVerdictError
from airflow_metorikku.results.paths import metrics_file
from airflow_metorikku.results.repository import (
    Origin,
    StoredMetric,
    StoredRun,
    text_of,
)
from airflow_metorikku.sensors.data_quality import DataQualityFailed, DataQualitySensor

NOW = datetime.now(UTC)
DAY = timedelta(days=1)


def sensor(**arguments):
    return DataQualitySensor(task_id="gate", dag=DAG("d", schedule=None), **arguments)


def poked(**arguments):
    """What a sensor's poke returns: False, or what it pushes."""
    found = sensor(**arguments).poke({"ti": SimpleNamespace()})
    return found if found is False else found.xcom_value


def ms(moment):
    return round(moment.timestamp() * 1000)


def size(value, **given):
    return StoredMetric(
        analyzer=Size(), entity="Dataset", instance="*", name="Size", value=value,
        **{"constraint_id": "hasSize", "constraint": "hasSize() >= 1", "status": "passed", **given},
    )  # fmt: skip


def completeness(value, **given):
    return StoredMetric(
        analyzer=Completeness(column="v"), entity="Column", instance="v", name="Completeness",
        value=value, **given,
    )  # fmt: skip


def run(moment, *metrics, written=None, origin=True, run_id=None):
    own = Origin(
        job="j", data_frame="orders", dag_id="d", run_id=run_id or f"{moment}", attempt="a",
        written=ms(written or moment),
    ) if origin else None  # fmt: skip
    return StoredRun(time=ms(moment), metrics=metrics, origin=own)


@pytest.fixture
def history(tmp_path):
    """Writes runs as our history does, one file each; the job's folder."""

    def write(*runs):
        folder = tmp_path / "metrics" / "j" / "orders"
        folder.mkdir(parents=True, exist_ok=True)
        for number, one in enumerate(runs):
            (folder / metrics_file(one.time, f"a{number}")).write_text(text_of([one]))
        return str(folder.parent)

    return write


def test_the_newest_run_is_judged_by_the_status_of_its_constraints(history):
    bad = size(0, status="failed", message="value 0, expected >= 1")
    folder = history(run(NOW - DAY, bad), run(NOW, size(10)))
    assert poked(repository=folder, data_frame="orders")["verdict"] == "good"
    folder = history(run(NOW + DAY, bad))
    with pytest.raises(
        DataQualityFailed, match=r"data quality of orders failed:\nhasSize\(\) >= 1 : value 0"
    ):
        poked(repository=folder, data_frame="orders")
    assert poked(repository=folder, data_frame="orders", level="warn")["verdict"] == "warning"


def test_a_failure_is_of_its_own_level_and_of_the_gates_where_the_history_has_none(history):
    warned = size(0, status="failed", level="warning")
    folder = history(run(NOW, warned))
    assert poked(repository=folder, data_frame="orders")["verdict"] == "warning"
    given = {"repository": folder, "data_frame": "orders", "thresholds": {"hasSize": ">= 1"}}
    assert poked(**given)["verdict"] == "warning"
    critical = completeness(0.5, constraint_id="c", status="failed", level="critical")
    folder = history(run(NOW + DAY, warned, critical))
    with pytest.raises(DataQualityFailed):
        poked(repository=folder, data_frame="orders", level="warn")
    folder = history(run(NOW + 2 * DAY, warned, replace(critical, level=None)))
    assert poked(repository=folder, data_frame="orders", level="warn")["verdict"] == "warning"


def test_a_repaired_run_takes_the_place_of_its_first_one(history):
    bad = size(0, status="failed")
    folder = history(
        run(NOW, bad, run_id="r"), run(NOW, size(10), run_id="r", written=NOW + timedelta(hours=1))
    )
    assert poked(repository=f"{folder}/orders")["verdict"] == "good"


def test_thresholds_judge_values_of_constraints_and_of_metrics(history):
    folder = history(run(NOW, size(10, status="failed"), completeness(0.8)))
    given = {"repository": folder, "data_frame": "orders"}
    assert poked(**given, thresholds={"hasSize": ">= 10"})["verdict"] == "good"
    with pytest.raises(
        DataQualityFailed, match=r"Completeness\(v\) : value 0.8, expected >= 0.9 at this gate"
    ):
        poked(**given, thresholds={"Size": ">= 1", "Completeness(v)": ">= 0.9"})
    with pytest.raises(
        NoVerdictError, match=r"got Mean\(v\), the run of .* has .*Completeness\(v\), Size, "
    ):
        poked(**given, thresholds={"Mean(v)": "> 0"})


def test_a_threshold_is_on_the_metric_of_all_rows_unless_it_names_the_filter(history):
    filtered = replace(size(3), analyzer=Size(where_="v > 1"), constraint_id="some")
    folder = history(run(NOW, size(10), filtered))
    given = {"repository": folder, "data_frame": "orders"}
    assert poked(**given, thresholds={"Size": ">= 10"})["verdict"] == "good"
    with pytest.raises(DataQualityFailed, match=r"value 3\.0, expected >= 10"):
        poked(**given, thresholds={"Size (where: v > 1)": ">= 10"})
    with pytest.raises(DataQualityFailed, match=r"value 10.0, expected > 2026-01-31"):
        poked(**given, thresholds={"Size": "> 2026-01-31"})


def test_no_data_are_no_pass_unless_they_had_no_effect_in_the_run(history):
    folder = history(run(NOW, size(None, status="no_data", message="no data")))
    with pytest.raises(DataQualityFailed, match="no data"):
        poked(repository=folder, data_frame="orders")
    folder = history(run(NOW + DAY, size(None, status="no_data", message="too few", counts=False)))
    assert poked(repository=folder, data_frame="orders")["verdict"] == "information"


def test_a_file_that_deequ_wrote(tmp_path):
    """In Deequ's own shape, as its FileSystemMetricsRepository writes it."""
    file = tmp_path / "repository.json"
    metrics = [{"analyzer": {"analyzerName": "Completeness", "column": "v"}, "metric": {
        "metricName": "DoubleMetric", "entity": "Column", "instance": "v", "name": "Completeness", "value": 0.7}}]  # fmt: skip
    file.write_text(json.dumps([{
        "resultKey": {"dataSetDate": ms(NOW), "tags": {}},
        "analyzerContext": {"metricMap": metrics},
    }]))  # fmt: skip
    assert poked(repository=str(file))["verdict"] == "good"
    with pytest.raises(DataQualityFailed, match=r"value 0\.7, expected >= 0\.9"):
        poked(repository=str(file), thresholds={"Completeness(v)": ">= 0.9"})
    file.write_text("[{")
    with pytest.raises(NoVerdictError):
        poked(repository=str(file))


def test_an_anomaly_of_the_newest_run_closes_the_gate(history):
    folder = history(*(run(NOW - n * DAY, size(100 + n)) for n in range(1, 6)), run(NOW, size(40)))
    watch = {"metric": {"Size": {}}, "strategy": {"RelativeRateOfChange": {"maxRateDecrease": 0.5}}}
    given = {"repository": folder, "data_frame": "orders"}
    with pytest.raises(DataQualityFailed, match=r"anomaly\(Size\(\*\)\).*value 40"):
        poked(**given, anomaly=watch)
    assert poked(**given, anomaly={**watch, "level": "warn"})["verdict"] == "warning"
    usual = history(run(NOW + DAY, size(104)))
    assert poked(**{**given, "repository": usual}, anomaly=[watch])["verdict"] == "good"


def test_too_little_history_is_told_and_passes_and_no_value_is_no_pass(history):
    folder = history(run(NOW, size(40)))
    given = {"repository": folder, "data_frame": "orders"}
    watch = {"metric": {"Size": {}}, "strategy": {"RelativeRateOfChange": {"maxRateDecrease": 0.5}}}
    assert poked(**given, anomaly=watch)["verdict"] == "information"
    with pytest.raises(DataQualityFailed, match="has no value of it"):
        poked(**given, anomaly={**watch, "metric": {"Completeness": {"column": "v"}}})


def test_what_is_not_there_or_too_old_is_waited_for(history, tmp_path):
    assert poked(repository=str(tmp_path / "nothing.json")) is False
    folder = history(run(NOW - 2 * DAY, size(1)))
    given = {"repository": folder, "data_frame": "orders"}
    assert poked(**given, max_age=DAY) is False
    assert poked(**given, max_age=3 * DAY)["verdict"] == "good"


def test_a_result_with_one_metric_needs_no_name(make, tmp_path):
    file = tmp_path / "result.json"
    file.write_text(make.result().to_json())
    assert poked(result=str(file))["verdict"] == "good"
    file.write_text(make.result(make.metric(), make.metric(name="other")).to_json())
    with pytest.raises(
        NoVerdictError, match="has the metrics movies, other, expected metric= to name one"
    ):
        poked(result=str(file))


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({}, ValueError, "expected one of run_task_id, result and repository"),
        ({"repository": "r", "result": "r"}, ValueError, "expected one of"),
        ({"result": "r", "anomaly": [{}]}, ValueError, "need repository"),
        ({"result": "r", "max_age": DAY}, ValueError, "need repository"),
        ({"repository": "r", "level": "loud"}, ValueError, "level: got 'loud'"),
        ({"repository": "r", "thresholds": {"a": "many"}}, ValueError, "thresholds: a: got 'many'"),
        ({"repository": "r", "anomaly": {"metric": {"Siz": {}}, "strategy": {"BatchNormal": {}}}}, ConfigError, "anomaly of the DAG file.*did you mean 'Size'"),
    ],
)  # fmt: skip
def test_mistakes_are_found_when_the_dag_is_parsed(arguments, error, says):
    with pytest.raises(error, match=says):
        sensor(**arguments)


DAG_FILE = """\
from airflow.sdk import DAG, task
from airflow_metorikku.sensors.data_quality import DataQualitySensor

with DAG("watch", schedule=None):
    @task
    def report(): ...
    DataQualitySensor(task_id="gate", repository=%r, data_frame="orders", soft_fail=True,
        anomaly={"metric": {"Size": {}}, "strategy": {"RelativeRateOfChange": {"maxRateDecrease": 0.5}}}) >> report()
"""


def test_a_history_in_a_dag(files, states, history):
    folder = history(*(run(NOW - n * DAY, size(100)) for n in range(1, 4)))
    assert states(files.dag(DAG_FILE % folder)) == {"gate": "success", "report": "success"}
    history(run(NOW + DAY, size(1)), run(NOW + 2 * DAY, size(1)))
    folder = history(run(NOW + 3 * DAY, size(0)))
    assert states(files.dag(DAG_FILE % folder)) == {"gate": "failed", "report": "upstream_failed"}
