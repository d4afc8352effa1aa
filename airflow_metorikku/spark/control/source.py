"""Where control measures start: the `_INFO` beside the input, or a first one measured on the input as Atum's builder does."""

from __future__ import annotations

import logging
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from airflow_metorikku import __version__
from airflow_metorikku.config.records.inputs import FileDateRangeInput, FileInput
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.addresses import before_glob
from airflow_metorikku.results.info import (
    Control,
    Info,
    InfoCheckpoint,
    InfoMetadata,
    UnreadableInfoError,
    date_text,
    read_info,
    time_text,
)
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.control.measures import ControlRequest
from airflow_metorikku.spark.files import files_at, parent
from airflow_metorikku.spark.inputs import read_input
from airflow_metorikku.spark.inputs.file_date_range import paths_of
from airflow_metorikku.spark.names import frame_named, is_registered
from airflow_metorikku.spark.quality.columns import Columns, UnknownColumnError
from airflow_metorikku.spark.sums import is_summable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from airflow_metorikku.config.records.controls import ControlMeasures, Metadata
    from airflow_metorikku.config.records.inputs import Input
    from airflow_metorikku.config.records.job import JobFile

logger = logging.getLogger(__name__)

SOFTWARE = "airflow-metorikku"
SOURCE = "Source"


def source_info(session: SparkSession, settings: JobFile, measures: ControlMeasures) -> Info:
    """The first `_INFO`, with at least one checkpoint; raises RunError, a sentence, where there can be none."""
    path = measures.source.info_file or _beside_input(session, settings, measures)
    if path is None:
        return _built(session, settings, measures)
    info = _read(session, path)
    last = info.last
    if last is None:
        raise RunError(
            f"controlMeasures.source: {path}: has no checkpoints, so there is nothing to compare with"
        )
    if not last.controls:
        raise RunError(
            f"controlMeasures.source: {path}: its last checkpoint {last.name!r} has no controls to compare with"
        )
    logger.info("control measures start from %s", path)
    return info


def _read(session: SparkSession, path: str) -> Info:
    try:
        files, place = files_at(session, path)
        return read_info(files.read_text(place), path)
    except FileNotFoundError:
        raise RunError(
            f"controlMeasures.source: {path} is not there; give the path of an _INFO file, "
            "or leave infoFile out to measure the input itself"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"controlMeasures.source: cannot read {path}: {error}") from error
    except UnreadableInfoError as error:
        raise RunError(f"controlMeasures.source: {error}") from error


def _beside_input(
    session: SparkSession, settings: JobFile, measures: ControlMeasures
) -> str | None:
    """Path of the one `_INFO` in the folders of the input, None where there is none."""
    found = []
    for folder in _folders(session, settings.inputs.get(measures.source.input or "")):
        files, place = files_at(session, folder)
        path = f"{place.rstrip('/')}/{measures.file_name}"
        if files.exists(path):
            found.append(path)
    if len(found) > 1:
        raise RunError(
            f"controlMeasures.source: input {measures.source.input!r} has {len(found)} {measures.file_name} files: "
            f"{', '.join(found)}; say which by infoFile"
        )
    return found[0] if found else None


def _folders(session: SparkSession, given: Input | None) -> list[str]:
    """Folders that the input's files are in; of a pattern, the folder that all of its files are below."""
    if isinstance(given, FileInput):
        paths = given.path.split(",")
    elif isinstance(given, FileDateRangeInput):
        paths = paths_of(given)
    else:
        return []
    folders = []
    for path in paths:
        if folder := before_glob(path):
            folders.append(folder)
            continue
        files, place = files_at(session, path)
        folders.append(place if files.is_folder(place) else parent(place))
    return list(dict.fromkeys(folders))


def _built(session: SparkSession, settings: JobFile, measures: ControlMeasures) -> Info:
    """A first file, from the input's own measures."""
    name = measures.source.input
    if name is None:
        raise RunError("controlMeasures.source: needs input, or infoFile")
    if name not in settings.inputs and not is_registered(session, name):
        raise RunError(f"controlMeasures.source: {name!r} is no input of the job")
    frame = (
        frame_named(session, name)
        if is_registered(session, name)
        else read_input(session, name, settings.inputs[name])
    )
    started = datetime.now(UTC)
    audit = Audit(name, controls=_requests(frame, name, measures)).scan(frame)
    for control in audit.measured:
        if control.error:
            raise RunError(
                f"controlMeasures.source: control {control.value.name} of input {name!r}: {control.error}"
            )
    logger.info("control measures start from input '%s', measured now", name)
    checkpoint = InfoCheckpoint(
        name=SOURCE,
        software=SOFTWARE,
        version=__version__,
        started=time_text(started),
        ended=time_text(datetime.now(UTC)),
        workflow_name=SOURCE,
        order=1,
        controls=tuple(
            Control(name=one.name, type=one.type, column=one.column, value=one.value)
            for one in audit.controls
        ),
    )
    return Info(metadata=_metadata(measures.source.metadata), checkpoints=(checkpoint,))


def _requests(frame: DataFrame, data_frame: str, measures: ControlMeasures) -> list[ControlRequest]:
    """`recordCount`, then a control for each column: absAggregatedTotal of numbers, hashCrc32 of all else."""
    columns = Columns(frame, data_frame)
    typed = []
    for column, given in measures.source.typed_columns():
        try:
            found = columns.find(column)
        except UnknownColumnError as error:
            raise RunError(f"controlMeasures.source.columns: {error}") from error
        typed.append(
            (column, given or ("absAggregatedTotal" if is_summable(found.type) else "hashCrc32"))
        )
    times = Counter(column for column, _ in typed)
    requests = [ControlRequest(checkpoint=SOURCE, name="recordCount", type="count", column="*")]
    for column, control in typed:
        name = f"{column}ControlTotal" if times[column] == 1 else f"{column}ControlTotal_{control}"
        requests.append(ControlRequest(checkpoint=SOURCE, name=name, type=control, column=column))
    names = Counter(request.name for request in requests)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise RunError(
            f"controlMeasures.source.columns: {twice[0]} would stand {names[twice[0]]} times; give each column and type once"
        )
    return requests


def _metadata(given: Metadata) -> InfoMetadata:
    return InfoMetadata(
        source_application=given.source_application,
        country=given.country,
        history_type=given.history_type,
        data_filename=given.data_filename,
        source_type=given.source_type,
        version=given.version,
        information_date=date_text(given.information_date, datetime.now(UTC).date()),
        additional_info=given.additional_info,
    )
