"""Alerters against a local webhook receiver and a local SMTP server."""

from __future__ import annotations

import json
import socket
import threading
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from airflow_metorikku.notifications.alerter import AlertError
from airflow_metorikku.notifications.alerts import Announcement, alerts_of
from airflow_metorikku.notifications.attach import alerters_of, notifiers_of
from airflow_metorikku.notifications.custom import CustomNotifier
from airflow_metorikku.notifications.email import EmailNotifier
from airflow_metorikku.notifications.slack import SlackNotifier
from airflow_metorikku.results.findings import Finding

SECRET = "T000/B000/verysecret"
FAILED = Finding(
    id="v_complete",
    label="movies",
    subject="isComplete(v) == 1",
    level="critical",
    message="value 0.9",
    value=0.9,
)
ODD = Finding(
    id="size",
    label="movies",
    subject="hasSize() >= 10",
    level="warning",
    message="value 3",
    value=3,
)
OTHER = Finding(
    id="price",
    label="ratings",
    subject="hasMin(price) >= 0",
    level="critical",
    message="value -1",
    value=-1,
)


class Ti:
    dag_id, run_id, task_id = "movies", "manual__1", "m.data_quality"
    log_url = "http://airflow/log"


class Task:
    def __init__(self, *findings, folder=None):
        self.announcement = (
            Announcement(job="job", metric="m", findings=findings, folder=folder)
            if findings
            else None
        )


def context(*findings, folder=None, **given):
    return {"task": Task(*findings, folder=folder), "ti": Ti(), **given}


@dataclass
class Webhook:
    url: str
    status: int = 200
    bodies: list[dict] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


@pytest.fixture
def webhook():
    """A receiver of POSTs on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            received.paths.append(self.path)
            received.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(received.status)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    received = Webhook(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield received
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def slack(webhook, monkeypatch):
    """A connection whose webhook is the receiver."""
    connection = {
        "conn_type": "slackwebhook",
        "host": f"{webhook.url}/services",
        "password": SECRET,
    }
    monkeypatch.setenv("AIRFLOW_CONN_SLACK_ALERTS", json.dumps(connection))
    return webhook


@dataclass
class Mailbox:
    host: str
    port: int
    messages: list = field(default_factory=list)
    logins: list = field(default_factory=list)


class _Keep:
    def __init__(self):
        self.envelopes = []

    async def handle_DATA(self, _server, _session, envelope):
        self.envelopes.append(envelope)
        return "250 kept"


@pytest.fixture
def mailbox():
    """An SMTP server on this machine that takes one login."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    keep, box = _Keep(), Mailbox("127.0.0.1", port)

    def authenticate(_server, _session, _envelope, _mechanism, data):
        box.logins.append((data.login, data.password))
        return AuthResult(success=data.password == b"pass-secret", handled=False)

    controller = Controller(
        keep, hostname="127.0.0.1", port=port, authenticator=authenticate, auth_require_tls=False
    )
    controller.start()
    box.messages = keep.envelopes
    yield box
    controller.stop()


def message(envelope):
    return message_from_bytes(envelope.content, policy=policy.default)


def test_slack_posts_the_alert_in_its_colour(slack):
    SlackNotifier(connection="slack_alerts")(context(FAILED, ODD, OTHER))
    assert slack.paths == [f"/services/{SECRET}"] * 3
    attachments = [body["attachments"][0] for body in slack.bodies]
    assert [a["color"] for a in attachments] == ["danger", "warning", "danger"]
    title = attachments[0]["title"]
    assert title.startswith("Critical alert for label movies\n\nisComplete(v) == 1 : value 0.9")
    assert "(id v_complete)" in title
    for part in (
        "job job",
        "metric m",
        "DAG movies",
        "run manual__1",
        "task m.data_quality",
        "log http://airflow/log",
    ):
        assert part in title


def test_a_token_stands_behind_slacks_own_address(monkeypatch):
    seen = []

    class Answer:
        is_success = True

    monkeypatch.setattr("httpx.post", lambda url, **_: seen.append(url) or Answer())
    SlackNotifier(token=SECRET)(context(FAILED))
    assert seen == [f"https://hooks.slack.com/services/{SECRET}"]


@pytest.mark.parametrize(
    "connection",
    [
        {"conn_type": "slackwebhook", "password": "{url}/services/T/B/X"},
        {
            "conn_type": "http",
            "host": "{host}",
            "schema": "http",
            "port": "{port}",
            "password": "services/T/B/X",
        },
        "http://{host}:{port}/services%2FT%2FB%2FX",
    ],
)
def test_webhooks_of_all_kinds_of_connections(webhook, monkeypatch, connection):
    host, port = webhook.url.removeprefix("http://").split(":")

    def filled(value):
        return value.replace("{url}", webhook.url).replace("{host}", host).replace("{port}", port)

    if isinstance(connection, dict):
        connection = {key: filled(value) for key, value in connection.items()}
        if "port" in connection:
            connection["port"] = int(connection["port"])
        monkeypatch.setenv("AIRFLOW_CONN_HOOK", json.dumps(connection))
    else:
        monkeypatch.setenv("AIRFLOW_CONN_HOOK", filled(connection))
    SlackNotifier(connection="hook")(context(FAILED))
    assert webhook.paths == ["/services/T/B/X"]


