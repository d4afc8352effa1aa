"""A job whose control totals do not reconcile: a trade is lost on the way, and the gate says which total."""

import pendulum
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG

from airflow_metorikku import MetorikkuTaskGroup

with DAG("control_totals", schedule=None, start_date=pendulum.datetime(2026, 1, 1)):
    trades = MetorikkuTaskGroup(group_id="trades", job="job.yaml")
    trades >> EmptyOperator(task_id="report_to_the_regulator")
