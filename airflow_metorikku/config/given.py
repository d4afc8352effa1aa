"""Records that a DAG file or the command line gives as plain data, read by the rules of the YAML files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from airflow_metorikku.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")


def is_template(value: object) -> bool:
    """Whether it, or something in it, is a template, of which nothing is known before the run."""
    text = str(value)
    return "{{" in text or "{%" in text


def without_templates(given: Mapping[str, T] | None) -> dict[str, T]:
    """What can be checked before the run: each but those that are templates."""
    return {
        name: value
        for name, value in (given or {}).items()
        if not (is_template(name) or is_template(value))
    }


def read_given(record: type[T], data: object, called: str) -> T:
    """The record that plain data describe; raises ConfigError with every mistake, `called` standing for the file."""
    # A DAG file that gives none pays for none of the reading.
    from airflow_metorikku.config.interpolation import Interpolated, Names
    from airflow_metorikku.config.json_text import read_json
    from airflow_metorikku.config.report import Report
    from airflow_metorikku.config.structure import structure

    text = json.dumps(data, default=str)
    node, _ = read_json(Interpolated(text, None, marked=False))
    report = Report(file=called, names=Names())
    found: Any = structure(record, node, path="", report=report)
    if report.problems:
        raise ConfigError(report.problems)
    return found  # type: ignore[no-any-return]  # the record, as nothing is wrong
