"""Outputs that cannot be staged: their data frame is audited first, then written (JDBC, a catalog, a time series)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from airflow_metorikku.plan.records import Plan
from airflow_metorikku.spark.outputs.planned import PlannedOutput

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True, kw_only=True)
class Direct(PlannedOutput, ABC):
    """An output of a plan that is written in one go; a kind is one subclass."""

    plan: Plan
    after_publish: ClassVar[bool]
    """Whether it comes after the metric's files are published; else a failure of it leaves them as they were."""

    @property
    @abstractmethod
    def target(self) -> str:
        """Where it goes, as the result shows it: without any secret."""

    @abstractmethod
    def check(self, session: SparkSession) -> None:
        """Raise RunError for what can be known before anything runs."""

    def check_frame(self, frame: DataFrame) -> None:
        """Raise RunError for a data frame that cannot be written, before anything of the metric is."""

    @abstractmethod
    def write(self, frame: DataFrame) -> int | None:
        """Write it, after a verdict that is not critical, and say how many rows; None where what is there is left. Raises RunError naming the output."""
