"""A job that was read, made sure of: the problems of its files and those between them in one report."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from airflow_metorikku.config.check import between
from airflow_metorikku.config.files import in_order
from airflow_metorikku.errors import ConfigError
from airflow_metorikku.plan.problems import find_problems

if TYPE_CHECKING:
    from airflow_metorikku.config.load import JobReading
    from airflow_metorikku.config.records.job import Job


def require_sound(reading: JobReading, *, final: bool = False) -> Job:
    """The job of a reading, without a mistake; raises ConfigError with every problem.

    :param final: all variables are known now, so that an undefined one is a problem.
    """
    found = [*reading.problems, *between(reading, partial(find_problems, final=final))]
    if found or reading.job is None:
        raise ConfigError(in_order(found, reading.order))
    return reading.job
