"""Test files, as of Metorikku's tester, and the keys that are added to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from airflow_metorikku.config.fields import Where, key, where

STREAMS = "streaming mocks come with a later version; without `streaming` the file is a table"
Row = Mapping[str, object]
Verdict = Literal["good", "information", "warning", "critical", "no_data"]


@dataclass(frozen=True, kw_only=True)
class Mock:
    """A file that stands for an input."""

    name: str = key("Name of the view or table.")
    path: str = key(
        "File or folder, relative to the test file: json and jsonl, csv (with a header, all texts), else Parquet."
    )
    streaming: bool = key("Replay it as a stream.", default=False, later=STREAMS)
    at: Where | None = where()


@dataclass(frozen=True, kw_only=True)
class Params:
    """Parameters of a test."""

    variables: Mapping[str, str] = key("Variables of the job.", default={})


@dataclass(frozen=True, kw_only=True)
class Expect:
    """What a run must say of itself; only what is named is asked. With it the metric's checks run, with `checkpoints` or `reconciliation` its control measures too; without it none."""

    verdict: Verdict | None = key("Verdict of the whole run.", default=None)
    metrics: Mapping[str, Verdict] = key("Verdicts by metric.", default={})
    constraints: Mapping[str, Literal["passed", "failed", "no_data", "error"]] = key(
        "Status by constraint id, or `dataFrame.id` where several data frames have the id.",
        default={},
    )
    checkpoints: Mapping[str, Mapping[str, str]] = key(
        "Values of control measures, as texts, by checkpoint and control.", default={}
    )
    reconciliation: Mapping[str, Mapping[str, Literal["passed", "failed", "error"]]] = key(
        "Status of control measures by checkpoint and control.", default={}
    )
    error: str | None = key("Words of the error that the run must end with.", default=None)


@dataclass(frozen=True, kw_only=True)
class TestSettings:
    """Top level of a test file."""

    metric: str = key("Metric file or folder, relative to the test file.")
    job: str | None = key(
        "Job file, relative to the test file: the metric runs with its variables, `quality`, `controlMeasures` and `sparkConf`; its inputs are the mocks.",
        default=None,
    )
    mocks: tuple[Mock, ...] = key("Mocks of inputs: tables, gone after the test.", default=())
    params: Params = key("Parameters.", default=Params())
    tests: Mapping[str, tuple[Row, ...]] = key(
        "Expected rows by table; `[]` expects none. The columns of the first row are compared."
    )
    keys: Mapping[str, tuple[str, ...]] = key(
        "Columns by table that say which rows belong together; default all.", default={}
    )
    output_mode: Literal["append", "complete", "update"] = key(
        "Mode of streaming results; without a streaming mock it does nothing.", default="append"
    )
    compare: Literal["typed", "text"] = key(
        "`typed`: an expected value is read as the column's type. `text`: both sides as the texts that Metorikku makes of them.",
        default="typed",
    )
    outputs: Mapping[str, tuple[Row, ...]] = key(
        "Expected rows of outputs, by their `path` or `dataFrameName`. The metric's outputs are then written, into a scratch folder, and read back.",
        default={},
    )
    expect: Expect | None = key("What the run must say of its checks.", default=None)
    at: Where | None = where()
