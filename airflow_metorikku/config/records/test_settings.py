"""Test files (as of Metorikku's tester): read and checked here; running them comes with the tester."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from airflow_metorikku.config.fields import Where, key, where


@dataclass(frozen=True, kw_only=True)
class Mock:
    """A file that stands for an input."""

    name: str = key("Name of the view or table.")
    path: str = key("File, relative to the test file.")
    streaming: bool = key("Replay it as a stream.", default=False)
    at: Where | None = where()


@dataclass(frozen=True, kw_only=True)
class Params:
    """Parameters of a test."""

    variables: Mapping[str, str] = key("Variables of the job.", default={})


@dataclass(frozen=True, kw_only=True)
class TestSettings:
    """Top level of a test file."""

    metric: str = key("Metric file or folder, relative to the test file.")
    mocks: tuple[Mock, ...] = key("Mocks of inputs.", default=())
    params: Params = key("Parameters.", default=Params())
    tests: Mapping[str, tuple[Mapping[str, object], ...]] = key("Expected rows by table.")
    keys: Mapping[str, tuple[str, ...]] = key("Key columns by table.", default={})
    output_mode: Literal["append", "complete", "update"] = key(
        "Mode of streaming results.", default="append"
    )
    compare: Literal["typed", "text"] = key("How values are compared.", default="typed")
    expect: Mapping[str, object] = key("Expected verdicts.", default={})
    at: Where | None = where()
