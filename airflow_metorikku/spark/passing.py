"""Data frames that a written one is made of row by row: observed on the way, they cost no pass of their own.

Only projections, filters and a coalesce may stand between the two, and the inner one must occur once: then each
of its rows passes exactly once. Where it occurs twice, or behind a join, an aggregate or a limit, it is not so;
nor behind a shuffle, whose tasks Spark may do again when what they wrote is lost, and counts again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from airflow_metorikku.spark.accumulated import ADDED
from airflow_metorikku.spark.jvm import frame_of_plan, java_frame, scala_list

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_OBSERVES = re.compile(rf"CollectMetrics |\bFilter .*{ADDED}")
_PASSING = frozenset({"Project", "Filter", "SubqueryAlias", "View"})


def passes_through(inner: DataFrame, outer: DataFrame) -> bool:
    """Whether all rows of one data frame pass, once each, on the way to another."""
    return _way(_plan(outer), _bare(_plan(inner))) is not None


def with_inner(outer: DataFrame, before: DataFrame, after: DataFrame) -> DataFrame:
    """The outer data frame, with another one in the place of one that passes through; both have the same columns."""
    way = _way(_plan(outer), _bare(_plan(before)))
    if way is None:
        raise ValueError("a data frame that does not pass through has no place there")
    plan = _plan(after)
    for node in reversed(way):
        plan = node.withNewChildren(scala_list(outer.sparkSession, [plan]))
    return frame_of_plan(outer.sparkSession, plan)


def keeps_observing(frame: DataFrame, times: int) -> bool:
    """Whether Spark's optimiser leaves that many observations in a plan: it drops those below a condition that never holds."""
    optimised = str(java_frame(frame).queryExecution().optimizedPlan())
    return len(_OBSERVES.findall(optimised)) >= times


def _way(plan: Any, target: Any) -> list[Any] | None:
    """Nodes from the top to just above the target; None where it is not there, or rows may be lost or doubled."""
    nodes = []
    while not plan.equals(target):
        if not _passes(plan) or plan.children().size() != 1:
            return None
        nodes.append(plan)
        plan = plan.children().apply(0)
    return nodes


def _passes(node: Any) -> bool:
    kind = node.getClass().getSimpleName()
    return kind in _PASSING or (kind == "Repartition" and not node.shuffle())


def _bare(plan: Any) -> Any:
    """Without the name that a view is asked by."""
    while plan.getClass().getSimpleName() == "SubqueryAlias":
        plan = plan.children().apply(0)
    return plan


def _plan(frame: DataFrame) -> Any:
    return java_frame(frame).queryExecution().analyzed()
