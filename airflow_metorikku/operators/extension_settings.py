"""Waimak's settings in an operator's `conf`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.properties import Property
from airflow_metorikku.plan.waimak import ALERTERS, PREFIX

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLACE = Where(file="conf of the Spark task", line=0)


def extension_settings(conf: Mapping[str, Any] | None) -> tuple[Property, ...]:
    """Settings of extensions, which win over the job's own."""
    return tuple(
        Property(name=name, value=str(value), at=_PLACE)
        for name, value in (conf or {}).items()
        if name.startswith(PREFIX)
    )


def without_alerters(conf: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The settings as Spark and Airflow's pages may see them: those of alerters hold secrets, and neither needs them."""
    if conf is None:
        return None
    return {name: value for name, value in conf.items() if not name.startswith(f"{ALERTERS}.")}
