"""A row of numbers as a line so small that it stands in a table: points of an SVG, and words for those who do not see it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from airflow_metorikku.results.table import cell_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from airflow_metorikku.results.records import ConstraintResult

WIDTH, HEIGHT, EDGE = 120, 24, 4


@dataclass(frozen=True, kw_only=True)
class Dot:
    """One run: where it stands, and whether the constraint was met."""

    x: float
    y: float
    passed: bool
    says: str


@dataclass(frozen=True, kw_only=True)
class Sparkline:
    """The values of a constraint, oldest first. A run without a value leaves a gap in the line."""

    lines: tuple[str, ...]
    """SVG's `points`, one text for each unbroken stretch of two or more."""
    dots: tuple[Dot, ...]
    says: str


def sparkline(runs: Sequence[tuple[str, ConstraintResult | None]]) -> Sparkline | None:
    """The line of a constraint, from (time, result) of each run, oldest first; None where fewer than two have a value."""
    known = [
        (at, when, one) for at, (when, one) in enumerate(runs) if one and _is_finite(one.value)
    ]
    if len(known) < 2:  # noqa: PLR2004 - a line has two ends
        return None
    # Exactly, so that no difference of huge numbers overflows.
    values = {at: Fraction(one.value or 0) for at, _, one in known}
    low, high = min(values.values()), max(values.values())
    places = {
        at: (_along(Fraction(at, max(len(runs) - 1, 1)), WIDTH), _down(value, low, high))
        for at, value in values.items()
    }
    dots = tuple(
        Dot(
            x=places[at][0],
            y=places[at][1],
            passed=one.status == "passed",
            says=f"{when}: {cell_text(one.value)}, {one.status.replace('_', ' ')}",
        )
        for at, when, one in known
    )
    shown = [cell_text(one.value) for _, _, one in known]
    lowest = min(known, key=lambda each: values[each[0]])[2].value
    highest = max(known, key=lambda each: values[each[0]])[2].value
    return Sparkline(
        lines=tuple(_stretches(places)),
        dots=dots,
        says=f"{len(known)} values, oldest {shown[0]}, newest {shown[-1]}, "
        f"lowest {cell_text(lowest)}, highest {cell_text(highest)}",
    )


def _is_finite(value: object) -> bool:
    """Whether a value has a place on a line: a number has, a date has none."""
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def _along(share: Fraction, size: int) -> float:
    return round(EDGE + float(share) * (size - 2 * EDGE), 1)


def _down(value: Fraction, low: Fraction, high: Fraction) -> float:
    share = Fraction(1, 2) if high == low else (high - value) / (high - low)
    return _along(share, HEIGHT)


def _stretches(places: dict[int, tuple[float, float]]) -> list[str]:
    found: list[list[int]] = []
    for at in places:
        if not found or found[-1][-1] != at - 1:
            found.append([])
        found[-1].append(at)
    return [" ".join(f"{x},{y}" for x, y in (places[at] for at in one)) for one in found if one[1:]]
