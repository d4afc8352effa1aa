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

__all__ = [
    "DagBag",
    "DagSerialization",
    "sync_bag_to_db",
]
