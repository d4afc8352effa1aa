"""Whether the controls of a checkpoint agree with those of an earlier one."""

from __future__ import annotations

from decimal import Context, Decimal, InvalidOperation
from typing import TYPE_CHECKING, Literal

from airflow_metorikku.config.records.controls import Expectation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airflow_metorikku.config.records.controls import ReconcileRule

_EXACT = Context(prec=400)
_FLOATING_NOISE = Decimal("1e-9")
"""Share by which two sums of the same doubles may differ, as the order of the rows is not fixed."""
Expected = Literal["equal", "ignore"] | Expectation


def rules_for(
    rules: Iterable[ReconcileRule], checkpoint: str, control: str
) -> list[tuple[str | None, Expected]]:
    """What is asked of a control at a checkpoint, as (against, expectation); a rule that names the control wins over one for all."""
    here = [rule for rule in rules if rule.checkpoint == checkpoint]
    named = [rule for rule in here if rule.control == control]
    chosen = named or [rule for rule in here if rule.control is None]
    return [(rule.against, rule.expect) for rule in chosen] or [(None, "equal")]


def difference(
    expected: str, actual: str, expect: Literal["equal"] | Expectation, *, floating: bool
) -> str | None:
    """What is wrong between two values, None when nothing is."""
    if expected == actual:
        return None
    one, other = _number(expected), _number(actual)
    if one is None or other is None:
        return f"got {_shown(actual)}, expected {_shown(expected)}"
    low, high = _bounds(one, expect)
    if floating:
        noise = _EXACT.multiply(max(abs(one), abs(other)), _FLOATING_NOISE)
        low, high = _EXACT.subtract(low, noise), _EXACT.add(high, noise)
    if low <= other <= high:
        return None
    return f"got {actual}, expected {_asked(expected, expect)}"


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _bounds(value: Decimal, expect: Literal["equal"] | Expectation) -> tuple[Decimal, Decimal]:
    if isinstance(expect, str):
        return value, value
    loss, gain = expect.max_loss or 0.0, expect.max_gain or 0.0
    if expect.tolerance is not None:
        loss, gain = max(loss, expect.tolerance), max(gain, expect.tolerance)
    size = abs(value)
    return (
        _EXACT.subtract(value, _EXACT.multiply(size, Decimal(repr(loss)))),
        _EXACT.add(value, _EXACT.multiply(size, Decimal(repr(gain)))),
    )


def _asked(expected: str, expect: Literal["equal"] | Expectation) -> str:
    if isinstance(expect, str):
        return expected
    given = [
        f"{name} {ratio}"
        for name, ratio in (
            ("tolerance", expect.tolerance),
            ("maxLoss", expect.max_loss),
            ("maxGain", expect.max_gain),
        )
        if ratio is not None
    ]
    return f"{expected} with {', '.join(given)}"


def _shown(text: str) -> str:
    return text or "no value"
