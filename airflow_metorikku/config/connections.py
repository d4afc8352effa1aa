"""Connections outside Airflow: `AIRFLOW_CONN_NAME` in the environment, a URI or JSON as Airflow has it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from airflow_metorikku.config.records.connection import Connection
from airflow_metorikku.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "AIRFLOW_CONN_"


def connection_from(environ: Mapping[str, str], name: str) -> Connection:
    """The connection of a name; raises RunError, without its text, when it is not there or unreadable."""
    variable = PREFIX + name.upper()
    text = environ.get(variable, "").strip()
    if not text:
        raise RunError(f"connection '{name}': is not there; outside Airflow set {variable}")
    try:
        return _from_json(name, text) if text.startswith("{") else _from_uri(name, text)
    except (ValueError, AttributeError, TypeError):
        # JSON may be of another shape, too; the error's own text may hold the password.
        raise RunError(
            f"connection '{name}': {variable} is neither a URI nor JSON as Airflow has it"
        ) from None


def _from_json(name: str, text: str) -> Connection:
    given = json.loads(text)
    extra = given.get("extra") or {}
    port = given.get("port")
    return Connection(
        name=name,
        type=_type(given.get("conn_type") or ""),
        host=given.get("host"),
        port=int(port) if port not in (None, "") else None,
        login=given.get("login"),
        password=given.get("password"),
        schema=given.get("schema"),
        extra=texts(json.loads(extra) if isinstance(extra, str) else extra),
    )


def _from_uri(name: str, text: str) -> Connection:
    scheme, rest = urlsplit(text).scheme, text.partition("://")[2]
    if not scheme:
        raise ValueError("no scheme")
    # A host may bring a protocol of its own, as in http://https://host.
    nested = "://" in rest
    parts = urlsplit(rest if nested else f"//{rest}")
    if nested and (rest.count("://") > 1 or set(rest.partition("://")[0]) & {"@", ":"}):
        raise ValueError("more than one protocol")
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    return Connection(
        name=name,
        type=_type(scheme),
        host=_host(parts, f"{parts.scheme}://" if nested else ""),
        port=parts.port,
        login=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
        schema=unquote(parts.path.removeprefix("/")) or None,
        extra=texts(json.loads(query["__extra__"]) if "__extra__" in query else query),
    )


def _type(text: str) -> str:
    return "postgres" if text == "postgresql" else text.replace("-", "_")


def _host(parts: SplitResult, protocol: str) -> str | None:
    """Lower-case, unless it is an address with a path, as that of a JDBC connection."""
    host = unquote(parts.hostname or "")
    if "/" in host:
        host = unquote(parts.netloc.rsplit("@", 1)[-1].split(":", 1)[0])
    return f"{protocol}{host}" if host else None


def texts(extra: Mapping[str, Any]) -> dict[str, str]:
    """Extra fields as texts; what is no text as JSON writes it."""
    return {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in extra.items()
        if value is not None
    }