@pytest.mark.parametrize("status", [301, 400, 404, 500])
def test_anything_but_2xx_is_an_error_without_the_secret(slack, status, capfd):
    slack.status = status
    with pytest.raises(AlertError, match=str(status)) as raised:
        SlackNotifier(connection="slack_alerts")(context(FAILED))
    out = capfd.readouterr()
    assert "verysecret" not in f"{raised.value} {raised.value.__cause__} {out.out} {out.err}"


def test_a_webhook_that_cannot_be_reached_is_an_error_without_the_secret(monkeypatch, capfd):
    monkeypatch.setenv(
        "AIRFLOW_CONN_SLACK_ALERTS",
        json.dumps({"conn_type": "slackwebhook", "host": "http://127.0.0.1:1", "password": SECRET}),
    )
    with pytest.raises(AlertError, match="cannot be reached") as raised:
        SlackNotifier(connection="slack_alerts")(context(FAILED))
    out = capfd.readouterr()
    assert "verysecret" not in f"{raised.value} {out.out} {out.err}"


def test_a_mail_has_subject_text_sender_and_receivers(mailbox):
    notifier = EmailNotifier(
        host=mailbox.host,
        port=mailbox.port,
        to=("a@x.org", "b@x.org"),
        cc=("c@x.org",),
        bcc=("d@x.org",),
        sender="dq@x.org",
    )
    notifier(context(FAILED))
    (envelope,) = mailbox.messages
    mail = message(envelope)
    assert mail["Subject"] == "Data Quality Alert: Critical"
    assert mail["From"] == envelope.mail_from == "dq@x.org"
    assert (mail["To"], mail["Cc"], mail["Bcc"]) == ("a@x.org, b@x.org", "c@x.org", None)
    assert envelope.rcpt_tos == ["a@x.org", "b@x.org", "c@x.org", "d@x.org"]
    assert mail["Date"] is not None
    assert (
        mail.get_content()
        .replace("\r\n", "\n")
        .startswith("Critical alert for label movies\n\nisComplete(v) == 1 : value 0.9")
    )


def test_a_mail_may_need_a_login_and_logs_no_password(mailbox, caplog):
    notifier = EmailNotifier(
        host=mailbox.host,
        port=mailbox.port,
        to=("a@x.org",),
        auth=True,
        user="me@x.org",
        password="pass-secret",
        debug=True,
    )
    with caplog.at_level("INFO"):
        notifier(context(FAILED))
    assert mailbox.logins == [(b"me@x.org", b"pass-secret")]
    assert message(mailbox.messages[0])["From"] == "me@x.org"
    ours = [
        record.getMessage()
        for record in caplog.records
        if record.name.startswith("airflow_metorikku")
    ]
    assert any("mail FROM" in line for line in ours)
    assert not any("pass-secret" in line or "send: 'AUTH" in line for line in ours)


def test_a_refused_login_is_an_error_without_the_password(mailbox):
    notifier = EmailNotifier(
        host=mailbox.host,
        port=mailbox.port,
        to=("a@x.org",),
        auth=True,
        user="me",
        password="pass-wrong",
    )
    with pytest.raises(AlertError, match="SMTPAuthenticationError") as raised:
        notifier(context(FAILED))
    assert "pass-wrong" not in str(raised.value)
    assert mailbox.messages == []


def test_a_mail_server_may_be_an_airflow_connection(mailbox, monkeypatch):
    monkeypatch.setenv(
        "AIRFLOW_CONN_MAIL",
        json.dumps(
            {
                "conn_type": "smtp",
                "host": mailbox.host,
                "port": mailbox.port,
                "login": "me",
                "password": "pass-secret",
                "extra": {"disable_ssl": True, "disable_tls": True, "from_email": "airflow@x.org"},
            }
        ),
    )
    EmailNotifier(connection="mail", to=("a@x.org",))(context(ODD))
    mail = message(mailbox.messages[0])
    assert (mail["From"], mail["Subject"]) == ("airflow@x.org", "Data Quality Alert: Warning")
    assert mailbox.logins == [(b"me", b"pass-secret")]


def test_a_server_that_is_not_there_is_an_error():
    with pytest.raises(AlertError, match=r"email: 127\.0\.0\.1:1: ConnectionRefusedError"):
        EmailNotifier(host="127.0.0.1", port=1, to=("a@x.org",))(context(FAILED))


@pytest.mark.parametrize(
    ("alert_on", "levels"),
    [
        ((), ["danger", "warning"]),
        (("critical",), ["danger"]),
        (("warning",), ["warning"]),
        (("good", "information"), []),
    ],
)
def test_each_alerter_gets_its_levels(slack, alert_on, levels):
    SlackNotifier(connection="slack_alerts", alert_on=alert_on)(context(FAILED, ODD))
    assert [body["attachments"][0]["color"] for body in slack.bodies] == levels


