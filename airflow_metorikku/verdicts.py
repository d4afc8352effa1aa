"""What a bad verdict raises, whoever gives it: a gate, or an operator that is its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_metorikku.results.findings import Finding, Judgement, listed

if TYPE_CHECKING:
    from collections.abc import Collection

    from airflow_metorikku.results.records import Verdict


class GateClosedError(AirflowFailException):
    """A bad verdict: a retry mends no data. `judgement` has all findings, `failures` those that closed the gate."""

    def __init__(
        self, text: str, judgement: Judgement | None = None, failures: tuple[Finding, ...] = ()
    ) -> None:
        super().__init__(text)
        self.judgement = judgement
        self.failures = failures


class DataQualityFailed(GateClosedError):  # noqa: N818 - a verdict, and the name that callbacks look for
    """Checks failed."""


def require_good(
    judgement: Judgement,
    *,
    fails_on: Collection[Verdict],
    closed: type[GateClosedError],
    about: str,
    where: str,
) -> None:
    """Raise the gate's own error where a finding is of a level that fails it; the text is bounded, and ends with `where`."""
    failures = judgement.at(fails_on)
    if failures:
        raise closed(f"{about} failed:\n{listed(failures)}\n{where}", judgement, failures)
