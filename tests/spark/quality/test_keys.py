"""How often keys occur: against counting by hand, in the cheapest way that is a proof, and with one look at the data a key set."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from asked_checks import asked, satisfying, scan, told, values
from pyspark.sql import DataFrame, SparkSession, functions

from airflow_metorikku.config.records.analyzers import keys as analyzers
from airflow_metorikku.config.records.analyzers.distributions import Histogram
from airflow_metorikku.config.records.checks import base, distributions, keys
from airflow_metorikku.spark import cheap_keys
from airflow_metorikku.spark.cheap_keys import count_keys
from airflow_metorikku.spark.grouping import Wanted, grouping_of
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.row_rules import failing

Rows = list[tuple[Any, ...]]


def some_rows(seed: int, most: int) -> Rows:
    """Pairs with nulls and repeats; the fewer different values the more of those."""
    chance = random.Random(seed)
    return [
        tuple(None if chance.random() < 0.2 else chance.randrange(most) for _ in range(2))
        for _ in range(60)
    ]


def entropy(counts: Counter[Any]) -> float:
    whole = sum(counts.values())
    return -sum(n / whole * math.log(n / whole) for n in counts.values())


def by_hand(rows: Rows, *, nulls_distinct: bool | None) -> dict[str, float]:
    """Deequ's numbers of keys, with what is said of nulls."""
    if nulls_distinct is None:
        rows = [row for row in rows if any(part is not None for part in row)]
    named = [
        (row, number if nulls_distinct and None in row else None) for number, row in enumerate(rows)
    ]
    counts = Counter(named)
    singles = sum(n == 1 for n in counts.values())
    return {
        "Uniqueness": singles / len(rows),
        "Distinctness": len(counts) / len(rows),
        "UniqueValueRatio": singles / len(counts),
        "CountDistinct": len(counts),
        "DuplicateRowCount": len(rows) - singles,
    }


@pytest.mark.parametrize("nulls_distinct", [None, True, False])
@pytest.mark.parametrize("most", [3, 50])
def test_numbers_are_those_of_counting_by_hand(
    spark: SparkSession, most: int, *, nulls_distinct: bool | None
) -> None:
    rows = some_rows(most, most)
    frame = spark.createDataFrame(rows, "a int, b int")
    expected = by_hand(rows, nulls_distinct=nulls_distinct)
    wanted = [
        getattr(analyzers, name)(columns=("a", "b"), nulls_distinct=nulls_distinct)
        for name in expected
    ]
    got = values(frame, wanted)
    assert [one.number for one in got] == pytest.approx(list(expected.values()))


def test_entropy_and_histogram_are_those_of_counting_by_hand(spark: SparkSession) -> None:
    rows = some_rows(1, 4)
    frame = spark.createDataFrame(rows, "a int, b int")
    of_a, mutual, histogram = values(
        frame,
        [
            analyzers.Entropy(column="a"),
            analyzers.MutualInformation(
                columns=("a", "b"), where_="a is not null and b is not null"
            ),
            Histogram(column="a"),
        ],
    )
    counts = Counter(a for a, _ in rows)
    known = Counter({a: n for a, n in counts.items() if a is not None})
    both = [row for row in rows if None not in row]
    expected = (
        entropy(Counter(a for a, _ in both))
        + entropy(Counter(b for _, b in both))
        - entropy(Counter(both))
    )
    assert of_a.number == pytest.approx(entropy(known))
    assert mutual.number == pytest.approx(expected)
    names = {"NullValue" if a is None else str(a): n for a, n in counts.items()}
    found = histogram.distribution
    assert {name: count for name, (count, _) in found.values.items()} == names


