"""Exceptions that Airflow 3.1 has elsewhere; apart from `airflow_names`, so that a test module may import them at its top."""

from __future__ import annotations

try:
    from airflow.sdk.exceptions import AirflowRescheduleException, TaskDeferralError
except ImportError:
    from airflow.exceptions import AirflowRescheduleException, TaskDeferralError  # type: ignore[no-redef]

__all__ = ["AirflowRescheduleException", "TaskDeferralError"]
