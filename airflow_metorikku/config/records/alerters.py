"""The `alerters` of a job file, with the keys and defaults of Waimak's alert handlers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from airflow_metorikku.config.fields import Kinds, Where, key, where

AlertLevel = Literal["good", "information", "warning", "critical"]


@dataclass(frozen=True, kw_only=True)
class SlackAlerter:
    """Posts to a Slack incoming webhook: one attachment with the alert as title and the level's colour."""

    connection: str | None = key(
        "Airflow connection with the webhook's URL or token.", default=None
    )
    token: str | None = key(
        "The part of the webhook's URL after `/services/`.", default=None, secret=True
    )
    alert_on: tuple[AlertLevel, ...] = key(
        "Levels to alert on; empty is every level.", default=(), any_case=True
    )
    at: Where | None = where()

    def __post_init__(self) -> None:
        if not self.connection and not self.token:
            raise ValueError("needs connection or token")


@dataclass(frozen=True, kw_only=True)
class EmailAlerter:
    """Sends a mail by SMTP; subject `Data Quality Alert: <Level>`, body the alert's text."""

    connection: str | None = key("Airflow connection of type smtp.", default=None)
    to: tuple[str, ...] = key("Receivers.", default=())
    cc: tuple[str, ...] = key("Receivers in copy.", default=())
    bcc: tuple[str, ...] = key("Receivers in blind copy.", default=())
    sender: str | None = key("Address that the mail comes from.", name="from", default=None)
    host: str | None = key("SMTP server.", default=None)
    port: int | None = key("Port; default 25.", default=None)
    auth: bool = key("Log in with `user` and `pass`.", default=False)
    starttls: bool | None = key("STARTTLS when the server offers it; default true.", default=None)
    ssl: bool | None = key("TLS from the start; default false.", default=None)
    user: str | None = key("User.", default=None)
    password: str | None = key("Password.", name="pass", default=None, secret=True)
    connection_timeout: int = key("Milliseconds.", default=1000)
    timeout: int = key("Milliseconds.", default=1000)
    debug: bool = key("Log the dialogue with the server, without its secrets.", default=False)
    alert_on: tuple[AlertLevel, ...] = key(
        "Levels to alert on; empty is every level.", default=(), any_case=True
    )
    at: Where | None = where()

    def __post_init__(self) -> None:
        if not self.connection and not self.host:
            raise ValueError("needs connection or host")
        if not (self.to or self.cc or self.bcc):
            raise ValueError("needs a receiver: to, cc or bcc")
        if self.auth and not self.connection and not (self.user and self.password):
            raise ValueError("auth needs user and pass")


@dataclass(frozen=True, kw_only=True)
class ExceptionAlerter:
    """Fails the gate. A critical verdict fails it in any case, with or without this alerter."""

    alert_on: tuple[AlertLevel, ...] = key(
        "Levels that fail the gate.", default=("warning", "critical"), any_case=True
    )
    at: Where | None = where()


@dataclass(frozen=True, kw_only=True)
class CustomAlerter:
    """Calls a notifier class or a callable of yours, by dotted path."""

    class_path: str = key("Dotted path of an Airflow notifier or of a callable.", name="class")
    params: Mapping[str, object] = key("Arguments of the notifier or callable.", default={})
    alert_on: tuple[AlertLevel, ...] = key(
        "Levels to alert on; empty is every level.", default=(), any_case=True
    )
    at: Where | None = where()


ALERTERS: dict[str, type[Any]] = {
    "slack": SlackAlerter,
    "email": EmailAlerter,
    "exception": ExceptionAlerter,
    "custom": CustomAlerter,
}
ALERTER_KINDS = Kinds(noun="alerter", table=ALERTERS, bare=True)
Alerter = SlackAlerter | EmailAlerter | ExceptionAlerter | CustomAlerter
