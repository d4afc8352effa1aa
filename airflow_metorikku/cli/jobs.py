"""The job that the arguments name, read and checked, or every problem at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from airflow_metorikku.config.load import read_job, read_job_text
from airflow_metorikku.config.properties import read_properties
from airflow_metorikku.errors import ConfigError, Problem
from airflow_metorikku.plan.jobs import require_sound

if TYPE_CHECKING:
    import argparse

    from airflow_metorikku.config.properties import Property
    from airflow_metorikku.config.records.job import Job


def job_of(options: argparse.Namespace, *, final: bool) -> Job:
    """Read the job of `-c` or `--job`; raises ConfigError with every problem of every file."""
    variables = dict(options.var)
    if options.job is not None:
        reading = read_job_text(options.job, variables=variables, base=options.base)
    elif options.config:
        reading = read_job(options.config, variables=variables, base=options.base)
    else:
        raise ConfigError(
            [Problem(file="metorikku", line=0, path="", text="expected -c JOB or --job JSON")]
        )
    return require_sound(reading, final=final, defaults=spark_settings(options))


def spark_settings(options: argparse.Namespace) -> tuple[Property, ...]:
    """What `--properties-file` says, the last file's word on each name; raises ConfigError."""
    read = (one for file in options.properties_file for one in read_properties(Path(file)))
    return tuple({one.name: one for one in read}.values())
