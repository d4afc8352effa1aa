"""Waimak's prefabricated checks, by their names and parameters there (Waimak, `prefabchecks/`); some make several constraints."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.fields import check_columns, key
from airflow_metorikku.config.records.analyzers.recent import RecentRows
from airflow_metorikku.config.records.checks.base import HOLDS_FOR_ALL, Check, Level
from airflow_metorikku.config.records.checks.keys import HasUniqueness
from airflow_metorikku.config.records.checks.rows import HasCompleteness, Satisfies

if TYPE_CHECKING:
    from airflow_metorikku.config.records.analyzers.base import Analyzer

_OTHERS = ("level", "assertion", "between", "warning", "critical")


@dataclass(frozen=True, kw_only=True)
class _Prefab(Check):
    """A check with parameters of its own for levels and thresholds."""

    def __post_init__(self) -> None:
        for name in _OTHERS:
            if getattr(self, name) is not None:
                raise ValueError(f"{name}: this check has {self.instead()} instead")

    @staticmethod
    def instead() -> str:
        """What stands instead of the keys of other checks."""
        return "warningThreshold and criticalThreshold"

    def analyzer(self) -> Analyzer:
        """That of its first constraint; `expanded` has them all."""
        return self.expanded()[0].analyzer()


@dataclass(frozen=True, kw_only=True)
class _Thresholds(_Prefab):
    """What completeness and uniqueness share."""

    columns: tuple[str, ...] = key("Columns.")
    warning_threshold: Decimal | None = key(
        "Share (0.8 is 80 %) below which a warning is raised.", default=None
    )
    critical_threshold: Decimal | None = key(
        "Share below which a critical alert is raised.", default=None
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_columns("columns", self.columns)
        for name, share in self.thresholds().items():
            if share is not None and not 0 <= share <= 1:
                hint = f"; {share} % is {share / 100}" if share > 1 else ""
                raise ValueError(f"{name}Threshold: got {share}, expected 0 to 1{hint}")

    def thresholds(self) -> dict[str, Decimal | None]:
        """Threshold by level."""
        return {"warning": self.warning_threshold, "critical": self.critical_threshold}

    def assertions(self) -> dict[str, Assertion]:
        """Assertion by level, as the keys of other checks."""
        return {
            level: Assertion(">=", share)
            for level, share in self.thresholds().items()
            if share is not None
        }


def _percent(assertion: Assertion) -> str:
    """`80.0%`, as Waimak writes it."""
    return f"{float(Decimal(str(assertion.bound)) * 100)}%"


@dataclass(frozen=True, kw_only=True)
class CompletenessCheck(_Thresholds):
    """Waimak's: for each column and each threshold, the share of rows that are not null is at least the threshold."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.assertions():
            raise ValueError(
                "needs warningThreshold or criticalThreshold: without, nothing is checked"
            )

    def expanded(self) -> tuple[Check, ...]:
        """One check a column and threshold, as each has a hint of its own."""
        return tuple(
            HasCompleteness(
                column=column,
                hint=self.hint
                or f"Less than {_percent(assertion)} of {column} values were complete.",
                where_=self.where_,
                empty_data=self.empty_data,
                at=self.at,
                **{level: assertion},  # type: ignore[arg-type]  # warning or critical
            )
            for column in self.columns
            for level, assertion in self.assertions().items()
        )


@dataclass(frozen=True, kw_only=True)
class UniquenessCheck(_Thresholds):
    """Waimak's: the keys in the combination of the columns that occur once, per row, are at least the threshold; a warning below 1 without any."""

    warning_threshold: Decimal | None = key(
        "Share below which a warning is raised.", default=Decimal("1.0")
    )

    def expanded(self) -> tuple[Check, ...]:
        """One check a threshold."""
        return tuple(
            HasUniqueness(
                columns=self.columns,
                hint=self.hint or f"{','.join(self.columns)} was not {_percent(assertion)} unique.",
                where_=self.where_,
                empty_data=self.empty_data,
                at=self.at,
                **{level: assertion},  # type: ignore[arg-type]  # warning or critical
            )
            for level, assertion in self.assertions().items()
        )


@dataclass(frozen=True, kw_only=True)
class RecentTimestampCheck(_Prefab):
    """Waimak's: at least one row has a timestamp that is at most `hoursToLookBack` before now.

    A timestamp is compared as an instant; a column without zone, a date or a text as of `zone`. No rows,
    and nothing but nulls, fail.
    """

    column: str = key("Column of timestamps, dates, or texts that are timestamps.", also=("col",))
    hours_to_look_back: int = key("Hours.", default=6)
    alert_level: Literal["warning", "critical"] = key("Level of a failure.", default="warning")
    now_override: str | None = key(
        "What counts as now, as `2026-01-31 06:00:00` (of `zone`) or with an offset, as `${data_interval_end}`. Default: the run's clock.",
        default=None,
    )
    zone: str | None = key(
        "Time zone, as `Europe/Amsterdam`. Default: the Spark session's.", default=None
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        names = {"hours": "hoursToLookBack", "now": "nowOverride", "zone": "zone"}
        try:
            self.analyzer()
        except ValueError as error:
            name, _, sentence = str(error).partition(": ")
            raise ValueError(f"{names[name]}: {sentence}") from None

    @staticmethod
    def instead() -> str:
        """What stands instead of the keys of other checks."""
        return "alertLevel"

    def analyzer(self) -> RecentRows:
        """Number of recent rows."""
        return self.made_into(RecentRows, hours=self.hours_to_look_back, now=self.now_override)

    def default_assertion(self) -> Assertion:
        """One recent row is enough."""
        return Assertion(">", Decimal(0))

    def own_level(self) -> Level:
        """Its own word for it."""
        return self.alert_level

    def own_hint(self) -> str:
        """Waimak's, where the user has none."""
        return self.hint or f"No new data in the last {self.hours_to_look_back} hours."


@dataclass(frozen=True, kw_only=True)
class GenericSqlCheck(_Prefab):
    """Waimak's: each SQL predicate is true in every row; one that is null in a row is not."""

    warning_checks: tuple[str, ...] = key(
        "Predicates whose failure is a warning.", default=(), sql=True
    )
    critical_checks: tuple[str, ...] = key(
        "Predicates whose failure is critical.", default=(), sql=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.warning_checks and not self.critical_checks:
            raise ValueError("needs warningChecks or criticalChecks, with at least one predicate")

    @staticmethod
    def instead() -> str:
        """What stands instead of the keys of other checks."""
        return "warningChecks and criticalChecks"

    def expanded(self) -> tuple[Check, ...]:
        """One check a predicate; one that stands in both lists has two levels."""
        return tuple(
            Satisfies(
                predicate=predicate,
                warning=HOLDS_FOR_ALL if predicate in self.warning_checks else None,
                critical=HOLDS_FOR_ALL if predicate in self.critical_checks else None,
                hint=self.hint,
                where_=self.where_,
                empty_data=self.empty_data,
                at=self.at,
            )
            for predicate in dict.fromkeys((*self.warning_checks, *self.critical_checks))
        )
