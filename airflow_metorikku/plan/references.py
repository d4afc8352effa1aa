"""Who makes and who reads which data frame; what nobody makes, what is made too late, and what goes in a circle."""

from __future__ import annotations

import graphlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airflow_metorikku.config.records.checks import CHECK_NAMES
from airflow_metorikku.config.records.checks.comparisons import CustomSql
from airflow_metorikku.config.records.metric import Metric, Step
from airflow_metorikku.config.words import suggestion
from airflow_metorikku.errors import Problem
from airflow_metorikku.plan.places import place_of
from airflow_metorikku.plan.sql import created, names_used, tables_read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from airflow_metorikku.config.fields import Where
    from airflow_metorikku.config.records.checks.base import Check
    from airflow_metorikku.config.records.job import Job


def made_by(metric: Metric) -> frozenset[str]:
    """Data frames, views and tables that a metric makes, lower-case, without their database."""
    names = {step.data_frame_name.lower() for step in metric.steps} | _tables(metric)
    return frozenset(names.union(*(created(step.sql) for step in metric.steps if step.sql)))


def _tables(metric: Metric) -> frozenset[str]:
    """Tables that a metric's outputs make or change, without their database."""
    names = (getattr(output.output_options, "table_name", None) for output in metric.output)
    return frozenset(_without_database(name) for name in names if name)


def _without_database(name: str) -> str:
    return name.rsplit(".", maxsplit=1)[-1].strip("` ").lower()


def used_by(metric: Metric) -> frozenset[str]:
    """Every name that a metric mentions, lower-case: in SQL, in parameters of code steps, in outputs."""
    names: set[str] = set()
    for output in metric.output:
        names |= {output.data_frame_name.lower(), _without_database(output.data_frame_name)}
    for step in metric.steps:
        names |= names_used(step.sql or "")
        for text in (step.params or {}).values():
            names |= names_used(text)
        for check in step.dq.every if step.dq else ():
            names |= _checked_against(check)
    return frozenset(names) | _tables(metric)


def _checked_against(check: Check) -> frozenset[str]:
    """Data frames that a check may read beside its own, lower-case."""
    names = {_without_database(name) for name in check.frames_read()}
    return frozenset(names.union(*(names_used(sql) for sql in _queries(check))))


@dataclass(frozen=True)
class _Place:
    """A step in the order of the run."""

    number: int
    metric: Metric
    step: Step

    @property
    def name(self) -> str:
        return self.step.data_frame_name.lower()


@dataclass(frozen=True)
class _Frames:
    """What is known of all data frames, gathered once."""

    places: list[_Place]
    made_at: dict[str, int]
    inputs: frozenset[str]
    known: frozenset[str]
    circles: dict[str, str]


def problems(job: Job, declared: Iterable[str] = ()) -> list[Problem]:
    """Reads of data frames that are not there: of nobody's, of a later step's, of a circle.

    :param declared: names that the files declare where they could not be read whole.
    """
    if _has_catalog(job):
        return []
    frames = _frames(job, declared)
    found: list[Problem] = []
    for place in frames.places:
        may_fail = place.step.ignore_on_failures or job.settings.continue_on_failed_step
        if any(earlier.step.runs_code for earlier in frames.places[: place.number + 1]):
            break
        if not may_fail:
            found += _of_step(place, frames)
        found += _of_checks(place, frames)
    return found + _of_outputs(job, frames)


def _frames(job: Job, declared: Iterable[str]) -> _Frames:
    places = [_Place(n, metric, step) for n, (metric, step) in enumerate(_steps(job))]
    made_at: dict[str, int] = {}
    for place in places:
        for name in {place.name} | (created(place.step.sql) if place.step.sql else frozenset()):
            made_at.setdefault(name, place.number)
    inputs = frozenset(name.lower() for name in job.settings.inputs)
    return _Frames(
        places=places,
        made_at=made_at,
        inputs=inputs,
        known=inputs.union(made_at, *map(_tables, job.metrics))
        | {name.lower() for name in declared},
        circles=_circles(places, inputs),
    )


def _steps(job: Job) -> Iterator[tuple[Metric, Step]]:
    for metric in job.metrics:
        for step in metric.steps:
            yield metric, step


def _reads(step: Step) -> list[str]:
    """Data frames that a step reads for certain, lower-case."""
    if step.sql:
        return list(tables_read(step.sql))
    params, built_in = step.params or {}, step.built_in
    names = (
        [params[name].lower() for name in built_in.reads if params.get(name)] if built_in else []
    )
    return [name for name in names if "." not in name and "${" not in name]


