"""Jobs made of records, without files."""

from __future__ import annotations

from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.records.inputs import FileInput
from airflow_metorikku.config.records.job import Job, JobFile
from airflow_metorikku.config.records.metric import Metric, Output, Step
from airflow_metorikku.config.records.outputs import FileOptions


def metric(name: str, steps: dict[str, str], outputs: dict[str, str] | None = None) -> Metric:
    """A metric of SQL steps (data frame to SQL) and Parquet outputs (data frame to path)."""
    return Metric(
        name=name,
        file=f"{name}.yaml",
        steps=tuple(
            Step(data_frame_name=frame, sql=sql, at=Where(file=f"{name}.yaml", line=2 + 2 * number))
            for number, (frame, sql) in enumerate(steps.items())
        ),
        output=tuple(
            Output(
                data_frame_name=frame,
                output_type="Parquet",
                output_options=FileOptions(path=path),
                at=Where(file=f"{name}.yaml", line=100),
            )
            for frame, path in (outputs or {}).items()
        ),
    )


def make_job(*metrics: Metric, **settings: object) -> Job:
    """A job of metrics, with the input `movies` and further settings."""
    given = {
        "metrics": tuple(m.file for m in metrics),
        "inputs": {"movies": FileInput(path="in/movies.csv")},
    }
    return Job(
        name="job",
        file="job.yaml",
        base="/base",
        settings=JobFile(**{**given, **settings}),
        metrics=metrics,
    )
