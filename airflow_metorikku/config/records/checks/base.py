"""Keys that every check takes, and what a check says of itself: the analyzer that computes its value, and what it is about."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from airflow_metorikku.config.assertion import Assertion, Bound
from airflow_metorikku.config.fields import Where, key, where
from airflow_metorikku.config.moments import Moment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airflow_metorikku.config.records.analyzers.base import Analyzer, Pick

A = TypeVar("A", bound="Analyzer")
Range = tuple[int, int | None]
SHARE: Range = (0, 1)
COUNT: Range = (0, None)
Level = Literal["warn", "warning", "error", "critical"]
Operator = Literal["==", "!=", ">=", ">", "<=", "<"]
EmptyData = Literal["fail", "warn", "pass"]
HOLDS_FOR_ALL = Assertion("==", Decimal(1))


@dataclass(frozen=True, kw_only=True)
class Check:
    """Keys that every check takes."""

    RANGE: ClassVar[Range | None] = None
    """Least and most that the value can be: a bound beyond them always holds or never can, and is refused."""
    WHOLE: ClassVar[bool] = False
    """Whether the value is a number without a fraction, so that one which has one never, or always, holds."""
    NEEDS_ASSERTION: ClassVar[str | None] = None
    """An assertion for an example, where nothing goes without saying what the value must satisfy."""
    ON_ROWS: ClassVar[bool] = True
    """Whether single rows can fail it, where its analyzer knows a rule for rows."""

    id: str | None = key(
        "Name of the constraint in results, alerts, history and overrides; unique within its data "
        "frame. Default: made from the check's name and columns.",
        default=None,
    )
    level: Level | None = key(
        "Level of a failure; default the block's.", default=None, any_case=True
    )
    where_: str | None = key(
        "SQL predicate: only rows that it holds for count.", name="where", default=None, sql=True
    )
    hint: str | None = key("Text added to the message of a failure.", default=None)
    assertion: Assertion | None = key(
        "What the value must satisfy, as `>= 0.9`, `== 3`, `between 1 and 5`.", default=None
    )
    between: tuple[Decimal, ...] | None = key(
        "`[low, high]`, both included: short for the assertion.", default=None
    )
    warning: Assertion | None = key(
        "Assertion whose failure is a warning; beside `critical`, one computation.", default=None
    )
    critical: Assertion | None = key("Assertion whose failure is critical.", default=None)
    empty_data: EmptyData | None = key(
        "What no data at all means; default the job's `quality.emptyData`.", default=None
    )
    at: Where | None = where()

    def __post_init__(self) -> None:
        if self.between is not None:
            if len(self.between) != len(("low", "high")):
                raise ValueError(f"between: got {len(self.between)} numbers, expected two")
            Assertion.between(*self.between)
            if self.assertion:
                raise ValueError("expected assertion or between, got both")
        if (self.warning or self.critical) and (self.assertion or self.between or self.level):
            raise ValueError("warning and critical stand instead of assertion, between and level")
        self._require_assertions()
        self.analyzer()  # which tells mistakes in its own keys

    def _require_assertions(self) -> None:
        given = {"assertion": self.assertion, "warning": self.warning, "critical": self.critical}
        if self.between:
            given["between"] = Assertion.between(*self.between)
        if self.NEEDS_ASSERTION and not any(given.values()):
            raise ValueError(f"needs an assertion, as '{self.NEEDS_ASSERTION}', or between")
        for name, assertion in given.items():
            if assertion and self.WHOLE and not assertion.tells_whole_numbers_apart():
                raise ValueError(
                    f"{name}: got {str(assertion)!r}, but the value is a whole number, "
                    "of which all or none are so"
                )
            # Of a list one possible value is enough.
            if assertion and not assertion.others:
                for bound in assertion.bounds:
                    self.require_possible(name, str(assertion), bound)

    def require_possible(self, name: str, given: str, bound: Bound) -> None:
        """Raise ValueError where a bound is beyond what the value can be."""
        if self.RANGE is None:
            return
        least, most = self.RANGE
        if isinstance(bound, Moment):
            raise ValueError(f"{name}: got {given!r}, expected a number; the value is no date")  # noqa: TRY004 - a mistake in a file
        if bound < least:
            raise ValueError(f"{name}: got {given!r}, but the value is never below {least}")
        if most is not None and bound > most:
            share = 1 < bound <= 100  # noqa: PLR2004 - percent
            hint = f"; did you mean {bound / 100}?" if share else ""
            raise ValueError(f"{name}: got {given!r}, but the value is never above {most}{hint}")

    def made_into(self, record: type[A], **other: Any) -> A:
        """An analyzer with every key that it has in common with this check, and `other`."""
        own = {field.name for field in fields(self)} - {"at", *other}
        same = [field.name for field in fields(record) if field.name in own]
        return record(**{name: getattr(self, name) for name in same}, **other)

    def expanded(self) -> tuple[Check, ...]:
        """The checks that it stands for, whose ids begin with its own; itself where it makes one constraint a threshold."""
        return (self,)

    def parts(self) -> tuple[Check, ...]:
        """The checks that it joins to one constraint."""
        return ()

    def own_level(self) -> Level | None:
        """The level that the user gave it, None for the block's."""
        return self.level

    def own_hint(self) -> str | None:
        """The text that is added to the message of a failure."""
        return self.hint

    def given_assertion(self) -> Assertion | None:
        """The one assertion that the user wrote, however it was spelt."""
        return Assertion.between(*self.between) if self.between else self.assertion

    def default_assertion(self) -> Assertion:
        """What the value must satisfy where the user says nothing."""
        return HOLDS_FOR_ALL

    def expectation(self, assertion: Assertion) -> str:
        """What is expected of the value, for texts."""
        return str(assertion)

    @abstractmethod
    def analyzer(self) -> Analyzer:
        """What computes the value."""

    def pick(self) -> Pick | None:
        """Which number is meant where the value is a distribution."""
        return None

    def columns_checked(self) -> tuple[str, ...]:
        """Columns that the value is computed from; empty for the whole data frame."""
        return self.analyzer().columns_analyzed()

    def columns_listed(self) -> dict[str, tuple[str, ...]]:
        """The lists of columns that the user gave, by their keys; in each a column may stand once."""
        given: Iterable[Any] = getattr(self, "columns", ())
        return {"columns": tuple(getattr(each, "name", each) for each in given)}

    def frames_read(self) -> tuple[str, ...]:
        """Names of other data frames that it reads, beside those in its SQL."""
        return ()

    def subject(self) -> str:
        """What the check is about, for texts: its columns, or what its rule is called."""
        return ", ".join(self.columns_checked())

    def id_parts(self) -> tuple[str, ...]:
        """What its id is made of after the check's name; a part may be empty, for a hash of the parameters."""
        return self.columns_checked()


@dataclass(frozen=True, kw_only=True)
class ColumnCheck(Check):
    """A check on one column."""

    column: str = key("Column; a name with dots may stand in backticks, a nested field is `a.b`.")


@dataclass(frozen=True, kw_only=True)
class PairCheck(Check):
    """A check on two columns."""

    column_a: str = key("The first column.")
    column_b: str = key("The second column.")
