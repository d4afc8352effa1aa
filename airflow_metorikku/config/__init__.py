"""Room 1: YAML and JSON text to frozen records, with every problem of every file in one error.

`records/` says what the keys are and imports only the standard library, so that it travels into
Spark; the readers beside it need PyYAML and stay on this side.
"""
