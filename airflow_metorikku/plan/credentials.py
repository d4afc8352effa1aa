"""Credentials of a plan: blocks filled from connections, and every secret text exchanged for a name.

`plan.json` has `${conn.NAME.password}` or `${secret.N}` where a secret belongs; the texts go to Spark
in a file of their own, and `put_back` joins the two in the driver's memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.records.connection import EXTRA, FIELDS, Connection
from airflow_metorikku.errors import RunError

if TYPE_CHECKING:
    from airflow_metorikku.plan.records import Plan

SECRETS = "metorikku-secrets.json"
"""File beside `plan.json`."""
Lookup = Callable[[str], Connection]

REFERENCE = re.compile(r"\$\{conn\.([A-Za-z0-9_\-]+)\.([A-Za-z0-9_.\-]+)\}")
_NAMED = re.compile(r"\$\{((?:conn|secret)\.[^{}\s]+)\}")
# The keys that Spark itself redacts and their kin, those of cloud stores, and texts that hold a password beside other things.
# `….credentials.provider` names a class, which spark-submit itself needs for files of the job.
_SECRET_KEY = re.compile(
    r"(?i)secret|pass(word|wd|phrase|code)|pass$|pwd|token|(access|api|account|private)[._]?key|credentials?$"
)
# A password may hold any character, and Oracle's stands behind a slash; lengths are bounded for hostile texts.
_SECRET_TEXT = re.compile(
    r"(?i)(pass(word|wd|phrase|code)?|pwd|secret|token|key)\s*=\s*[^&;\s]"
    r"|://[^\s:]{0,500}:\S{0,500}@|jdbc:[^\s@/]{0,500}/\S{0,500}@"
)


def credentials(plan: Plan, lookup: Lookup) -> tuple[Plan, dict[str, str]]:
    """The plan without a secret, and the texts that its names stand for; raises RunError for a connection that is not there.

    :param lookup: finds a connection by its name.
    """
    work = _Work(lookup=lookup)
    named = work.plan(plan)
    _refuse_at_launch(named.settings.spark_conf)
    return named, work.secrets


def without_secrets(plan: Plan) -> Plan:
    """The plan as it may be shown: its secrets are names, and no connection is asked for."""
    return _Work(lookup=None).plan(plan)


def _refuse_at_launch(conf: Mapping[str, str]) -> None:
    """Options of the JVM stand on its command line, for all to see; all else is set once it is there."""
    for name, value in conf.items():
        if name.endswith("JavaOptions") and _NAMED.search(value):
            raise RunError(
                f"sparkConf {name}: holds a secret, which would be seen among the processes; "
                "put it into spark-defaults.conf of the cluster"
            )


# Parts of a job that name other systems.
_BLOCKS = ("inputs", "output", "outputs", "instrumentation")


@dataclass(kw_only=True)
class _Work:
    lookup: Lookup | None
    """Without it connections stay names."""
    secrets: dict[str, str] = field(default_factory=dict)
    known: dict[str, Connection] = field(default_factory=dict)

    def plan(self, plan: Plan) -> Plan:
        settings = plan.settings
        filled = replace(
            settings,
            **{name: self.walk(getattr(settings, name)) for name in _BLOCKS},
            spark_conf=self.options(settings.spark_conf),
        )
        metrics = tuple(
            replace(metric, output=tuple(self.walk(output) for output in metric.output))
            for metric in plan.metrics
        )
        return replace(plan, settings=filled, metrics=metrics)

    def connection(self, name: str, lookup: Lookup) -> Connection:
        if name not in self.known:
            self.known[name] = lookup(name)
        return self.known[name]

    def walk(self, value: Any) -> Any:
        """The same value with its blocks filled and its secrets named."""
        if is_dataclass(value) and not isinstance(value, type):
            return self._record(value)
        if isinstance(value, Mapping):
            return {name: self.walk(each) for name, each in value.items()}
        if isinstance(value, tuple):
            return tuple(self.walk(each) for each in value)
        return self._text(value) if isinstance(value, str) else value

    def _record(self, record: Any) -> Any:
        found = self._filled(record)
        changed: dict[str, Any] = {}
        for each in fields(found):
            value = getattr(found, each.name)
            if "doc" not in each.metadata or each.metadata["sql"]:
                continue
            if each.metadata["secret"] and isinstance(value, str):
                changed[each.name] = self._secret(value)
            elif isinstance(value, Mapping):
                changed[each.name] = self.options(value)
            else:
                changed[each.name] = self.walk(value)
        return replace(found, **changed)

    def _filled(self, record: Any) -> Any:
        name = getattr(record, "connection", None)
        if not name or not hasattr(record, "filled") or self.lookup is None:
            return record
        given = self.connection(name, self.lookup)
        if given.password is not None:
            given = replace(given, password=self._named(name, "password"))
        try:
            return record.filled(given)
        except ValueError as error:
            at = getattr(record, "at", None)
            raise RunError(f"{f'{at}: ' if at else ''}connection '{name}': {error}") from error

    def options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Options by name; those whose name says that they are secret are."""
        return {
            name: self._secret(value)
            if isinstance(value, str) and _SECRET_KEY.search(name)
            else self.walk(value)
            for name, value in options.items()
        }

    def _text(self, text: str) -> str:
        if _SECRET_TEXT.search(REFERENCE.sub("", text)):
            return self._secret(text)
        return self._references(text)

    def _references(self, text: str) -> str:
        return REFERENCE.sub(lambda match: self._named(match[1], match[2]), text)

    def _named(self, name: str, part: str) -> str:
        return self._kept(f"conn.{name}.{part}", self._field(name, part))

    def _field(self, name: str, part: str) -> str:
        if self.lookup is None:
            return f"${{conn.{name}.{part}}}"
        given = self.connection(name, self.lookup)
        text = given.text(part) if part in FIELDS or part.startswith(EXTRA) else None
        if text is None:
            raise RunError(
                f"connection '{name}': has no {part}, which ${{conn.{name}.{part}}} asks for"
            )
        return text

    def _secret(self, text: str) -> str:
        if not text or _NAMED.fullmatch(text):
            return self._references(text)
        whole = REFERENCE.sub(lambda match: self._field(match[1], match[2]), text)
        return self._kept(f"secret.{len(self.secrets) + 1}", whole)

    def _kept(self, name: str, text: str) -> str:
        self.secrets[name] = text
        return f"${{{name}}}"


