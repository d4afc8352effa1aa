"""Airflow's connections, for the blocks of a job that name them."""

from __future__ import annotations

from airflow_metorikku.config.connections import texts
from airflow_metorikku.config.records.connection import Connection
from airflow_metorikku.errors import RunError


def airflow_connection(name: str) -> Connection:
    """The connection of a name, its secrets masked in the task's log; raises RunError when it is not there."""
    from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook
    from airflow.sdk.log import mask_secret

    try:
        given = BaseHook.get_connection(name)
    except AirflowNotFoundException as error:
        raise RunError(f"connection '{name}': is not there; add it in Airflow") from error
    mask_secret(given.password)
    mask_secret(given.extra_dejson)
    return Connection(
        name=name,
        type=given.conn_type or "",
        host=given.host,
        port=given.port,
        login=given.login,
        password=given.password,
        schema=given.schema,
        extra=texts(given.extra_dejson),
    )
