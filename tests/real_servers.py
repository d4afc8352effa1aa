"""Real servers for tests, each started once a session by `dev/services` and gone with it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOT_HERE = 77
JARS = {
    "postgresql": Path("/usr/share/java/postgresql.jar"),
    "mariadb": Path("/usr/share/java/mariadb-java-client.jar"),
}


@dataclass(frozen=True)
class Server:
    name: str
    url: str
    user: str
    password: str
    port: int
    database: str


@contextmanager
def running(name: str) -> Iterator[Server]:
    """A server; the test is skipped, with its name, where the machine has none."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "dev/services"), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    try:
        line = process.stdout.readline()
        if not line and process.wait() == NOT_HERE:
            pytest.skip(f"no {name} on this machine; dev/services install brings it")
        assert line, f"{name} did not start"
        told = json.loads(line)
        yield Server(
            **{key: told[key] for key in Server.__annotations__ if key != "name"}, name=name
        )
    finally:
        process.stdin.close()
        process.wait(timeout=30)
        process.stdout.close()


def jar(name: str) -> str:
    """The JDBC driver of Debian's package."""
    if not JARS[name].exists():
        pytest.skip(f"no JDBC driver of {name} on this machine; dev/services install brings it")
    return str(JARS[name])
