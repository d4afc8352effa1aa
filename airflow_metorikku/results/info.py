"""`_INFO` files, Atum's control measures: read in all their spellings, written as Atum writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from typing import Any

from airflow_metorikku.config.records.controls import CONTROL_TYPES
from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.results.info_text import compact_text, pretty_text

_BY_LOWER_NAME = {name.lower(): name for name in CONTROL_TYPES}
_TIME = "%d-%m-%Y %H:%M:%S"
_DATES = ("%Y-%m-%d", "%d-%m-%Y")


class UnreadableInfoError(MetorikkuError):
    """The text is no `_INFO` file; says where in it, and what was expected."""

    exit_code = 3


@dataclass(frozen=True, kw_only=True)
class Control:
    """One measured value; `type` is Atum's own spelling, or as it was found when it is none of Atum's."""

    name: str
    type: str
    column: str
    value: str


@dataclass(frozen=True, kw_only=True)
class InfoCheckpoint:
    """The controls at one point of a workflow."""

    name: str
    software: str | None = None
    version: str | None = None
    started: str
    """As in the file: `dd-MM-yyyy HH:mm:ss`, mostly followed by an offset."""
    ended: str
    workflow_name: str
    order: int
    controls: tuple[Control, ...]

    @property
    def row_count(self) -> int | None:
        """Value of its `count` control, of several the last; None where there is none that is a number."""
        counts = [one.value for one in self.controls if one.type == "count"]
        return int(counts[-1]) if counts and counts[-1].isdigit() else None


@dataclass(frozen=True, kw_only=True)
class InfoMetadata:
    """Where the data come from."""

    source_application: str = ""
    country: str = ""
    history_type: str = ""
    data_filename: str = ""
    source_type: str = ""
    version: int = 1
    information_date: str = ""
    additional_info: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Info:
    """A whole `_INFO` file; the checkpoints stand by their order."""

    metadata: InfoMetadata
    run_unique_id: str | None = None
    checkpoints: tuple[InfoCheckpoint, ...]

    @property
    def last(self) -> InfoCheckpoint | None:
        """The checkpoint of the highest order, of equals the later one: its controls are measured from then on."""
        return max(
            reversed(self.checkpoints), key=lambda checkpoint: checkpoint.order, default=None
        )

    def with_checkpoint(self, checkpoint: InfoCheckpoint) -> Info:
        """The same with one more checkpoint, after all others."""
        order = max((other.order for other in self.checkpoints), default=0) + 1
        return replace(self, checkpoints=(*self.checkpoints, replace(checkpoint, order=order)))

    def with_preceding(self, checkpoint: InfoCheckpoint) -> Info:
        """The same with a checkpoint before all others, as it is; the order of each other one is raised by 1."""
        later = (replace(other, order=other.order + 1) for other in self.checkpoints)
        return replace(self, checkpoints=(checkpoint, *later))

    def with_additional_info(self, given: Mapping[str, str], *, replace_existing: bool) -> Info:
        """The same with more free texts; a key that is there keeps its text unless `replace_existing`."""
        known = self.metadata.additional_info
        merged = {**known, **given} if replace_existing else {**given, **known}
        # What was there keeps its place.
        ordered = {key: merged[key] for key in [*known, *given]}
        return replace(self, metadata=replace(self.metadata, additional_info=ordered))

    def to_json(self, *, pretty: bool = False) -> str:
        """Keys in Atum's order, what is not set left out: compact, as Atum stores it, or `pretty` as its tool prints it."""
        return pretty_text(_written(self)) if pretty else compact_text(_written(self))


def read_info(text: str, path: str) -> Info:
    """Read an `_INFO` file; raises UnreadableInfoError, naming `path` and the place in it."""
    if not text.strip("\ufeff \t\r\n"):
        raise UnreadableInfoError(f"{path}: is empty, expected an _INFO file of control measures")
    try:
        # Numbers stay as they are written: a total of 38 digits is not a float.
        raw = json.loads(
            text.removeprefix("\ufeff"), parse_int=str, parse_float=str, parse_constant=str
        )
    except (ValueError, RecursionError) as error:
        raise UnreadableInfoError(
            f"{path}: not JSON: {error}; expected an _INFO file of control measures"
        ) from error
    file = _Node(raw, path, "")
    metadata = file.child("metadata")
    checkpoints = [
        _checkpoint(node, number) for number, node in enumerate(file.children("checkpoints"), 1)
    ]
    return Info(
        metadata=InfoMetadata(
            source_application=metadata.text("sourceApplication", ""),
            country=metadata.text("country", ""),
            history_type=metadata.text("historyType", ""),
            data_filename=metadata.text("dataFilename", ""),
            source_type=metadata.text("sourceType", ""),
            version=metadata.whole("version", 1),
            information_date=metadata.text("informationDate", ""),
            additional_info=metadata.texts("additionalInfo"),
        ),
        run_unique_id=file.text("runUniqueId", "") or None,
        checkpoints=tuple(sorted(checkpoints, key=lambda checkpoint: checkpoint.order)),
    )


def control_type(text: str) -> str:
    """Atum's spelling of a control type, `Count`, `type.count` and `HASHCRC32` alike; any other text stays as it is."""
    return _BY_LOWER_NAME.get(text.rsplit(".", 1)[-1].strip().lower(), text)


