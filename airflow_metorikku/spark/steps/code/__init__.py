"""Metorikku's own code steps: one line each in BUILT_IN, called as all code of a step is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.config.records.code_steps import PACKAGE
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.code_steps import wrong_params
from airflow_metorikku.spark.steps.code.columns import (
    align_tables,
    camel_case_column_names,
    drop_columns,
    obfuscate_columns,
    remove_duplicates,
    watermark,
)
from airflow_metorikku.spark.steps.code.merge import selective_merge
from airflow_metorikku.spark.steps.code.tables import load_if_exists, register_functions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyspark.sql import DataFrame, SparkSession

    from airflow_metorikku.config.records.metric import Metric, Step
    from airflow_metorikku.spark.steps.prepared import Prepared, Scene

BUILT_IN: dict[str, Callable[[SparkSession, Mapping[str, str]], DataFrame | None]] = {
    "SelectiveMerge": selective_merge,
    "RemoveDuplicates": remove_duplicates,
    "DropColumns": drop_columns,
    "CamelCaseColumnNames": camel_case_column_names,
    "AlignTables": align_tables,
    "LoadIfExists": load_if_exists,
    "obfuscate.ObfuscateColumns": obfuscate_columns,
    "Watermark": watermark,
    "Registrator": register_functions,
}


def prepare_built_in(_: Metric, step: Step) -> Prepared:
    """The step; running it raises RunError where its parameters are wrong, as such a step may be one whose failure is ignored."""
    function = BUILT_IN[(step.classpath or "").removeprefix(PACKAGE)]

    def run(scene: Scene) -> DataFrame | None:
        wrong = list(wrong_params(step, step.built_in)) if step.built_in else []
        if wrong:
            raise RunError("; ".join(wrong))
        return function(scene.session, step.params or {})

    return run
