"""States of parts, merged: the same metrics as of one pass over all rows."""

from __future__ import annotations

import itertools
import json
import math
import random
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from airflow_metorikku.config.records.analyzers.base import Analyzer
from airflow_metorikku.config.records.analyzers.distributions import Histogram
from airflow_metorikku.config.records.analyzers.keys import (
    CountDistinct,
    Distinctness,
    DuplicateRowCount,
    Entropy,
    MutualInformation,
    Uniqueness,
    UniqueValueRatio,
)
from airflow_metorikku.config.records.analyzers.numbers import (
    Correlation,
    Kurtosis,
    Maximum,
    Mean,
    Minimum,
    Range,
    RatioOfSums,
    Skewness,
    StandardDeviation,
    Sum,
    Variance,
    ZerosCount,
)
from airflow_metorikku.config.records.analyzers.row_rules import ContainedIn
from airflow_metorikku.config.records.analyzers.rows import (
    Completeness,
    Compliance,
    Size,
)
from airflow_metorikku.config.records.analyzers.texts import (
    DataType,
    MaxLength,
    MinLength,
    PatternMatch,
)
from airflow_metorikku.errors import MetorikkuError, RunError
from airflow_metorikku.results.distributions import DataTypes
from airflow_metorikku.spark.aggregates import ROWS as ALL_ROWS
from airflow_metorikku.spark.aggregates import count_rows
from airflow_metorikku.spark.asks import Facts
from airflow_metorikku.spark.quality.columns import Columns
from airflow_metorikku.spark.quality.evaluate import answer_of, ask_analyzer
from airflow_metorikku.spark.quality.states import (
    NotMergeableError,
    States,
    load_states,
    states_of,
    union,
)
from airflow_metorikku.spark.scanning import compute

ASKED: list[Analyzer] = [
    Size(),
    Size(where_="part = 1"),
    Completeness(column="f"),
    Completeness(column="f", where_="part < 2"),
    Compliance(predicate="i > 3"),
    Compliance(predicate="nothing > 3"),
    Compliance(predicate="i > 3", nulls="ignore"),
    Compliance(predicate="i > 3", nulls="pass"),
    MinLength(column="s"),
    MaxLength(column="s", null_behavior="EmptyString"),
    PatternMatch(column="s", pattern="^[ab]"),
    PatternMatch(column="s", pattern="^[ab]", nulls="ignore"),
    *(
        kind(column=column)
        for kind in (Sum, Mean, Minimum, Maximum)
        for column in ("i", "f", "d", "nothing")
    ),
    Uniqueness(columns=("s",)),
    Uniqueness(columns=("s", "i")),
    Uniqueness(columns=("i", "s"), where_="part <> 1"),
    Distinctness(columns=("s",)),
    UniqueValueRatio(columns=("s", "i")),
    CountDistinct(columns=("i",)),
    DuplicateRowCount(columns=("s", "d")),
    Entropy(column="s"),
    MutualInformation(columns=("s", "i")),
    Histogram(column="s", max_bins=2),
    *(
        kind(column="s", null_behavior=nulls)
        for kind in (MinLength, MaxLength)
        for nulls in ("Ignore", "EmptyString", "Fail")
    ),
    MaxLength(column="s", where_="part = 1"),
    *(DataType(column=column) for column in ("s", "i", "f", "d", "nothing")),
    DataType(column="s", where_="part <> 1"),
    *(Range(column=column) for column in ("i", "d", "nothing")),
    ZerosCount(column="f"),
    RatioOfSums(numerator="i", denominator="d"),
]
BIG = 2**63 - 1
ROWS: list[tuple[Any, ...]] = [
    (0, BIG, 1.5, Decimal("1.10"), "a", None),
    (0, BIG, None, Decimal("99999999999999999999.99"), "b", None),
    (0, 3, -2.25, None, None, None),
    (1, 4, math.inf, Decimal("-0.01"), "a", None),
    (1, None, 0.0, Decimal("5.00"), "c", None),
    (2, -7, 8.0, Decimal("5.00"), "c", None),
    (2, 4, 3.0, Decimal("0.00"), "-12", None),
    (2, None, 3.0, Decimal("0.00"), None, None),
]
TYPES = "part int, i bigint, f double, d decimal(22, 2), s string, nothing int"


