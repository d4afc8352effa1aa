"""Types of Spark's SQL that are surely none; what Spark itself says is in tests/spark/quality/test_row_schema.py."""

from __future__ import annotations

from airflow_metorikku.config.spark_types import mistake_in_type


def test_what_is_nested_too_deep_is_refused() -> None:
    assert mistake_in_type("array<" * 40 + "int" + ">" * 40) is None
    assert mistake_in_type("array<" * 3000 + "int" + ">" * 3000) == "nested deeper than 40 levels"
