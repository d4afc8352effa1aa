"""What a text of DQDL says, before it is turned into checks."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

OperandKind = Literal["number", "text", "time", "duration", "missing", "variable", "past"]


@dataclass(frozen=True)
class Operand:
    """One value that something is compared with; of a duration `text` is its unit, of `past` what earlier values give it."""

    kind: OperandKind
    text: str = ""
    number: Decimal = Decimal(0)


@dataclass(frozen=True)
class Condition:
    """An expression: `between 1 and 5`, `in ["a", NULL]`; operators as Assertion spells them."""

    operator: str
    operands: tuple[Operand, ...]

    @property
    def kinds(self) -> set[OperandKind]:
        """Kinds of its operands."""
        return {operand.kind for operand in self.operands}

    @property
    def numbers(self) -> tuple[Decimal, ...]:
        """Its numbers."""
        return tuple(one.number for one in self.operands if one.kind == "number")

    @property
    def of_past(self) -> str | None:
        """The expression as a PastAssertion's text, where earlier values give a bound of it."""
        if "past" not in self.kinds or not self.kinds <= {"past", "number"}:
            return None
        bounds = [one.text or f"{one.number:f}" for one in self.operands]
        word = self.operator.replace("between", "strictly between")
        return f"{word} {' and '.join(bounds)}"

    def texts(self, kind: OperandKind) -> tuple[str, ...]:
        """Its operands of a kind, as they were written."""
        return tuple(one.text for one in self.operands if one.kind == kind)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule."""

    type: str
    line: int
    parameters: tuple[str, ...] = ()
    condition: Condition | None = None
    threshold: Condition | None = None
    where: str | None = None
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def waits(self) -> bool:
        """Whether a number of it comes with the run's variables."""
        return any(
            condition is not None and "variable" in condition.kinds
            for condition in (self.condition, self.threshold)
        )


@dataclass(frozen=True, kw_only=True)
class Composite:
    """Rules joined by `and` or `or`."""

    operator: Literal["and", "or"]
    parts: tuple[Rule | Composite, ...]
    line: int
