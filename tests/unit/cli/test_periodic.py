"""Rounds of a periodic job, without Spark."""

from __future__ import annotations

import os
import signal
import threading
import time
from datetime import timedelta

import pytest
from made_jobs import make_job, metric

from airflow_metorikku import cli
from airflow_metorikku.cli import run as cli_run
from airflow_metorikku.cli.periodic import run_rounds
from airflow_metorikku.config.records.periodic import Periodic
from airflow_metorikku.errors import ConfigError, Problem, RunError

JOB = make_job(metric("m", {"t": "SELECT 1"}), periodic=Periodic(trigger_duration="1 ms"))


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("20 minutes", timedelta(minutes=20)),
        ("90s", timedelta(seconds=90)),
        ("1 hour", timedelta(hours=1)),
        ("1.5 Hours", timedelta(minutes=90)),
        ("250 millis", timedelta(milliseconds=250)),
        ("2d", timedelta(days=2)),
    ],
)
def test_durations(text, duration):
    assert Periodic(trigger_duration=text).duration == duration


@pytest.mark.parametrize(
    "text", ["5", "Inf", "0 s", "-1 s", "1 fortnight", "s", "", "9" * 30 + " d"]
)
def test_what_is_no_duration(text):
    with pytest.raises(
        ValueError, match=r"^triggerDuration: got .*expected a number above 0 and a unit"
    ):
        Periodic(trigger_duration=text)


def outcomes(*codes):
    """Rounds that end so, one after the other."""
    left = list(codes)

    def run_round(_job):
        code = left.pop(0)
        if isinstance(code, Exception):
            raise code
        return code

    return run_round, left


def test_a_round_that_fails_is_survived_and_only_failures_in_a_row_count(capsys):
    run_round, left = outcomes(2, 0, RunError("no disk"), 2, 0, 2, 2, RunError("no Spark"), 0)
    assert run_rounds(lambda: JOB, run_round, most_failed=3) == 3
    assert left == [0]
    said = capsys.readouterr().err
    assert "no disk\nround 3: failed with exit code 3" in said
    assert said.endswith("no Spark\nround 8: failed, the 3. in a row; giving up\n")


def test_files_are_read_again_in_each_round():
    broken = ConfigError([Problem(file="job.yaml", line=1, path="", text="broken")])
    reads = [JOB, broken, JOB, broken, broken]

    def read():
        found = reads.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    assert run_rounds(read, lambda _: 0, most_failed=2) == 1
    assert reads == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_between_rounds_ends_them_at_once(number, capsys):
    before = signal.getsignal(number)
    hourly = make_job(metric("m", {"t": "SELECT 1"}), periodic=Periodic(trigger_duration="1 hour"))
    timer = threading.Timer(0.2, os.kill, (os.getpid(), number))
    timer.start()
    started = time.monotonic()
    assert run_rounds(lambda: hourly, lambda _: 0) == 0
    assert time.monotonic() - started < 30
    assert "round 1: done; the next one in 3600 s\nstopped" in capsys.readouterr().err
    assert signal.getsignal(number) is before


def test_a_signal_in_a_round_ends_the_driver_and_the_rounds(tmp_path, monkeypatch, capsys):
    # A spark-submit that only waits, and ends with what the signal makes of it.
    fake = tmp_path / "bin/spark-submit"
    fake.parent.mkdir()
    fake.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\nexec sleep 60\n")
    fake.chmod(0o755)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.yaml").write_text("steps:\n- {dataFrameName: t, sql: SELECT 1 AS x}\n")
    (tmp_path / "job.yaml").write_text("metrics: [m.yaml]\nperiodic: {triggerDuration: 1 hour}\n")

    def stop():
        while not (tmp_path / "started").exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=stop).start()
    assert cli.main(["run", "-c", "job.yaml"]) == 0
    assert capsys.readouterr().err.endswith("stopped in or after round 1\n")


def test_one_round_and_a_name_that_many_rounds_cannot_have(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.yaml").write_text("steps:\n- {dataFrameName: t, sql: SELECT 1 AS x}\n")
    (tmp_path / "job.yaml").write_text("metrics: [m.yaml]\nperiodic: {triggerDuration: 1 hour}\n")
    assert cli.main(["run", "-c", "job.yaml", "--run-id", "r"]) == 1
    assert "--run-id: names one run" in capsys.readouterr().err
    monkeypatch.setattr(cli_run, "submit", lambda _plan, _master, _secrets: 7)
    assert cli.main(["run", "-c", "job.yaml", "--run-id", "r", "--once"]) == 3
    assert "Spark ended with code 7" in capsys.readouterr().err