@pytest.fixture(scope="module")
def whole(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame(ROWS, TYPES)


@pytest.fixture(scope="module")
def parts(whole: DataFrame) -> list[States]:
    # The last has no rows.
    return [states_of(whole.where(f"part = {number}"), ASKED) for number in range(4)]


def test_merged_states_give_the_values_of_all_rows(whole: DataFrame, parts: list[States]) -> None:
    merged, at_once = union(parts), states_of(whole, ASKED)
    different = [one for one in ASKED if merged.value(one) != at_once.value(one)]
    assert different == []


def test_values_by_arithmetic(parts: list[States]) -> None:
    merged = union(reversed(parts))

    def of(analyzer: Analyzer) -> Any:
        return merged.value(analyzer).number

    assert of(Size()) == 8
    assert of(Size(where_="part = 1")) == 2
    assert of(Completeness(column="f")) == 7 / 8
    assert of(Sum(column="i")) == 2 * BIG + 4
    assert of(Sum(column="d")) == Decimal("100000000000000000011.08")
    assert of(Mean(column="i")) == Decimal(2 * BIG + 4) / 6
    assert of(Minimum(column="f")) == -2.25
    assert of(Maximum(column="f")) == math.inf
    assert of(PatternMatch(column="s", pattern="^[ab]", nulls="ignore")) == 3 / 6
    # b and -12 occur once among a, b, a, c, c, -12.
    assert of(Uniqueness(columns=("s",))) == 2 / 6
    assert of(MinLength(column="s")) == 1
    assert of(MinLength(column="s", null_behavior="EmptyString")) == 0
    assert of(MaxLength(column="s")) == 3
    assert of(MaxLength(column="s", where_="part = 1")) == 1
    types = merged.value(DataType(column="s")).distribution
    assert isinstance(types, DataTypes)
    assert {name: count for name, (count, _) in types.values.items() if count} == {
        "String": 5,
        "Integral": 1,
        "Unknown": 2,
    }
    assert merged.value(Sum(column="nothing")).none == "no data"
    assert merged.value(Compliance(predicate="nothing > 3")).none == "no data"


def test_states_are_saved_and_loaded(
    spark: SparkSession, parts: list[States], tmp_path: Path
) -> None:
    for number, part in enumerate(parts):
        part.save(spark, f"{tmp_path}/states {number}")
    loaded = union(load_states(spark, f"file:{tmp_path}/states {number}") for number in range(4))
    merged = union(parts)
    for analyzer in ASKED:
        assert loaded.value(analyzer) == merged.value(analyzer)
    with pytest.raises(RunError, match="something is there already"):
        parts[0].save(spark, f"{tmp_path}/states 0")
    (tmp_path / "states 0/states.json").unlink()
    with pytest.raises(RunError, match="there are no states"):
        load_states(spark, f"{tmp_path}/states 0")


def test_states_of_a_later_version_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "states.json").write_text(json.dumps({"format": 2}))
    with pytest.raises(RunError, match="got states of format 2, expected 1"):
        load_states(spark, str(tmp_path))


def test_states_that_were_computed_otherwise_are_refused(
    spark: SparkSession, tmp_path: Path
) -> None:
    frame = spark.sql("SELECT CAST(1.25 AS DECIMAL(5, 2)) AS price")
    states_of(frame, [Sum(column="price")]).save(spark, f"{tmp_path}/states")
    file = tmp_path / "states/states.json"
    said = json.loads(file.read_text())
    # As before sums of decimals were in slices.
    whole = ['["sum", false, null, ["price"]]', {"decimal": "1.25"}]
    file.write_text(json.dumps({**said, "values": [said["values"][0], whole]}))
    with pytest.raises(RunError, match="another version wrote the states"):
        load_states(spark, f"{tmp_path}/states")


@pytest.mark.parametrize("text", ['{"format": 1, "schema"', "[]", '{"format": 1}'])
def test_states_that_are_cut_are_refused(spark: SparkSession, tmp_path: Path, text: str) -> None:
    (tmp_path / "states.json").write_text(text)
    with pytest.raises(RunError, match=r"states\.json is not as it was written"):
        load_states(spark, str(tmp_path))


def test_nan_is_the_largest_of_all(spark: SparkSession) -> None:
    asked = [Minimum(column="f"), Maximum(column="f")]
    for rows in ([[math.nan], [1.0]], [[1.0], [math.nan]], [[math.nan], [math.nan]]):
        parts = [states_of(spark.createDataFrame([row], "f double"), asked) for row in rows]
        all_rows = states_of(spark.createDataFrame(rows, "f double"), asked)
        for analyzer in asked:
            assert str(union(parts).value(analyzer)) == str(all_rows.value(analyzer))


