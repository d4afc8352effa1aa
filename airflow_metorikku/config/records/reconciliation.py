"""`controlMeasures.reconcile`: what a control of a checkpoint is compared with, and how much it may differ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from airflow_metorikku.config.fields import Where, key, where

TotalsFormat = Literal["csv", "json"]
_OF_TOTALS = ("format", "layout", "names", "name_key", "value_key", "separator", "header", "inside")

_WHOLE = 100


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """How much a control may differ; where several limits are given, the widest counts.

    Ratios are of the value that it is compared with; absolute limits are in the control's own unit.
    """

    tolerance: float | None = key("Ratio it may be off, either way.", default=None)
    max_loss: float | None = key("Ratio it may be lower.", default=None)
    max_gain: float | None = key("Ratio it may be higher.", default=None)
    absolute_tolerance: Decimal | None = key("What it may be off, either way.", default=None)
    max_absolute_loss: Decimal | None = key("What it may be lower.", default=None)
    max_absolute_gain: Decimal | None = key("What it may be higher.", default=None)

    def __post_init__(self) -> None:
        given = self.given()
        if not given:
            raise ValueError(
                "needs tolerance, maxLoss or maxGain, or one of absoluteTolerance, maxAbsoluteLoss, maxAbsoluteGain"
            )
        for name, limit in given.items():
            if not math.isfinite(limit) or limit < 0:
                raise ValueError(f"{name}: got {limit}, expected 0 or more")
            if name in ("tolerance", "maxLoss") and limit > 1:
                percent = "" if limit > _WHOLE else f"; {limit:g} % is {limit / _WHOLE:g}"
                raise ValueError(f"{name}: got {limit:g}, expected 0 to 1{percent}")

    def given(self) -> dict[str, float | Decimal]:
        """The limits that are set, by their YAML names."""
        limits = {
            "tolerance": self.tolerance,
            "maxLoss": self.max_loss,
            "maxGain": self.max_gain,
            "absoluteTolerance": self.absolute_tolerance,
            "maxAbsoluteLoss": self.max_absolute_loss,
            "maxAbsoluteGain": self.max_absolute_gain,
        }
        return {name: limit for name, limit in limits.items() if limit is not None}


@dataclass(frozen=True, kw_only=True)
class Against:
    """A file to compare with: the `_INFO` of another job or system, or expected totals as a source system sends them.

    Totals in CSV are a row for each control, or (`layout: columns`) a column for each. In JSON they are
    a list of objects, or one object of names to values. A file that is missing, half written or of another
    kind is an error of the rule, never a pass.
    """

    info_file: str | None = key("Path of an `_INFO` file.", default=None)
    checkpoint: str | None = key(
        "Checkpoint of the `_INFO` file; default the last one.", default=None
    )
    totals: str | None = key("Path of a file of expected totals, CSV or JSON.", default=None)
    format: TotalsFormat | None = key(
        "Format of the totals; default by the path's ending, CSV where it says nothing.",
        default=None,
        any_case=True,
    )
    layout: Literal["rows", "columns"] = key(
        "Whether each row of the CSV is a control, or each column.", default="rows"
    )
    name_key: str = key("Column, or JSON key, that names the control.", default="control")
    value_key: str = key("Column, or JSON key, that has its value.", default="value")
    names: Mapping[str, str] = key(
        "How the file calls controls: `{recordCount: ROW_CNT}`; others by their own names.",
        default={},
    )
    separator: str = key("What separates the CSV's columns, one character.", default=",")
    header: bool = key(
        "Whether the CSV's first row names the columns; without, they are called `1`, `2`, ...",
        default=True,
    )
    inside: str | None = key(
        "Where in the JSON the totals are, keys joined by dots: `trailer.totals`.", default=None
    )
    at: Where | None = where()

    def __post_init__(self) -> None:
        if bool(self.info_file) == bool(self.totals):
            raise ValueError("expected infoFile or totals, one of the two")
        if len(self.separator) != 1 or self.separator in '"\r\n':
            raise ValueError(
                f"separator: got {self.separator!r}, expected one character, no quote and no line end"
            )
        if self.totals and self.checkpoint:
            raise ValueError("checkpoint: totals have no checkpoints; leave it out")
        defaults = Against.__dataclass_fields__
        for name in _OF_TOTALS if self.info_file else ():
            if getattr(self, name) != ({} if name == "names" else defaults[name].default):
                raise ValueError(f"{name}: is for totals; an _INFO file says it all itself")

    @property
    def path(self) -> str:
        """Path of the file."""
        return self.info_file or self.totals or ""

    def __str__(self) -> str:
        return f"{self.checkpoint} of {self.path}" if self.checkpoint else self.path


@dataclass(frozen=True, kw_only=True)
class ReconcileRule:
    """Replaces the default rule (equal to the checkpoint before) for the named controls of one checkpoint, or all of them."""

    checkpoint: str = key("Checkpoint that is judged.")
    against: str | Against | None = key(
        "What it is compared with: a checkpoint of the same file by its name, or a file; default the checkpoint before.",
        default=None,
    )
    control: str | tuple[str, ...] | None = key(
        "Name of the control, or a list of names; default all.", default=None
    )
    expect: Literal["equal", "ignore"] | Expectation = key(
        "`equal`, `ignore` or a tolerance.", default="equal"
    )
    at: Where | None = where()

    def __post_init__(self) -> None:
        if self.control in ("", ()):
            raise ValueError("control: expected a name, or a list of names")

    @property
    def controls(self) -> tuple[str, ...]:
        """The controls that it names; none where it is for all."""
        if self.control is None:
            return ()
        return (self.control,) if isinstance(self.control, str) else self.control
