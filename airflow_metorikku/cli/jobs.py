"""The job that the arguments name, read and checked, or every problem at once."""

from __future__ import annotations

import argparse

from airflow_metorikku.config.load import load_job, load_job_text
from airflow_metorikku.config.records.job import Job
from airflow_metorikku.errors import ConfigError, Problem


def job_of(options: argparse.Namespace) -> Job:
    """Read the job of `-c` or `--job`; raises ConfigError."""
    variables = dict(options.var)
    if options.job is not None:
        return load_job_text(options.job, variables=variables, base=options.base)
    if not options.config:
        raise ConfigError([Problem(file="metorikku", line=0, path="", text="expected -c JOB or --job JSON")])
    return load_job(options.config, variables=variables, base=options.base)