def time_text(time: datetime, zone: tzinfo = UTC) -> str:
    """A time as `_INFO` has it, in UTC unless told otherwise: `05-10-2017 09:43:50 +0000`."""
    return time.astimezone(zone).strftime(f"{_TIME} %z")


def time_of(text: str) -> datetime | None:
    """The moment that a text of an `_INFO` means, without an offset in UTC; None for what is no such time."""
    for pattern in (f"{_TIME} %z", _TIME):
        try:
            found = datetime.strptime(text.strip(), pattern)  # noqa: DTZ007 - what has no offset gets one below
        except ValueError:
            continue
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None


def date_text(text: str | None, today: date) -> str:
    """A date as `_INFO` has it, `dd-MM-yyyy`, from that or from ISO; today without one, other texts as they are."""
    found = _date(text) if text else today
    return found.strftime("%d-%m-%Y") if found else text or ""


def is_date(text: str) -> bool:
    """Whether a text is a date, ISO or `dd-MM-yyyy`."""
    return _date(text) is not None


def _date(text: str) -> date | None:
    for pattern in _DATES:
        try:
            return datetime.strptime(text.strip(), pattern).date()  # noqa: DTZ007 - a day has no zone
        except ValueError:
            continue
    return None


def _checkpoint(node: _Node, number: int) -> InfoCheckpoint:
    return InfoCheckpoint(
        name=node.text("name"),
        software=node.text("software", "") or None,
        version=node.text("version", "") or None,
        started=node.text("processStartTime", ""),
        ended=node.text("processEndTime", ""),
        workflow_name=node.text("workflowName", ""),
        order=node.whole("order", number),
        controls=tuple(
            Control(
                name=control.text("controlName"),
                type=control_type(control.text("controlType")),
                column=control.text("controlCol"),
                value=control.text("controlValue"),
            )
            for control in node.children("controls")
        ),
    )


class _Node:
    """A place in the file, read with sentences for what is not as expected."""

    def __init__(self, raw: object, file: str, place: str) -> None:
        self._file = file
        self._place = place
        if not isinstance(raw, dict):
            raise self._wrong("", f"got {_shown(raw)}, expected an object")
        self._raw: dict[str, Any] = raw

    def _wrong(self, key: str, text: str) -> UnreadableInfoError:
        place = ".".join(part for part in (self._place, key) if part)
        return UnreadableInfoError(": ".join(part for part in (self._file, place, text) if part))

    def _path(self, key: str) -> str:
        return f"{self._place}.{key}" if self._place else key

    def child(self, key: str) -> _Node:
        if key not in self._raw:
            raise self._wrong("", f"has no {key}; expected an _INFO file of control measures")
        return _Node(self._raw[key], self._file, self._path(key))

    def children(self, key: str) -> list[_Node]:
        got = self._raw.get(key)
        if not isinstance(got, list):
            raise self._wrong(key, f"got {_shown(got)}, expected a list")
        return [
            _Node(item, self._file, f"{self._path(key)}[{number}]")
            for number, item in enumerate(got)
        ]

    def text(self, key: str, default: str | None = None) -> str:
        got = self._raw.get(key)
        if got is None and default is not None:
            return default
        if not isinstance(got, str):
            raise self._wrong(key, f"got {_shown(got)}, expected a text or a number")
        return got

    def whole(self, key: str, default: int) -> int:
        got = self._raw.get(key)
        if got is None:
            return default
        try:
            return int(got) if isinstance(got, str) else int("")
        except ValueError:
            raise self._wrong(key, f"got {_shown(got)}, expected a whole number") from None

    def texts(self, key: str) -> dict[str, str]:
        if self._raw.get(key) is None:
            return {}
        return self.child(key).all_texts()

    def all_texts(self) -> dict[str, str]:
        return {name: self.text(name) for name in self._raw}


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    return json.dumps(value, ensure_ascii=False)[:60]


def _written(info: Info) -> dict[str, object]:
    metadata = info.metadata
    head: dict[str, object] = {
        "metadata": {
            "sourceApplication": metadata.source_application,
            "country": metadata.country,
            "historyType": metadata.history_type,
            "dataFilename": metadata.data_filename,
            "sourceType": metadata.source_type,
            "version": metadata.version,
            "informationDate": metadata.information_date,
            "additionalInfo": dict(metadata.additional_info),
        },
        "runUniqueId": info.run_unique_id,
        "checkpoints": [_written_checkpoint(checkpoint) for checkpoint in info.checkpoints],
    }
    return {key: value for key, value in head.items() if value is not None}


def _written_checkpoint(checkpoint: InfoCheckpoint) -> dict[str, object]:
    keys: dict[str, object] = {
        "name": checkpoint.name,
        "software": checkpoint.software,
        "version": checkpoint.version,
        "processStartTime": checkpoint.started,
        "processEndTime": checkpoint.ended,
        "workflowName": checkpoint.workflow_name,
        "order": checkpoint.order,
        "controls": [
            {
                "controlName": control.name,
                "controlType": control.type,
                "controlCol": control.column,
                "controlValue": control.value,
            }
            for control in checkpoint.controls
        ],
    }
    return {key: value for key, value in keys.items() if value is not None}
