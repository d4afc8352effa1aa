"""Names in a job that nothing has: blocks of systems, checkpoints; columns that are one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from made_jobs import make_job, metric

from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.records.analyzers.declared import SchemaColumn
from airflow_metorikku.config.records.checks.base import HOLDS_FOR_ALL, Check
from airflow_metorikku.config.records.checks.comparisons import DoesDatasetMatch
from airflow_metorikku.config.records.checks.declared import HasColumns, HasRowSchema
from airflow_metorikku.config.records.checks.keys import AreUnique, IsPrimaryKey, IsUnique
from airflow_metorikku.config.records.checks.numbers import HasCorrelation
from airflow_metorikku.config.records.controls import Checkpoint, ControlMeasures, Rename, Source
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.config.records.inputs import FileInput, JdbcInput
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
from airflow_metorikku.config.records.reconciliation import ReconcileRule
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


def rules(*against: str, given: object = None, **settings: object) -> list[str]:
    """What is said of rules at the second of two checkpoints."""
    measures = ControlMeasures(
        source=Source(input="quotes"),
        checkpoints=(
            Checkpoint(name="Loaded", data_frame_name="quotes"),
            Checkpoint(name="Made", data_frame_name="b"),
        ),
        reconcile=tuple(
            ReconcileRule(checkpoint="Made", against=one, at=Where(file="job.yaml", line=9))
            for one in against
        ),
        **settings,
    )
    job = make_job(
        metric("one", {"b": "SELECT * FROM quotes"}),
        inputs={"quotes": given or JdbcInput(connection="db", table="t")},
        control_measures=measures,
    )
    return [str(one) for one in find_problems(job)]


def test_a_rule_against_a_checkpoint_that_can_be_none() -> None:
    # A table has no _INFO beside it: its first checkpoint is measured.
    assert rules("Source", "Loaded") == []
    (said,) = rules("Lodaed")
    assert said.startswith(
        "job.yaml:9: controlMeasures.reconcile.against: got 'Lodaed', expected the name of a "
        "checkpoint; did you mean 'Loaded'?"
    )
    # Files may have one, with checkpoints of its own.
    files = FileInput(path="in")
    assert rules("Raw", given=files) == []
    (said,) = rules("loaded", given=files)
    assert "did you mean 'Loaded'?" in said


def test_checkpoints_are_called_as_they_are_written() -> None:
    (said,) = rules(renames=(Rename(source="a", target="b", at_checkpoint="made"),))
    assert "controlMeasures.renames.at: got 'made'" in said
    assert "did you mean 'Made'?" in said


def checked(*checks: Check, **settings: object) -> list[str]:
    made = metric("one", {"t": "SELECT 1 AS a"})
    step = replace(made.steps[0], dq=DataQuality(checks=checks))
    return [str(one) for one in find_problems(make_job(replace(made, steps=(step,)), **settings))]


def test_columns_that_are_one_in_any_case() -> None:
    at = Where(file="one.yaml", line=7)
    checks = (
        AreUnique(columns=("a", "b", "A"), at=at),
        IsPrimaryKey(column="a", more=("A",), at=at),
        HasColumns(columns={"a": "int", "A": "string"}, at=at),
        HasRowSchema(columns=(SchemaColumn(name="a"), SchemaColumn(name="A")), at=at),
        DoesDatasetMatch(other="movies", keys={"a": "x", "A": "y"}, at=at),
    )
    keys = ("areUnique.columns", "isPrimaryKey.more", "hasColumns.columns",
            "hasRowSchema.columns", "doesDatasetMatch.keys")  # fmt: skip
    told = "a and A are one column, unless sparkConf has spark.sql.caseSensitive: true"
    assert checked(*checks) == [
        f"one.yaml:7: steps[0].dq.checks[{number}].{key}: {told}" for number, key in enumerate(keys)
    ]
    assert checked(*checks, spark_conf={"spark.sql.caseSensitive": "true"}) == []
    assert checked(HasCorrelation(column_a="a", column_b="A", assertion=HOLDS_FOR_ALL)) == []


def test_an_id_that_stands_twice_is_said_where_the_second_is() -> None:
    (said,) = checked(IsUnique(column="a", id="x"), IsUnique(column="b", id="x"))
    assert "steps[0].dq.checks[1].isUnique: id 'x' stands twice" in said
