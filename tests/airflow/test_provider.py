"""What Airflow finds of the package: provider, plugin, option."""

from __future__ import annotations

import importlib
import json
from importlib.metadata import entry_points
from pathlib import Path

import airflow
import jsonschema

from airflow_metorikku.get_provider_info import get_provider_info
from airflow_metorikku.plugin import MetorikkuPlugin
from airflow_metorikku.settings import results_path


def test_provider_info_is_valid_by_airflows_schema():
    schema = json.loads((Path(airflow.__file__).parent / "provider_info.schema.json").read_text())
    jsonschema.validate(get_provider_info(), schema)


def test_what_provider_info_names_exists():
    info = get_provider_info()
    for kind in ("operators", "sensors", "triggers"):
        for entry in info[kind]:
            for module in entry["python-modules"]:
                importlib.import_module(module)
    paths = [*info["notifications"], *(plugin["plugin-class"] for plugin in info["plugins"])]
    for path in paths:
        module, _, name = path.rpartition(".")
        assert isinstance(getattr(importlib.import_module(module), name), type)


def test_airflow_finds_provider_and_plugin():
    from airflow.providers_manager import ProvidersManager

    assert ProvidersManager().providers["airflow-metorikku"].data["name"] == "Metorikku"
    (plugin,) = [
        point for point in entry_points(group="airflow.plugins") if point.name == "metorikku"
    ]
    assert plugin.load() is MetorikkuPlugin


def test_results_are_kept_in_airflow_home_unless_an_option_says_otherwise(monkeypatch):
    monkeypatch.setenv("AIRFLOW_HOME", "/home/of/airflow")
    assert results_path() == "/home/of/airflow/metorikku/results"
    monkeypatch.setenv("AIRFLOW__METORIKKU__RESULTS_PATH", "s3://conn@bucket/results")
    assert results_path() == "s3://conn@bucket/results"
