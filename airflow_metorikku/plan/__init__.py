"""Room 2: Job to Plan, a pure function; `records` and `constraints` travel into Spark."""
