"""A connection of Airflow's, as blocks of a job are filled from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FIELDS = ("host", "port", "login", "password", "schema")
EXTRA = "extra."


@dataclass(frozen=True, kw_only=True)
class Connection:
    """Where a system is and who goes there; the password may be the name that stands for it in a plan."""

    name: str
    type: str = ""
    host: str | None = None
    port: int | None = None
    login: str | None = None
    password: str | None = field(default=None, repr=False)
    schema: str | None = None
    extra: Mapping[str, str] = field(default_factory=dict, repr=False)

    def text(self, name: str) -> str | None:
        """The field of `${conn.NAME.field}`: one of FIELDS, or `extra.KEY`; None where it is not set."""
        if name.startswith(EXTRA):
            return self.extra.get(name.removeprefix(EXTRA))
        value = getattr(self, name)
        return None if value is None else str(value)
