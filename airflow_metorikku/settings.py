"""Options of section [metorikku] of airflow.cfg, a function each."""

from __future__ import annotations

import os
from pathlib import Path

from airflow.providers.common.compat.sdk import conf


def results_path() -> str:
    """[metorikku] results_path."""
    given = conf.get("metorikku", "results_path", fallback=None)
    return given or str(airflow_home() / "metorikku" / "results")


def airflow_home() -> Path:
    """AIRFLOW_HOME, by Airflow's own rule."""
    return Path(os.environ.get("AIRFLOW_HOME", "~/airflow")).expanduser()


def dags_folder() -> str:
    """[core] dags_folder."""
    return str(conf.get("core", "dags_folder", fallback=None) or airflow_home() / "dags")