def test_the_same_constraint_of_an_attempt_is_announced_once(slack, tmp_path: Path):
    folder = str(tmp_path / "attempt")
    SlackNotifier(connection="slack_alerts")(context(FAILED, folder=folder))
    SlackNotifier(connection="slack_alerts")(context(FAILED, OTHER, folder=folder))
    labels = [body["attachments"][0]["fallback"] for body in slack.bodies]
    assert labels == ["Critical alert for label movies", "Critical alert for label ratings"]
    SlackNotifier(connection="slack_alerts")(context(FAILED, folder=str(tmp_path / "next")))
    assert len(slack.bodies) == 3


def test_what_could_not_be_sent_is_sent_by_the_retry(slack, tmp_path: Path):
    folder = str(tmp_path / "attempt")
    slack.status = 500
    with pytest.raises(AlertError):
        SlackNotifier(connection="slack_alerts")(context(FAILED, OTHER, folder=folder))
    assert len(slack.bodies) == 2  # both are tried
    slack.status = 200
    SlackNotifier(connection="slack_alerts")(context(FAILED, OTHER, folder=folder))
    assert len(slack.bodies) == 4


def test_two_alerters_do_not_silence_each_other(slack, mailbox, tmp_path: Path):
    folder = str(tmp_path / "attempt")
    for notifier in notifiers_of(
        alerters_of(
            [
                {"slack": {"connection": "slack_alerts"}},
                {"email": {"host": mailbox.host, "port": mailbox.port, "to": ["a@x.org"]}},
                {"email": {"host": mailbox.host, "port": mailbox.port, "to": ["b@x.org"]}},
            ]
        )
    ):
        notifier(context(FAILED, folder=folder))
    assert (len(slack.bodies), len(mailbox.messages)) == (1, 2)


def test_a_store_that_cannot_be_written_silences_nothing(slack, tmp_path: Path):
    (tmp_path / "attempt").write_text("a file where a folder should be")
    SlackNotifier(connection="slack_alerts")(context(FAILED, folder=str(tmp_path / "attempt")))
    assert len(slack.bodies) == 1


def test_a_task_that_failed_in_any_other_way_is_critical(slack):
    SlackNotifier(connection="slack_alerts")(context(exception=RuntimeError("the worker was lost")))
    assert "the worker was lost" in slack.bodies[0]["attachments"][0]["title"]


def test_nothing_to_announce_is_silent(slack):
    SlackNotifier(connection="slack_alerts")(context())
    assert slack.bodies == []


CALLS: list = []


def page(given, **params):
    """A callable of the user's."""
    CALLS.append((given["alert"].level, params))


class Pager:
    """A notifier class of the user's."""

    def __init__(self, team):
        self.team = team

    def __call__(self, given):
        CALLS.append((given["alert"].text.splitlines()[0], self.team))


@pytest.mark.parametrize(
    ("target", "params", "expected"),
    [
        (page, {}, ("critical", {})),
        (Pager("data"), {}, ("Critical alert for label movies", "data")),
        (Pager, {"team": "data"}, ("Critical alert for label movies", "data")),
    ],
)
def test_anything_that_can_be_called_is_an_alerter(target, params, expected):
    CALLS.clear()
    CustomNotifier(class_path=target, params=params)(context(FAILED))
    assert [expected] == CALLS


def test_a_custom_alerter_is_found_by_its_path():
    with pytest.raises(AlertError, match=r"got 'no\.such\.Pager'"):
        CustomNotifier(class_path="no.such.Pager")(context(FAILED))
    CustomNotifier(class_path="json:dumps", params={"skipkeys": True, "default": str})(
        context(FAILED)
    )


def test_a_mistake_in_an_alerter_is_told_as_in_yaml():
    with pytest.raises(Exception, match="alertOn"):
        alerters_of([{"slack": {"token": "x", "alertOm": ["critical"]}}])


def test_an_alert_tells_what_where_how_many_and_where_more_is_told():
    found = replace(
        FAILED,
        message="value 0.9, expected == 1; the feed loses some",
        rows=12_000,
        failing=1_200,
        sample=('{"id":7,"v":null}',),
    )
    task = context(found, folder="/results/movies/manual__1/m.run/a1")
    (alert,) = alerts_of(task["task"].announcement, task)
    assert alert.text == (
        "Critical alert for label movies\n\n"
        "isComplete(v) == 1 : value 0.9, expected == 1; the feed loses some (1,200 of 12,000 rows) (id v_complete)\n"
        "rows that fail v_complete:\n"
        '  {"id":7,"v":null}\n\n'
        "job job, metric m\n"
        "DAG movies, run manual__1, task m.data_quality\n"
        "result /results/movies/manual__1/m.run/a1/result.json\n"
        "log http://airflow/log"
    )


def test_an_alert_of_everything_is_bounded_and_still_tells_where():
    row = "x" * 300
    many = [replace(FAILED, id=f"c{n}", message="m" * 1000, sample=(row,) * 10) for n in range(500)]
    task = context(*many, folder="/results/a")
    (alert,) = alerts_of(task["task"].announcement, task)
    assert len(alert.text) <= 3500
    assert "more in the result" in alert.text
    assert alert.text.endswith("result /results/a/result.json\nlog http://airflow/log")
