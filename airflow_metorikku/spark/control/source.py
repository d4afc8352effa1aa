"""Where control measures start: the `_INFO` beside the input, or a first one measured on the input as Atum's builder does."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from airflow_metorikku.config.records.inputs import FileDateRangeInput, FileInput
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.addresses import before_glob
from airflow_metorikku.results.info import Info, UnreadableInfoError, read_info
from airflow_metorikku.spark.control.builder import InfoBuilder
from airflow_metorikku.spark.control.track import FirstInfo
from airflow_metorikku.spark.files import files_at, parent
from airflow_metorikku.spark.inputs import read_input
from airflow_metorikku.spark.inputs.file_date_range import paths_of
from airflow_metorikku.spark.names import frame_named, is_registered

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from airflow_metorikku.config.records.controls import ControlMeasures, Source
    from airflow_metorikku.config.records.inputs import Input
    from airflow_metorikku.config.records.job import JobFile

logger = logging.getLogger(__name__)
WHERE = "controlMeasures.source"


def first_info(
    session: SparkSession, settings: JobFile, measures: ControlMeasures, source: Source
) -> FirstInfo:
    """The first `_INFO` of a source, with at least one control; raises RunError, a sentence, where there can be none."""
    path = source.info_file or _beside_input(session, settings, measures, source)
    try:
        if path is None:
            info = built(session, settings, measures, source)
        else:
            info = require_controls(read_info_at(session, path), path)
    except RunError as error:
        raise RunError(f"{WHERE}: {error}") from error
    started = path or f"input '{source.input}', measured now"
    logger.info("control measures start from %s", started)
    return FirstInfo(info=info, path=path or "")


def require_controls(info: Info, path: str) -> Info:
    """The same; raises RunError for one that says nothing to compare with."""
    last = info.last
    if last is None:
        raise RunError(f"{path}: has no checkpoints, so there is nothing to compare with")
    if not last.controls:
        raise RunError(f"{path}: its last checkpoint {last.name!r} has no controls to compare with")
    return info


def read_info_at(session: SparkSession, path: str) -> Info:
    """Read an info file; raises RunError, naming the path."""
    try:
        files, place = files_at(session, path)
        return read_info(files.read_text(place), path)
    except FileNotFoundError:
        raise RunError(
            f"{path} is not there; give the path of an _INFO file, "
            "or leave infoFile out to measure the input itself"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"cannot read {path}: {error}") from error
    except UnreadableInfoError as error:
        raise RunError(str(error)) from error


def _beside_input(
    session: SparkSession, settings: JobFile, measures: ControlMeasures, source: Source
) -> str | None:
    """Path of the one `_INFO` in the folders of the input, None where there is none."""
    name = source.file_name or measures.file_name
    folders = _folders(session, settings.inputs.get(source.input or ""))
    found = info_files_in(session, folders, name)
    if len(found) > 1:
        raise RunError(
            f"{WHERE}: input {source.input!r} has {len(found)} {name} files: "
            f"{', '.join(found)}; say which by infoFile"
        )
    return found[0] if found else None


def info_files_in(session: SparkSession, folders: list[str], name: str) -> list[str]:
    """Paths of the info files of a name that lie directly in these folders."""
    found = []
    for folder in folders:
        files, place = files_at(session, folder)
        path = f"{place.rstrip('/')}/{name}"
        if files.exists(path):
            found.append(path)
    return found


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


def built(
    session: SparkSession, settings: JobFile, measures: ControlMeasures, source: Source
) -> Info:
    """A first file, from the input's own measures; raises RunError where it cannot be read or measured."""
    name = source.input
    if name is None:
        raise RunError("needs input, or infoFile")
    if name not in settings.inputs and not is_registered(session, name):
        raise RunError(f"{name!r} is no input of the job")
    frame = (
        frame_named(session, name)
        if is_registered(session, name)
        else read_input(session, name, settings.inputs[name])
    )
    metadata = source.metadata
    given = settings.inputs.get(name)
    if not metadata.data_filename and isinstance(given, FileInput):
        metadata = replace(metadata, data_filename=given.path)
    return InfoBuilder(
        frame=frame,
        name=name,
        columns=source.typed_columns(),
        metadata=metadata,
        zone=ZoneInfo(measures.time_zone),
    ).build()
