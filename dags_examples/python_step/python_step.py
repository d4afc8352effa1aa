"""A whole DAG from one job file."""

import pendulum

from airflow_metorikku import MetorikkuDag

dag = MetorikkuDag("job.yaml", start_date=pendulum.datetime(2026, 1, 1), schedule=None)
