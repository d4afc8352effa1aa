"""`controlMeasures` of a job file (Atum's model: source, checkpoints, controls)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from zoneinfo import ZoneInfo

from airflow_metorikku.config.fields import Where, key, where
from airflow_metorikku.config.records.reconciliation import ReconcileRule
from airflow_metorikku.config.words import unknown

CONTROL_TYPES = (
    "count",
    "distinctCount",
    "aggregatedTotal",
    "absAggregatedTotal",
    "aggregatedTruncTotal",
    "absAggregatedTruncTotal",
    "hashCrc32",
)


STORAGE_LEVELS = (
    "NONE", "DISK_ONLY", "DISK_ONLY_2", "DISK_ONLY_3", "MEMORY_ONLY", "MEMORY_ONLY_2",
    "MEMORY_ONLY_SER", "MEMORY_ONLY_SER_2", "MEMORY_AND_DISK", "MEMORY_AND_DISK_2",
    "MEMORY_AND_DISK_SER", "MEMORY_AND_DISK_SER_2", "MEMORY_AND_DISK_DESER", "OFF_HEAP",
)  # fmt: skip
_PERMISSIONS = re.compile(r"[01]?[0-7]{3}")
_LISTENER = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


@dataclass(frozen=True, kw_only=True)
class Metadata:
    """Metadata of a first `_INFO` file, with Atum's defaults."""

    source_application: str = key("Source application.", default="")
    country: str = key("Country.", default="ZA")
    history_type: str = key("History type.", default="Snapshot")
    data_filename: str = key("Data file name. Default: the input's path.", default="")
    source_type: str = key("Source type.", default="Source")
    version: int = key("Report version.", default=1)
    information_date: str | None = key(
        "ISO or dd-MM-yyyy; written dd-MM-yyyy. Default: today.", default=None
    )
    additional_info: Mapping[str, str] = key("Free texts.", default={})


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the first checkpoint comes from: an `_INFO` file, or measured on the input."""

    name: str | None = key(
        "By what checkpoints name it, where there are several. Default: its input.", default=None
    )
    input: str | None = key(
        "Input whose folder holds the `_INFO`; measured when there is none.", default=None
    )
    info_file: str | None = key("Path of the `_INFO` file.", default=None)
    file_name: str | None = key(
        "Name of the info file in the input's folder. Default: the `fileName` of `controlMeasures`.",
        default=None,
    )
    columns: tuple[str | Mapping[str, str], ...] = key(
        "Columns to measure when there is no file: a name (absAggregatedTotal of numbers, hashCrc32 "
        "of all else) or `{name: type}`. A column may stand several times with other types.",
        default=(),
    )
    metadata: Metadata = key("Metadata of the first file.", default=Metadata())
    at: Where | None = where()

    def __post_init__(self) -> None:
        if not (self.input or self.info_file):
            raise ValueError("needs input or infoFile")
        if self.file_name is not None:
            check_file_name(self.file_name)
        for column, control in self.typed_columns():
            if control is not None and control not in CONTROL_TYPES:
                raise ValueError(
                    f"columns: {column}: {unknown('control type', control, CONTROL_TYPES)}"
                )

    @property
    def called(self) -> str:
        """By what checkpoints name it."""
        return self.name or self.input or self.info_file or ""

    def typed_columns(self) -> tuple[tuple[str, str | None], ...]:
        """Each column with the control type that the user gave it, None for Atum's default."""
        pairs: list[tuple[str, str | None]] = []
        for item in self.columns:
            if isinstance(item, str):
                pairs.append((item, None))
            elif len(item) == 1:
                pairs.extend(item.items())
            else:
                raise ValueError(
                    f"columns: got {dict(item)}, expected a name or one pair, as {{price: aggregatedTotal}}"
                )
        return tuple(pairs)


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """Measures every control on a data frame."""

    name: str = key("Name in the `_INFO` file.")
    data_frame_name: str = key("Data frame to measure.")
    source: str | None = key(
        "Whose controls are measured, where there are several sources.", default=None
    )
    at: Where | None = where()


@dataclass(frozen=True, kw_only=True)
class Rename:
    """A column has another name from a checkpoint on."""

    source: str = key("Name before.", name="from")
    target: str = key("Name from then on.", name="to")
    at_checkpoint: str = key("First checkpoint with the new name.", name="at")


