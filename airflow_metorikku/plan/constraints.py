"""Checks to constraints: which assertions a `dq` block makes, at which level, under which id.

Pure, so that a gate's overrides, `metorikku plan` and Spark agree on the ids.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.checks import CHECK_NAMES
from airflow_metorikku.config.records.checks.base import Check, EmptyData
from airflow_metorikku.results.records import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from airflow_metorikku.config.records.analyzers.base import Analyzer
    from airflow_metorikku.config.records.data_quality import DataQuality

LEVELS: dict[str, Level] = {
    "warn": "warning",
    "warning": "warning",
    "error": "critical",
    "critical": "critical",
}


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
    parts: tuple[Constraint, ...] = ()
    """Of a composite: what it joins. They are computed, it is not."""

    @property
    def computed(self) -> tuple[Constraint, ...]:
        """The constraints whose values it is made of: itself, or those of its parts."""
        return tuple(one for part in self.parts for one in part.computed) or (self,)

    @property
    def analyzer(self) -> Analyzer:
        """What computes its value."""
        return self.options.analyzer()

    @property
    def expected(self) -> str:
        """What is expected of its value, for texts."""
        return self.options.expectation(self.assertion)

    @property
    def text(self) -> str:
        """For results and alerts: `hasMin(price) >= 0 where country = 'ZA'`."""
        if self.parts:
            return self.options.subject()
        where = f" where {self.analyzer.where_}" if self.analyzer.where_ else ""
        return f"{self.check}({self.options.subject()}) {self.expected}{where}"


@dataclass(frozen=True)
class _Named:
    """A check that the user wrote, one of those that it stands for, and the name that their constraints' ids begin with."""

    written: Check
    check: Check
    name: str


def constraints(data_frame: str, dq: DataQuality, empty_data: EmptyData) -> tuple[Constraint, ...]:
    """Every constraint of a `dq` block, in the file's order, with ids unique within the data frame."""
    named = [each for written in dq.every for each in _named(written)]
    asked = [(each, _assertions(each.check, dq)) for each in named]
    counts = Counter(each.name + suffix for each, several in asked for suffix, _, _ in several)
    out: list[Constraint] = []
    for each, several in asked:
        twice = any(counts[each.name + suffix] > 1 for suffix, _, _ in several)
        hashed = twice and not each.written.id
        name = f"{each.name}.{_fingerprint(each.check)}" if hashed else each.name
        out += (
            _with_parts(
                Constraint(
                    id=name + suffix,
                    data_frame=data_frame,
                    check=CHECK_NAMES[type(each.written)],
                    options=each.check,
                    assertion=assertion,
                    level=level,
                    empty_data=each.check.empty_data or empty_data,
                )
            )
            for suffix, assertion, level in several
        )
    return tuple(out)


def _with_parts(whole: Constraint) -> Constraint:
    """A composite with a constraint for each of its checks, which have its id, level and policy."""
    parts = (
        replace(
            whole,
            check=CHECK_NAMES[type(check)],
            options=check,
            assertion=check.given_assertion() or check.default_assertion(),
            empty_data=check.empty_data or whole.empty_data,
        )
        for check in whole.options.parts()
    )
    return replace(whole, parts=tuple(map(_with_parts, parts)))


def _named(written: Check) -> Iterator[_Named]:
    start = written.id or CHECK_NAMES[type(written)]
    for check in written.expanded():
        own = () if check is written and written.id else check.id_parts()
        parts = [part or _fingerprint(check) for part in own]
        yield _Named(written, check, ".".join([start, *parts]))


def _assertions(check: Check, dq: DataQuality) -> list[tuple[str, Assertion, Level]]:
    """What a check asks: the end of the id, the assertion and the level of each."""
    if check.warning or check.critical:
        both: Mapping[Level, Assertion | None] = {
            "warning": check.warning,
            "critical": check.critical,
        }
        return [(f".{level}", assertion, level) for level, assertion in both.items() if assertion]
    level = LEVELS[(check.own_level() or dq.level).lower()]
    return [("", check.given_assertion() or check.default_assertion(), level)]


def _fingerprint(check: Check) -> str:
    """Eight digits from the check's parameters: the same in every run, whatever the order of the file."""
    given = [
        f"{field.name}={getattr(check, field.name)}"
        for field in fields(check)
        if field.name not in ("at", "id", "level")
    ]
    return hashlib.sha256("\n".join(given).encode()).hexdigest()[:8]