@pytest.fixture
def counted(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> Callable[[DataFrame, str], tuple[Any, list[str]]]:
    """The counts of a column that is hoped to be unique, and how they were found."""
    ways: list[str] = []
    for name in ("_in_bitmaps", "_by_hash", "group_keys"):
        real = getattr(cheap_keys, name)

        def noted(*given: Any, real: Any = real, name: str = name) -> Any:
            ways.append(name)
            return real(*given)

        monkeypatch.setattr(cheap_keys, name, noted)

    def count(frame: DataFrame, *columns: str) -> tuple[Any, list[str]]:
        ways.clear()
        named = Columns(frame, "t")
        grouping = grouping_of([named.find(column) for column in columns])
        scouts = {one.key: frame.agg(one.column).collect()[0][0] for one in grouping.scouts}
        return count_keys(frame, grouping, Wanted(enough="unique"), scouts), list(ways)

    return count


def test_dense_whole_numbers_are_counted_in_bitmaps(spark: SparkSession, counted: Any) -> None:
    frame = spark.range(-40_000, 40_000, numPartitions=2).select(
        "id",
        functions.when(functions.col("id") % 2 == 0, functions.col("id")).alias("half"),
        (functions.col("id") % 39_999).alias("twice"),
    )
    unique, ways = counted(frame, "id")
    assert (unique.single_keys, unique.keys, ways) == (80_000, 80_000, ["_in_bitmaps"])
    half, ways = counted(frame, "half")
    assert (half.single_keys, half.keys, half.rows, ways) == (
        40_000,
        40_001,
        80_000,
        ["_in_bitmaps"],
    )
    twice, ways = counted(frame, "twice")
    assert ways == ["_in_bitmaps", "group_keys"]
    assert twice.single_keys < twice.keys == 2 * 39_998 + 1


def test_few_whole_numbers_are_grouped(spark: SparkSession, counted: Any) -> None:
    frame = spark.range(100_000, numPartitions=2).select(
        (functions.col("id") % 65_536).alias("few")
    )
    few, ways = counted(frame, "few")
    assert (few.keys, few.single_keys, ways) == (
        65_536,
        65_536 - 34_464,
        ["_by_hash", "group_keys"],
    )


def test_one_duplicate_among_dense_numbers_is_never_missed(
    spark: SparkSession, counted: Any
) -> None:
    for twice in (-32_769, -32_768, -1, 0, 1, 32_767, 32_768, 39_999):
        frame = spark.range(-40_000, 40_000, numPartitions=2).union(spark.range(twice, twice + 1))
        found, ways = counted(frame, "id")
        assert (found.single_keys, found.keyed_rows, ways) == (
            79_999,
            80_001,
            ["_in_bitmaps", "group_keys"],
        )


def test_numbers_far_apart_and_texts_are_proven_by_hash(spark: SparkSession, counted: Any) -> None:
    frame = spark.range(1000).select(
        (functions.col("id") * 10**15).alias("far"),
        functions.concat(functions.lit("k"), "id").alias("text"),
        functions.when(functions.col("id") > 0, functions.lit(1)).alias("one"),
        functions.when(functions.col("id") == 0, functions.lit(1)).alias("other"),
        functions.lit("same").alias("same"),
        functions.array("id").alias("listed"),
    )
    for column in ("far", "text"):
        found, ways = counted(frame, column)
        assert (found.single_keys, ways) == (1000, ["_by_hash"])
    # (1, null) and (null, 1) are different keys, though their values hash alike.
    pair, ways = counted(frame.where("id < 2"), "one", "other")
    assert (pair.single_keys, ways) == (2, ["_by_hash"])
    same, ways = counted(frame, "same")
    assert (same.single_keys, same.keys, ways) == (0, 1, ["_by_hash", "group_keys"])
    # Whether equal arrays hash alike is not known of every element.
    listed, ways = counted(frame, "listed")
    assert (listed.single_keys, ways) == (1000, ["group_keys"])


@pytest.mark.parametrize("kind", ["float", "double"])
def test_zeros_and_nans_are_equal_under_a_hash_too(
    spark: SparkSession, counted: Any, kind: str
) -> None:
    zeros = spark.sql(f"SELECT CAST(v AS {kind}) AS v FROM VALUES (0.0D), (-0.0D), (1D) AS t(v)")
    nans = spark.sql(f"SELECT CAST(v AS {kind}) AS v FROM VALUES ('NaN'), ('NaN'), ('1') AS t(v)")
    for frame in (zeros, nans):
        found, _ = counted(frame, "v")
        assert (found.single_keys, found.keys) == (1, 2)


def looks_at(spark: SparkSession, *checks: base.Check) -> float:
    """How often the data frame is computed for some checks."""
    rows = spark.sparkContext.accumulator(0)

    def row(number: int) -> tuple[int, str, int]:
        rows.add(1)
        return number % 7, f"s{number % 3}", number

    frame = spark.createDataFrame(
        spark.sparkContext.parallelize(range(50), 2).map(row), "a int, b string, c int"
    )
    rows.value = 0
    results = scan(frame, *checks)
    assert {result.status for result in results.values()} <= {"passed", "failed"}
    return float(rows.value) / 50


ANY = satisfying(">= 0")


def test_one_look_at_the_data_for_each_key_set(spark: SparkSession) -> None:
    of_b = (
        keys.IsUnique(column="b"),
        keys.HasUniqueness(columns=("b",), assertion=ANY),
        keys.HasDistinctness(columns=("b",), assertion=ANY),
        keys.HasUniqueValueRatio(columns=("b",), assertion=ANY),
        keys.HasDuplicateRowCount(columns=("b",), assertion=ANY),
        keys.HasEntropy(column="b", assertion=ANY),
        distributions.HasNumberOfDistinctValues(column="b", assertion=ANY),
        distributions.HasHistogramValues(column="b", value="s1", assertion=ANY),
    )
    of_a_and_b = (
        keys.HasMutualInformation(column_a="a", column_b="b", assertion=ANY),
        keys.AreUnique(columns=("b", "a")),
        keys.HasDistinctness(columns=("a", "b"), assertion=ANY),
    )
    assert looks_at(spark, *of_b) == 1
    assert looks_at(spark, *of_a_and_b) == 1
    assert looks_at(spark, *of_b, *of_a_and_b) == 2
    filtered = keys.HasEntropy(column="b", assertion=ANY, where_="a > 2", id="filtered")
    # A condition is a set of its own, and says nothing of how many rows there are in all.
    assert looks_at(spark, *of_b, filtered) == 2


def test_a_proof_is_one_look_and_what_is_no_proof_is_two(spark: SparkSession) -> None:
    assert looks_at(spark, keys.AreUnique(columns=("a", "c"))) == 1
    assert looks_at(spark, keys.AreUnique(columns=("a", "b"))) == 2


def test_nulls_in_keys(spark: SparkSession) -> None:
    frame = spark.sql(
        "SELECT * FROM VALUES (1, 'x'), (2, NULL), (2, NULL), (NULL, NULL), (NULL, NULL), (3, 'y') AS v(a, b)"
    )
    got = told(
        frame,
        keys.AreUnique(columns=("a", "b"), id="Deequ"),
        keys.AreUnique(columns=("a", "b"), nulls_distinct=True, id="distinct"),
        keys.AreUnique(columns=("a", "b"), nulls_distinct=False, id="not distinct"),
        keys.IsPrimaryKey(column="a", more=("b",)),
        keys.IsPrimaryKey(column="a", more=("b",), nulls="fail", id="no nulls"),
        keys.IsUnique(column="b"),
        keys.IsUnique(column="b", nulls_distinct=False, id="null twice"),
        keys.IsPrimaryKey(column="b", nulls="fail", id="b"),
    )
    assert got == pytest.approx([2 / 4, 1, 2 / 6, 2 / 4, 2 / 6, 1, 2 / 6, 2 / 6])


def test_duplicate_rows_of_the_whole_row(spark: SparkSession) -> None:
    frame = spark.sql("SELECT * FROM VALUES (1, 'x'), (1, 'x'), (1, 'y') AS v(`a.b`, `odd ``name`)")
    assert told(frame, keys.HasDuplicateRowCount()) == [2]
    nothing = keys.HasDuplicateRowCount(columns=("`a.b`",), where_="false", id="no rows")
    assert told(frame, nothing) == [0]


@pytest.mark.parametrize(
    ("check", "rows"),
    [
        (keys.AreUnique(columns=("a", "b")), [2, 3]),
        (keys.AreUnique(columns=("a", "b"), nulls_distinct=True), []),
        (keys.AreUnique(columns=("a", "b"), nulls_distinct=False), [2, 3, 4, 5]),
        (keys.IsPrimaryKey(column="a", more=("b",), nulls="fail"), [2, 3, 4, 5]),
        (keys.HasUniqueValueRatio(column="a"), [2, 3]),
        (keys.HasDuplicateRowCount(columns=("b",)), [1, 6]),
        (keys.HasDuplicateRowCount(), []),
    ],
)
def test_rows_that_fail(spark: SparkSession, check: base.Check, rows: list[int]) -> None:
    frame = spark.sql(
        "SELECT * FROM VALUES (1, 1, 'x'), (2, 2, NULL), (3, 2, NULL), (4, NULL, NULL), (5, NULL, NULL), (6, 3, 'x')"
        " AS v(n, a, b)"
    )
    failed = failing(asked(check)[0], frame)
    assert failed is not None
    found = frame.select("n", failed.alias("failed")).where("failed").collect()
    assert sorted(row["n"] for row in found) == rows


@pytest.mark.parametrize("more", [(), ("b",)])
def test_a_null_in_a_primary_key_fails_where_every_key_occurs_once(
    spark: SparkSession, more: tuple[str, ...]
) -> None:
    """In the hashes that prove keys unique too, which do not tell a null from none."""
    frame = spark.sql("SELECT * FROM VALUES ('x', 1D), (NULL, 2D), ('y', NULL) AS v(a, b)")
    check = keys.IsPrimaryKey(column="a", more=more, nulls="fail")
    assert told(frame, check) == [(1 if more else 2) / 3]


@pytest.mark.parametrize(("nulls_distinct", "number"), [(None, 1000), (False, 1001), (True, 1010)])
def test_distinct_keys_in_bitmaps_with_nulls(
    spark: SparkSession, number: int, *, nulls_distinct: bool | None
) -> None:
    frame = spark.sql(
        "SELECT id % 1000 AS a FROM range(100000) UNION ALL SELECT NULL FROM range(10)"
    )
    wanted = analyzers.CountDistinct(columns=("a",), nulls_distinct=nulls_distinct)
    (got,) = values(frame, [wanted])
    assert not isinstance(got, str)
    assert got.number == number
