"""Code step SelectiveMerge: a full outer join in which the second data frame's values win."""

from __future__ import annotations

import logging
import re
from collections import Counter
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.names import frame_named, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import Column, DataFrame, SparkSession

logger = logging.getLogger(__name__)


def selective_merge(session: SparkSession, params: Mapping[str, str]) -> DataFrame:
    """`df1` joined with `df2`; raises RunError for an empty `df1` and for keys that are not in both."""
    first, second = (_lower(session, params[name]) for name in ("df1", "df2"))
    if first.isEmpty():
        raise RunError(f"df1: '{params['df1']}' is empty, expected rows to merge into")
    if second.isEmpty():
        logger.warning("SelectiveMerge: '%s' is empty; nothing is merged", params["df2"])
        return first
    keys = [key.lower() for key in re.split(r"[\s,]+", params["joinKeys"].strip(" ,"))]
    for name, frame in (("df1", first), ("df2", second)):
        if odd := [key for key in keys if key not in frame.columns]:
            raise RunError(
                f"joinKeys: got {', '.join(odd)}, which '{params[name]}' has not; "
                f"expected some of {', '.join(frame.columns)}"
            )
    return _merged(first, second, keys)


def _lower(session: SparkSession, name: str) -> DataFrame:
    frame = frame_named(session, name)
    names = [column.lower() for column in frame.columns]
    if twice := [column for column, count in Counter(names).items() if count > 1]:
        raise RunError(f"'{name}' has several columns that are '{twice[0]}' in lower case")
    return frame.toDF(*names)


def _merged(first: DataFrame, second: DataFrame, keys: list[str]) -> DataFrame:
    """Columns of each side are told apart by number while they are joined: no name can be in the way."""
    left = first.toDF(*(f"l{number}" for number in range(len(first.columns))))
    right = second.toDF(*(f"r{number}" for number in range(len(second.columns))))
    of_left = {name: F.col(f"l{number}") for number, name in enumerate(first.columns)}
    of_right = {name: F.col(f"r{number}") for number, name in enumerate(second.columns)}

    def column(name: str) -> Column:
        if name in keys:
            return F.coalesce(of_left[name], of_right[name])
        return of_right.get(name, of_left.get(name, F.lit(None)))

    joined = left.join(right, reduce(and_, (of_left[key] == of_right[key] for key in keys)), "full")
    names = dict.fromkeys([*first.columns, *second.columns])
    return joined.select(*(column(name).alias(name) for name in names)).select(
        *(quoted(name) for name in names)
    )
