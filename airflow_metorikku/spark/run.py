"""What all metrics of a run share."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyspark.sql import SparkSession

from airflow_metorikku.plan.checkpoints import PlannedCheckpoint
from airflow_metorikku.plan.records import Plan
from airflow_metorikku.results.records import CheckpointResult, ReconciliationResult
from airflow_metorikku.spark.caching import Caches
from airflow_metorikku.spark.control.tracker import Tracker
from airflow_metorikku.spark.history import MetricHistory
from airflow_metorikku.spark.instrumentation import Instrumentation
from airflow_metorikku.spark.names import plain
from airflow_metorikku.spark.outputs.direct import Direct
from airflow_metorikku.spark.outputs.file import FileOutput
from airflow_metorikku.spark.outputs.owner import Owner, Pulse
from airflow_metorikku.spark.outputs.publish import Publisher
from airflow_metorikku.spark.steps.prepared import Prepared, Scene


@dataclass(kw_only=True)
class Run:
    """One run of a plan in one session."""

    plan: Plan
    session: SparkSession
    scene: Scene
    owner: Owner
    pulse: Pulse
    publisher: Publisher
    prepared: dict[str, tuple[Prepared, ...]]
    """Steps by metric."""
    outputs: dict[str, tuple[FileOutput, ...]]
    """Outputs to files by metric."""
    direct: dict[str, tuple[Direct, ...]]
    """Outputs that are not files by metric."""
    instrumentation: Instrumentation
    history: MetricHistory
    caches: Caches
    tracker: Tracker | None = None
    planned_checkpoints: tuple[PlannedCheckpoint, ...] = ()
    checkpoints: list[CheckpointResult] = field(default_factory=list)
    reconciliation: list[ReconciliationResult] = field(default_factory=list)

    @property
    def attempt(self) -> str:
        """Name of this attempt."""
        return self.plan.identity.attempt if self.plan.identity else self.owner.token


def same_name(one: str, other: str) -> bool:
    """Whether two names mean the same data frame."""
    return plain(one).lower() == plain(other).lower()
