"""Servers that tests share, each started by the first test that asks for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from real_servers import Server, running


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    with running("postgresql") as server:
        yield server


@pytest.fixture(scope="session")
def mariadb() -> Iterator[Server]:
    with running("mariadb") as server:
        yield server


@pytest.fixture(scope="session")
def influxdb() -> Iterator[Server]:
    """With a database `metrics`."""
    with running("influxdb") as server:
        yield server
