"""Outputs to systems that the job does not describe."""

from __future__ import annotations

from typing import Any

import pytest
from made_jobs import make_job, metric

from airflow_metorikku.config.records.instrumentation import InfluxDB, Instrumentation
from airflow_metorikku.config.records.jdbc import JdbcSettings
from airflow_metorikku.config.records.job import Job
from airflow_metorikku.config.records.metric import Metric, Output
from airflow_metorikku.config.records.outputs import (
    FileSettings,
    InstrumentationOptions,
    JdbcOptions,
    JdbcQueryOptions,
    OutputSettings,
)
from airflow_metorikku.plan.problems import find_problems

OPTIONS: dict[str, Any] = {
    "Instrumentation": InstrumentationOptions(),
    "JDBC": JdbcOptions(save_mode="append", db_table="t"),
    "JDBCQuery": JdbcQueryOptions(query="INSERT INTO t VALUES (?)"),
}
DATABASE = JdbcSettings(connection="db")
INFLUX = Instrumentation(influxdb=InfluxDB(connection="db"))


def job_to(output_type: str, name: str | None = None, **settings: object) -> Job:
    made = metric("one", {"t": "SELECT 1 AS a"})
    output = Output(
        data_frame_name="t", output_type=output_type, output_options=OPTIONS[output_type], name=name
    )
    return make_job(
        Metric(name=made.name, file=made.file, steps=made.steps, output=(output,)), **settings
    )


@pytest.mark.parametrize(
    ("job", "says"),
    [
        (job_to("JDBC"), "JDBC needs the block output.jdbc of the job"),
        (job_to("JDBC", output=OutputSettings(jdbcquery=DATABASE)), "needs the block output.jdbc"),
        (job_to("JDBCQuery"), "JDBCQuery needs the block output.jdbc of the job"),
        (
            job_to("JDBC", "there", outputs={"there": OutputSettings(file=FileSettings(dir="d"))}),
            "needs the block outputs.there.jdbc of the job",
        ),
        (job_to("JDBC", "nowhere"), "got 'nowhere', expected one of the job's outputs"),
        (job_to("Instrumentation"), "Instrumentation needs the job's instrumentation"),
        (
            job_to("Instrumentation", instrumentation=Instrumentation()),
            "instrumentation: {influxdb",
        ),
    ],
)
def test_what_the_job_does_not_describe(job: Job, says: str) -> None:
    (found,) = find_problems(job)
    assert says in str(found)


@pytest.mark.parametrize(
    "job",
    [
        job_to("JDBC", output=OutputSettings(jdbc=DATABASE)),
        job_to("JDBCQuery", output=OutputSettings(jdbc=DATABASE)),
        job_to("JDBCQuery", output=OutputSettings(jdbcquery=DATABASE)),
        job_to("JDBC", "there", outputs={"there": OutputSettings(jdbc=DATABASE)}),
        job_to("Instrumentation", instrumentation=INFLUX),
    ],
)
def test_what_it_describes(job: Job) -> None:
    assert find_problems(job) == []
