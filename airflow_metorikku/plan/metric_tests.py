"""A test to the plan of its run, with what is expected of it: a pure function."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from airflow_metorikku.config.plain import from_plain, to_plain
from airflow_metorikku.config.records.catalog import name_parts
from airflow_metorikku.config.records.inputs import FileInput
from airflow_metorikku.config.records.outputs import FILE_OUTPUTS, FileSettings, OutputSettings
from airflow_metorikku.config.records.test_settings import Expect, Mock, Row
from airflow_metorikku.errors import ConfigError, Problem
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.paths import target
from airflow_metorikku.plan.records import Plan
from airflow_metorikku.plan.variables import undefined_in_sql

if TYPE_CHECKING:
    from collections.abc import Iterator

    from airflow_metorikku.config.metric_tests import MetricTest
    from airflow_metorikku.config.records.job import Job, JobFile
    from airflow_metorikku.config.records.metric import Metric, Output, Step


@dataclass(frozen=True, kw_only=True)
class MetricTestPlan:
    """One test, resolved and self-contained."""

    file: str
    """Test file, as messages name it."""
    plan: Plan
    mocks: tuple[Mock, ...]
    """Their paths absolute."""
    tables: Mapping[str, tuple[Row, ...]]
    keys: Mapping[str, tuple[str, ...]]
    compare: Literal["typed", "text"]
    outputs: Mapping[str, tuple[Row, ...]]
    expect: Expect | None = None

    def to_plain(self) -> dict[str, object]:
        """Plain data."""
        return to_plain(self)

    @classmethod
    def from_plain(cls, data: object) -> MetricTestPlan:
        """The test of what `to_plain` made; raises ValueError on anything else."""
        return from_plain(cls, data)


def compile_test(test: MetricTest, *, scratch: str, preview: int = 0) -> MetricTestPlan:
    """The plan of a test; raises ConfigError for a variable that nothing defines.

    :param scratch: absolute folder that its outputs go below.
    :param preview: rows to print of each step.
    """
    settings = _settings(test, scratch, preview)
    metrics = tuple(_metric(metric, test) for metric in test.job.metrics)
    job = replace(test.job, settings=settings, metrics=metrics)
    if problems := [*job.undefined, *undefined_in_sql(job), *_escaping(job, scratch)]:
        raise ConfigError(problems)
    (plan,) = compile_job(job)
    asked = test.settings
    return MetricTestPlan(
        file=test.file,
        plan=replace(plan, reads=()),  # the mocks stand for them
        mocks=tuple(replace(mock, path=_mock_path(test, mock)) for mock in asked.mocks),
        tables=asked.tests,
        keys=asked.keys,
        compare=asked.compare,
        outputs=asked.outputs,
        expect=asked.expect,
    )


def _escaping(job: Job, scratch: str) -> Iterator[Problem]:
    """Outputs whose path leads out of the scratch folder."""
    for metric in job.metrics:
        for output in metric.output:
            place = target(job.base, job.settings, output, "unique")
            if place is not None and not os.path.normpath(place).startswith(f"{scratch}/"):
                text = f"got {output.output_options.path!r}, which leads out of the test's scratch folder"
                yield Problem(
                    file=output.at.file if output.at else metric.file,
                    line=output.at.line if output.at else 0,
                    path="output.outputOptions.path",
                    text=text,
                )


def _settings(test: MetricTest, scratch: str, preview: int) -> JobFile:
    """The job's keys, without all that would reach out of the test."""
    given, asked = test.job.settings, test.settings
    named = {
        name: OutputSettings(file=FileSettings(dir=f"{scratch}/outputs/{number}"))
        for number, name in enumerate(given.outputs)
    }
    return replace(
        given,
        inputs={
            mock.name: FileInput(path=_mock_path(test, mock))
            for mock in asked.mocks
            if "." not in mock.name
        },
        variables={**given.variables, **asked.params.variables},
        output=OutputSettings(file=FileSettings(dir=f"{scratch}/output")),
        outputs=named,
        alerters=(),
        results=None,
        instrumentation=None,
        catalog=None,
        streaming=None,
        periodic=None,
        ignore_deequ_validations=asked.expect is None,
        control_measures=given.control_measures if _asks_controls(asked.expect) else None,
        failed_df_location_prefix=None,
        quality=replace(given.quality, failed_data_path=None),
        checkpoint_storage_location=None,
        show_preview_lines=preview,
        show_query=preview > 0,
    )


def _asks_controls(expect: Expect | None) -> bool:
    """A test of one metric need not have the input that the job's control measures start from."""
    return expect is not None and bool(expect.checkpoints or expect.reconciliation)


def _as_files(output: Output) -> Output:
    """An output without its table: a test touches none of the catalog's."""
    options = output.output_options
    if not options.table_name:
        return output
    path = options.path or f"tables/{'.'.join(name_parts(options.table_name))}"
    return replace(
        output,
        output_options=replace(options, path=path, table_name=None, table_properties=None),
    )


def _metric(metric: Metric, test: MetricTest) -> Metric:
    steps = tuple(_without_dump(step) for step in metric.steps)
    # Into the scratch folder go files alone: a test writes to no database.
    files = tuple(
        _as_files(output) for output in metric.output if output.output_type in FILE_OUTPUTS
    )
    return replace(metric, steps=steps, output=files if test.settings.outputs else ())


def _without_dump(step: Step) -> Step:
    if step.dq is None or not step.dq.failed_df_location:
        return step
    return replace(step, dq=replace(step.dq, failed_df_location=None))


def _mock_path(test: MetricTest, mock: Mock) -> str:
    return os.path.normpath(os.path.join(test.folder, mock.path))  # noqa: PTH118 - Path keeps `..`
