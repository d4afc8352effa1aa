"""States of parts, merged: the same metrics as of one pass over all rows."""

from __future__ import annotations

import json
import math
from decimal import Decimal
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
from airflow_metorikku.config.records.analyzers.numbers import Maximum, Mean, Minimum, Sum
from airflow_metorikku.config.records.analyzers.row_rules import ContainedIn
from airflow_metorikku.config.records.analyzers.rows import (
    Completeness,
    Compliance,
    Size,
)
from airflow_metorikku.config.records.analyzers.texts import MaxLength, MinLength, PatternMatch
from airflow_metorikku.errors import MetorikkuError, RunError
from airflow_metorikku.spark.quality.states import (
    NotMergeableError,
    States,
    load_states,
    states_of,
    union,
)

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
]
BIG = 2**63 - 1
ROWS: list[tuple[Any, ...]] = [
    (0, BIG, 1.5, Decimal("1.10"), "a", None),
    (0, BIG, None, Decimal("99999999999999999999.99"), "b", None),
    (0, 3, -2.25, None, None, None),
    (1, 4, math.inf, Decimal("-0.01"), "a", None),
    (1, None, 0.0, Decimal("5.00"), "c", None),
    (2, -7, 8.0, Decimal("5.00"), "c", None),
    (2, 4, 3.0, Decimal("0.00"), "a", None),
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
    assert of(PatternMatch(column="s", pattern="^[ab]", nulls="ignore")) == 4 / 6
    # b occurs once among a, b, a, c, c, a.
    assert of(Uniqueness(columns=("s",))) == 1 / 6
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


def test_nan_is_the_largest_of_all(spark: SparkSession) -> None:
    asked = [Minimum(column="f"), Maximum(column="f")]
    for rows in ([[math.nan], [1.0]], [[1.0], [math.nan]], [[math.nan], [math.nan]]):
        parts = [states_of(spark.createDataFrame([row], "f double"), asked) for row in rows]
        all_rows = states_of(spark.createDataFrame(rows, "f double"), asked)
        for analyzer in asked:
            assert str(union(parts).value(analyzer)) == str(all_rows.value(analyzer))


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
