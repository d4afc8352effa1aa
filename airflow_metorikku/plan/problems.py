"""What is wrong between the files of a job, though each is right by itself: found before anything runs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from airflow_metorikku.config.records.inputs import FileDateRangeInput, FileInput
from airflow_metorikku.config.words import suggestion
from airflow_metorikku.errors import Problem
from airflow_metorikku.plan import caching, code_steps, references, targets
from airflow_metorikku.plan.checkpoints import MEASURED, checkpoints
from airflow_metorikku.plan.constraints import constraints
from airflow_metorikku.plan.databases import DATABASE_BLOCKS, database_of
from airflow_metorikku.plan.places import place_of
from airflow_metorikku.plan.variables import undefined_in_sql
from airflow_metorikku.plan.waimak import extended

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from airflow_metorikku.config.fields import Where
    from airflow_metorikku.config.records.controls import ControlMeasures, Source
    from airflow_metorikku.config.records.job import Job, JobFile
    from airflow_metorikku.config.records.metric import Output

CASE_SENSITIVE = "spark.sql.caseSensitive"


def find_problems(
    job: Job, *, final: bool = False, declared: Iterable[str] = (), alerted: bool = True
) -> list[Problem]:
    """What is wrong between the files of a job, with what its extensions add.

    :param declared: names of data frames in files that could not be read whole.
    :param alerted: whether the job's alerters are used.
    """
    made = extended(job, alerted=alerted)
    job = made.job
    found = [
        *made.problems,
        *_same_names(job),
        *references.problems(job, declared),
        *code_steps.problems(job),
        *_named_outputs(job),
        *_blocks(job),
        *_rows_of_no_check(job),
        *targets.problems(job),
        *_same_ids(job),
        *_same_columns(job),
        *caching.problems(job),
    ]
    found += _controls(job, {name.lower() for name in declared})
    return found + ([*job.undefined, *undefined_in_sql(job)] if final else [])


def _same_names(job: Job) -> list[Problem]:
    counts = Counter(metric.name for metric in job.metrics)
    files = {name: [m.file for m in job.metrics if m.name == name] for name in counts}
    at = job.settings.at
    return [
        Problem(
            file=job.file,
            line=at.line if at else 0,
            path="metrics",
            text=f"metric '{name}' is named twice, by {' and '.join(files[name])}; "
            "a metric is named by its file, so give one file another name",
        )
        for name, count in counts.items()
        if count > 1
    ]


def _same_ids(job: Job) -> list[Problem]:
    """Constraint ids must be unique within their data frame."""
    found = []
    for metric in job.metrics:
        seen: set[tuple[str, str]] = set()
        for step in metric.steps:
            if not step.dq:
                continue
            for constraint in constraints(
                step.data_frame_name, step.dq, job.settings.quality.empty_data
            ):
                key = (constraint.data_frame.lower(), constraint.id)
                if key in seen:
                    text = f"id '{constraint.id}' stands twice for data frame '{constraint.data_frame}'; give one another id"
                    place = place_of(metric, step, constraint.options)
                    found.append(
                        _problem(constraint.options.at or step.at, metric.file, place, text)
                    )
                seen.add(key)
    return found


def _same_columns(job: Job) -> list[Problem]:
    """Columns that stand twice in different case, which to Spark are one unless the job says that case counts."""
    if job.settings.spark_conf.get(CASE_SENSITIVE, "").lower() == "true":
        return []
    found = []
    for metric in job.metrics:
        for step in metric.steps:
            for check in step.dq.every if step.dq else ():
                for path, names in check.columns_listed().items():
                    spelt = dict.fromkeys(names)
                    lower = Counter(name.lower() for name in spelt)
                    twice = [name for name in spelt if lower[name.lower()] > 1]
                    if not twice:
                        continue
                    text = (
                        f"{' and '.join(twice)} are one column, unless sparkConf has "
                        f"{CASE_SENSITIVE}: true"
                    )
                    place = place_of(metric, step, check, path)
                    found.append(_problem(check.at or step.at, metric.file, place, text))
    return found


def _named_outputs(job: Job) -> list[Problem]:
    """Names of the job's outputs that it has not."""
    found = []
    for metric in job.metrics:
        for output in metric.output:
            if output.name and output.name not in job.settings.outputs:
                text = f"got '{output.name}', expected one of the job's outputs{_known(output.name, job.settings.outputs)}"
                found.append(_problem(output.at, metric.file, "output.name", text))
    return found


def _blocks(job: Job) -> list[Problem]:
    """Outputs to a system that the job does not describe."""
    found = []
    for metric in job.metrics:
        for output in metric.output:
            if missing := _missing_block(job.settings, output):
                text = f"{output.output_type} needs {missing}"
                found.append(_problem(output.at, metric.file, "output.outputType", text))
    return found


def _rows_of_no_check(job: Job) -> list[Problem]:
    """Outputs of the rows that pass or fail the checks of a data frame that has none."""
    found = []
    for metric in job.metrics:
        checked = {
            step.data_frame_name.lower() for step in metric.steps if step.dq and step.dq.every
        }
        for output in metric.output:
            rows = getattr(output.output_options, "rows", None)
            if rows and output.data_frame_name.replace("`", "").lower() not in checked:
                text = (
                    f"got {rows}, expected a data frame that a step of this metric makes and checks; "
                    f"'{output.data_frame_name}' has no checks here"
                )
                found.append(_problem(output.at, metric.file, "output.rows", text))
    return found


