"""Where info files go: with the data that they measure, to the job's `destination`, and beside the run's result.

An append, or an overwrite of some partitions, leaves what earlier runs have written: `_INFO` is then the
last run's, as Atum has it, and each run's own stays beside it as `_INFO.<run id>.<mark>`.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.results.paths import encoded
from airflow_metorikku.spark.files import files_at, parent

if TYPE_CHECKING:
    from airflow_metorikku.config.records.metric import Metric
    from airflow_metorikku.spark.control.track import InfoFile
    from airflow_metorikku.spark.outputs.file import FileOutput
    from airflow_metorikku.spark.run import Run
    from airflow_metorikku.spark.stage import Stage

logger = logging.getLogger(__name__)

_LONGEST = 160


def add_to_staged(run: Run, stage: Stage) -> None:
    """Put the info files among the staged data, so that they are published in the same move; raises RunError."""
    for staged in stage.outputs:
        # Of a part of the rows they would be wrong.
        if staged.staging is None or staged.output.rows:
            continue
        output, staging = staged.output, staged.staging
        for file in _files(run, output.output.data_frame_name):
            for name in [file.name, *_own_name(run, output, file)]:
                try:
                    staging.target.files.write_text(
                        f"{staging.data}/{name}", file.info.to_json(), _permissions(run)
                    )
                except OSError as error:
                    raise RunError(f"{output.where}: cannot write its {name}: {error}") from error


def _own_name(run: Run, output: FileOutput, file: InfoFile) -> list[str]:
    """Name under which this run's own info file stays where others' data stay; the same in each of its attempts."""
    if output.mode != "append" and not output.dynamic:
        return []
    identity = run.plan.identity
    run_id = encoded(identity.run_id)[:_LONGEST] if identity else "run"
    return [f"{file.name}.{run_id}.{run.mark(output.metric, output.number)[:8]}"]


def tell_published(run: Run, stage: Stage) -> None:
    """Tell listeners of the info files that were published."""
    for staged in stage.outputs:
        if staged.published and not staged.output.rows:
            for file in _files(run, staged.output.output.data_frame_name):
                path = f"{staged.output.target.path}/{file.name}"
                run.listeners.tell("save", info=file.info, path=path)


def write_destination(run: Run) -> None:
    """Write to the job's `destination`: a folder that exists takes the files, another path is the first file's own."""
    measures = run.plan.settings.control_measures
    if measures is None or measures.destination is None:
        return
    try:
        files, place = files_at(run.session, measures.destination)
        is_folder = files.is_folder(place)
        for file in _files(run):
            suffix = file.name.removeprefix(measures.file_name)
            path = f"{place}/{file.name}" if is_folder else f"{place}{suffix}"
            files.write_text(path, file.info.to_json(), _permissions(run))
            run.listeners.tell("save", info=file.info, path=path)
    except OSError as error:
        raise RunError(
            f"controlMeasures.destination: cannot write to {measures.destination}: {error}; the outputs are published"
        ) from error


def keep_with_result(run: Run, metric: Metric) -> None:
    """Keep the info files beside the result, published or not: `info/<metric>/_INFO`; for outputs to databases it is the only place."""
    identity = run.plan.identity
    if identity is None:
        return
    try:
        files, place = files_at(run.session, identity.result)
        for file in _files(run):
            path = f"{parent(place)}/info/{encoded(metric.name)}/{file.name}"
            files.write_text(path, file.info.to_json(), _permissions(run))
    except OSError as error:
        # The result itself has every checkpoint.
        logger.warning("info files cannot be kept beside the result: %s", error)


def _files(run: Run, data_frame: str | None = None) -> tuple[InfoFile, ...]:
    return run.tracker.info_files(data_frame) if run.tracker else ()


def _permissions(run: Run) -> str | None:
    measures = run.plan.settings.control_measures
    return measures.file_permissions if measures else None
