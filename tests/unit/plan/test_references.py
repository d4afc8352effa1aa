"""Data frames that are not there when they are read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_jobs import make_job, metric

from airflow_metorikku.config.records.metric import Step
from airflow_metorikku.plan.references import problems


def texts(job: object, **options: object) -> list[str]:
    return [str(problem) for problem in problems(job, **options)]


def test_inputs_earlier_steps_and_earlier_metrics_are_there() -> None:
    job = make_job(
        metric("one", {"a": "SELECT * FROM movies", "b": "SELECT * FROM a"}),
        metric(
            "two",
            {"c": "SELECT * FROM b JOIN Movies"},
            {"c": "out/c", "a": "out/a", "movies": "out/m"},
        ),
    )
    assert texts(job) == []


def test_nobody_makes_it() -> None:
    job = make_job(
        metric("one", {"a": "SELECT * FROM movise", "b": "SELECT * FROM elsewhere"}, {"x": "out"})
    )
    first, second, third = texts(job)
    assert first.startswith("one.yaml:2: sql: reads 'movise'")
    assert "did you mean 'movies'?" in first
    assert second.startswith("one.yaml:4: sql: reads 'elsewhere'")
    assert third.startswith("one.yaml:100: output.dataFrameName: got 'x'")


def test_later_step() -> None:
    (text,) = texts(make_job(metric("one", {"a": "SELECT * FROM b", "b": "SELECT 1"})))
    assert "makes only later" in text
    assert "one.yaml:4" in text


def test_circle_across_metrics() -> None:
    job = make_job(metric("one", {"a": "SELECT * FROM b"}), metric("two", {"b": "SELECT * FROM a"}))
    (text,) = texts(job)
    assert text.startswith("one.yaml:2:")
    assert "circle" in text
    assert "a" in text
    assert "b" in text


def test_a_step_that_replaces_what_it_reads_is_no_circle() -> None:
    assert (
        texts(
            make_job(metric("one", {"movies": "SELECT * FROM movies", "t": "SELECT * FROM movies"}))
        )
        == []
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"continue_on_failed_step": True},
        {"spark_conf": {"spark.sql.catalogImplementation": "hive"}},
    ],
)
def test_where_only_spark_can_tell(settings: dict[str, object]) -> None:
    assert (
        texts(make_job(metric("one", {"a": "SELECT * FROM table_of_the_metastore"}), **settings))
        == []
    )


def test_code_may_register_anything() -> None:
    given = metric("one", {"b": "SELECT * FROM made_by_code"}, {"also_made": "out"})
    assert len(texts(make_job(given))) == 2
    code = Step(data_frame_name="a", python="m:f")
    assert texts(make_job(replace(given, steps=(code, *given.steps)))) == []


def test_what_a_broken_file_declares_is_known() -> None:
    job = make_job(metric("one", {"a": "SELECT 1"}, {"b": "out"}))
    assert texts(job, declared=["b"]) == []
    assert len(texts(job)) == 1
