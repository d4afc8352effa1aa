"""Every example by `airflow dags test`, as a user runs it: fresh AIRFLOW_HOME, no connection but where one is the point."""

from __future__ import annotations

import csv
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from aiosmtpd.controller import Controller

ROOT = Path(__file__).resolve().parents[2]
AIRFLOW = Path(sys.executable).parent / "airflow"


class Home:
    """An AIRFLOW_HOME with a copy of the examples as its DAGs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.dags = folder / "dags"
        ignored = shutil.ignore_patterns("output", "__pycache__")
        shutil.copytree(ROOT / "dags_examples", self.dags, ignore=ignored)
        self.output = folder / "output"
        self.run("db", "migrate")

    def run(self, *arguments: str, code: int = 0, **environment: str) -> str:
        settings = {
            "AIRFLOW_HOME": str(self.folder),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__CORE__DAGS_FOLDER": str(self.dags),
            "EXAMPLES_OUTPUT": str(self.output),
        }
        clean = {
            name: value for name, value in os.environ.items() if not name.startswith("AIRFLOW_")
        }
        done = subprocess.run(
            [str(AIRFLOW), *arguments],
            env=clean | settings | environment,
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def states(self, dag_id: str) -> dict[str, str]:
        """State of each task of the DAG's one run."""
        with sqlite3.connect(self.folder / "airflow.db") as database:
            return dict(
                database.execute(
                    "SELECT task_id, state FROM task_instance WHERE dag_id = ?", (dag_id,)
                )
            )

    def result(self, dag_id: str) -> dict[str, Any]:
        """The one `result.json` of the DAG."""
        (path,) = (self.folder / "metorikku/results" / dag_id).rglob("result.json")
        read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return read

    def json_rows(self, folder: str) -> list[dict[str, Any]]:
        parts = (self.output / folder).glob("part-*.json")
        return [
            json.loads(line)
            for part in parts
            for line in part.read_text(encoding="utf-8").splitlines()
        ]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("airflow"))


def top_movies() -> list[dict[str, object]]:
    """What top_movies.sql asks for, in plain Python from the same files."""
    data = ROOT / "dags_examples/movies/data"
    with (data / "movies.csv").open(encoding="utf-8") as file:
        fantasy = {
            row["movieId"]: row["title"]
            for row in csv.DictReader(file)
            if "Fantasy" in row["genres"]
        }
    ratings: dict[str, list[int]] = defaultdict(list)
    for path in sorted(data.glob("ratings/*/ratings.csv")):
        with path.open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                ratings[row["movieId"]].append(int(row["rating"]))
    best = [
        {
            "title": title,
            "ratings": len(ratings[number]),
            "averageRating": round(sum(ratings[number]) / len(ratings[number]) + 1e-9, 2),
        }
        for number, title in fantasy.items()
        if len(ratings[number]) >= 10
    ]
    return sorted(best, key=lambda row: (-float(str(row["averageRating"])), str(row["title"])))[:10]


def test_movies_pass_their_gates_and_publish(home: Home):
    home.run("dags", "test", "movies", "2026-01-03")
    states = home.states("movies")
    assert set(states.values()) == {"success"}, states
    assert {
        "movies.run",
        "movies.rated_movies.data_quality",
        "movies.rated_movies.control_measures",
        "send_report",
    } <= set(states)
    result = home.result("movies")
    assert result["verdict"] == "good"
    assert [rule["status"] for rule in result["reconciliation"]] == ["passed"] * len(
        result["reconciliation"]
    )
    assert {rule["control"] for rule in result["reconciliation"]} >= {"recordCount"}
    assert home.json_rows("movies/topMovies.jsonl") == top_movies()
    assert (
        json.loads((home.output / "movies/ratedMovies/_INFO").read_text())["metadata"][
            "sourceApplication"
        ]
        == "Ratings"
    )
    assert len([*(home.output / "movies/ratedMovies").glob("day=*")]) == 3


class Webhook(HTTPServer):
    """Keeps what is posted to it."""

    def __init__(self) -> None:
        self.posted: list[dict[str, Any]] = []
        posted = self.posted

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"ok")

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)


class Mailbox:
    """Keeps the mails that an SMTP server gets."""

    def __init__(self) -> None:
        self.mails: list[Any] = []

    async def handle_DATA(self, _server: object, _session: object, envelope: Any) -> str:
        self.mails.append(envelope)
        return "250 OK"


@pytest.fixture
def webhook() -> Iterator[Webhook]:
    with Webhook() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def mailbox() -> Iterator[tuple[Mailbox, int]]:
    box = Mailbox()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Controller(box, hostname="127.0.0.1", port=port)
    server.start()
    yield box, port
    server.stop()


def test_a_failing_check_withholds_holds_back_and_alerts(
    home: Home, webhook: Webhook, mailbox: tuple[Mailbox, int]
):
    box, port = mailbox
    hook = {
        "conn_type": "slackwebhook",
        "host": f"http://127.0.0.1:{webhook.server_port}/services",
        "password": "T0/B0/secret",
    }
    home.run(
        "dags",
        "test",
        "failing_check",
        code=1,
        ALERT_SMTP_PORT=str(port),
        AIRFLOW_CONN_ALERT_WEBHOOK=json.dumps(hook),
    )
    states = home.states("failing_check")
    assert states["orders.run"] == "success"
    assert states["orders.orders.data_quality"] == "failed"
    assert states["send_invoices"] == "upstream_failed"
    assert not (home.output / "failing_check/orders").exists()
    (output,) = home.result("failing_check")["metrics"][0]["outputs"]
    assert output["published"] is False
    (mail,) = box.mails
    assert mail.rcpt_tos == ["orders@example.com"]
    assert b"Critical" in mail.content
    assert len(webhook.posted) == 1
    assert "isComplete(customer)" in json.dumps(webhook.posted)


