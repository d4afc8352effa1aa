"""Which data frames a run caches, and how (Waimak, `CacheMetadataExtension`): the first request for one wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.config.records.caching import CacheKind, CacheRequest
from airflow_metorikku.config.words import unknown
from airflow_metorikku.errors import Problem
from airflow_metorikku.plan.sql import names_used

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from airflow_metorikku.config.records.caching import Cache
    from airflow_metorikku.config.records.job import Job, JobFile
    from airflow_metorikku.config.records.metric import Metric

REUSED = 2


@dataclass(frozen=True, kw_only=True)
class CachedFrame:
    """One data frame that is cached."""

    name: str
    """Lower-case."""
    kind: CacheKind
    folder: str | None = None


def cached_frames(
    requests: Iterable[CacheRequest], inputs: Iterable[str], metrics: Sequence[Metric]
) -> tuple[CachedFrame, ...]:
    """What a run with these inputs and metrics caches; a step's own `cache: true` comes before all requests."""
    frames = dict.fromkeys(
        name.lower()
        for name in (*inputs, *(step.data_frame_name for m in metrics for step in m.steps))
    )
    found: dict[str, CachedFrame | None] = {
        step.data_frame_name.lower(): CachedFrame(name=step.data_frame_name.lower(), kind="spark")
        for metric in metrics
        for step in metric.steps
        if step.cache
    }
    for request in requests:
        cache = request.cache
        for name in _asked(cache, frames):
            if name in frames and name not in found:
                reused = not cache.only_reused or _readers(name, metrics) >= REUSED
                found[name] = (
                    CachedFrame(name=name, kind=cache.kind, folder=cache.folder) if reused else None
                )
    return tuple(one for one in found.values() if one)


def _asked(cache: Cache, frames: Iterable[str]) -> Iterable[str]:
    if isinstance(cache.data_frames, str):
        return frames
    return [name.lower() for name in cache.data_frames]


def _readers(name: str, metrics: Sequence[Metric]) -> int:
    """How often a data frame is read, as far as the files tell: code of the user's may read any."""
    return sum(_reads(name, metric) for metric in metrics)


def _reads(name: str, metric: Metric) -> int:
    written = sum(output.data_frame_name.lower() == name for output in metric.output)
    count = written
    for step in metric.steps:
        texts = [step.sql or "", *(step.params or {}).values()]
        own = step.data_frame_name.lower() == name
        count += not own and (step.runs_code or any(name in names_used(text) for text in texts))
        # What is written is checked where it lies.
        count += own and not written and bool(step.dq or step.control_checkpoint)
    return count


def requests_of(settings: JobFile, more: Iterable[CacheRequest]) -> tuple[CacheRequest, ...]:
    """The job's own request, then those of extensions."""
    own = settings.cache and CacheRequest(cache=settings.cache, at=settings.cache.at)
    return (*([own] if own else []), *more)


def problems(job: Job) -> Iterator[Problem]:
    """Names in requests that no step and no input has."""
    if any(step.runs_code for metric in job.metrics for step in metric.steps):
        return
    frames = [*job.settings.inputs, *(s.data_frame_name for m in job.metrics for s in m.steps)]
    known = {name.lower() for name in frames}
    for request in requests_of(job.settings, job.more_caches):
        asked = request.cache.data_frames
        for name in () if isinstance(asked, str) else asked:
            if name.lower() not in known:
                file, line = (request.at.file, request.at.line) if request.at else (job.file, 0)
                text = unknown("data frame", name, frames)
                yield Problem(file=file, line=line, path=request.path, text=text)