_CATALOGS = (
    "spark.sql.catalog",
    "spark.sql.defaultCatalog",
    "spark.hadoop.hive.",
    "spark.hive.",
    "spark.hadoop.javax.jdo.",
)


def _has_catalog(job: Job) -> bool:
    """Whether a bare name may be a table of a metastore, which only Spark can tell."""
    settings = job.settings
    return (
        job.reads_catalog
        or bool(settings.catalog)
        or any(name.startswith(_CATALOGS) for name in settings.spark_conf)
    )


def _of_step(place: _Place, frames: _Frames) -> list[Problem]:
    found = []
    for name in _reads(place.step):
        made = frames.made_at.get(name)
        if name in frames.inputs or (made is not None and made < place.number):
            continue
        if name not in frames.known:
            text = _nobody(name, frames.known)
        elif made is None:
            continue
        else:
            text = frames.circles.get(name) or (
                f"reads '{name}', which {_of(frames.places[made])} makes only later; "
                "steps run in the order of the file"
            )
        path = "sql" if place.step.sql else "params"
        found.append(_problem(place.step.at, place.metric, path, text))
    return found


def _of_checks(place: _Place, frames: _Frames) -> list[Problem]:
    """Checks run when all steps of their metric have: they may read what any of those makes."""
    made = {other.metric.name: other.number for other in frames.places}
    found = []
    for check in place.step.dq.every if place.step.dq else ():
        read: dict[str, str] = {}
        for key, name in _read_by(check):
            read.setdefault(name, key)
        for name, key in read.items():
            number = frames.made_at.get(name)
            if name not in frames.known:
                text = _nobody(name, frames.known)
            elif name in frames.inputs or number is None or number <= made[place.metric.name]:
                continue
            else:
                text = f"reads '{name}', which {_of(frames.places[number])} makes only later"
            path = place_of(place.metric, place.step, check, key)
            found.append(_problem(check.at or place.step.at, place.metric, path, text))
    return found


def _read_by(check: Check) -> Iterator[tuple[str, str]]:
    """Data frames that a check reads, and those that it joins, by their keys."""
    for number, part in enumerate(check.parts()):
        start = f"checks[{number}].{CHECK_NAMES[type(part)]}"
        yield from ((f"{start}.{key}", name) for key, name in _read_by(part))
    if check.parts():
        return
    yield from (("other", name.lower()) for name in check.frames_read() if "." not in name)
    yield from (("sql", name) for sql in _queries(check) for name in tables_read(sql))


def _queries(check: Check) -> list[str]:
    """Whole queries in a check, as of customSql, and in those that it joins."""
    own = [check.sql] if isinstance(check, CustomSql) else []
    return [*own, *(sql for part in check.parts() for sql in _queries(part))]


def _of(place: _Place) -> str:
    at = f" ({place.step.at})" if place.step.at else ""
    return f"step '{place.step.data_frame_name}' of metric '{place.metric.name}'{at}"


def _nobody(name: str, known: frozenset[str]) -> str:
    return (
        f"reads '{name}', but no input and no step makes it{_near(name, known)} "
        f"(a table of the catalog is written with its database, as db.{name}, or `catalog` names the database)"
    )


def _near(name: str, known: frozenset[str]) -> str:
    near = suggestion(name, sorted(known))
    return f"; did you mean '{near}'?" if near else ""


def _of_outputs(job: Job, frames: _Frames) -> list[Problem]:
    if any(place.step.runs_code for place in frames.places):
        return []
    found = []
    for metric in job.metrics:
        for output in metric.output:
            name = output.data_frame_name.lower()
            if name in frames.known or "." in name:
                continue
            text = f"got '{output.data_frame_name}', but no input and no step makes it{_near(name, frames.known)}"
            found.append(_problem(output.at, metric, "output.dataFrameName", text))
    return found


def _circles(places: list[_Place], inputs: frozenset[str]) -> dict[str, str]:
    """For each data frame of a circle, the sentence that shows it."""
    made = {place.name for place in places}
    graph: dict[str, set[str]] = {}
    for place in places:
        graph.setdefault(place.name, set()).update(
            (set(_reads(place.step)) & made) - inputs - {place.name}
        )
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        circle = list(error.args[1])
        sentence = f"goes in a circle: {' -> '.join(reversed(circle))} (each reads the next)"
        return dict.fromkeys(circle, sentence)
    return {}


def _problem(at: Where | None, metric: Metric, path: str, text: str) -> Problem:
    return Problem(
        file=at.file if at else metric.file, line=at.line if at else 0, path=path, text=text
    )
