"""The movies job, its gates, and what may follow only when they pass."""

import pendulum
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG

from airflow_metorikku import MetorikkuTaskGroup

with DAG("movies", schedule="@daily", start_date=pendulum.datetime(2026, 1, 1), catchup=False):
    movies = MetorikkuTaskGroup(group_id="movies", job="job.yaml")
    movies >> EmptyOperator(task_id="send_report")
