"""Where outputs go: what their writing would remove beside the target's own data is found before anything runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.config.load import TEXT_FILE
from airflow_metorikku.config.records.inputs import FileInput
from airflow_metorikku.config.records.metric import Metric, Output
from airflow_metorikku.config.records.outputs import FAILS_IF_THERE
from airflow_metorikku.errors import Problem
from airflow_metorikku.plan.addresses import before_glob, is_below, normal
from airflow_metorikku.plan.paths import resolve, target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airflow_metorikku.config.records.job import Job


@dataclass(frozen=True)
class _Target:
    """An output and its folder."""

    metric: Metric
    output: Output
    place: str

    @property
    def replaces(self) -> bool:
        """Whether all that is in its folder goes."""
        options = self.output.output_options
        return bool(options.save_mode == "overwrite" and options.partition_overwrite != "dynamic")

    def __str__(self) -> str:
        return f"the output '{self.output.data_frame_name}' of metric '{self.metric.name}'"

    def problem(self, text: str) -> Problem:
        at = self.output.at
        file, line = (at.file, at.line) if at else (self.metric.file, 0)
        return Problem(file=file, line=line, path="output", text=f"writes {self.place}, {text}")


def problems(job: Job) -> list[Problem]:
    """Outputs to a folder that is written already, that holds another output's, or that holds what must not go."""
    targets = list(_targets(job))
    kept = list(_kept(job)) if any(one.replaces for one in targets) else []
    found: list[Problem] = []
    for number, one in enumerate(targets):
        earlier = [other for other in targets[:number] if other.place == one.place]
        if earlier and one.output.output_options.save_mode in FAILS_IF_THERE:
            text = f"which {earlier[0]} has written by then; give it another path or a saveMode"
            found.append(one.problem(text))
        if one.replaces:
            found += _lost(one, targets, kept)
    return found


def _targets(job: Job) -> Iterator[_Target]:
    for metric in job.metrics:
        for output in metric.output:
            if not output.name or output.name in job.settings.outputs:
                place = target(job.base, job.settings, output, "unique")
                if place is not None and "${" not in place:
                    yield _Target(metric, output, normal(place))


def _lost(one: _Target, targets: list[_Target], kept: list[_Kept]) -> Iterator[Problem]:
    """What an overwrite would remove beside the target's own data."""
    inside = next((other for other in targets if is_below(other.place, one.place)), None)
    if inside:
        yield one.problem(
            f"and would remove {inside.place}, where {inside} goes; give one of them another path"
        )
    held = next((each for each in kept if each.goes_with(one.place)), None)
    if held:
        text = f"and would remove {held.what} ({held.place}); give it a folder of its own"
        yield one.problem(text)


@dataclass(frozen=True)
class _Kept:
    """What no overwrite may remove."""

    what: str
    place: str
    replaceable: bool = False
    """A job may replace the whole of its input, but no folder around it."""

    def goes_with(self, place: str) -> bool:
        """Whether an overwrite of a folder would remove it."""
        return is_below(self.place, place) or (self.place == place and not self.replaceable)


def _kept(job: Job) -> Iterator[_Kept]:
    yield _Kept("the job's base folder", normal(job.base))
    if job.file != TEXT_FILE:
        yield _Kept("the job file", normal(job.file))
    yield from (_Kept("a metric file", normal(metric.file)) for metric in job.metrics)
    if job.settings.results:
        yield _Kept("the results", normal(resolve(job.base, job.settings.results)))
    for name, given in job.settings.inputs.items():
        for path in given.path.split(",") if isinstance(given, FileInput) else ():
            whole = resolve(job.base, path)
            place = normal(before_glob(whole) or whole)
            yield _Kept(f"what input '{name}' reads", place, replaceable=True)
