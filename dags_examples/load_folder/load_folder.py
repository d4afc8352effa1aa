"""One DAG a job file of the folder; broken.yaml shows as an import error and costs no other DAG."""

import pendulum
from airflow.sdk import DAG  # noqa: F401 - Airflow looks for the word before it reads a file

from airflow_metorikku import load_dags

load_dags("jobs", start_date=pendulum.datetime(2026, 1, 1), schedule=None)