@dataclass(frozen=True, kw_only=True)
class Drop:
    """A column is gone from a checkpoint on."""

    column: str = key("Column.")
    at_checkpoint: str = key("First checkpoint without it.", name="at")


@dataclass(frozen=True, kw_only=True)
class ControlMeasures:
    """Control measures of a job: where they start, where they are taken, and how they must agree."""

    workflow_name: str = key("Workflow name of the checkpoints.", default="")
    source: Source | None = key("Where the first checkpoint comes from.", default=None)
    sources: tuple[Source, ...] = key(
        "Instead of `source`: several, each followed by checkpoints of its own.", default=()
    )
    checkpoints: tuple[Checkpoint, ...] = key("Checkpoints, in order.", default=())
    renames: tuple[Rename, ...] = key("Columns renamed on the way.", default=())
    drops: tuple[Drop, ...] = key("Columns dropped on the way.", default=())
    reconcile: tuple[ReconcileRule, ...] = key("Rules beside the default one.", default=())
    level: Literal["warn", "warning", "error", "critical"] = key(
        "Level of a difference.", default="error", any_case=True
    )
    file_name: str = key("Name of the info file.", default="_INFO")
    destination: str | None = key(
        "Where the info file also goes when outputs are published: a path, or a folder that exists.",
        default=None,
    )
    file_permissions: str | None = key(
        "Permissions of the info file as octal text, `640`; the umask still applies. Default: the file system's.",
        default=None,
    )
    run_unique_id: str | None = key(
        "`runUniqueId` of the info file. Default: that of the file it starts from, if any.",
        default=None,
    )
    additional_info: Mapping[str, str] = key(
        "Texts to add to the metadata's additional info; those that are there stay.", default={}
    )
    replace_additional_info: bool = key(
        "Texts of `additionalInfo` replace those that are there.", default=False
    )
    time_zone: str = key("Zone that times are written in, as `Africa/Johannesburg`.", default="UTC")
    cache: str | None = key(
        "Accepted and not needed: a storage level, as Atum caches at each checkpoint; nothing is cached here.",
        default=None,
    )
    listeners: tuple[str, ...] = key(
        "`module:function`, each called in the driver with every event: load, update, status, save, end.",
        default=(),
    )
    at: Where | None = where()

    def __post_init__(self) -> None:
        if not self.every_source:
            raise ValueError("source: is missing: where the first checkpoint comes from")
        if self.source and self.sources:
            raise ValueError("sources: stands beside source; give one of the two")
        names = Counter(one.called for one in self.every_source)
        for name, count in names.items():
            if count > 1:
                raise ValueError(f"sources: {name!r} stands {count} times; give each a name")
        check_file_name(self.file_name)
        check_permissions(self.file_permissions)
        _check_zone(self.time_zone)
        if self.cache is not None and self.cache.upper() not in STORAGE_LEVELS:
            raise ValueError(f"cache: {unknown('storage level', self.cache, STORAGE_LEVELS)}")
        for listener in self.listeners:
            if "${" not in listener and not _LISTENER.fullmatch(listener):
                raise ValueError(f"listeners: got {listener!r}, expected module:function")

    @property
    def every_source(self) -> tuple[Source, ...]:
        """All of them, one or several."""
        return (self.source, *self.sources) if self.source else self.sources


def check_file_name(name: str) -> None:
    """Raise ValueError for a name that no info file can have among data: Spark reads what does not begin with `_` or `.`."""
    if "${" in name:
        return
    if not name.strip("_.") or "/" in name:
        raise ValueError(f"fileName: got {name!r}, expected the name of a file, without a folder")
    if name[0] not in "_.":
        raise ValueError(
            f"fileName: got {name!r}, expected a name that begins with _ or ., which Spark does not read as data"
        )


def check_permissions(text: str | None) -> None:
    """Raise ValueError unless it is three octal digits, or four of which the first is 0 or 1."""
    if text is not None and "${" not in text and not _PERMISSIONS.fullmatch(text):
        raise ValueError(f"filePermissions: got {text!r}, expected three octal digits, as 640")


def _check_zone(name: str) -> None:
    if "${" in name:
        return
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(
            f"timeZone: got {name!r}, expected the name of a zone, as Africa/Johannesburg"
        ) from None