def _missing_block(settings: JobFile, output: Output) -> str | None:
    if output.output_type == "Instrumentation":
        there = settings.instrumentation and settings.instrumentation.influxdb
        return None if there else "the job's instrumentation: {influxdb: ...}"
    blocks = DATABASE_BLOCKS.get(output.output_type)
    # A name that is none is a mistake of its own.
    unknown = output.name and output.name not in settings.outputs
    if blocks is None or unknown or database_of(settings, output):
        return None
    place = f"outputs.{output.name}" if output.name else "output"
    return f"the block {place}.{blocks[-1]} of the job, with connectionUrl or connection"


def _controls(job: Job, declared: set[str]) -> list[Problem]:
    """Names in `controlMeasures` that nothing has."""
    controls = job.settings.control_measures
    if not controls:
        return []
    frames = [step.data_frame_name for metric in job.metrics for step in metric.steps]
    known = {
        "an input": list(job.settings.inputs),
        "a data frame": [*job.settings.inputs, *frames, *declared],
        "a source": [source.called for source in controls.every_source],
        "a checkpoint": [c.name for c in checkpoints(job.settings, job.metrics)],
    }
    found = [*_taken_twice(job), *_of_no_source(job)]
    if not known["a checkpoint"]:
        text = "takes no checkpoint; name one in checkpoints, or in a step's controlCheckpoint"
        found.append(_problem(controls.at, job.file, "controlMeasures", text))
    for noun, path, name, at in _names_in_controls(controls):
        # Spark knows data frames in any case; sources and checkpoints are what the job calls them.
        any_case = noun in ("an input", "a data frame")
        if name not in known[noun] and not (
            any_case and name.lower() in {text.lower() for text in known[noun]}
        ):
            text = f"got '{name}', expected the name of {noun}{_known(name, known[noun])}"
            found.append(_problem(at or controls.at, job.file, f"controlMeasures.{path}", text))
    return [*found, *_against(job, controls)]


def _against(job: Job, controls: ControlMeasures) -> list[Problem]:
    """Rules against checkpoints that are not there, as far as all are known: those of an `_INFO` file are not, until it is read."""
    planned = [one.name for one in checkpoints(job.settings, job.metrics)]
    measured = all(_is_measured(job, source) for source in controls.every_source)
    found = []
    for rule in controls.reconcile:
        name = rule.against
        if not isinstance(name, str) or name in planned:
            continue
        same = next((one for one in planned if one.lower() == name.lower()), None)
        if same or (measured and name != MEASURED):
            known = _known(name, [same] if same else [MEASURED, *planned])
            text = f"got '{name}', expected the name of a checkpoint{known}"
            found.append(
                _problem(
                    rule.at or controls.at, job.file, "controlMeasures.reconcile.against", text
                )
            )
    return found


def _is_measured(job: Job, source: Source) -> bool:
    """Whether there can be no `_INFO` file beside what a source names."""
    given = job.settings.inputs.get(source.input or "")
    files = isinstance(given, FileInput | FileDateRangeInput)
    return source.info_file is None and given is not None and not files


def _names_in_controls(controls: ControlMeasures) -> Iterator[tuple[str, str, str, Where | None]]:
    """Each name that must be one of something: of what, its key, the name, its place."""
    for source in controls.every_source:
        if source.input:
            yield "an input", "source.input", source.input, source.at
    for checkpoint in controls.checkpoints:
        frame = checkpoint.data_frame_name
        yield "a data frame", "checkpoints.dataFrameName", frame, checkpoint.at
        if checkpoint.source:
            yield "a source", "checkpoints.source", checkpoint.source, checkpoint.at
    for rename in controls.renames:
        yield "a checkpoint", "renames.at", rename.at_checkpoint, None
    for drop in controls.drops:
        yield "a checkpoint", "drops.at", drop.at_checkpoint, None
    for rule in controls.reconcile:
        yield "a checkpoint", "reconcile.checkpoint", rule.checkpoint, rule.at


def _taken_twice(job: Job) -> list[Problem]:
    planned = checkpoints(job.settings, job.metrics)
    counts = Counter(checkpoint.name for checkpoint in planned)
    return [
        _problem(
            [c.at for c in planned if c.name == name][1],
            job.file,
            "controlMeasures.checkpoints",
            f"checkpoint '{name}' is taken twice; give one another name",
        )
        for name, count in counts.items()
        if count > 1
    ]


def _of_no_source(job: Job) -> list[Problem]:
    """Checkpoints of a job with several sources that do not say whose controls they measure."""
    return [
        _problem(
            one.at,
            job.file,
            "controlMeasures.checkpoints",
            f"checkpoint '{one.name}': there are several sources; name it in checkpoints, and say whose controls it measures by source",
        )
        for one in checkpoints(job.settings, job.metrics)
        if one.source is None
    ]


def _known(name: str, known: Iterable[str]) -> str:
    known = sorted(set(known))
    if near := suggestion(name, known):
        return f"; did you mean '{near}'?"
    return f" ({', '.join(known[:10])})" if known else " (there is none)"


def _problem(at: Where | None, file: str, path: str, text: str) -> Problem:
    return Problem(file=at.file if at else file, line=at.line if at else 0, path=path, text=text)
