"""Tests by a socket: Spark's settings come in, then line by line a test, for which a line with its outcome goes out, until the other side hangs up."""

from __future__ import annotations

import json
import os
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.metric_tests import MetricTestPlan
from airflow_metorikku.spark.session import start_session
from airflow_metorikku.spark.tester.run_test import run_test

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

READY: dict[str, Any] = {"ready": True}


def serve(address: str) -> int:
    """Start Spark, say so to the socket at `address`, then run what it asks for and return 0; raises RunError when Spark does not start."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(address)
        with line.makefile("rw", encoding="utf-8", newline="\n") as talk:
            try:
                session = start_session(None, json.loads(talk.readline() or "{}"))
            except RunError as error:
                _say(talk, {"error": str(error)})
                raise
            try:
                _prepare(session, Path(address).parent)
                _say(talk, READY)
                for request in talk:
                    _say(
                        talk,
                        run_test(
                            session, MetricTestPlan.from_plain(json.loads(request))
                        ).to_plain(),
                    )
            finally:
                session.stop()
    return 0


def _prepare(session: SparkSession, scratch: Path) -> None:
    """What all tests share: a folder for checkpoints, and a Python whose times are UTC, so that timestamps can be told apart."""
    session.sparkContext.setLogLevel("WARN")
    session.sparkContext.setCheckpointDir(str(scratch / "checkpoints"))
    os.environ["TZ"] = "UTC"
    time.tzset()


def _say(talk: Any, data: object) -> None:
    talk.write(json.dumps(data, ensure_ascii=False) + "\n")
    talk.flush()
