"""What Airflow 3.1 has under other names; imported by a test once AIRFLOW_HOME is the tests' own."""

from __future__ import annotations

try:
    from airflow.dag_processing.dagbag import DagBag, sync_bag_to_db
except ImportError:
    from airflow.models.dagbag import DagBag, sync_bag_to_db  # type: ignore[no-redef]

try:
    from airflow.serialization.serialized_objects import DagSerialization
except ImportError:
    from airflow.serialization.serialized_objects import (  # type: ignore[attr-defined,assignment]
        SerializedDAG as DagSerialization,
    )

try:
    from airflow.sdk.exceptions import AirflowRescheduleException, TaskDeferralError
except ImportError:
    from airflow.exceptions import AirflowRescheduleException, TaskDeferralError  # type: ignore[no-redef]

__all__ = [
    "AirflowRescheduleException",
    "DagBag",
    "DagSerialization",
    "TaskDeferralError",
    "sync_bag_to_db",
]
