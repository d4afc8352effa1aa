"""Checks to constraints: which assertions a `dq` block makes, at which level, under which id.

Pure, so that a gate's overrides, `metorikku plan` and Spark agree on the ids.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.checks import CHECKS
from airflow_metorikku.config.records.checks.base import Check, EmptyData
from airflow_metorikku.results.records import Level

if TYPE_CHECKING:
    from collections.abc import Mapping

    from airflow_metorikku.config.records.analyzers.base import Analyzer
    from airflow_metorikku.config.records.data_quality import DataQuality

LEVELS: dict[str, Level] = {
    "warn": "warning",
    "warning": "warning",
    "error": "critical",
    "critical": "critical",
}
CHECK_NAMES = {record: name for name, record in CHECKS.items()}


@dataclass(frozen=True, kw_only=True)
class Constraint:
    """One assertion on one value of one data frame."""

    id: str
    data_frame: str
    check: str
    """YAML name of the check, as `hasMin`."""
    options: Check
    """What the user wrote."""
    assertion: Assertion
    level: Level
    empty_data: EmptyData

    @property
    def analyzer(self) -> Analyzer:
        """What computes its value."""
        return self.options.analyzer()

    @property
    def text(self) -> str:
        """For results and alerts: `hasMin(price) >= 0 where country = 'ZA'`."""
        where = f" where {self.options.where_}" if self.options.where_ else ""
        return f"{self.check}({self.options.subject()}) {self.assertion}{where}"


def constraints(data_frame: str, dq: DataQuality, empty_data: EmptyData) -> tuple[Constraint, ...]:
    """Every constraint of a `dq` block, in the file's order, with ids unique within the data frame."""
    named = [(_name(check), check) for check in dq.every]
    counts = Counter(name for name, _ in named)
    out: list[Constraint] = []
    for name, check in named:
        unique = name if check.id or counts[name] == 1 else f"{name}.{_fingerprint(check)}"
        out.extend(_of_check(unique, data_frame, check, dq, empty_data))
    return tuple(out)


def _of_check(
    name: str, data_frame: str, check: Check, dq: DataQuality, empty_data: EmptyData
) -> list[Constraint]:
    def constraint(suffix: str, assertion: Assertion, level: Level) -> Constraint:
        return Constraint(
            id=name + suffix,
            data_frame=data_frame,
            check=CHECK_NAMES[type(check)],
            options=check,
            assertion=assertion,
            level=level,
            empty_data=check.empty_data or empty_data,
        )

    if check.warning or check.critical:
        both: Mapping[Level, Assertion | None] = {
            "warning": check.warning,
            "critical": check.critical,
        }
        return [
            constraint(f".{level}", assertion, level)
            for level, assertion in both.items()
            if assertion
        ]
    return [
        constraint(
            "",
            check.given_assertion() or check.default_assertion(),
            LEVELS[(check.level or dq.level).lower()],
        )
    ]


def _name(check: Check) -> str:
    if check.id:
        return check.id
    parts = [part or _fingerprint(check) for part in check.id_parts()]
    return ".".join([CHECK_NAMES[type(check)], *parts])


def _fingerprint(check: Check) -> str:
    """Eight digits from the check's parameters: the same in every run, whatever the order of the file."""
    given = [
        f"{field.name}={getattr(check, field.name)}"
        for field in fields(check)
        if field.name not in ("at", "id", "level")
    ]
    return hashlib.sha256("\n".join(given).encode()).hexdigest()[:8]
