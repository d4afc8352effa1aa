"""What all alerters share: their levels, and that nothing is announced twice."""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from airflow.sdk import BaseNotifier

from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.notifications.alerts import Alert, Announcement, alerts_of, announcement_of
from airflow_metorikku.results.paths import encoded
from airflow_metorikku.store import read_text, write_text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from airflow_metorikku.results.findings import Finding


class AlertError(MetorikkuError):
    """An alert could not be sent; the text holds no secret."""


class AlertNotifier(BaseNotifier):
    """A callback for tasks: sends what the task announces, once an attempt."""

    def __init__(self, *, kind: str, alert_on: Collection[str], fingerprint: str) -> None:
        super().__init__()
        self.kind = kind
        self.alert_on = frozenset(alert_on)
        digest = hashlib.sha256(fingerprint.encode()).hexdigest()[:12]
        self.identity = f"{kind}-{digest}"

    @abstractmethod
    def send(self, alert: Alert, context: Mapping[str, Any]) -> None:
        """Send one alert; raises AlertError."""

    def notify(self, context: Any) -> None:
        """Send every alert of a wanted level; all are tried, then the first failure is raised."""
        announcement = announcement_of(context)
        if announcement is None:
            return
        failures: list[Exception] = []
        known = self._announced(announcement, context)
        for alert in alerts_of(announcement, context):
            fresh = tuple(finding for finding in alert.findings if _mark(finding) not in known)
            if not fresh or (self.alert_on and alert.level not in self.alert_on):
                continue
            try:
                self.send(replace(alert, findings=fresh), context)
            except Exception as error:  # noqa: BLE001 - every alert is tried; the first failure is raised below
                failures.append(error)
                continue
            known |= {_mark(finding) for finding in fresh}
            self._remember(announcement, context, known)
        if failures:
            raise failures[0]

    def _marker(self, announcement: Announcement, context: Any) -> str | None:
        if announcement.folder is None:
            return None
        return (
            f"{announcement.folder}/announced/{encoded(context['ti'].task_id)}.{self.identity}.json"
        )

    def _announced(self, announcement: Announcement, context: Any) -> set[str]:
        """What this alerter has said of this attempt; a store that cannot be read does not silence it."""
        marker = self._marker(announcement, context)
        try:
            text = read_text(marker) if marker else None
            return set(json.loads(text)) if text else set()
        except (OSError, ValueError) as error:
            self.log.warning("cannot read %s, alerts may come twice: %s", marker, error)
            return set()

    def _remember(self, announcement: Announcement, context: Any, known: set[str]) -> None:
        marker = self._marker(announcement, context)
        if marker is None:
            return
        try:
            write_text(marker, json.dumps(sorted(known)))
        except OSError as error:
            self.log.warning("cannot write %s, alerts may come twice: %s", marker, error)


def _mark(finding: Finding) -> str:
    return f"{finding.level}\t{finding.label}\t{finding.id}"
