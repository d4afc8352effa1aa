"""Checks that are joined to one: all of them must hold, or any (DQDL's composite rules)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, ClassVar

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.fields import key
from airflow_metorikku.config.records import checks as every
from airflow_metorikku.config.records.analyzers.composites import HoldingChecks
from airflow_metorikku.config.records.checks.anomaly import Anomaly
from airflow_metorikku.config.records.checks.base import COUNT, Check, Range

_FEWEST = 2


@dataclass(frozen=True, kw_only=True)
class Composite(Check):
    """Some checks of one data frame as one constraint; its value is how many of them hold."""

    RANGE: ClassVar[Range | None] = COUNT
    ON_ROWS: ClassVar[bool] = False
    WORD: ClassVar[str]
    """Between its checks, for texts."""
    HOLDS_IN_SILENCE: ClassVar[bool]
    """How a check counts whose missing data have no effect: so that the others decide."""

    checks: tuple[Annotated[Check, every.CHECK_KINDS], ...] = key(
        "Two checks or more, which may be `allOf` and `anyOf` again. Level, id and thresholds are of the whole, `where` is of each."
    )

    def __post_init__(self) -> None:
        if len(self.checks) < _FEWEST:
            raise ValueError(f"checks: got {len(self.checks)}, expected two or more")
        for name in ("where_", "assertion", "between", "warning", "critical"):
            if getattr(self, name) is not None:
                raise ValueError(
                    f"{name.rstrip('_')}: stands at each of the checks, not at the whole"
                )
        for check in self.checks:
            _require_single(check)
        super().__post_init__()

    def parts(self) -> tuple[Check, ...]:
        """The checks."""
        return self.checks

    def analyzer(self) -> HoldingChecks:
        """How many hold."""
        return HoldingChecks(checks=self.subject())

    @abstractmethod
    def default_assertion(self) -> Assertion:
        """How many must hold."""

    def columns_checked(self) -> tuple[str, ...]:
        """Columns of all checks."""
        return tuple(
            dict.fromkeys(column for check in self.checks for column in check.columns_checked())
        )

    def frames_read(self) -> tuple[str, ...]:
        """Data frames that any check reads."""
        return tuple(name for check in self.checks for name in check.frames_read())

    def subject(self) -> str:
        """As `(isComplete(a) == 1) or (hasSize() > 1)`."""
        return f" {self.WORD} ".join(f"({_text(check)})" for check in self.checks)

    def id_parts(self) -> tuple[str, ...]:
        """A hash."""
        return ("",)


@dataclass(frozen=True, kw_only=True)
class AllOf(Composite):
    """All of some checks hold, as one constraint (DQDL's `and`). One that fails decides; else one that cannot be evaluated makes the whole an error, and one without data `no_data`."""

    WORD: ClassVar[str] = "and"
    HOLDS_IN_SILENCE: ClassVar[bool] = True

    def default_assertion(self) -> Assertion:
        """All."""
        return Assertion("==", Decimal(len(self.checks)))


@dataclass(frozen=True, kw_only=True)
class AnyOf(Composite):
    """At least one of some checks holds, as one constraint (DQDL's `or`). One that holds decides; else one that cannot be evaluated makes the whole an error, and one without data `no_data`."""

    WORD: ClassVar[str] = "or"
    HOLDS_IN_SILENCE: ClassVar[bool] = False

    def default_assertion(self) -> Assertion:
        """One."""
        return Assertion(">=", Decimal(1))


def _text(check: Check) -> str:
    if isinstance(check, Composite):
        return check.subject()
    assertion = check.given_assertion() or check.default_assertion()
    where = check.analyzer().where_
    rows = f" where {where}" if where else ""
    return (
        f"{every.CHECK_NAMES[type(check)]}({check.subject()}) {check.expectation(assertion)}{rows}"
    )


def _require_single(check: Check) -> None:
    """Raise ValueError for one that is several constraints, or says what only the whole can say."""
    name = every.CHECK_NAMES[type(check)]
    for own in ("id", "level", "warning", "critical"):
        if getattr(check, own) is not None:
            raise ValueError(f"checks: {own} of {name}: the whole has one, not each of its checks")
    if check.own_level() is not None or check.expanded() != (check,):
        raise ValueError(f"checks: {name} has a level of its own, and cannot be part of another")
    if isinstance(check, Anomaly) and not check.include_anomalies:
        raise ValueError(
            "checks: anomaly needs includeAnomalies: true here: what only the whole says of a value tells no anomaly"
        )
