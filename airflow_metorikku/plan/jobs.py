"""A job that was read, made sure of: the problems of its files and those between them in one report."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from airflow_metorikku.config.check import between
from airflow_metorikku.config.files import in_order
from airflow_metorikku.errors import ConfigError
from airflow_metorikku.plan.problems import find_problems
from airflow_metorikku.plan.properties import with_defaults, with_overrides
from airflow_metorikku.plan.waimak import extended

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airflow_metorikku.config.load import JobReading
    from airflow_metorikku.config.properties import Property
    from airflow_metorikku.config.records.job import Job


def require_sound(
    reading: JobReading,
    *,
    final: bool = False,
    alerted: bool = True,
    defaults: Iterable[Property] = (),
    overrides: Iterable[Property] = (),
) -> Job:
    """The job of a reading, without a mistake, with what its extensions add; raises ConfigError with every problem.

    :param final: all variables are known now, so that an undefined one is a problem.
    :param alerted: whether the job's alerters are used.
    :param defaults: Spark settings that the job's own win over.
    :param overrides: Spark settings that win over the job's own.
    """
    if reading.job:
        job = with_overrides(with_defaults(reading.job, defaults), overrides)
        reading = replace(reading, job=job)
    find = partial(find_problems, final=final, alerted=alerted)
    found = [*reading.problems, *between(reading, find)]
    if found or reading.job is None:
        raise ConfigError(in_order(found, reading.order))
    return extended(reading.job, alerted=alerted).job
