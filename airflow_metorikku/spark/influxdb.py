"""InfluxDB's line protocol, sent over HTTP with the standard library alone."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlencode, urlsplit, urlunsplit

from airflow_metorikku.errors import RunError

if TYPE_CHECKING:
    from airflow_metorikku.config.records.instrumentation import InfluxDB

SECONDS_TO_WAIT = 10.0
# InfluxDB's own advice for one request.
BATCH = 5000
_MOST_OF_AN_ANSWER = 300


@dataclass(frozen=True, kw_only=True)
class Point:
    """One value of a series; `time` is nanoseconds since 1970."""

    measurement: str
    field: str
    value: int | float
    tags: Mapping[str, str]
    time: int


def _escaped(text: str, characters: str) -> str:
    # A backslash at the end would escape the separator after it; InfluxDB has no way to write one there.
    text = text.replace("\r", " ").replace("\n", " ").rstrip("\\")
    for character in characters:
        text = text.replace(character, f"\\{character}")
    return text


def line(point: Point) -> str:
    """A point in line protocol; tags are sorted by key, and those that are empty left out, as InfluxDB knows none."""
    tags = "".join(
        f",{_escaped(name, ',= ')}={value}"
        for name, value in sorted((n, _escaped(v, ",= ")) for n, v in point.tags.items())
        if value
    )
    value = f"{point.value}i" if isinstance(point.value, int) else repr(point.value)
    series = f"{_escaped(point.measurement, ', ')}{tags}"
    return f"{series} {_escaped(point.field, ',= ')}={value} {point.time}"


@dataclass(frozen=True, kw_only=True)
class Database:
    """A database of an InfluxDB; its repr holds no password."""

    address: str
    """Without user and password."""
    name: str
    headers: Mapping[str, str]

    @classmethod
    def of(cls, given: InfluxDB) -> Database:
        """That of a job's block; raises RunError for an address that is none."""
        try:
            parts = urlsplit(given.url or "")
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if not host or parts.scheme not in ("http", "https"):
            raise RunError(
                "instrumentation.influxdb.url: expected an address as http://influx:8086"
            )
        user = given.username or (unquote(parts.username) if parts.username else None)
        password = given.password or (unquote(parts.password) if parts.password else "")
        bracketed = f"[{host}]" if ":" in host else host
        place = bracketed if port is None else f"{bracketed}:{port}"
        return cls(
            address=urlunsplit((parts.scheme, place, parts.path.rstrip("/"), "", "")),
            name=given.db_name or "",
            headers=_Hidden(_authorized(user, password)),
        )

    @property
    def where(self) -> str:
        """For messages."""
        return f"InfluxDB database '{self.name}' at {self.address}"

    def send(self, points: Sequence[Point]) -> None:
        """Write points, in batches; raises RunError in words when one is not taken."""
        for start in range(0, len(points), BATCH):
            self._post("\n".join(map(line, points[start : start + BATCH])))

    def _post(self, lines: str) -> None:
        query = urlencode({"db": self.name, "precision": "ns"})
        request = urllib.request.Request(  # noqa: S310 - the scheme is checked
            f"{self.address}/write?{query}",
            data=lines.encode(),
            headers={"Content-Type": "text/plain; charset=utf-8", **self.headers},
        )
        try:
            with _OPENER.open(request, timeout=SECONDS_TO_WAIT):
                pass
        except urllib.error.HTTPError as error:
            raise RunError(f"{self.where}: refused: {error.code} {_said(error)}") from None
        except (OSError, HTTPException, ValueError) as error:
            why = getattr(error, "reason", None) or error
            raise RunError(f"{self.where}: cannot be reached: {why}") from None


class _Hidden(dict[str, str]):
    """Headers with a password in them."""

    def __repr__(self) -> str:
        return "{...}"


def _authorized(user: str | None, password: str) -> dict[str, str]:
    if not user:
        return {}
    token = base64.b64encode(f"{user}:{password}".encode()).decode()
    return {"Authorization": f"Basic {token}"}


def _said(error: urllib.error.HTTPError) -> str:
    text = error.read(4 * _MOST_OF_AN_ANSWER).decode("utf-8", "replace")
    try:
        text = str(json.loads(text)["error"])
    except (ValueError, KeyError, TypeError):
        text = text or str(error.reason)
    return " ".join(text.split())[:_MOST_OF_AN_ANSWER]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would take the password elsewhere, and make a write a read."""

    def redirect_request(self, *_: object) -> None:
        return None


# Metorikku's client knows no proxies of the environment either.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects())
