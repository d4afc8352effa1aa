"""Who follows the control measures of a run, as Atum's plugins do: functions that are given each event.

A listener is a dashboard's, not part of the work: whatever it raises is logged and changes no verdict.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.results.run_status import Event, RunStatus, StatusError

if TYPE_CHECKING:
    from airflow_metorikku.results.info import Info
    from airflow_metorikku.results.records import MetricResult, Result
    from airflow_metorikku.results.run_status import EventKind, Status

logger = logging.getLogger(__name__)

Listener = Callable[[Event], object]
GROUP = "airflow_metorikku.control_listeners"
"""Entry points of installed packages that listen to every run with control measures."""


@dataclass(frozen=True, kw_only=True)
class Listeners:
    """The listeners of one run, by their names."""

    job: str = ""
    application: str = ""
    named: tuple[tuple[str, Listener], ...] = ()

    @classmethod
    def of(cls, paths: Iterable[str], *, job: str, application: str) -> Listeners:
        """Those that a job names as `module:function`, and those of entry points; what cannot be loaded is logged."""
        from airflow_metorikku.spark.steps.python import find_function

        loaders: list[tuple[str, Callable[[], Listener]]] = [
            (path, partial(find_function, path)) for path in paths
        ]
        loaders += [(one.value, one.load) for one in entry_points(group=GROUP)]
        found = []
        for name, load in loaders:
            try:
                found.append((name, load()))
            except Exception as error:  # noqa: BLE001 - whatever it is, it is the listener's own
                _log(name, error)
        return cls(job=job, application=application, named=tuple(found))

    def tell(
        self,
        kind: EventKind,
        *,
        info: Info | None = None,
        path: str = "",
        status: RunStatus | None = None,
    ) -> None:
        """Give every listener an event."""
        event = Event(
            kind=kind,
            job=self.job,
            application=self.application,
            path=path,
            info=info,
            status=status,
        )
        for name, listener in self.named:
            try:
                listener(event)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is the listener's own
                _log(name, error)

    def status(self, status: Status, error: StatusError | None = None) -> None:
        """Tell how the run stands."""
        self.tell("status", status=RunStatus(status=status, error=error))

    def metric_done(self, result: MetricResult) -> None:
        """Tell how a metric ended."""
        if result.verdict != "critical" and not result.error:
            self.status("stageSucceeded")
            return
        step = next((one for one in result.steps if one.status == "failed"), None)
        self.status(
            "failed",
            StatusError(
                job=self.job,
                step=step.data_frame if step else result.name,
                description=result.error or f"the verdict on metric '{result.name}' is critical",
            ),
        )

    def end(self, result: Result) -> None:
        """Tell how the run ended, and that it did."""
        if result.verdict != "critical" and not result.error:
            self.status("allSucceeded")
        elif not any(one.verdict == "critical" or one.error for one in result.metrics):
            error = StatusError(job=self.job, step="", description=result.error or "")
            self.status("failed", error)
        self.tell("end")


def _log(name: str, error: Exception) -> None:
    text = str(error) if isinstance(error, RunError) else f"{type(error).__name__}: {error}"
    logger.error("listener %s: %s; the run goes on", name, text)
    logger.debug("the listener's failure", exc_info=error)
