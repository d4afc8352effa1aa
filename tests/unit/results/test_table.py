"""The table is read by people: what it must show is written here by hand."""

from __future__ import annotations

from textwrap import dedent

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
from airflow_metorikku.results.table import render

PASSED = ConstraintResult(
    id="isComplete.id",
    data_frame="trades",
    check="isComplete",
    constraint="isComplete(id) == 1",
    level="critical",
    status="passed",
    value=1.0,
    message="",
    how="observed",
)
FAILED = ConstraintResult(
    id="hasSize",
    data_frame="trades",
    check="hasSize",
    constraint="hasSize() >= 2000",
    level="warning",
    status="failed",
    value=1234,
    message="got 1234, expected >= 2000",
    how="observed",
)


def a_result(**changes: object) -> Result:
    settings: dict[str, object] = {
        "job": "trades",
        "attempt": "a1",
        "plan_hash": "h",
        "verdict": "warning",
        "started": "2026-01-01T00:00:00Z",
        "ended": "2026-01-01T00:01:00Z",
        "application": Application(id="local-1", master="local[2]", spark="4.2.0"),
        "metrics": (
            MetricResult(
                name="enrich",
                verdict="warning",
                seconds=1.25,
                constraints=(PASSED, FAILED),
                steps=(
                    StepResult(
                        data_frame="extra", status="ignored", seconds=0.1, error="no such table"
                    ),
                ),
                outputs=(
                    OutputResult(
                        data_frame="trades",
                        type="Parquet",
                        target="/data/out",
                        rows=1234,
                        published=True,
                    ),
                ),
            ),
        ),
    }
    return Result(**(settings | changes))


def test_outputs_constraints_problems_and_the_verdict_are_shown_in_this_order():
    assert render(a_result()) == dedent("""\
        outputs
        metric  data frame  type      rows  published  target
        ------  ----------  -------  -----  ---------  ---------
        enrich  trades      Parquet  1,234  yes        /data/out

        constraints
        metric  data frame  constraint           value  level     status
        ------  ----------  -------------------  -----  --------  ------
        enrich  trades      isComplete(id) == 1      1  critical  passed
        enrich  trades      hasSize() >= 2000    1,234  warning   failed

        problems
        where               what
        ------------------  --------------------------
        step extra          ignored: no such table
        constraint hasSize  got 1234, expected >= 2000

        trades: verdict warning (1 metric in 1.2 s, Spark 4.2.0 on local[2])""")


def test_controls_stand_in_rows_and_checkpoints_in_columns():
    def checkpoint(name: str, **values: str) -> CheckpointResult:
        controls = tuple(
            ControlValue(name=n, type="count", column="*", value=v) for n, v in values.items()
        )
        return CheckpointResult(name=name, controls=controls)

    rule = ReconciliationResult(
        checkpoint="Loaded",
        against="Source",
        control="recordCount",
        expected="100",
        actual="98",
        metric="enrich",
        data_frame="trades",
        level="critical",
        status="failed",
    )
    text = render(
        a_result(
            metrics=(),
            verdict="critical",
            reconciliation=(rule,),
            checkpoints=(
                checkpoint("Source", recordCount="100", total="5.5"),
                checkpoint("Loaded", recordCount="98"),
            ),
        )
    )
    assert text == dedent("""\
        control measures
        control      Source  Loaded
        -----------  ------  ------
        recordCount     100      98
        total           5.5       -

        reconciliation
        checkpoint  against  control      expected  actual  difference  level     status
        ----------  -------  -----------  --------  ------  ----------  --------  ------
        Loaded      Source   recordCount       100      98  -2 (-2 %)   critical  failed

        trades: verdict critical (0 metrics in 0.0 s, Spark 4.2.0 on local[2])""")


def test_a_problem_of_a_checkpoint_names_its_control():
    rule = ReconciliationResult(
        checkpoint="Loaded",
        against="Source",
        control="total",
        expected="6",
        actual="3",
        metric="m",
        data_frame="t",
        level="critical",
        status="failed",
        message="got 3, expected 6",
    )
    text = render(a_result(metrics=(), verdict="critical", reconciliation=(rule,)))
    assert "checkpoint Loaded, total  got 3, expected 6" in text


def test_a_withheld_output_and_a_metric_that_did_not_run_say_so():
    withheld = OutputResult(data_frame="t", type="CSV", target="/o", rows=None, published=False)
    text = render(
        a_result(
            application=None,
            error="Spark went away",
            metrics=(
                MetricResult(name="first", verdict="critical", seconds=0, outputs=(withheld,)),
                MetricResult(name="second", verdict="critical", seconds=0, ran=False),
            ),
        )
    )
    assert "withheld" in text
    assert "run            Spark went away" in text
    assert "metric second  did not run" in text
    assert text.endswith("trades: verdict warning (2 metrics in 0.0 s)")


def test_long_cells_are_cut_in_the_middle_so_that_no_line_is_wider_than_asked():
    long = OutputResult(
        data_frame="trades", type="Parquet", target="/" + "x" * 300 + "/end", rows=1, published=True
    )
    text = render(
        a_result(metrics=(MetricResult(name="m", verdict="good", seconds=1, outputs=(long,)),)), 80
    )
    line = text.splitlines()[3]
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "/x" in line
    assert line.endswith("/end")


def test_a_long_problem_goes_over_several_lines_and_is_told_once():
    text = (
        "the driver is not there; " + "add its package to the job's packages, " * 4 + "or its JAR"
    )
    metrics = (MetricResult(name="m", verdict="critical", seconds=0, ran=False, error=text),)
    shown = render(a_result(error=text, metrics=metrics), 60)
    _, _, problems = shown.rpartition("\n\n")[0].partition("problems")
    assert 50 < max(len(line) for line in problems.splitlines()) <= 60
    assert "…" not in problems
    assert " ".join(problems.split()).count(text) == 1
    assert "metric m  did not run\n" in shown


def test_lines_within_a_cell_become_blanks():
    text = render(a_result(error="first\n  second", metrics=()))
    assert "first second" in text


def test_a_value_that_does_not_count_says_so():
    free = ConstraintResult(
        id="c",
        data_frame="t",
        check="hasMin",
        constraint="hasMin(x) >= 0",
        level="critical",
        status="no_data",
        value=None,
        message="no row",
        how="none",
        counts=False,
    )
    text = render(
        a_result(metrics=(MetricResult(name="m", verdict="good", seconds=1, constraints=(free,)),))
    )
    assert "no data (does not count)" in text
