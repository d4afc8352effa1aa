"""Airflow sensors: the gates."""
