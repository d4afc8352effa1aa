"""States of variances, skewness, kurtosis and covariances: counts, means and central moments, which merge pairwise.

Chan, Golub and LeVeque 1983, and Pebay 2008 for the third and fourth. Sums of powers would lose all digits where
values are far from 0 and close to one another. So a first look at the rows finds an origin near their mean, a
second one takes moments of what is left of them; a mean is kept as origin and rest, which no addition rounds.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import Column
from pyspark.sql import functions as F

from airflow_metorikku.spark.aggregates import Aggregate, Cell, Key
from airflow_metorikku.spark.scanning import compute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pyspark.sql import DataFrame

_HIGHEST: Mapping[str, int] = {"variance": 2, "variance of": 2, "skewness": 3, "kurtosis": 4}
"""The highest moment that is needed, by the first part of an aggregate's key."""


@dataclass(frozen=True)
class CentralMoments:
    """Of one column: how many values, their mean, and sums of powers of what they differ from it."""

    count: int
    origin: float
    rest: float
    """The mean is `origin` + `rest`."""
    second: float
    third: float = 0.0
    fourth: float = 0.0

    def merged(self, other: CentralMoments) -> CentralMoments:
        """Of the values of both."""
        if not self.count or not other.count:
            return self if self.count else other
        count = self.count + other.count
        here, there = self.count / count, other.count / count
        apart = (other.origin - self.origin) + (other.rest - self.rest)
        square = apart * apart
        both = here * other.count
        second = self.second + other.second + square * both
        third = self.third + other.third + square * apart * both * (here - there)
        third += 3 * apart * (here * other.second - there * self.second)
        fourth = self.fourth + other.fourth
        fourth += square * square * both * (here * here - here * there + there * there)
        fourth += 6 * square * (here * here * other.second + there * there * self.second)
        fourth += 4 * apart * (here * other.third - there * self.third)
        return CentralMoments(count, self.origin, self.rest + apart * there, second, third, fourth)

    def value(self, name: str) -> float | None:
        """What the aggregate of that name gives: None of no values, or where Spark has none as all are the same."""
        if not self.count:
            return None
        if name not in ("skewness", "kurtosis"):
            return self.second / self.count
        if not self.second:
            return None
        if name == "skewness":
            return math.sqrt(self.count) * (self.third / self.second) / math.sqrt(self.second)
        return self.count * (self.fourth / self.second) / self.second - 3


@dataclass(frozen=True)
class CoMoments:
    """Of two columns: how many pairs, both means, and the sum of products of what they differ from those."""

    count: int
    origin: float
    rest: float
    other_origin: float
    other_rest: float
    product: float

    def merged(self, other: CoMoments) -> CoMoments:
        """Of the pairs of both."""
        if not self.count or not other.count:
            return self if self.count else other
        count = self.count + other.count
        there = other.count / count
        apart = (other.origin - self.origin) + (other.rest - self.rest)
        aside = (other.other_origin - self.other_origin) + (other.other_rest - self.other_rest)
        return CoMoments(
            count,
            self.origin,
            self.rest + apart * there,
            self.other_origin,
            self.other_rest + aside * there,
            self.product + other.product + apart * aside * self.count * there,
        )

    def value(self, _name: str) -> float | None:
        """The covariance of the population."""
        return self.product / self.count if self.count else None


State = CentralMoments | CoMoments
KINDS: Mapping[str, type[State]] = {
    **dict.fromkeys(_HIGHEST, CentralMoments),
    "covariance": CoMoments,
}
"""What the state of an aggregate is, by the first part of its key."""


def merged(one: Any, other: Any) -> Any:
    """Two states of one aggregate as one."""
    return one.merged(other)


def plain(state: State) -> list[float]:
    """As JSON holds it."""
    return list(astuple(state))


def finished(values: Mapping[Key, Any]) -> dict[Key, Any]:
    """The values of aggregates, of their states."""
    return {
        key: value.value(str(key[0])) if isinstance(value, CentralMoments | CoMoments) else value
        for key, value in values.items()
    }


def is_moment(aggregate: Aggregate) -> bool:
    """Whether its state is made of central moments."""
    return aggregate.key[0] in KINDS


