"""Modules of tests: each is imported anew, and what is installed stays as it is."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from airflow_metorikku.spark.tester.isolation import isolated

STEP = """
from lib_of_tests import counted
counted.count += 1
count = counted.count
"""


def test_modules_of_a_folder_without_init_are_imported_anew(
    spark: SparkSession, tmp_path: Path
) -> None:
    package = tmp_path / "lib_of_tests"
    package.mkdir()
    (package / "counted.py").write_text("count = 0\n")
    for _ in range(2):
        with isolated(spark, str(tmp_path)):
            sys.path.append(str(tmp_path))
            found: dict[str, int] = {}
            exec(STEP, found)
            assert found["count"] == 1
    assert "lib_of_tests" not in sys.modules


def test_what_is_installed_below_the_base_folder_stays(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = tmp_path / ".venv"
    (environment / "lib").mkdir(parents=True)
    (environment / "lib/installed_by_tests.py").touch()
    (tmp_path / "own_of_tests.py").touch()
    monkeypatch.setattr(sys, "prefix", str(environment))
    with isolated(spark, str(tmp_path)):
        sys.path += [str(tmp_path), str(environment / "lib")]
        installed = importlib.import_module("installed_by_tests")
        importlib.import_module("own_of_tests")
    assert sys.modules.pop("installed_by_tests") is installed
    assert "own_of_tests" not in sys.modules
