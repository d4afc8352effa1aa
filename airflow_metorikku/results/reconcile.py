"""Whether the controls of a checkpoint agree with others: pure, for the run, the gates and the command line alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal, InvalidOperation
from typing import Literal

from airflow_metorikku.config.number_texts import decimal_text
from airflow_metorikku.config.records.reconciliation import Against, Expectation, ReconcileRule

NOT_MEASURED = "N/A"
"""Atum's text for a control that it cannot measure; it agrees with nothing, not even with itself."""
_EXACT = Context(prec=400)
_FLOATING_NOISE = Decimal("1e-9")
"""Share by which two sums of the same doubles may differ, as the order of the rows is not fixed."""
Expected = Literal["equal", "ignore"] | Expectation
Status = Literal["passed", "failed", "error"]


@dataclass(frozen=True, kw_only=True)
class Actual:
    """A control of the checkpoint that is judged; `error` says why it has no value; sums of floating point differ by the order of their rows."""

    name: str
    value: str
    error: str = ""
    is_floating: bool = False


@dataclass(frozen=True, kw_only=True)
class Reference:
    """What a checkpoint is compared with: the texts of its controls by name; `problem` is a sentence where there are none."""

    name: str
    values: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""
    is_whole: bool = False
    """Whether the judged checkpoint must have every control that this one has."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One rule applied to one control: `expected` is the reference's text, `actual` the judged checkpoint's."""

    against: str
    control: str
    expected: str = ""
    actual: str = ""
    status: Status
    message: str = ""


References = Callable[[str | Against | None], Reference]
"""Finds what a rule is `against`: a checkpoint by name, a file, or with None the checkpoint before."""


def reconcile(
    checkpoint: str,
    controls: Sequence[Actual],
    rules: Iterable[ReconcileRule],
    references: References,
) -> list[Compared]:
    """Compare every control as the rules say, without one with the checkpoint before; what cannot be compared is an error, never a pass."""
    rules = tuple(rules)
    found: list[Compared] = []
    twice = _twice(one.name for one in controls)
    for control in controls:
        for against, expect in rules_for(rules, checkpoint, control.name):
            if expect != "ignore":
                found.append(_compared(control, references(against), expect, twice=twice))
    return [*found, *_not_there(checkpoint, controls, rules, references)]


def rules_for(
    rules: Iterable[ReconcileRule], checkpoint: str, control: str
) -> list[tuple[str | Against | None, Expected]]:
    """What is asked of a control at a checkpoint, as (against, expectation); a rule that names the control wins over one for all."""
    here = [rule for rule in rules if rule.checkpoint == checkpoint]
    named = [rule for rule in here if control in rule.controls]
    chosen = named or [rule for rule in here if not rule.controls]
    return [(rule.against, rule.expect) for rule in chosen] or [(None, "equal")]


def difference(
    expected: str, actual: str, expect: Literal["equal"] | Expectation, *, floating: bool = False
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


def gap(expected: str, actual: str) -> str:
    """How far a value is off, with its share of the expected one: `-1 (-5 %)`; empty where that is nothing, or no number."""
    one, other = _number(expected), _number(actual)
    if one is None or other is None or one == other:
        return ""
    off = _EXACT.subtract(other, one)
    text = f"{'-' if off < 0 else '+'}{decimal_text(abs(off))}"
    return f"{text} ({float(100 * off / abs(one)):+.3g} %)" if one else text


def _compared(
    control: Actual, reference: Reference, expect: Expected, *, twice: frozenset[str]
) -> Compared:
    expected = reference.values.get(control.name)
    problem = control.error or reference.problem
    if not problem and control.name in twice:
        problem = f"the checkpoint has several controls named {control.name}"
    if not problem and expected is None:
        problem = (
            f"{reference.name} has no control {control.name}; it has {_listed(reference.values)}"
        )
    if not problem and NOT_MEASURED in (expected, control.value):
        problem = f"{NOT_MEASURED} says that the control was not measured"
    wrong = None
    if not problem:
        assert expect != "ignore", control
        wrong = difference(expected or "", control.value, expect, floating=control.is_floating)
    return Compared(
        against=reference.name,
        control=control.name,
        expected=expected or "",
        actual=control.value,
        status="error" if problem else "failed" if wrong else "passed",
        message=problem or wrong or "",
    )


def _not_there(
    checkpoint: str,
    controls: Sequence[Actual],
    rules: Sequence[ReconcileRule],
    references: References,
) -> Iterator[Compared]:
    """Controls that a rule names, or that the reference has, and the checkpoint does not."""
    there = [one.name for one in controls]
    here = [rule for rule in rules if rule.checkpoint == checkpoint]
    for rule in here:
        for name in rule.controls if rule.expect != "ignore" else ():
            if name not in there:
                against = references(rule.against).name
                yield _absent(checkpoint, name, against, f"it has {_listed(there)}")
    for source in [rule.against for rule in here if not rule.controls] or [None]:
        reference = references(source)
        for name, value in reference.values.items() if reference.is_whole else ():
            wanted = [expect for _, expect in rules_for(rules, checkpoint, name)]
            named = any(name in rule.controls for rule in here)
            if name not in there and not named and "ignore" not in wanted:
                yield _absent(checkpoint, name, reference.name, f"{reference.name} has {value}")


def _absent(checkpoint: str, control: str, against: str, more: str) -> Compared:
    text = f"checkpoint {checkpoint} has no control {control}; {more}"
    return Compared(against=against, control=control, status="error", message=text)


def _twice(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name for name, count in Counter(names).items() if count > 1)


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _bounds(value: Decimal, expect: Literal["equal"] | Expectation) -> tuple[Decimal, Decimal]:
    """The lowest and highest number that will do: of several limits the widest counts."""
    if isinstance(expect, str):
        return value, value
    both = _widest(value, expect.tolerance, expect.absolute_tolerance)
    loss = max(both, _widest(value, expect.max_loss, expect.max_absolute_loss))
    gain = max(both, _widest(value, expect.max_gain, expect.max_absolute_gain))
    return _EXACT.subtract(value, loss), _EXACT.add(value, gain)


def _widest(value: Decimal, ratio: float | None, absolute: Decimal | None) -> Decimal:
    share = _EXACT.multiply(abs(value), Decimal(repr(ratio or 0.0)))
    return max(share, absolute or Decimal(0))


def _asked(expected: str, expect: Literal["equal"] | Expectation) -> str:
    if isinstance(expect, str):
        return expected
    limits = ", ".join(f"{name} {limit}" for name, limit in expect.given().items())
    return f"{expected} with {limits}"


def _shown(text: str) -> str:
    return text or "no value"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
