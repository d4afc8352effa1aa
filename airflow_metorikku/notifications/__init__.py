"""Alerters as Airflow notifiers, one a file."""
