"""Slack alerts by incoming webhook."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.records.alerters import SlackAlerter
from airflow_metorikku.notifications.alerter import AlertError, AlertNotifier

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from airflow_metorikku.notifications.alerts import Alert

SERVICES = "https://hooks.slack.com/services"
COLOURS = {"critical": "danger", "warning": "warning", "good": "good", "information": "#439FE0"}
SECONDS = 30


class SlackNotifier(AlertNotifier):
    """Posts each alert to a Slack webhook: the text as title of one attachment, in the level's colour."""

    def __init__(self, **options: Any) -> None:
        self.options = SlackAlerter(**options)
        super().__init__(
            kind="slack", alert_on=self.options.alert_on, fingerprint=repr(asdict(self.options))
        )

    def send(self, alert: Alert, context: Mapping[str, Any]) -> None:  # noqa: ARG002 - the contract of alerters
        """Post one alert; anything but 2xx is an AlertError, which never names the webhook."""
        import httpx

        body = {
            "attachments": [
                {
                    "title": alert.text,
                    "fallback": alert.title,
                    "color": COLOURS.get(alert.level, COLOURS["information"]),
                }
            ]
        }
        try:
            with _quiet_requests():
                response = httpx.post(self._url(), json=body, timeout=SECONDS)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # The error's own text may hold the URL, which is the secret.
            raise AlertError(
                f"slack: the webhook cannot be reached: {type(error).__name__}"
            ) from None
        if not response.is_success:
            raise AlertError(
                f"slack: got HTTP {response.status_code} from the webhook, expected 2xx"
            )

    def _url(self) -> str:
        from airflow.sdk.log import mask_secret

        url = (
            _of_connection(self.options.connection)
            if self.options.connection
            else f"{SERVICES}/{self.options.token}"
        )
        mask_secret(url)
        mask_secret(self.options.token)
        return url


def _of_connection(name: str) -> str:
    """The webhook of an Airflow connection: the password is the URL or the token, the host what stands before it."""
    from airflow.sdk import BaseHook

    connection = BaseHook.get_connection(name)
    secret = (connection.password or "").strip()
    if "://" in secret:
        return secret
    host, schema = connection.host or "", connection.schema or ""
    # A connection given as a URI has its path where others have `http` or `https`.
    path = "" if schema in ("", "http", "https") else schema
    if not host:
        base = SERVICES
    elif "://" in host:
        base = host
    else:
        protocol = schema if schema and not path else connection.conn_type
        protocol = protocol if protocol in ("http", "https") else "https"
        base = f"{protocol}://{host}{f':{connection.port}' if connection.port else ''}"
    url = "/".join(part.strip("/") for part in (base, path, secret) if part)
    if url == SERVICES:
        raise AlertError(f"slack: connection '{name}' has no token; expected it as password")
    return url


@contextmanager
def _quiet_requests() -> Iterator[None]:
    """Httpx logs every URL at level INFO."""
    logger = logging.getLogger("httpx")
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)