def test_timestamps_without_a_zone_are_merged_as_moments(spark: SparkSession) -> None:
    asked = [Minimum(column="t"), Maximum(column="t")]
    # By hand: the second is the least, the third the greatest; as texts + comes before 2.
    texts = ["2024-01-31 10:00:00.5", "2024-01-31 10:00:00", "+12024-01-31 00:00:00"]

    def state(*given: str) -> States:
        rows = spark.createDataFrame([[one] for one in given], "t string")
        return states_of(rows.selectExpr("CAST(t AS timestamp_ntz) AS t"), asked)

    for order in itertools.permutations(texts):
        least, most = (union(map(state, order)).value(one) for one in asked)
        assert str(least.number) == "2024-01-31T10:00:00"
        assert str(most.number) == "+12024-01-31T00:00:00"


def test_what_does_not_belong_together_is_refused(spark: SparkSession, parts: list[States]) -> None:
    frame = spark.createDataFrame([(1,)], "i int")
    one = states_of(frame, [Size()])
    with pytest.raises(NotMergeableError, match="other columns"):
        one.merged(parts[0])
    with pytest.raises(NotMergeableError, match="other analyzers"):
        one.merged(states_of(frame, [Sum(column="i")]))
    with pytest.raises(NotMergeableError, match="no state of"):
        one.value(Sum(column="i"))
    with pytest.raises(NotMergeableError, match="ContainedIn has no state"):
        states_of(frame, [ContainedIn(column="i", allowed_values=("1",))])
    with pytest.raises(MetorikkuError, match="nosuch"):
        states_of(frame, [Sum(column="nosuch")])


SPREADS = (Variance, StandardDeviation, Skewness, Kurtosis)
SPREAD: list[Analyzer] = [
    *(
        kind(column=column)
        for kind in SPREADS
        for column in ("x", "y", "i", "d", "same", "far", "nothing")
    ),
    *(kind(column="nan", nan="ignore") for kind in SPREADS),
    *(kind(column="y", where_="x > 0") for kind in SPREADS),
    *(
        Correlation(column_a=one, column_b=other)
        for one, other in (("x", "y"), ("i", "d"), ("far", "x"), ("x", "same"), ("x", "nothing"))
    ),
    Correlation(column_a="nan", column_b="y", nan="ignore"),
    Correlation(column_a="y", column_b="x", where_="i > 0"),
]
SPREAD_TYPES = (
    "part int, x double, y double, i bigint, d decimal(12, 3), same float, far double, "
    "nan double, nothing int"
)
EMPTY, ALL_NULL, ONE_ROW, PARTS = 3, 4, 5, 7


def _spread_rows() -> list[tuple[Any, ...]]:
    chance = random.Random(7)

    def maybe(value: Any) -> Any:
        return None if chance.random() < 0.2 else value

    def row(part: int) -> tuple[Any, ...]:
        x = chance.gauss(part, 1 + part)
        return (
            part,
            maybe(x),
            maybe(2 * x + chance.expovariate(0.5)),
            maybe(chance.randint(-1000, 10**6)),
            maybe(Decimal(chance.randint(-(10**9), 10**9)).scaleb(-3)),
            maybe(0.1),
            maybe(1e9 + chance.expovariate(1)),
            maybe(chance.choice((math.nan, x * x))),
            None,
        )

    rows = [row(part) for part in (0, 0, 1, 2, 2, 2, 6) for _ in range(40)]
    rows += [(ALL_NULL, *[None] * 8)] * 5
    return [*rows, (ONE_ROW, 2.5, -1.5, 7, Decimal("1.125"), 0.1, 1e9 + 3, 4.5, None)]


