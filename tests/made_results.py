"""Results as runs leave them, made by hand."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

from airflow_metorikku.results.paths import result_file
from airflow_metorikku.results.records import (
    Application,
    CheckpointResult,
    ConstraintResult,
    ControlValue,
    MetricResult,
    OutputResult,
    ReconciliationResult,
    Result,
    StepResult,
)

EVIL = "<script>document.title='owned'</script>\"'><img src=x onerror=document.title='owned'>"


def a_constraint(**changes) -> ConstraintResult:
    settings = {
        "id": "hasSize",
        "data_frame": "trades",
        "check": "hasSize",
        "constraint": "hasSize() >= 10",
        "level": "critical",
        "status": "passed",
        "value": 12,
        "message": "value 12, expected >= 10",
        "how": "observed",
    }
    return ConstraintResult(**settings | changes)


def a_result(word: str = "trades", *, day: int = 1, **changes) -> Result:
    """A run of that day, with something of everything; each text holds `word`."""
    settings = {
        "job": word,
        "attempt": f"{word}-a{day}",
        "plan_hash": "h",
        "verdict": "warning",
        "started": f"2026-01-{day:02}T00:00:00.000Z",
        "ended": f"2026-01-{day:02}T00:01:30.500Z",
        "application": Application(id=word, master=word, spark=word, ui=word),
        "metrics": (
            MetricResult(
                name=word,
                verdict="warning",
                seconds=1.25,
                steps=(
                    StepResult(data_frame=word, status="ok", seconds=0.5),
                    StepResult(data_frame=word, status="ignored", seconds=0.1, error=word),
                ),
                constraints=(
                    a_constraint(value=10 + day, data_frame=word),
                    a_constraint(
                        id=word,
                        check=word,
                        constraint=word,
                        level="warning",
                        status="failed",
                        message=word,
                        value=1.5,
                    ),
                ),
                outputs=(
                    OutputResult(
                        data_frame=word,
                        type=word,
                        target=word,
                        rows=1234,
                        published=False,
                        table=word,
                    ),
                ),
            ),
            MetricResult(name="late", verdict="no_data", seconds=0.0, ran=False, error=word),
        ),
        "checkpoints": tuple(
            CheckpointResult(
                name=f"{word} {name}",
                controls=(
                    ControlValue(name="recordCount", type="count", column="*", value=value),
                    ControlValue(name=word, type="count", column="*", value=word),
                ),
            )
            for name, value in (("source", "1200"), ("end", "1199"))
        ),
        "reconciliation": (
            ReconciliationResult(
                checkpoint=word,
                against="source",
                control="recordCount",
                expected="1200",
                actual="1199",
                metric=word,
                data_frame=word,
                level="critical",
                status="failed",
                message=word,
            ),
        ),
    }
    return Result(**settings | changes)


def kept(folder: Path, result: Result, *, run: str, seconds: float = 0, text: str | None = None):
    """The result in its place below a folder; or `text` instead of it. `seconds` is when its file was written."""
    path = Path(result_file(str(folder), "local", run, result.job, result.attempt))
    path.parent.mkdir(parents=True)
    path.write_text(result.to_json() if text is None else text, encoding="utf-8")
    os.utime(path, (1_770_000_000 + seconds,) * 2)
    return path


def with_value(result: Result, number: int, value: object) -> Result:
    """The same result with another value of a constraint of its first metric."""
    first, *others = result.metrics
    constraints = list(first.constraints)
    constraints[number] = replace(constraints[number], value=value)
    return replace(result, metrics=(replace(first, constraints=tuple(constraints)), *others))


def foreign() -> str:
    """A result.json of somebody else."""
    return json.dumps({"format": "theirs", "rows": []})
