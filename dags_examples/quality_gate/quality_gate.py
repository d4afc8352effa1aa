"""Deliveries that another system leaves as a file: checked before anything reads them, and held to less at this gate."""

import pendulum
from airflow.sdk import DAG

from airflow_metorikku.operators.metorikku import DataQualityOperator
from airflow_metorikku.sensors.data_quality import DataQualitySensor

DATA = {"path": "deliveries.jsonl", "checks": "checks.yaml"}

with DAG("quality_gate", schedule=None, start_date=pendulum.datetime(2026, 1, 1)):
    checked = DataQualityOperator(task_id="check", **DATA, gate=False)
    checked >> DataQualitySensor(
        task_id="gate", run_task_id="check", thresholds={"courier": ">= 0.7"}
    )
