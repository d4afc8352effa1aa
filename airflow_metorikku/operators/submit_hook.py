"""spark-submit with the Spark of this interpreter, and on this machine when there is no connection."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from airflow.providers.apache.spark.hooks.spark_submit import SparkSubmitHook
from airflow.providers.common.compat.sdk import AirflowNotFoundException

from airflow_metorikku.fast_start import FastStart
from airflow_metorikku.submission import end_session, is_local, spark_environment

if TYPE_CHECKING:
    from pathlib import Path

SPARK_SUBMIT = "spark-submit"
LOCAL = "local[*]"
# Airflow's supervisor kills the task five seconds after it asked it to end.
GRACE_SECONDS = 3


class MetorikkuSubmitHook(SparkSubmitHook):
    """SparkSubmitHook without its fallback to YARN."""

    _start: FastStart | None = None

    def _resolve_connection(self) -> dict[str, Any]:
        try:
            self.get_connection(self._conn_id)
        except AirflowNotFoundException:
            master = self._conf.get("spark.master", LOCAL)
            self.log.warning(
                "Connection %s does not exist: Spark runs with master %s, by the pyspark of this interpreter. "
                "Create the connection to run elsewhere.",
                self._conn_id,
                master,
            )
            return self._without_connection(master)
        return super()._resolve_connection()

    def _without_connection(self, master: str) -> dict[str, Any]:
        return {
            "master": master,
            "queue": self._yarn_queue,
            "deploy_mode": None if is_local(master) else self._deploy_mode,
            "spark_binary": self.spark_binary or SPARK_SUBMIT,
            "namespace": None,
            "principal": self._principal,
            "keytab": self._keytab,
            "rest_scheme": "http",
            "rest_port": 6066,
            "rest_endpoint": None,
        }

    @property
    def is_cluster_mode(self) -> bool:
        """Whether the driver runs elsewhere, where it finds shipped files by their names only."""
        return bool(self._connection["deploy_mode"] == "cluster")

    def ship(self, secrets: Path | None) -> None:
        """Ship the file of secrets, unless the driver is on this machine: a copy would outlive it when it is killed."""
        if secrets is not None and not is_local(self._connection["master"]):
            self._files = ",".join(filter(None, (self._files, str(secrets))))

    def _build_spark_submit_command(self, application: str) -> list[str]:
        master = self._connection["master"]
        command = super()._build_spark_submit_command(application)
        if self._connection["spark_binary"] == SPARK_SUBMIT:
            self._start = FastStart.of(master, self._conf, self._environment(master))
            self._env = self._start.environment
        return command

    def _environment(self, master: str) -> dict[str, str]:
        """Of spark-submit itself; what the user has set stays."""
        chosen = {**os.environ, **{name: str(value) for name, value in (self._env or {}).items()}}
        environment = spark_environment(chosen)
        if (
            not (is_local(master) or master.startswith("spark://"))
            and "PYSPARK_PYTHON" not in chosen
        ):
            # Executors of another machine's cluster have no interpreter at our path.
            del environment["PYSPARK_PYTHON"]
        return environment

    def submit(self, application: str = "", **kwargs: Any) -> str | None:
        """Submit in a session of its own, so that a kill reaches the driver's Python beside the JVM."""
        try:
            done = super().submit(application, start_new_session=True, **kwargs)
        except BaseException:
            child = self._submit_sp
            self._keep_archive(code=child.poll() if child else None)
            raise
        self._keep_archive(code=0)
        return done

    def _keep_archive(self, *, code: int | None) -> None:
        if self._start is not None:
            self._start.keep(code=code)

    def on_kill(self) -> None:
        """Let the driver end its run, then end what is left of it; clusters are told as Airflow does."""
        child = self._submit_sp
        if child is not None and child.poll() is None:
            end_session(child.pid, GRACE_SECONDS)
        super().on_kill()
