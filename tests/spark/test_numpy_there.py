"""A start of Spark without pandas, in a Python of its own: whatever else is imported stays as it was."""

from __future__ import annotations

import subprocess
import sys

import pytest

START = """
import sys
from airflow_metorikku.spark.session import start_session
session = start_session(None, {"spark.master": "local[1]"})
from pyspark.sql import functions as F
assert session.range(2).select(F.lit(1)).where(F.col("1").isin([1, 2])).count() == 2
print("pandas" in sys.modules)
"""
THEN = """
import numpy
import pyspark.testing.utils
from pyspark.testing import assertSchemaEqual
assertSchemaEqual(session.range(2).schema, session.range(3).schema)
assert session.range(1).select(F.lit(numpy.int64(7)).alias("n"), F.lit(numpy.array([1, 2])).alias("a")).first() == (7, [1, 2])
print(pyspark.testing.utils.__file__.endswith("utils.py"), pyspark.testing.utils.have_pandas)
"""
PICKLED = """
import importlib.util, pickle
import pyspark.testing.utils as asked
from pyspark import cloudpickle
print(pickle.loads(cloudpickle.dumps(lambda: asked.have_numpy))() == asked.have_numpy)
print(importlib.util.find_spec("pyspark.testing.utils").name)
import pyspark.testing.utils
print(pyspark.testing.utils.have_numpy == asked.have_numpy, "pandas" in sys.modules)
import pyspark.testing.sqlutils as sql
print(sql.ReusedSQLTestCase.__module__)
"""


def told(program: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.usefixtures("needs_spark_4")
def test_spark_starts_without_pandas() -> None:
    pytest.importorskip("pandas", reason="pandas is missing on this machine; dev/setup brings it")
    assert told(START) == ["False"]


@pytest.mark.usefixtures("needs_spark_4")
def test_the_module_is_itself_for_whoever_asks_for_more() -> None:
    pytest.importorskip("pandas", reason="pandas is missing on this machine; dev/setup brings it")
    assert told(START + THEN) == ["False", "True", "True"]


@pytest.mark.usefixtures("needs_spark_4")
def test_functions_that_use_the_module_are_pickled() -> None:
    assert told(START + PICKLED) == [
        *("False", "True", "pyspark.testing.utils", "True", "False"),
        "pyspark.testing.sqlutils",
    ]
