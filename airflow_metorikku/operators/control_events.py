"""Events of control measures for listeners on Airflow's side, told from what the run has left."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from airflow_metorikku.config.records.outputs import FILE_OUTPUTS
from airflow_metorikku.results.info import UnreadableInfoError, read_info
from airflow_metorikku.results.listeners import Listener, Listeners
from airflow_metorikku.results.paths import encoded
from airflow_metorikku.store import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from airflow_metorikku.plan.records import Plan
    from airflow_metorikku.results.info import Info
    from airflow_metorikku.results.records import Result


logger = logging.getLogger(__name__)


def tell(listeners: Iterable[Listener], plan: Plan, result: Result, address: str) -> None:
    """Give each listener, metric by metric: the info file as measured, each published one, how it ended; then the end.

    :param address: of the run's `result.json`, beside which its info files are.
    """
    measures = plan.settings.control_measures
    named = tuple((getattr(one, "__qualname__", repr(one)), one) for one in listeners)
    if measures is None or not named:
        return
    application = result.application.id if result.application else ""
    told = Listeners(job=result.job, application=application, named=named)
    for metric in result.metrics:
        folder = f"{address.rpartition('/')[0]}/info/{encoded(metric.name)}"
        info = _info(f"{folder}/{measures.file_name}")
        if info:
            told.tell("update", info=info)
        for output in metric.outputs:
            if info and output.published and output.type in FILE_OUTPUTS:
                told.tell("save", info=info, path=f"{output.target}/{measures.file_name}")
        told.metric_done(metric)
    told.end(result)


def _info(path: str) -> Info | None:
    """None where the metric measured nothing, or the file cannot be read: the run is no worse for it."""
    try:
        text = read_text(path)
        return None if text is None else read_info(text, path)
    except (OSError, UnicodeDecodeError, UnreadableInfoError) as error:
        logger.warning("listeners are not told of %s: %s", path, error)
        return None