@pytest.fixture(scope="module")
def spread(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame(_spread_rows(), SPREAD_TYPES).coalesce(2)


@pytest.fixture(scope="module")
def spread_parts(spread: DataFrame) -> list[States]:
    return [states_of(spread.where(f"part = {number}"), SPREAD) for number in range(PARTS)]


def _close(one: States, values: dict[Analyzer, Any], relative: float) -> list[str]:
    """What differs, among values or reasons for having none; skewness may be as near to 0 as it likes."""
    different = []
    for analyzer, expected in values.items():
        got = one.value(analyzer)
        if (
            got.none != expected.none
            or got.why != expected.why
            or (
                got.number is not None
                and got.number
                != pytest.approx(expected.number, rel=relative, abs=1e-12, nan_ok=True)
            )
        ):
            different.append(f"{analyzer}: {got}, expected {expected}")
    return different


def _by_spark(frame: DataFrame, analyzers: list[Analyzer]) -> dict[Analyzer, Any]:
    """Of all rows, by Spark's own aggregates, as an audit has them."""
    asks = {one: ask_analyzer(one, frame, Columns(frame, "all")) for one in analyzers}
    values = compute(
        frame, [count_rows(), *(one for ask in asks.values() for one in ask.aggregates)]
    )
    facts = Facts(values=values, rows=values[ALL_ROWS])
    return {analyzer: answer_of(analyzer, asked, facts) for analyzer, asked in asks.items()}


def test_merged_moments_give_the_values_of_all_rows(
    spread: DataFrame, spread_parts: list[States]
) -> None:
    at_once = states_of(spread, SPREAD)
    everything = {analyzer: at_once.value(analyzer) for analyzer in SPREAD}
    for order in (spread_parts, spread_parts[::-1], spread_parts[3:] + spread_parts[:3]):
        assert _close(union(order), everything, 1e-9) == []


def test_merged_moments_are_those_of_spark(spread: DataFrame, spread_parts: list[States]) -> None:
    # Spark's own moments of `far` hold no more than six or seven digits.
    near = [one for one in SPREAD if "far" not in one.columns_analyzed()]
    assert len(near) < len(SPREAD)
    assert _close(union(spread_parts), _by_spark(spread, near), 1e-9) == []


def _exact(numbers: list[float]) -> tuple[float, float, float]:
    """Variance, skewness and kurtosis, of fractions."""
    all_of_them = [Fraction(number) for number in numbers]
    count = len(all_of_them)
    mean = sum(all_of_them) / count
    second, third, fourth = (
        sum((number - mean) ** power for number in all_of_them) / count for power in (2, 3, 4)
    )
    skewness = float(third) / float(second) ** 1.5
    return float(second), skewness, float(fourth / second**2 - 3)


def test_moments_far_from_zero_keep_their_digits(spread_parts: list[States]) -> None:
    rows = _spread_rows()
    variance, skewness, kurtosis = _exact([row[6] for row in rows if row[6] is not None])
    pairs = [(Fraction(row[6]), Fraction(row[1])) for row in rows if None not in (row[1], row[6])]
    far, near = (sum(pair[side] for pair in pairs) / len(pairs) for side in (0, 1))
    product, square, other_square = (
        float(sum((pair[one] - means[0]) * (pair[other] - means[1]) for pair in pairs))
        for one, other, means in ((0, 1, (far, near)), (0, 0, (far, far)), (1, 1, (near, near)))
    )
    merged = union(spread_parts)

    def of(analyzer: Analyzer) -> Any:
        return merged.value(analyzer).number

    assert of(Variance(column="far")) == pytest.approx(variance, rel=1e-9)
    assert of(StandardDeviation(column="far")) == pytest.approx(math.sqrt(variance), rel=1e-9)
    assert of(Skewness(column="far")) == pytest.approx(skewness, rel=1e-9)
    assert of(Kurtosis(column="far")) == pytest.approx(kurtosis, rel=1e-9)
    assert of(Correlation(column_a="far", column_b="x")) == pytest.approx(
        product / math.sqrt(square * other_square), rel=1e-9
    )


def test_moments_of_what_is_all_the_same_or_missing(spread_parts: list[States]) -> None:
    merged = union(spread_parts)
    for kind in SPREADS:
        assert merged.value(kind(column="same")).number == 0
        assert merged.value(kind(column="nothing")).none == "no data"
        assert spread_parts[ONE_ROW].value(kind(column="x")).number == 0
        assert spread_parts[EMPTY].value(kind(column="x")).why == "the data frame has no rows"
        assert spread_parts[ALL_NULL].value(kind(column="x")).none == "no data"
    with_constant = Correlation(column_a="x", column_b="same")
    assert math.isnan(merged.value(with_constant).number)


def test_moments_are_saved_and_loaded(
    spark: SparkSession, spread_parts: list[States], tmp_path: Path
) -> None:
    for number, part in enumerate(spread_parts):
        part.save(spark, f"{tmp_path}/{number}")
    loaded = union(load_states(spark, f"{tmp_path}/{number}") for number in range(PARTS))
    merged = union(spread_parts)
    for analyzer in SPREAD:
        assert str(loaded.value(analyzer)) == str(merged.value(analyzer))


def test_moments_of_infinity_and_nan_are_nan(spark: SparkSession) -> None:
    asked: list[Analyzer] = [kind(column="f") for kind in SPREADS]
    for odd in (math.inf, -math.inf, math.nan):
        rows = [[1.0], [odd], [2.0]]
        parts = [states_of(spark.createDataFrame([row], "f double"), asked) for row in rows]
        at_once = _by_spark(spark.createDataFrame(rows, "f double"), asked)
        assert all(math.isnan(value.number) for value in at_once.values())
        assert _close(union(parts), at_once, 1e-9) == []