def is_secret(name: str, value: str) -> bool:
    """Whether an option of this name and value is kept from what others can see."""
    return bool(_SECRET_KEY.search(name) or _SECRET_TEXT.search(value) or _NAMED.search(value))


def put_back(plan: Plan, secrets: Mapping[str, str]) -> Plan:
    """The plan with each name exchanged for its text; it keeps the hash that it had without."""
    if not secrets:
        return plan
    settings = plan.settings
    filled = replace(
        settings,
        **{name: _put(getattr(settings, name), secrets) for name in (*_BLOCKS, "spark_conf")},
    )
    metrics = tuple(
        replace(metric, output=tuple(_put(output, secrets) for output in metric.output))
        for metric in plan.metrics
    )
    identity = plan.identity and replace(plan.identity, plan_hash=plan.hash)
    return replace(plan, settings=filled, metrics=metrics, identity=identity)


def _put(value: Any, secrets: Mapping[str, str]) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            each.name: _put(getattr(value, each.name), secrets)
            for each in fields(value)
            if "doc" in each.metadata and not each.metadata["sql"]
        }
        return replace(value, **changed)
    if isinstance(value, Mapping):
        return {name: _put(each, secrets) for name, each in value.items()}
    if isinstance(value, tuple):
        return tuple(_put(each, secrets) for each in value)
    if isinstance(value, str):
        return _NAMED.sub(lambda match: secrets.get(match[1], match[0]), value)
    return value
