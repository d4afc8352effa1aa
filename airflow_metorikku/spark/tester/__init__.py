"""Tests of metrics, many in one Spark, none of which sees another."""
