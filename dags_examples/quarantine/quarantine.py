"""A job that publishes its good rows and puts the others aside, each with the names of the checks that it fails."""

import pendulum
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG

from airflow_metorikku import MetorikkuTaskGroup

with DAG("quarantine", schedule=None, start_date=pendulum.datetime(2026, 1, 1)):
    payments = MetorikkuTaskGroup(group_id="payments", job="job.yaml")
    payments >> EmptyOperator(task_id="settle_payments")
