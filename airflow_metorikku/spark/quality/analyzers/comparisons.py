"""A data frame against another: both are tagged and grouped by key together, so that one shuffle tells all."""

from __future__ import annotations

from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from airflow_metorikku.errors import MetorikkuError
from airflow_metorikku.spark.asks import Ask, Query
from airflow_metorikku.spark.names import frame_named, quoted
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.subject import NO_ROW_ASKED, Subject
from airflow_metorikku.spark.quality.values import MetricValue, no_data, ratio, share_of_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyspark.sql import Column, DataFrame

    from airflow_metorikku.config.records.analyzers.comparisons import (
        DatasetMatch,
        ReferentialIntegrity,
        RowCountMatch,
        SchemaMatch,
    )


class NotComparableError(MetorikkuError):
    """Two data frames of which nothing can be said together."""


def dataset_match(analyzer: DatasetMatch, subject: Subject) -> Ask[MetricValue]:
    """Rows with an equal row in the other data frame, per row."""

    def run(frame: DataFrame) -> MetricValue:
        other = frame_named(frame.sparkSession, analyzer.other)
        here, there = subject.columns, Columns(other, analyzer.other)
        match = analyzer.match
        if match is None:
            match = _other_columns(analyzer, here, there)
        pairs = [*analyzer.keys.items(), *match.items()]
        names = [f"c{number}" for number in range(len(pairs))]
        keys, compared = names[: len(analyzer.keys)], names[len(analyzer.keys) :]
        both = _tagged(
            _kept(frame, subject), [here.find(name).column for name, _ in pairs],
            other, [there.find(name).column for _, name in pairs],
        )  # fmt: skip
        found = _matched(both, keys, compared, nulls_equal=not analyzer.nulls_distinct)
        return _dataset_value(found, analyzer)

    key = "dataset match", subject.where_text, analyzer.other, _items(analyzer.keys), _items(analyzer.match), analyzer.nulls_distinct  # fmt: skip
    return _query(key, run, subject)


def _other_columns(analyzer: DatasetMatch, here: Columns, there: Columns) -> dict[str, str]:
    """All columns that are no keys, which both must have."""
    mine, theirs = (
        {name for name in columns.names if not any(columns.same(name, key) for key in keys)}
        for columns, keys in ((here, analyzer.keys), (there, analyzer.keys.values()))
    )
    if mine != theirs:
        raise NotComparableError(
            f"the columns beside the keys are not the same: {_listed(mine)} and in {analyzer.other} {_listed(theirs)}; "
            "say in match which to compare"
        )
    return {quoted(name): quoted(name) for name in here.names if name in mine}


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _tagged(
    frame: DataFrame, columns: Sequence[Column], other: DataFrame, others: Sequence[Column]
) -> DataFrame:
    """The rows of both with columns c0, c1, ...; `mine` tells whose a row is."""
    here, there = (
        rows.select(
            F.lit(mine).alias("mine"),
            *(column.alias(f"c{number}") for number, column in enumerate(wanted)),
        )
        for rows, wanted, mine in ((frame, columns, True), (other, others, False))
    )
    return here.union(there)


def _matched(
    both: DataFrame, keys: Sequence[str], compared: Sequence[str], *, nulls_equal: bool
) -> Mapping[str, int]:
    """Rows of each, rows that match, and keys that stand more than once in either."""
    mine = F.col("mine")
    counts = {"here": F.count(F.when(mine, 1)), "there": F.count(F.when(~mine, 1))}
    firsts = [
        F.first(F.when(side, F.col(name)), ignorenulls=True).alias(f"{whose}_{name}")
        for name in compared
        for whose, side in (("here", mine), ("there", ~mine))
    ]
    groups = both.groupBy(*keys).agg(
        *(count.alias(name) for name, count in counts.items()), *firsts
    )
    pairs = ((F.col(f"here_{name}"), F.col(f"there_{name}")) for name in compared)
    same = [one.eqNullSafe(other) if nulls_equal else one == other for one, other in pairs]
    known = [] if nulls_equal else [F.col(name).isNotNull() for name in keys]
    here, there = F.col("here"), F.col("there")
    matches = reduce(and_, [*known, *same, (here == 1) & (there == 1)])
    row = groups.agg(
        F.sum("here").alias("here"),
        F.sum("there").alias("there"),
        F.count(F.when(matches, 1)).alias("matching"),
        F.count(F.when(here > 1, 1)).alias("twice_here"),
        F.count(F.when(there > 1, 1)).alias("twice_there"),
    ).collect()[0]
    return {name: value or 0 for name, value in row.asDict().items()}


