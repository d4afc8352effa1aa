"""Who follows the control measures of a run, as Atum's plugins do: functions that are given each event.

A listener is a dashboard's, not part of the work: whatever it raises is logged and changes no verdict.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.results.run_status import Event, RunStatus, StatusError

if TYPE_CHECKING:
    from airflow_metorikku.results.info import Info
    from airflow_metorikku.results.records import MetricResult, Result
    from airflow_metorikku.results.run_status import EventKind, Status

logger = logging.getLogger(__name__)

Listener = Callable[[Event], object]


@dataclass(frozen=True, kw_only=True)
class Listeners:
    """The listeners of one run, by their names."""

    job: str = ""
    application: str = ""
    named: tuple[tuple[str, Listener], ...] = ()

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
                log_failure(name, error)

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
            self.broke(result.error or "")
            return
        self.tell("end")

    def broke(self, why: str) -> None:
        """Tell that the run broke outside its metrics, and is over."""
        self.status("failed", StatusError(job=self.job, step="", description=why))
        self.tell("end")


def log_failure(name: str, error: Exception) -> None:
    """Say that a listener failed, and that it does not matter."""
    text = str(error) if isinstance(error, MetorikkuError) else f"{type(error).__name__}: {error}"
    logger.error("listener %s: %s; the run goes on", name, text)
    logger.debug("the listener's failure", exc_info=error)
