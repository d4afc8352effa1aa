"""Airflow triggers: what waits in the triggerer, so that no worker does."""
