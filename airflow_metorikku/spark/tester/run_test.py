"""One test: mocks, the run of its plan, and what came out of it against what is expected."""

from __future__ import annotations

import logging
import time
from functools import partial
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError
from airflow_metorikku.results.expectations import unmet
from airflow_metorikku.results.outcome import Outcome, TableOutcome
from airflow_metorikku.spark.formats import spark_format
from airflow_metorikku.spark.names import frame_named
from airflow_metorikku.spark.outputs.file import format_of, read_options
from airflow_metorikku.spark.runner import run_plan
from airflow_metorikku.spark.sentences import sentence
from airflow_metorikku.spark.tester.compare import Comparison, compare_table
from airflow_metorikku.spark.tester.isolation import isolated
from airflow_metorikku.spark.tester.mocks import make_mock
from airflow_metorikku.spark.tester.zones import zone_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

    from airflow_metorikku.config.records.metric import Output
    from airflow_metorikku.config.records.test_settings import Row
    from airflow_metorikku.plan.metric_tests import MetricTestPlan
    from airflow_metorikku.results.records import OutputResult, Result

logger = logging.getLogger(__name__)


def run_test(root: SparkSession, test: MetricTestPlan) -> Outcome:
    """Run a test in a session of its own; whatever breaks is in its outcome."""
    started = time.monotonic()
    tables: list[TableOutcome] = []
    problems: list[str] = []
    try:
        with isolated(root, test.plan.base) as session:
            for mock in test.mocks:
                make_mock(session, mock)
            result = run_plan(test.plan, session)
            problems += unmet(test.expect, result)
            if result.error is None or (test.expect and test.expect.error):
                tables += _tables(session, test)
                tables += _outputs(session, test, result)
    except (
        Exception
    ) as error:  # whatever a user's files and code do to Spark is this test's failure
        problems.append(sentence(error))
        logger.debug("the test '%s' broke", test.file, exc_info=True)
    return Outcome(
        file=test.file,
        seconds=round(time.monotonic() - started, 3),
        tables=tuple(tables),
        problems=tuple(problems),
    )


def _tables(session: SparkSession, test: MetricTestPlan) -> list[TableOutcome]:
    return [
        _compared(session, test, name, rows, partial(frame_named, session, name))
        for name, rows in test.tables.items()
    ]


def _compared(
    session: SparkSession,
    test: MetricTestPlan,
    name: str,
    rows: tuple[Row, ...],
    frame: Callable[[], DataFrame],
) -> TableOutcome:
    """One table; one that cannot be read is its own failure, and the others are compared all the same."""
    asked = Comparison(
        name=name,
        rows=rows,
        keys=test.keys.get(name, ()),
        compare=test.compare,
        zone=zone_of(session),
    )
    try:
        return compare_table(asked, frame())
    except Exception as error:  # noqa: BLE001 - as in run_test
        return _unreadable(name, rows, sentence(error))


def _unreadable(name: str, rows: tuple[Row, ...], why: str) -> TableOutcome:
    return TableOutcome(name=name, expected_rows=len(rows), actual_rows=None, problems=(why,))


def _outputs(session: SparkSession, test: MetricTestPlan, result: Result) -> list[TableOutcome]:
    written = [
        pair
        for metric, done in zip(test.plan.metrics, result.metrics, strict=False)
        for pair in zip(metric.output, done.outputs, strict=False)
    ]
    outcomes = []
    for name, rows in test.outputs.items():
        found = [pair for pair in written if pair[0].output_options.path == name] or [
            pair for pair in written if pair[0].data_frame_name.lower() == name.lower()
        ]
        places = {done.target for _, done in found}
        title = f"output {name}"
        if len(places) != 1:
            known = ", ".join(str(output.output_options.path) for output, _ in written) or "none"
            why = "names several outputs; use the path" if places else "no such output to files"
            outcomes.append(_unreadable(title, rows, f"{why}: the metric has {known}"))
        elif not all(done.published for _, done in found):
            outcomes.append(_unreadable(title, rows, "is withheld: see the verdict"))
        else:
            outcomes.append(_output(session, test, title, rows, found[-1]))
    return outcomes


def _output(
    session: SparkSession,
    test: MetricTestPlan,
    title: str,
    rows: tuple[Row, ...],
    found: tuple[Output, OutputResult],
) -> TableOutcome:
    output, done = found
    return _compared(session, test, title, rows, partial(_read, session, output, done.target))


def _read(session: SparkSession, output: Output, place: str) -> DataFrame:
    """The files of an output, read as they were written."""
    try:
        reader = session.read.format(spark_format(session, format_of(output)))
        return reader.options(**read_options(output)).load(place)
    except Exception as error:
        raise RunError(f"{place}: {sentence(error)}") from error
