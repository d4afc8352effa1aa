"""The `dq` block of a step, and the job's settings for all checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from airflow_metorikku.config.dqdl.checks import read_dqdl
from airflow_metorikku.config.fields import Where, check_count, key, where
from airflow_metorikku.config.records.checks import CHECK_KINDS
from airflow_metorikku.config.records.checks.base import Check, EmptyData, Level


@dataclass(frozen=True, kw_only=True)
class DataQuality:
    """Checks of a step's data frame, all evaluated; a failure at level error stops the metric before any of its outputs appears."""

    checks: tuple[Annotated[Check, CHECK_KINDS], ...] = key("The checks.", default=())
    level: Level = key("Level of a failure.", default="warn", any_case=True)
    name: str | None = key("What the checks are about, for results and alerts.", default=None)
    cache_df: bool = key("Accepted and not needed: checks never cache.", default=True)
    failed_df_location: str | None = key(
        "Folder for a Parquet dump of the whole data frame when a check failed; default the job's `failedDFLocationPrefix`.",
        default=None,
    )
    dqdl: tuple[Annotated[Check, CHECK_KINDS], ...] = key(
        'Further checks, as a [text of DQDL](quality.md#dqdl): `Rules = [ IsComplete "id", RowCount > 100 ]`.',
        default=(),
        read=read_dqdl,
    )
    at: Where | None = where()

    def __post_init__(self) -> None:
        if not self.checks and not self.dqdl:
            raise ValueError("needs checks, or dqdl, a text of rules")

    @property
    def every(self) -> tuple[Check, ...]:
        """All checks, however they are written."""
        return (*self.checks, *self.dqdl)


@dataclass(frozen=True, kw_only=True)
class History:
    """The history of metrics, beside the results: how much of it is kept, and what else counts as history."""

    keep: int | None = key(
        "Newest runs kept of each data frame; default all of them, 0 is no history.", default=None
    )
    days: int | None = key("Days that a run is kept.", default=None)
    repositories: Mapping[str, str] = key(
        "Metrics repository files of Deequ's by data frame: history too, only read.", default={}
    )

    def __post_init__(self) -> None:
        check_count("keep", self.keep, least=0)
        check_count("days", self.days, least=1)


@dataclass(frozen=True, kw_only=True)
class Quality:
    """Settings for all checks of the job."""

    empty_data: EmptyData = key(
        "What a data frame without rows means for its checks.", default="fail"
    )
    failed_data_path: str | None = key(
        "Folder for the rows that fail, with the names of the checks they fail.", default=None
    )
    failed_data_limit: int = key("Most rows kept for each data frame.", default=1000)
    tags: Mapping[str, str] = key("Tags of the run in the history of metrics.", default={})
    history: History = key("The history of metrics.", default=History())

    def __post_init__(self) -> None:
        check_count("failedDataLimit", self.failed_data_limit, least=0)
