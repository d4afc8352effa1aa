"""`controlMeasures` of a job file (Atum's model: source, checkpoints, controls)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from airflow_metorikku.config.fields import Where, key, where
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


@dataclass(frozen=True, kw_only=True)
class Metadata:
    """Metadata of a first `_INFO` file, with Atum's defaults."""

    source_application: str = key("Source application.", default="")
    country: str = key("Country.", default="ZA")
    history_type: str = key("History type.", default="Snapshot")
    data_filename: str = key("Data file name.", default="")
    source_type: str = key("Source type.", default="Source")
    version: int = key("Report version.", default=1)
    information_date: str | None = key(
        "ISO or dd-MM-yyyy; written dd-MM-yyyy. Default: today.", default=None
    )
    additional_info: Mapping[str, str] = key("Free texts.", default={})


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the first checkpoint comes from: an `_INFO` file, or measured on the input."""

    input: str | None = key(
        "Input whose folder holds the `_INFO`; measured when there is none.", default=None
    )
    info_file: str | None = key("Path of the `_INFO` file.", default=None)
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
        for column, control in self.typed_columns():
            if control is not None and control not in CONTROL_TYPES:
                raise ValueError(
                    f"columns: {column}: {unknown('control type', control, CONTROL_TYPES)}"
                )

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
class Expectation:
    """How much a control may differ: one of the three; ratios are of the control's earlier value."""

    tolerance: float | None = key("Ratio it may be off, either way.", default=None)
    max_loss: float | None = key("Ratio it may be lower.", default=None)
    max_gain: float | None = key("Ratio it may be higher.", default=None)

    def __post_init__(self) -> None:
        given = [x for x in (self.tolerance, self.max_loss, self.max_gain) if x is not None]
        if not given:
            raise ValueError("needs tolerance, maxLoss or maxGain")
        if any(x < 0 for x in given):
            raise ValueError("expected a ratio of 0 or more")


@dataclass(frozen=True, kw_only=True)
class ReconcileRule:
    """Replaces the default rule (equal to the checkpoint before) for one control of one checkpoint."""

    checkpoint: str = key("Checkpoint that is judged.")
    against: str | None = key(
        "Checkpoint that it is compared with; default the one before.", default=None
    )
    control: str | None = key("Name of the control; default all.", default=None)
    expect: Literal["equal", "ignore"] | Expectation = key(
        "`equal`, `ignore` or a tolerance.", default="equal"
    )
    at: Where | None = where()


@dataclass(frozen=True, kw_only=True)
class ControlMeasures:
    """Control measures of a job: where they start, where they are taken, and how they must agree."""

    workflow_name: str = key("Workflow name of the checkpoints.", default="")
    source: Source = key("Where the first checkpoint comes from.")
    checkpoints: tuple[Checkpoint, ...] = key("Checkpoints, in order.", default=())
    renames: tuple[Rename, ...] = key("Columns renamed on the way.", default=())
    drops: tuple[Drop, ...] = key("Columns dropped on the way.", default=())
    reconcile: tuple[ReconcileRule, ...] = key("Rules beside the default one.", default=())
    level: Literal["warn", "warning", "error", "critical"] = key(
        "Level of a difference.", default="error", any_case=True
    )
    file_name: str = key("Name of the info file.", default="_INFO")
    at: Where | None = where()
