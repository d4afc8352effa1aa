"""Waits for another system's `_INFO`, judges it, and only then loads its data."""

import pendulum
from airflow.sdk import DAG

from airflow_metorikku import MetorikkuTaskGroup
from airflow_metorikku.sensors.control_measures import ControlMeasureSensor

RULES = [{"checkpoint": "Exported", "against": "Source"}]

with DAG("payments_feed", schedule=None, start_date=pendulum.datetime(2026, 1, 1)):
    ledger = ControlMeasureSensor(
        task_id="ledger_adds_up", info_path="feed/_INFO", reconcile=RULES, deferrable=True
    )
    ledger >> MetorikkuTaskGroup(group_id="payments", job="job.yaml")
