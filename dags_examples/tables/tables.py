"""A table that one metric writes and the next one reads."""

import pendulum

from airflow_metorikku import MetorikkuDag

dag = MetorikkuDag("job.yaml", start_date=pendulum.datetime(2026, 1, 1), schedule=None)
