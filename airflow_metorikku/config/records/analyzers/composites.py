"""The value of checks that are joined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records.analyzers.base import Analyzer, Cost


@dataclass(frozen=True, kw_only=True)
class HoldingChecks(Analyzer):
    """How many of some checks hold. It is computed from their values, and is no metric of the data's own."""

    COST: ClassVar[Cost] = "query"
    OF_NO_ROWS: ClassVar[bool] = True

    checks: str = key("What the checks say, as a text.")

    @property
    def instance(self) -> str:
        """What they say."""
        return self.checks
