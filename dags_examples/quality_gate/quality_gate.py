"""Deliveries that another system leaves as files: checked before anything reads them, and watched over time."""

import os

import pendulum
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG

from airflow_metorikku.operators.metorikku import DataQualityOperator
from airflow_metorikku.sensors.data_quality import DataQualitySensor

HISTORY = f"{os.environ.get('EXAMPLES_OUTPUT', 'output')}/quality_gate/history"

with DAG("quality_gate", schedule=None, start_date=pendulum.datetime(2026, 1, 1)):
    checked = DataQualityOperator(
        task_id="check_deliveries",
        path="deliveries.jsonl",
        checks="checks.yaml",
        quality={"history": {"path": HISTORY}},
        gate=False,
    )
    # The same checks, held to less at this gate.
    gate = DataQualitySensor(
        task_id="gate",
        run_task_id="check_deliveries",
        thresholds={"courier": ">= 0.7"},
    )
    # Any history of metrics can be watched: this one, or a repository file that Deequ wrote.
    watch = DataQualitySensor(
        task_id="watch_size",
        repository=HISTORY,
        data_frame="deliveries",
        anomaly={
            "metric": {"Size": {}},
            "strategy": {"RelativeRateOfChange": {"maxRateDecrease": 0.5}},
        },
    )
    checked >> gate >> watch >> EmptyOperator(task_id="load")
