"""Which info file belongs to a data frame: that of the folders which its plan reads.

Atum walks unary and binary plans down to files, and knows neither unions, views, tables nor single
files; a self join is ambiguous to it. Here every leaf of the plan counts, each folder once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow_metorikku.errors import RunError
from airflow_metorikku.spark.control.source import info_files_in
from airflow_metorikku.spark.files import files_at, name, parent
from airflow_metorikku.spark.jvm import java_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def info_file_of(frame: DataFrame, file_name: str) -> str:
    """Path of the one info file of what a data frame reads; raises RunError where there is none, or more than one."""
    folders = folders_of(frame)
    found = list(dict.fromkeys(info_files_in(frame.sparkSession, folders, file_name)))
    if not found:
        read = ", ".join(folders) or "no files"
        raise RunError(
            f"no {file_name} belongs to this data frame, which reads {read}; give the path of one, or build it"
        )
    if len(found) > 1:
        raise RunError(
            f"{len(found)} {file_name} files belong to this data frame: {', '.join(found)}; give the path of one"
        )
    return found[0]


def folders_of(frame: DataFrame) -> list[str]:
    """Folders of the files that a data frame is made of, each once; partitions belong to their data set's folder."""
    plan = java_frame(frame).queryExecution().analyzed()
    roots: list[str] = []
    leaves = plan.collectLeaves()
    for number in range(leaves.size()):
        roots.extend(_roots(leaves.apply(number)))
    return list(dict.fromkeys(_folder(frame.sparkSession, root) for root in roots))


def _roots(leaf: Any) -> list[str]:
    """Addresses that a leaf of a plan reads; none of one that reads no files."""
    kind = leaf.getClass().getSimpleName()
    if kind == "HiveTableRelation":
        return [leaf.tableMeta().location().toString()]
    if kind == "InMemoryRelation":  # a cached data frame: what it was made of
        inner = leaf.cacheBuilder().logicalPlan().collectLeaves()
        return [root for number in range(inner.size()) for root in _roots(inner.apply(number))]
    if kind != "LogicalRelation":
        return []
    relation = leaf.relation()
    if relation.getClass().getSimpleName() != "HadoopFsRelation":
        return []
    paths = relation.location().rootPaths()
    return [paths.apply(number).toString() for number in range(paths.size())]


def _folder(session: SparkSession, root: str) -> str:
    files, place = files_at(session, root)
    if not files.is_folder(place):
        place = parent(place)
    while "=" in name(place):
        place = parent(place)
    return place
