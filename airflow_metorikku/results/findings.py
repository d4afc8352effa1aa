"""What is not good, for gates, texts and alerts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.results.records import Verdict
from airflow_metorikku.results.verdict import worst

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_NAMED = 10
LONGEST = 300


class NoVerdictError(MetorikkuError):
    """There is no verdict of this attempt on this metric; a gate stays shut."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is not good, for texts and alerts."""

    id: str
    """Constraint id, `checkpoint.control`, or what broke: `run`, `metric`, `checks`, `gate`."""
    label: str
    """Data frame, or the metric or job where no data frame is concerned."""
    subject: str
    """What was asked, as `isComplete(v) == 1`."""
    level: Verdict
    message: str
    value: float | int | str | None = None
    rows: int | None = None
    failing: int | None = None
    sample: tuple[str, ...] = ()
    """Some failing rows, where the job allows it."""

    @property
    def counted(self) -> str:
        """`10 of 100 rows`, empty where nobody counted."""
        return (
            ""
            if self.rows is None or self.failing is None
            else f"{self.failing:,} of {self.rows:,} rows"
        )

    def __str__(self) -> str:
        value = (
            "" if self.value is None or str(self.value) in self.message else f"value {self.value}; "
        )
        counted = f" ({self.counted})" if self.counted else ""
        text = " ".join(f"{self.subject} : {value}{self.message}{counted}".split())
        named = f"{text} (id {self.id})" if self.id not in text else text
        return named if len(named) <= LONGEST else f"{named[: LONGEST - 1]}…"


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """The verdict of one gate, with everything that is not good."""

    verdict: Verdict
    findings: tuple[Finding, ...] = ()

    def at(self, levels: Iterable[Verdict]) -> tuple[Finding, ...]:
        """The findings of some levels."""
        wanted = frozenset(levels)
        return tuple(finding for finding in self.findings if finding.level in wanted)


def listed(findings: Iterable[Finding]) -> str:
    """A line a finding, bounded: task logs and alerts stay readable when everything fails."""
    all_of_them = tuple(findings)
    lines = [str(finding) for finding in all_of_them[:MOST_NAMED]]
    if (more := len(all_of_them) - MOST_NAMED) > 0:
        lines.append(f"and {more} more, see the result")
    return "\n".join(lines)


def judgement_of(findings: list[Finding]) -> Judgement:
    """The verdict that the worst of the findings makes."""
    return Judgement(verdict=worst(finding.level for finding in findings), findings=tuple(findings))
