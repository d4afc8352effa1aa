"""A job whose error-level check fails: its gate turns red, alerts, and holds back the invoices."""

import pendulum
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG

from airflow_metorikku import MetorikkuTaskGroup

with DAG("failing_check", schedule=None, start_date=pendulum.datetime(2026, 1, 1)):
    orders = MetorikkuTaskGroup(group_id="orders", job="job.yaml")
    orders >> EmptyOperator(task_id="send_invoices")
