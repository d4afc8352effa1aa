"""`plan.json`: all that one spark-submit has to do, resolved and self-contained."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from airflow_metorikku.config.plain import from_plain, to_plain
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import Metric
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.plan.caching import CachedFrame

FORMAT = 1


class UnreadablePlanError(MetorikkuError):
    """The data is not a plan of a known format."""


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Which run of which task this is; an attempt is one start of Spark for it."""

    dag_id: str
    run_id: str
    task_id: str
    attempt: str
    result: str
    """Where `result.json` goes, as a URI that Spark's file systems know (`file:/…`, `s3a://…`)."""
    metrics: str | None = None
    """Folder of the job's metric history, as a URI; without it none is kept."""
    time: str | None = None
    """Of when the data are, in ISO 8601: where the run's metrics stand in their history. Default: when it ran."""
    plan_hash: str | None = None
    """Of the plan as it was sent, once its secrets are put back into it."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """One Spark run. Holds no secret: alerters stay on Airflow's side."""

    format: int = FORMAT
    job: str
    """Name of the job."""
    file: str
    """Job file, as messages name it."""
    base: str
    """Absolute folder; every path below is already resolved against it."""
    settings: JobFile
    """The job's keys, with variables merged, without alerters and metrics."""
    metrics: tuple[Metric, ...]
    """The metrics of this run, in order, each SQL file's text in its step's `sql`."""
    reads: tuple[str, ...]
    """Names of the inputs to register."""
    cached: tuple[CachedFrame, ...] = ()
    """Data frames that are cached, and how."""
    together: tuple[str, ...] = ()
    """Why these metrics share a run, a sentence each."""
    identity: Identity | None = None

    @property
    def hash(self) -> str:
        """Of everything but the identity: equal plans have equal hashes."""
        if self.identity and self.identity.plan_hash:
            return self.identity.plan_hash
        text = json.dumps(self.to_plain() | {"identity": None}, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def to_plain(self) -> dict[str, object]:
        """Plain data in the YAML's own words."""
        return to_plain(self)

    @classmethod
    def from_plain(cls, data: object) -> Plan:
        """The plan of what `to_plain` made; raises UnreadablePlanError on anything else."""
        found = data.get("format", FORMAT) if isinstance(data, Mapping) else None
        if found != FORMAT:
            raise UnreadablePlanError(f"got a plan of format {found!r}, expected {FORMAT}")
        try:
            return from_plain(cls, data)
        except ValueError as error:
            raise UnreadablePlanError(f"not a whole plan: {error}") from error

    def for_run(self, identity: Identity) -> Plan:
        """The same plan, for one attempt."""
        return replace(self, identity=identity)
