"""The outputs that cannot be staged: one file a kind, one line a kind in DIRECT."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow_metorikku.config.records.outputs import FILE_OUTPUTS
from airflow_metorikku.spark.outputs.catalog import CatalogOutput
from airflow_metorikku.spark.outputs.instrumentation import InstrumentationOutput
from airflow_metorikku.spark.outputs.jdbc import JdbcOutput
from airflow_metorikku.spark.outputs.jdbc_query import JdbcQueryOutput

if TYPE_CHECKING:
    from airflow_metorikku.config.records.metric import Metric
    from airflow_metorikku.plan.records import Plan
    from airflow_metorikku.spark.outputs.direct import Direct

DIRECT: dict[str, type[Direct]] = {
    "Instrumentation": InstrumentationOutput,
    "JDBC": JdbcOutput,
    "JDBCQuery": JdbcQueryOutput,
    "Catalog": CatalogOutput,
}


def direct_outputs(plan: Plan, metric: Metric) -> tuple[Direct, ...]:
    """The outputs of a metric that are not files."""
    return tuple(
        DIRECT[output.output_type](plan=plan, metric=metric.name, number=number, output=output)
        for number, output in enumerate(metric.output)
        if output.output_type not in FILE_OUTPUTS
    )
