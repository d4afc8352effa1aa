"""Checks inside Spark: constraints, the analyzers that compute their values, and what the values mean."""