def computed(frame: DataFrame, aggregates: Iterable[Aggregate]) -> dict[Key, Any]:
    """Values of aggregates, states of moments: one pass over the rows, and one more where there are moments."""
    wanted = list(aggregates)
    moments = [one for one in wanted if is_moment(one)]
    first = [one for one in wanted if not is_moment(one)]
    values = compute(frame, first + [look for one in moments for look in _ends(one)])
    origins = {
        one.key: [_origin(one, side, values) for side in range(len(one.inputs))] for one in moments
    }
    left = compute(frame, [look for one in moments for look in _around(one, origins[one.key])])
    return {one.key: values[one.key] for one in first} | {
        one.key: _state(one, origins[one.key], left) for one in moments
    }


# All moments of a column share what is asked for it: keys hold what follows an aggregate's name.
def _ends(moment: Aggregate) -> list[Aggregate]:
    return [
        Aggregate(
            key=(name, side, *moment.key[1:]),
            cell=Cell(key=(side, *moment.key[1:]), column=column),
            shape=(name,),
            of=function,
            fields=fields,
        )
        for side, column in enumerate(moment.inputs)
        for name, function, fields in (("least", F.min, 1), ("mean", F.avg, 2), ("most", F.max, 1))
    ]


def _origin(moment: Aggregate, side: int, values: Mapping[Key, Any]) -> float:
    """The mean, as near as one pass comes; where all values are the same it is that one, so that nothing is left of them."""
    least, mean, most = (values[name, side, *moment.key[1:]] for name in ("least", "mean", "most"))
    if mean is None or math.isnan(mean):
        return 0.0
    inside = float(min(max(mean, least), most))
    return inside if math.isfinite(inside) else 0.0


def _around(moment: Aggregate, origins: list[float]) -> list[Aggregate]:
    left = [column - F.lit(origin) for column, origin in zip(moment.inputs, origins, strict=True)]
    cells = [Cell(key=(side, *moment.key[1:]), column=column) for side, column in enumerate(left)]
    asked: list[tuple[object, Cell, Callable[[Column], Column], int]] = [
        ("count", cells[0], F.count, 1)
    ]
    asked += [(f"rest {side}", cell, F.avg, 2) for side, cell in enumerate(cells)]
    if KINDS[str(moment.key[0])] is CoMoments:
        asked.append(("product", pair_of(*cells), covariance, 4))
    else:
        functions = ((2, F.var_pop), (3, F.skewness), (4, F.kurtosis))
        highest = _HIGHEST[str(moment.key[0])]
        asked += [(n, cells[0], function, n + 1) for n, function in functions if n <= highest]
    return [
        Aggregate(key=(name, *moment.key[1:]), cell=cell, shape=(name,), of=of, fields=fields)
        for name, cell, of, fields in asked
    ]


def pair_of(one: Cell, other: Cell) -> Cell:
    """Two values of a row as one, which `covariance` takes."""
    pair = F.struct(one.column.alias("one"), other.column.alias("other"))
    return Cell(key=("pair", one.key, other.key), column=pair)


def covariance(pair: Column) -> Column:
    """Of the population, of the two values in `pair_of`."""
    return F.covar_pop(*sides_of(pair))


def sides_of(pair: Column) -> tuple[Column, Column]:
    """The two values in `pair_of`."""
    return pair["one"], pair["other"]


def _state(moment: Aggregate, origins: list[float], left: Mapping[Key, Any]) -> State:
    def of(name: object) -> float:
        found: float | None = left.get((name, *moment.key[1:]))
        return 0.0 if found is None else found

    count = int(of("count"))
    if KINDS[str(moment.key[0])] is CoMoments:
        one, other = origins
        return CoMoments(count, one, of("rest 0"), other, of("rest 1"), of("product") * count)
    second = of(2) * count
    third = fourth = 0.0
    if second:
        # Spark tells the third and fourth only as skewness and kurtosis, and none where all values are the same.
        third = of(3) * second * math.sqrt(second) / math.sqrt(count)
        if (4, *moment.key[1:]) in left:
            fourth = (of(4) + 3) * second * second / count
    return CentralMoments(count, origins[0], of("rest 0"), second, third, fourth)
