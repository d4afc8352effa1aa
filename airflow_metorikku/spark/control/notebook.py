"""Control measures on any data frame, without a job: read, build, measure, append and write info files."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from airflow_metorikku import __version__
from airflow_metorikku.config.records.controls import Metadata, check_permissions
from airflow_metorikku.errors import RunError
from airflow_metorikku.results.info import Control, Info, InfoCheckpoint, time_of, time_text
from airflow_metorikku.spark.audit import Audit
from airflow_metorikku.spark.control.builder import SOFTWARE, InfoBuilder
from airflow_metorikku.spark.control.lineage import info_file_of
from airflow_metorikku.spark.control.measures import ControlRequest
from airflow_metorikku.spark.control.source import read_info_at, require_controls
from airflow_metorikku.spark.control.track import as_controls, with_renamed, without_column
from airflow_metorikku.spark.files import files_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyspark.sql import DataFrame, SparkSession

INFO = "_INFO"


def read(session: SparkSession, path: str, *, file_name: str = INFO) -> Info:
    """The info file at a path, or in the folder there; raises RunError, naming the path."""
    return require_controls(read_info_at(session, _file_at(session, path, file_name)), path)


def read_for(frame: DataFrame, *, file_name: str = INFO) -> Info:
    """The one info file in the folders that a data frame's plan reads; raises RunError where there is none, or more than one."""
    return read(frame.sparkSession, info_file_of(frame, file_name), file_name=file_name)


def build(
    frame: DataFrame,
    columns: Iterable[str | Mapping[str, str]] = (),
    *,
    control: str | None = None,
    metadata: Metadata | None = None,
) -> Info:
    """A first info file, measured on a data frame: the rows, and a control for each column.

    :param columns: names, or `{name: control type}`.
    :param control: type for columns without one; by default absAggregatedTotal of numbers, else hashCrc32.
    """
    builder = InfoBuilder(frame=frame, metadata=metadata or Metadata())
    return builder.with_columns(columns, control).build()


def measure(frame: DataFrame, controls: Iterable[Control], name: str = "measures") -> list[Control]:
    """The same controls with their values on a data frame, all in one pass; raises RunError for one that cannot be measured."""
    requests = [
        ControlRequest(checkpoint=name, name=one.name, type=one.type, column=one.column)
        for one in controls
    ]
    found = Audit(name, controls=requests).scan(frame)
    broken = [f"{one.value.name}: {one.error}" for one in found.measured if one.error]
    if broken:
        raise RunError(f"{name}: {'; '.join(broken)}")
    return list(as_controls(found.controls))


def append(
    info: Info,
    frame: DataFrame,
    checkpoint: str,
    *,
    workflow_name: str = "",
    renames: Mapping[str, str] | None = None,
    drops: Iterable[str] = (),
) -> Info:
    """The same with a checkpoint: the controls of the last one, measured on a data frame now.

    :param renames: columns that have another name since the last checkpoint, old to new.
    :param drops: columns that are gone since.
    """
    began = datetime.now(UTC)
    last = info.last
    controls = list(last.controls) if last else []
    for column in drops:
        controls = without_column(controls, column)
    for source, target in (renames or {}).items():
        controls = with_renamed(controls, source, target)
    measured = measure(frame, controls, checkpoint)
    # Starts where the one before ended, as long as that was taken by this program too.
    ended = time_of(last.ended) if last and last.software == SOFTWARE else None
    taken = InfoCheckpoint(
        name=checkpoint,
        software=SOFTWARE,
        version=__version__,
        started=time_text(min(ended or began, began)),
        ended=time_text(datetime.now(UTC)),
        workflow_name=workflow_name,
        order=0,
        controls=tuple(measured),
    )
    return info.with_checkpoint(taken)


def write(
    session: SparkSession,
    info: Info,
    path: str,
    *,
    file_name: str = INFO,
    permissions: str | None = None,
    pretty: bool = False,
) -> str:
    """Write an info file in one move, to a path or into the folder there, and say where it is; raises RunError.

    :param permissions: octal, as `640`, less what the umask takes; default: the file system's.
    """
    try:
        check_permissions(permissions)
    except ValueError as error:
        raise RunError(str(error)) from error
    at = _file_at(session, path, file_name)
    try:
        files, place = files_at(session, at)
        files.write_text(place, info.to_json(pretty=pretty), permissions)
    except OSError as error:
        raise RunError(f"cannot write {at}: {error}") from error
    return at


def with_run_id(info: Info, run_unique_id: str) -> Info:
    """The same, of a run with this id."""
    return replace(info, run_unique_id=run_unique_id)


def _file_at(session: SparkSession, path: str, file_name: str) -> str:
    try:
        files, place = files_at(session, path)
        return f"{path.rstrip('/')}/{file_name}" if files.is_folder(place) else path
    except OSError as error:
        raise RunError(f"cannot read {path}: {error}") from error
