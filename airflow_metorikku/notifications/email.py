"""E-mail alerts by SMTP."""

from __future__ import annotations

import logging
import smtplib
import socket
import ssl
from dataclasses import asdict, dataclass, replace
from email.message import EmailMessage
from email.utils import formatdate
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.records.alerters import EmailAlerter
from airflow_metorikku.notifications.alerter import AlertError, AlertNotifier

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airflow_metorikku.notifications.alerts import Alert

log = logging.getLogger(__name__)
DEFAULT_PORT = 25


@dataclass(frozen=True, kw_only=True)
class Server:
    """Where mail is handed in; times in seconds."""

    host: str
    port: int
    user: str | None
    password: str | None
    ssl: bool
    starttls: bool
    sender: str
    connection_timeout: float
    timeout: float
    debug: bool


class EmailNotifier(AlertNotifier):
    """Mails each alert: subject `Data Quality Alert: Critical`, body the alert's text."""

    def __init__(self, **options: Any) -> None:
        self.options = EmailAlerter(**options)
        super().__init__(
            kind="email", alert_on=self.options.alert_on, fingerprint=repr(asdict(self.options))
        )

    def send(self, alert: Alert, context: Mapping[str, Any]) -> None:  # noqa: ARG002 - the contract of alerters
        """Mail one alert; raises AlertError."""
        server = _server(self.options)
        message = EmailMessage()
        message["Subject"] = f"Data Quality Alert: {alert.level.replace('_', ' ').capitalize()}"
        message["From"] = server.sender
        for header, addresses in (("To", self.options.to), ("Cc", self.options.cc)):
            if addresses:
                message[header] = ", ".join(addresses)
        message["Date"] = formatdate(localtime=True)
        message.set_content(alert.text)
        receivers = [*self.options.to, *self.options.cc, *self.options.bcc]
        try:
            _hand_in(server, message, receivers)
        except (OSError, smtplib.SMTPException) as error:
            raise AlertError(
                f"email: {server.host}:{server.port}: {type(error).__name__}: {error}"
            ) from None


def _server(options: EmailAlerter) -> Server:
    """The YAML's options; a connection fills what they leave out, by the rules of Airflow's smtp connections."""
    from airflow.sdk.log import mask_secret

    server = Server(
        host=options.host or "localhost",
        port=options.port or DEFAULT_PORT,
        user=options.user if options.auth else None,
        password=options.password if options.auth else None,
        ssl=bool(options.ssl),
        starttls=options.starttls is not False,
        sender=options.sender or "",
        connection_timeout=options.connection_timeout / 1000,
        timeout=options.timeout / 1000,
        debug=options.debug,
    )
    if options.connection:
        server = _with_connection(server, options, options.connection)
    mask_secret(server.password)
    return replace(server, sender=server.sender or server.user or f"airflow@{socket.getfqdn()}")


def _with_connection(server: Server, options: EmailAlerter, name: str) -> Server:
    from airflow.sdk import BaseHook

    connection = BaseHook.get_connection(name)
    extra = connection.extra_dejson
    seconds = float(extra.get("timeout") or 30)
    return replace(
        server,
        host=options.host or connection.host or server.host,
        port=options.port or connection.port or server.port,
        user=options.user or connection.login,
        password=options.password or connection.password,
        ssl=not _flag(extra.get("disable_ssl")) if options.ssl is None else options.ssl,
        starttls=not _flag(extra.get("disable_tls"))
        if options.starttls is None
        else options.starttls,
        sender=options.sender or extra.get("from_email") or "",
        connection_timeout=seconds,
        timeout=seconds,
    )


def _flag(value: object) -> bool:
    return str(value).lower() in ("true", "1", "yes")


def _hand_in(server: Server, message: EmailMessage, receivers: list[str]) -> None:
    client = _connect(server)
    client.set_debuglevel(int(server.debug))
    try:
        if client.sock:
            client.sock.settimeout(server.timeout)
        client.ehlo_or_helo_if_needed()
        if server.starttls and not server.ssl and client.has_extn("starttls"):
            client.starttls(context=ssl.create_default_context())
            client.ehlo()
        if server.user and server.password:
            client.set_debuglevel(0)  # the login is not for the log
            client.login(server.user, server.password)
            client.set_debuglevel(int(server.debug))
        client.send_message(message, from_addr=server.sender, to_addrs=receivers)
        client.quit()
    finally:
        client.close()


def _connect(server: Server) -> smtplib.SMTP:
    if server.ssl:
        context = ssl.create_default_context()
        return _TlsClient(
            server.host, server.port, timeout=server.connection_timeout, context=context
        )
    return _Client(server.host, server.port, timeout=server.connection_timeout)


class _Logged:
    """smtplib prints its dialogue to stderr; here it goes to the log."""

    def _print_debug(self, *args: object) -> None:
        log.info("smtp %s", " ".join(map(str, args)))


class _Client(_Logged, smtplib.SMTP):
    pass


class _TlsClient(_Logged, smtplib.SMTP_SSL):
    pass
