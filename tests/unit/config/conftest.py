"""Texts to records and problems, as a loader would do it."""

from __future__ import annotations

import pytest

from airflow_metorikku.config.interpolation import Names, interpolate
from airflow_metorikku.config.report import Report
from airflow_metorikku.config.structure import structure
from airflow_metorikku.config.yaml_text import read_yaml


@pytest.fixture
def read():
    """`read(record, text)` gives the record and the problems, as `line: path: text`."""

    def read_record(record, text, names=None):
        names = names or Names()
        report = Report(file="f.yaml", names=names)
        root, _ = read_yaml(interpolate(text, names))
        made = structure(record, root, "", report)
        return made, [str(problem).removeprefix("f.yaml:") for problem in report.problems]

    return read_record
