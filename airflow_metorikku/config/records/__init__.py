"""The keys of job, metric and test files as frozen records: standard library only, they travel into Spark."""
