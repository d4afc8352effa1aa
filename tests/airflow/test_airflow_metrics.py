"""A run's numbers among Airflow's own metrics."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from typing import Any

import pytest

from airflow_metorikku.operators import airflow_metrics
from airflow_metorikku.operators.airflow_metrics import emit
from airflow_metorikku.results.records import MetricResult, OutputResult, Result, StepResult


class Recorder:
    """Stands where Airflow's own `Stats` does."""

    def __init__(self) -> None:
        self.sent: list[tuple[Any, ...]] = []

    def incr(self, stat: str, count: int = 1, *, tags: Any = None) -> None:
        self.sent.append(("incr", stat, count, tags))

    def gauge(self, stat: str, value: float, *, tags: Any = None) -> None:
        self.sent.append(("gauge", stat, value, tags))

    def timing(self, stat: str, dt: float, *, tags: Any = None) -> None:
        self.sent.append(("timing", stat, dt, tags))


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    found = Recorder()
    monkeypatch.setattr(airflow_metrics, "Stats", found)
    return found


def result() -> Result:
    step = StepResult(data_frame="t", status="ok", seconds=1.0)
    kept = OutputResult(data_frame="t", type="JSON", target="/t", rows=5, published=True, lag=7)
    held = OutputResult(data_frame="t", type="CSV", target="/u", rows=5, published=False)
    ran = MetricResult(name="m", verdict="good", seconds=1.5, steps=(step,), outputs=(kept, held))
    idle = MetricResult(name="n", verdict="no_data", seconds=0.0, ran=False)
    return Result(
        job="j", attempt="a", plan_hash="h", verdict="good", started="", ended="",
        application=None, metrics=(ran, idle),
    )  # fmt: skip


def test_numbers_are_sent_with_their_tags(recorder: Recorder) -> None:
    emit(result())
    of_metric = {"job": "j", "metric": "m"}
    of_output = {**of_metric, "dataframe": "t", "output_type": "JSON"}
    assert recorder.sent == [
        ("incr", "metorikku.successfulSteps", 1, of_metric),
        ("incr", "metorikku.counter", 5, of_output),
        ("gauge", "metorikku.lag", 7, of_output),
        ("timing", "metorikku.timer", 1500.0, of_metric),
    ]


# As Airflow's task runner starts; a process of its own, as settings are read once.
SENDING = """
import sys
from airflow_metorikku.operators.airflow_metrics import emit
from airflow_metorikku.results.records import Result
try:
    from airflow.sdk.observability import stats
    from airflow.sdk.observability.metrics import stats_utils
except ImportError:  # Airflow 3.1 starts it at the first number
    pass
else:
    if hasattr(stats, "initialize"):
        stats.initialize(factory=stats_utils.get_stats_factory(), export_legacy_names=False)
    else:  # Airflow 3.2
        stats.Stats.initialize(factory=stats_utils.get_stats_factory(stats.Stats))
emit(Result.from_json(sys.stdin.read()))
"""


def test_statsd_gets_them_as_datagrams() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(10)
        settings = {
            "AIRFLOW__METRICS__STATSD_ON": "True",
            "AIRFLOW__METRICS__STATSD_HOST": "127.0.0.1",
            "AIRFLOW__METRICS__STATSD_PORT": str(server.getsockname()[1]),
            "AIRFLOW__METRICS__STATSD_INFLUXDB_ENABLED": "True",
        }
        done = subprocess.run(
            [sys.executable, "-c", SENDING],
            env={**os.environ, **settings},
            input=result().to_json(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        texts: list[str] = []
        while len(texts) < 4:  # Airflow sends numbers of its own beside them
            text = server.recv(9000).decode()
            texts += [text] if text.startswith("airflow.metorikku.") else []
    output = "job=j,metric=m,dataframe=t,output_type=JSON"
    assert sorted(texts) == [
        f"airflow.metorikku.counter,{output}:5|c",
        f"airflow.metorikku.lag,{output}:7|g",
        "airflow.metorikku.successfulSteps,job=j,metric=m:1|c",
        "airflow.metorikku.timer,job=j,metric=m:1500.000000|ms",
    ]
