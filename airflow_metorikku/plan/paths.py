"""Relative paths of a job, against its base folder."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from airflow_metorikku.config.records.inputs import FileDateRangeInput, FileInput, Input
from airflow_metorikku.config.records.outputs import FILE_OUTPUTS
from airflow_metorikku.plan.addresses import hadoop_uri, scheme_of

if TYPE_CHECKING:
    from airflow_metorikku.config.records.job import JobFile
    from airflow_metorikku.config.records.metric import Metric, Output
    from airflow_metorikku.config.records.outputs import OutputSettings


def resolve(base: str, path: str) -> str:
    """An absolute path or a URI as it is; all else below the base folder."""
    if scheme_of(path) or path.startswith("/"):
        return path
    end = "/" if path.endswith("/") else ""
    if scheme_of(base):
        # normpath makes one slash of those after the scheme.
        scheme, rest = hadoop_uri(base).split("://", 1)
        return f"{scheme}://{os.path.normpath(f'{rest}/{path}')}{end}"
    return os.path.normpath(f"{base}/{path}") + end


def _resolve_if_given(base: str, path: str | None) -> str | None:
    return resolve(base, path) if path else path


def resolve_input(base: str, given: Input) -> Input:
    """The same input with its paths resolved; each path of a comma list by itself, blanks kept as Metorikku does."""
    if isinstance(given, FileInput):
        paths = ",".join(resolve(base, path) for path in given.path.split(","))
        return replace(given, path=paths, schema_path=_resolve_if_given(base, given.schema_path))
    if isinstance(given, FileDateRangeInput):
        template = resolve(base, given.template)
        return replace(
            given, template=template, schema_path=_resolve_if_given(base, given.schema_path)
        )
    return given


def resolve_settings(base: str, settings: JobFile) -> JobFile:
    """The job's keys with every path resolved."""
    controls = settings.control_measures
    if controls:
        source = replace(
            controls.source, info_file=_resolve_if_given(base, controls.source.info_file)
        )
        controls = replace(controls, source=source)
    return replace(
        settings,
        inputs={name: resolve_input(base, given) for name, given in settings.inputs.items()},
        output=_resolve_output(base, settings.output),
        outputs={
            name: _resolve_output(base, block) or block for name, block in settings.outputs.items()
        },
        failed_df_location_prefix=_resolve_if_given(base, settings.failed_df_location_prefix),
        checkpoint_storage_location=_resolve_if_given(base, settings.checkpoint_storage_location),
        quality=replace(
            settings.quality,
            failed_data_path=_resolve_if_given(base, settings.quality.failed_data_path),
            history=replace(
                settings.quality.history,
                repositories={
                    name: resolve(base, path)
                    for name, path in settings.quality.history.repositories.items()
                },
            ),
        ),
        control_measures=controls,
        cache=settings.cache
        and replace(settings.cache, folder=_resolve_if_given(base, settings.cache.folder)),
        jars=tuple(resolve(base, path) for path in settings.jars),
        py_files=tuple(resolve(base, path) for path in settings.py_files),
        files=tuple(resolve(base, path) for path in settings.files),
    )


def _resolve_output(base: str, block: OutputSettings | None) -> OutputSettings | None:
    if block is None or block.file is None:
        return block
    return replace(block, file=replace(block.file, dir=resolve(base, block.file.dir)))


def resolve_metric(base: str, metric: Metric) -> Metric:
    """A metric with the folders of its dumps resolved."""
    steps = tuple(
        replace(
            step, dq=replace(step.dq, failed_df_location=resolve(base, step.dq.failed_df_location))
        )
        if step.dq and step.dq.failed_df_location
        else step
        for step in metric.steps
    )
    return replace(metric, steps=steps)


def target(base: str, settings: JobFile, output: Output, unique: str = "") -> str | None:
    """Folder that a file output goes to (Metorikku: `FileOutputWriter`): `dir/path` where the output's settings have a `file.dir`, else `path`.

    :param unique: folder put before `path` for `createUniquePath`: the run's start in milliseconds.
    :return: None for an output that is no file.
    """
    if output.output_type not in FILE_OUTPUTS:
        return None
    path = output.output_options.path
    if not path:
        return None
    if output.output_options.create_unique_path:
        path = f"{unique}/{path.lstrip('/')}"
    block = settings.outputs.get(output.name) if output.name else settings.output
    if block and block.file:
        return resolve(base, f"{block.file.dir.rstrip('/')}/{path.lstrip('/')}")
    return resolve(base, path)
