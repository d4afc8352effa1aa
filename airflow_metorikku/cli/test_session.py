"""One Spark beside this process that runs tests, as many as are asked for."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

from airflow_metorikku.cli.run import GRACE_SECONDS, spark_submit
from airflow_metorikku.config.records.own_settings import FAST_START
from airflow_metorikku.errors import RunError
from airflow_metorikku.fast_start import FastStart
from airflow_metorikku.plan.credentials import REFERENCE, is_secret
from airflow_metorikku.plan.metric_tests import compile_test
from airflow_metorikku.results.outcome import Outcome
from airflow_metorikku.submission import (
    SubmitOptions,
    end_session,
    spark_environment,
    write_archive,
)

if TYPE_CHECKING:
    from airflow_metorikku.config.metric_tests import MetricTest
    from airflow_metorikku.config.records.job import JobFile

# Small data in a short life: partitions, adaptive plans and a compiler that optimises cost more than they give;
# and times are the same everywhere.
DEFAULTS = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
    # Spark describes every plan for its pages, shown or not.
    "spark.sql.ui.explainMode": "simple",
    FAST_START: "short",
    "spark.sql.session.timeZone": "UTC",
}
_WAREHOUSE = "spark.sql.warehouse.dir"
_POLL_SECONDS = 0.2
_LOG_LINES = 15


class SparkForTests:
    """Starts Spark for the first test; the next ones share it while they need nothing else of spark-submit."""

    def __init__(self, master: str, *, preview: int = 0) -> None:
        self.master = master
        self.preview = preview
        self._spark: _Spark | None = None

    def run(self, test: MetricTest) -> Outcome:
        """Run a test; raises ConfigError for its mistakes, RunError when Spark does not start."""
        settings = replace(test.job.settings, metrics=("tests",))
        if self._spark is not None and not self._spark.fits(settings):
            self.close()
        if self._spark is None:
            self._spark = _Spark(settings, self.master, quiet=self.preview == 0)
        with tempfile.TemporaryDirectory(prefix="test-", dir=self._spark.folder) as scratch:
            plan = compile_test(test, scratch=scratch, preview=self.preview)
            answer = self._spark.ask(plan.to_plain())
        if answer is not None:
            return Outcome.from_plain(answer)
        why = f"Spark ended while the test ran{self._spark.last_words()}"
        self.close()
        return Outcome(file=test.file, seconds=0.0, problems=(why,))

    def close(self) -> None:
        """End Spark."""
        if self._spark is not None:
            self._spark.close()
            self._spark = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Spark:
    """A spark-submit that listens on a socket."""

    def __init__(self, settings: JobFile, master: str, *, quiet: bool) -> None:
        self._scratch = tempfile.TemporaryDirectory(prefix="metorikku-")
        self.folder = self._scratch.name
        self._needs = _needs(settings)
        self._log: IO[bytes] | None = tempfile.TemporaryFile() if quiet else None  # noqa: SIM115 - closed by close
        self._child: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._fast_start: FastStart | None = None
        try:
            self._start(settings, master)
        except BaseException:
            self.close()
            raise

    def fits(self, settings: JobFile) -> bool:
        """Whether a test with these settings can run here."""
        return self._needs == _needs(settings)

    def ask(self, request: object) -> Any:
        """The answer to a request, None when Spark has gone."""
        try:
            self._talk.write(json.dumps(request, ensure_ascii=False) + "\n")
            self._talk.flush()
            answer = self._talk.readline()
        except OSError:
            return None
        return json.loads(answer) if answer.endswith("\n") else None

    def last_words(self) -> str:
        """The end of Spark's log, to stand after a sentence."""
        if self._log is None:
            return "; see its lines above"
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", errors="replace").splitlines()
        return "; its last lines:\n" + "\n".join(lines[-_LOG_LINES:])

    def close(self) -> None:
        """Hang up, and wait for Spark's end; what does not end is killed."""
        if self._line is not None:
            self._talk.close()
            self._line.close()
        if self._child is not None:
            try:
                self._child.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                end_session(self._child.pid, 0.0)
                self._child.wait()
            end_session(self._child.pid, GRACE_SECONDS)
            if self._fast_start is not None:
                self._fast_start.keep(code=self._child.returncode)
        if self._log is not None:
            self._log.close()
        self._scratch.cleanup()

    def _start(self, settings: JobFile, master: str) -> None:
        folder = Path(self.folder)
        # Managed tables of tests go to the scratch folder, whatever the job says.
        given = SubmitOptions.of(settings, files=(), archive=write_archive(folder))
        options = replace(given, conf={**DEFAULTS, **given.conf, _WAREHOUSE: f"{folder}/warehouse"})
        self._fast_start = FastStart.of(master, options.conf, spark_environment(os.environ))
        environment = self._fast_start.environment
        address = str(folder / "socket")
        command = spark_submit(environment, options, master, "Metorikku tests", "--tests", address)
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(address)
            door.listen(1)
            door.settimeout(_POLL_SECONDS)
            self._child = subprocess.Popen(
                command,
                env=environment,
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
            )
            self._line = self._accepted(door, self._child)
        self._line.settimeout(None)
        self._talk = self._line.makefile("rw", encoding="utf-8", newline="\n")
        answer = self.ask(_told_apart(settings)) or {}
        if not answer.get("ready"):
            raise RunError(answer.get("error") or f"Spark does not start{self.last_words()}")

    def _accepted(self, door: socket.socket, child: subprocess.Popen[bytes]) -> socket.socket:
        while True:
            try:
                return door.accept()[0]
            except TimeoutError:
                code = child.poll()
                if code is not None:
                    raise RunError(
                        f"Spark ended with code {code} before it was ready{self.last_words()}"
                    ) from None


def _needs(settings: JobFile) -> object:
    """What can only be said when Spark starts."""
    return SubmitOptions.of(settings, files=(), archive=Path()), _told_apart(settings)


def _told_apart(settings: JobFile) -> dict[str, str]:
    """Settings of Spark that stand in no list of processes; those of connections no test asks for."""
    return {
        name: value
        for name, value in settings.spark_conf.items()
        if is_secret(name, value) and not REFERENCE.search(value)
    }
