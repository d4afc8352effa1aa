"""Room 3: what runs inside Spark. At import it needs pyspark and the standard library only, never Airflow."""
