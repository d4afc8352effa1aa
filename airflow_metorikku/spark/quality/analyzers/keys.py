"""How often keys occur."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from math import log
from typing import TYPE_CHECKING, TypeVar

from airflow_metorikku.config.records.analyzers.keys import (
    CountDistinct,
    DuplicateRowCount,
    KeyAnalyzer,
    Uniqueness,
)
from airflow_metorikku.spark.asks import Ask, Facts
from airflow_metorikku.spark.grouping import CompleteKeys, Enough, KeyCounts, Wanted, grouping_of
from airflow_metorikku.spark.names import quoted
from airflow_metorikku.spark.quality.subject import (
    NO_ROW_ASKED,
    Subject,
    holds_map,
    wrong_type,
)
from airflow_metorikku.spark.quality.values import MetricValue, no_data, ratio, share_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from airflow_metorikku.config.assertion import Assertion
    from airflow_metorikku.config.records.analyzers.base import Analyzer
    from airflow_metorikku.config.records.analyzers.keys import (
        Distinctness,
        Entropy,
        MutualInformation,
        UniqueValueRatio,
    )
    from airflow_metorikku.spark.quality.columns import FoundColumn

T = TypeVar("T")
_HAIR = 1e-12
_ALMOST_ALL = Decimal("0.999999")


@dataclass(frozen=True)
class _Tally:
    """Keys and rows that count, after what the analyzer says of nulls."""

    keys: int
    rows: int
    single_keys: int


def uniqueness(analyzer: Uniqueness, subject: Subject) -> Ask[MetricValue]:
    """Keys that occur once, per row of which some key part is not null."""
    return _of_keys(analyzer, subject, lambda tally: share_of(tally.single_keys, tally.rows))


def distinctness(analyzer: Distinctness, subject: Subject) -> Ask[MetricValue]:
    """Different keys, per row."""
    return _of_keys(analyzer, subject, lambda tally: ratio(tally.keys, tally.rows))


def unique_value_ratio(analyzer: UniqueValueRatio, subject: Subject) -> Ask[MetricValue]:
    """Keys that occur once, per different key."""
    return _of_keys(analyzer, subject, lambda tally: ratio(tally.single_keys, tally.keys))


def count_distinct(analyzer: CountDistinct, subject: Subject) -> Ask[MetricValue]:
    """Different keys."""
    return _of_keys(analyzer, subject, lambda tally: MetricValue(number=tally.keys))


def duplicate_row_count(analyzer: DuplicateRowCount, subject: Subject) -> Ask[MetricValue]:
    """Rows whose key occurs in another row too."""
    return _of_keys(
        analyzer, subject, lambda tally: MetricValue(number=tally.rows - tally.single_keys)
    )


def expects_unique(analyzer: Analyzer, assertion: Assertion) -> bool:
    """Whether an assertion holds where every key occurs once and, but for a millionth, only there."""
    if isinstance(analyzer, DuplicateRowCount):
        return assertion.holds(0) and not assertion.holds(1)
    if not isinstance(analyzer, KeyAnalyzer) or isinstance(analyzer, CountDistinct):
        return False
    return assertion.holds(1) and not assertion.holds(_ALMOST_ALL)


def _of_keys(
    analyzer: KeyAnalyzer, subject: Subject, value: Callable[[_Tally], MetricValue]
) -> Ask[MetricValue]:
    found = keys_of(analyzer.columns, subject)
    grouping = grouping_of(found, subject.where_text, subject.where)
    names = ", ".join(".".join(key.path) for key in found)

    def answer(facts: Facts) -> MetricValue:
        counts = facts.keys[grouping]
        if isinstance(analyzer, CountDistinct) and analyzer.nulls_distinct is None:
            return MetricValue(number=counts.keys - (counts.keyed_rows < counts.rows))
        if not counts.rows:
            return (
                MetricValue(number=0) if isinstance(analyzer, DuplicateRowCount) else NO_ROW_ASKED
            )
        tally = _tally(analyzer, counts)
        return value(tally) if tally.rows else no_data(f"every value of {names} is null")

    asked = Ask(grouping=grouping, risky=subject.is_risky, answer=answer)
    return content_with("distinct", asked) if isinstance(analyzer, CountDistinct) else asked


def content_with(enough: Enough, asked: Ask[T]) -> Ask[T]:
    """The same question, which less than all groups may answer."""
    scouts = asked.grouping.scouts if asked.grouping else ()
    return replace(
        asked,
        wanted=replace(asked.wanted, enough=enough),
        aggregates=(*asked.aggregates, *scouts),
    )


def keys_of(names: Sequence[str], subject: Subject) -> list[FoundColumn]:
    """The key columns, without names all of the data frame; raises MetorikkuError for what cannot be grouped by."""
    names = names or [quoted(name) for name in subject.columns.names]
    found = [subject.columns.find(name) for name in names]
    for name, key in zip(names, found, strict=True):
        if holds_map(key.type):
            raise wrong_type(name, key.type, "a column that can be compared; maps cannot")
    return found


def _tally(analyzer: KeyAnalyzer, counts: KeyCounts) -> _Tally:
    nulls = counts.rows - counts.keyed_rows
    singles = counts.single_keys or 0
    complete = counts.complete
    complete_singles = complete.single_keys or 0
    if isinstance(analyzer, Uniqueness) and analyzer.nulls == "fail":
        return _Tally(complete.keys, counts.rows, complete_singles)
    if analyzer.nulls_distinct is None:
        return _Tally(counts.keys - bool(nulls), counts.keyed_rows, singles)
    if not analyzer.nulls_distinct:
        return _Tally(counts.keys, counts.rows, singles + (nulls == 1))
    own = counts.rows - complete.rows
    return _Tally(complete.keys + own, counts.rows, complete_singles + own)


def entropy(analyzer: Entropy, subject: Subject) -> Ask[MetricValue]:
    """Entropy of the values that are not null."""
    return _of_logs((analyzer.column,), subject, lambda keys, rows: log(rows) - keys.log_sum / rows)


def mutual_information(analyzer: MutualInformation, subject: Subject) -> Ask[MetricValue]:
    """Sum over the pairs of p(a, b) * ln(p(a, b) / (p(a) * p(b))), all from the pair's groups."""

    def value(keys: CompleteKeys, rows: int) -> float:
        one, other = keys.log_sums if len(keys.log_sums) > 1 else keys.log_sums * 2
        return (keys.log_sum + keys.rows * log(rows) - one - other) / rows

    return _of_logs(analyzer.columns, subject, value)


def _of_logs(
    columns: Sequence[str], subject: Subject, value: Callable[[CompleteKeys, int], float]
) -> Ask[MetricValue]:
    grouping = grouping_of(keys_of(columns, subject), subject.where_text, subject.where)

    def answer(facts: Facts) -> MetricValue:
        counts = facts.keys[grouping]
        keys = counts.complete
        if not keys.rows:
            return no_data(f"no row in which {' and '.join(columns)} are not null")
        found = value(keys, counts.keyed_rows)
        # A difference of equal logarithms is a hair beside nothing.
        return MetricValue(number=found if abs(found) > _HAIR else 0.0)

    return Ask(grouping=grouping, wanted=Wanted(logs=True), risky=subject.is_risky, answer=answer)