def test_bad_rows_go_to_a_quarantine(home: Home):
    home.run("dags", "test", "quarantine")
    assert set(home.states("quarantine").values()) == {"success"}
    result = home.result("quarantine")
    assert result["verdict"] == "warning"
    outputs = result["metrics"][0]["outputs"]
    assert [(one["rows"], one["published"]) for one in outputs] == [(3, True), (6, True)]
    aside = {
        (row["id"], row["amount"]): set(row["failedChecks"])
        for row in home.json_rows("quarantine/quarantine")
    }
    constraints = {one["constraint"]: one["id"] for one in result["metrics"][0]["constraints"]}
    iban = next(id_ for text, id_ in constraints.items() if "columnValues(iban" in text)
    currency = next(id_ for text, id_ in constraints.items() if "columnValues(currency" in text)
    # The bound on missing accounts is passed, so that no row fails it.
    assert aside == {
        ("3", "3.20"): {iban},
        ("4", "12.00"): {currency},
        ("5", "-4.00"): {"row schema"},
        ("6", "1.00"): {"id is unique"},
        ("7", "a lot"): {"row schema"},
    }


def test_totals_that_do_not_reconcile_fail_their_gate(home: Home):
    home.run("dags", "test", "control_totals", code=1)
    states = home.states("control_totals")
    assert states["trades.trades.control_measures"] == "failed"
    assert states["report_to_the_regulator"] == "upstream_failed"
    failed = {
        rule["control"]: (rule["expected"], rule["actual"])
        for rule in home.result("control_totals")["reconciliation"]
        if rule["status"] == "failed"
    }
    with (ROOT / "dags_examples/control_totals/trades/trades.csv").open(encoding="utf-8") as file:
        trades = list(csv.DictReader(file))
    kept = [row for row in trades if row["venue"] in "ABC"]
    assert failed == {
        "recordCount": ("20", "19"),
        "idDistinct": ("20", "19"),
        "quantityTotal": tuple(
            str(sum(int(row["quantity"]) for row in rows)) for rows in (trades, kept)
        ),
    }
    assert not (home.output / "control_totals/trades").exists()


def test_a_feed_is_judged_before_it_is_loaded_and_reconciled_with_its_trailer(home: Home):
    home.run("dags", "test", "payments_feed")
    assert set(home.states("payments_feed").values()) == {"success"}
    rules = home.result("payments_feed")["reconciliation"]
    # 120.50 + 80.00 + 310.25 + 55.75 + 433.50, by the ledger's _INFO and by its trailer.
    assert [(rule["control"], rule["expected"], rule["actual"]) for rule in rules] == [
        ("recordCount", "5", "5"),
        ("recordCount", "5", "5"),
        ("amountTotal", "1000", "1000"),
        ("amountTotal", "1000.00", "1000"),
    ]
    info = json.loads((home.output / "payments_feed/payments/_INFO").read_text(encoding="utf-8"))
    assert [one["name"] for one in info["checkpoints"]] == ["Source", "Exported", "Loaded"]


def test_a_step_in_python(home: Home):
    home.run("dags", "test", "python_step")
    rows = {
        row["season"]: (row["celsius"], row["readings"])
        for row in home.json_rows("python_step/seasons")
    }
    # (31.2 + 30.0) / 2 and so on, of Sutherland and Pretoria.
    assert rows == {
        "summer": (30.6, 2),
        "autumn": (18.4, 2),
        "winter": (1.1, 2),
        "spring": (19.7, 2),
    }


def test_a_table_between_two_metrics(home: Home):
    home.run("dags", "test", "tables")
    assert set(home.states("tables").values()) == {"success"}
    # Four customers, of whom Bob signed up twice.
    rows = {row["country"]: row["customers"] for row in home.json_rows("tables/countries")}
    assert rows == {"NZ": 2, "FR": 1, "KE": 1}
    assert {"key": "lastSignup", "value": "2026-01-04"} in home.json_rows("tables/properties")


def test_a_broken_file_of_a_folder_costs_no_other_dag(home: Home):
    listed = home.run("dags", "list-import-errors", "-l", "-o", "plain", code=1)
    assert "broken.yaml:2" in listed
    assert "inputz" in listed
    assert "broken.yaml:3" in listed
    home.run("dags", "test", "numbers")
    squares = sorted(row["square"] for row in home.json_rows("load_folder/numbers"))
    assert squares == [n * n for n in range(10)]


def test_data_that_no_job_made_are_checked_and_gated(home: Home):
    home.run("dags", "test", "quality_gate")
    assert set(home.states("quality_gate").values()) == {"success"}
    (metric,) = home.result("quality_gate")["metrics"]
    lines = (ROOT / "dags_examples/quality_gate/deliveries.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in lines.splitlines()]
    known = sum("courier" in row for row in rows)
    found = {one["id"]: (one["value"], one["status"]) for one in metric["constraints"]}
    assert found["size"] == (len(rows), "passed")
    # The run's own verdict is bad, the gate's threshold forgives it.
    assert found["courier"] == (known / len(rows), "failed")
    # One of its two: P6 is delivered, by nobody known.
    assert found["couriers"] == (1, "passed")
    assert home.result("quality_gate")["verdict"] == "critical"
