"""Metorikku's own code steps between a job's files: parameters, what they read, what shares a run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_jobs import make_job, metric

from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.records.code_steps import PACKAGE
from airflow_metorikku.config.records.metric import Step
from airflow_metorikku.plan.problems import find_problems
from airflow_metorikku.plan.split import groups


def code(name, params=None, **more):
    at = Where(file="m.yaml", line=7)
    return Step(data_frame_name="t", classpath=PACKAGE + name, params=params, at=at, **more)


def job_of(*steps, sql="SELECT * FROM movies", **settings):
    made = metric("m", {"a": sql})
    return make_job(replace(made, steps=(*made.steps, *steps)), **settings)


@pytest.mark.parametrize(
    ("step", "texts"),
    [
        (code("DropColumns", {"table": "a", "columns": "x"}), []),
        (code("RemoveDuplicates", {"table": "MOVIES"}), []),
        (code("Registrator"), []),
        (code("LoadIfExists", {"dfName": "a", "tableName": "perhaps"}), []),
        (code("DropColumns", {"table": "db.somewhere", "columns": "x"}), []),
        (
            code("SelectiveMerge", {"df1": "a", "joinKey": "id"}),
            [
                "SelectiveMerge needs df2: Second data frame, whose values win",
                "SelectiveMerge needs joinKeys: Key columns, with blanks or commas between them",
                "SelectiveMerge: unknown parameter 'joinKey'; did you mean 'joinKeys'?",
            ],
        ),
        (
            code("CamelCaseColumnNames", {"table": "move"}),
            ["reads 'move', but no input and no step makes it; did you mean 'movies'?"],
        ),
    ],
)
def test_parameters_and_what_is_read(step, texts):
    found = find_problems(job_of(step))
    assert [problem.text[: len(text)] for problem, text in zip(found, texts, strict=True)] == texts
    assert all((p.file, p.line, p.path) == ("m.yaml", 7, "params") for p in found)


def test_a_step_that_may_fail_may_have_wrong_parameters():
    assert find_problems(job_of(code("SelectiveMerge", ignore_on_failures=True))) == []
    assert find_problems(job_of(code("SelectiveMerge"), continue_on_failed_step=True)) == []


def test_a_variable_is_undefined_before_a_built_in_and_after_it_but_not_after_code():
    def texts(step):
        after = Step(data_frame_name="b", sql="SELECT ${no} AS x")
        return [p.text for p in find_problems(job_of(step, after), final=True)]

    (text,) = texts(code("Registrator"))
    assert "${no} is not defined" in text
    assert texts(Step(data_frame_name="t", python="m:f")) == []


def test_metrics_with_built_ins_can_be_parted_and_those_with_code_cannot():
    def runs(step):
        second = metric("n", {})
        return len(
            groups(
                make_job(metric("m", {"a": "SELECT 1 AS x"}), replace(second, steps=(step,))),
                "metric",
            )
        )

    assert runs(code("DropColumns", {"table": "movies", "columns": "x"})) == 2
    assert runs(code("DropColumns", {"table": "a", "columns": "x"})) == 1
    assert runs(Step(data_frame_name="t", classpath="com.mine.Step")) == 1
