"""How many rows a write wrote, from the write's own metrics: they come with its tasks' commits, and cost nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow_metorikku.spark.jvm import java_context, java_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_WRITE = "InsertIntoHadoopFsRelationCommand"
_ROWS = "number of output rows"


def last_execution(session: SparkSession) -> int:
    """Number of the latest SQL execution, to tell a later one from it; -1 before the first."""
    found = _executions(session)
    return int(found.apply(found.size() - 1).executionId()) if found.size() else -1


def rows_written(session: SparkSession, after: int) -> int | None:
    """Rows of the file write that ran since; None when Spark does not tell."""
    found = _executions(session)
    for index in range(found.size() - 1, -1, -1):
        number = found.apply(index).executionId()
        if number <= after:
            break
        rows = _rows_of(session, number)
        if rows is not None:
            return rows
    return None


def _executions(session: SparkSession) -> Any:
    # The store hears of an execution over the listener bus, some milliseconds late.
    java_context(session).listenerBus().waitUntilEmpty()
    return _store(session).executionsList()


def _store(session: SparkSession) -> Any:
    return java_session(session).sharedState().statusStore()


def _rows_of(session: SparkSession, number: int) -> int | None:
    store = _store(session)
    values = store.executionMetrics(number)
    nodes = store.planGraph(number).allNodes()
    for index in range(nodes.size()):
        node = nodes.apply(index)
        if _WRITE not in node.name():
            continue
        metrics = node.metrics()
        for position in range(metrics.size()):
            metric = metrics.apply(position)
            value = values.get(metric.accumulatorId())
            if metric.name() == _ROWS and value.isDefined():
                return int("".join(filter(str.isdigit, value.get())))
    return None


def last_job(session: SparkSession) -> int:
    """Number of the latest Spark job, to tell later ones from it; -1 before the first."""
    return max((int(job.jobId()) for job in _jobs(session)), default=-1)


def records_written(session: SparkSession, after: int) -> int:
    """Rows that the jobs since have written, as their finished tasks tell."""
    store = java_context(session).statusStore()
    stages = {
        int(job.stageIds().apply(place))
        for job in _jobs(session)
        if int(job.jobId()) > after
        for place in range(job.stageIds().size())
    }
    return sum(int(store.lastStageAttempt(stage).outputRecords()) for stage in stages)


def _jobs(session: SparkSession) -> list[Any]:
    context = java_context(session)
    context.listenerBus().waitUntilEmpty()
    found = context.statusStore().jobsList(None)
    return [found.apply(place) for place in range(found.size())]
