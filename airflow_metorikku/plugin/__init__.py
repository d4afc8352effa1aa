"""The Airflow plugin, found by the entry point `airflow.plugins`."""

from __future__ import annotations

from airflow.plugins_manager import AirflowPlugin


class MetorikkuPlugin(AirflowPlugin):
    """Makes the package known to `airflow plugins`; it adds no page, link or listener."""

    name = "metorikku"