def _dataset_value(found: Mapping[str, int], analyzer: DatasetMatch) -> MetricValue:
    for whose, names in (("here", analyzer.keys), ("there", analyzer.keys.values())):
        if count := found[f"twice_{whose}"]:
            where = f" in {analyzer.other}" if whose == "there" else ""
            raise NotComparableError(
                f"{count} {'key stands' if count == 1 else 'keys stand'} more than once{where}: "
                f"{', '.join(names)} must be unique in both data frames"
            )
    if found["here"] != found["there"]:
        raise NotComparableError(
            f"{found['here']} rows, and {found['there']} in {analyzer.other}: the numbers of rows must be the same"
        )
    return ratio(found["matching"], found["here"]) if found["here"] else NO_ROW_ASKED


def referential_integrity(analyzer: ReferentialIntegrity, subject: Subject) -> Ask[MetricValue]:
    """Share of rows whose key is in the other data frame."""

    def run(frame: DataFrame) -> MetricValue:
        other = frame_named(frame.sparkSession, analyzer.other)
        there = Columns(other, analyzer.other)
        mine = [subject.columns.find(name).column for name in analyzer.columns]
        names = analyzer.other_columns or analyzer.columns
        theirs = [there.find(name).column for name in names]
        rows = _kept(frame, subject)
        if analyzer.nulls == "ignore":
            rows = rows.where(~reduce(or_, (column.isNull() for column in mine)))
        both = _tagged(rows, mine, other, theirs)
        keys = [f"c{number}" for number in range(len(mine))]
        groups = both.groupBy(*keys).agg(
            F.count(F.when(F.col("mine"), 1)).alias("here"),
            F.count(F.when(~F.col("mine"), 1)).alias("there"),
        )
        whole, found = groups.agg(
            F.sum("here"), F.sum(F.when(F.col("there") > 0, F.col("here")))
        ).collect()[0]
        if not whole:
            return (
                no_data(f"every row has a null in {', '.join(analyzer.columns)}")
                if analyzer.nulls == "ignore" and subject.where is None
                else NO_ROW_ASKED
            )
        return ratio(found or 0, whole)

    key = "reference", subject.where_text, analyzer.columns, analyzer.other, analyzer.other_columns, analyzer.nulls  # fmt: skip
    return _query(key, run, subject)


def row_count_match(analyzer: RowCountMatch, subject: Subject) -> Ask[MetricValue]:
    """Rows per row of the other data frame."""
    rows = subject.rows
    query = Query(
        key=("rows of", analyzer.other),
        run=lambda frame: frame_named(frame.sparkSession, analyzer.other).count(),
    )

    def answer(facts: Any) -> MetricValue:
        there = facts.queries[query.key]
        if not there:
            return no_data(f"data frame {analyzer.other} has no rows")
        return ratio(facts.values[rows.key], there)

    return Ask(query=query, aggregates=(rows,), risky=subject.is_risky, answer=answer)


def schema_match(analyzer: SchemaMatch, subject: Subject) -> Ask[MetricValue]:
    """Share of columns with the same name and type in both; no row of either is read."""
    other = frame_named(subject.frame.sparkSession, analyzer.other)
    mine, theirs = (
        {
            field.name
            if subject.columns.exact
            else field.name.lower(): field.dataType.simpleString()
            for field in frame.schema
        }
        for frame in (subject.frame, other)
    )
    same = sum(theirs.get(name) == kind for name, kind in mine.items())
    value = share_of_columns(same, len(mine), len(theirs))
    return Ask(answer=lambda _: value)


def _kept(frame: DataFrame, subject: Subject) -> DataFrame:
    return frame if subject.where is None else frame.where(subject.where)


def _items(given: Mapping[str, str] | None) -> tuple[tuple[str, str], ...] | None:
    return None if given is None else tuple(sorted(given.items()))


def _query(
    key: tuple[Any, ...], run: Callable[[DataFrame], MetricValue], subject: Subject
) -> Ask[MetricValue]:
    query = Query(key=key, run=run)
    return Ask(query=query, risky=subject.is_risky, answer=lambda facts: facts.queries[query.key])
