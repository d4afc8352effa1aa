"""Data frames that are not there when they are read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_jobs import make_job, metric

from airflow_metorikku.config.records.checks import base, comparisons
from airflow_metorikku.config.records.checks.base import HOLDS_FOR_ALL
from airflow_metorikku.config.records.checks.composites import AnyOf
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.config.records.metric import Step
from airflow_metorikku.plan.references import problems, used_by


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


def test_checks_read_what_any_step_of_their_metric_makes_and_nothing_else() -> None:
    def checked(*checks: base.Check) -> list[str]:
        one = metric("one", {"a": "SELECT * FROM movies", "b": "SELECT 1"})
        first, second = one.steps
        one = replace(one, steps=(replace(first, dq=DataQuality(checks=checks)), second))
        return texts(make_job(one, metric("two", {"c": "SELECT 1"})))

    there = ("b", "Movies", "a", "db.t", "`db`.t")
    assert checked(*(comparisons.RowCountMatch(other=name) for name in there)) == []
    (later,) = checked(comparisons.ReferentialIntegrity(columns=("x",), other="c"))
    assert later.startswith(
        "one.yaml:2: steps[0].dq.checks[0].referentialIntegrity.other: reads 'c', which step 'c' of metric 'two'"
    )
    (nobody,) = checked(comparisons.DoesDatasetMatch(other="movise", keys={"x": "x"}))
    assert "did you mean 'movies'?" in nobody
    query = "SELECT count(*) FROM a JOIN movise ON true"
    (in_sql,) = checked(comparisons.CustomSql(sql=query, assertion=HOLDS_FOR_ALL))
    assert in_sql.startswith("one.yaml:2: steps[0].dq.checks[0].customSql.sql: reads 'movise'")
    parts = (comparisons.RowCountMatch(other="a"), comparisons.RowCountMatch(other="movise"))
    (in_part,) = checked(AnyOf(checks=parts))
    assert in_part.startswith(
        "one.yaml:2: steps[0].dq.checks[0].anyOf.checks[1].rowCountMatch.other: reads 'movise'"
    )


def test_a_metric_that_is_checked_against_stays_with_its_reader() -> None:
    one = metric("one", {"a": "SELECT 1"})
    check = comparisons.RowCountMatch(other="Elsewhere")
    query = comparisons.CustomSql(sql="SELECT count(*) FROM third", assertion=HOLDS_FOR_ALL)
    step = replace(one.steps[0], dq=DataQuality(checks=(check, query)))
    assert {"elsewhere", "third"} <= used_by(replace(one, steps=(step,)))


def test_rules_of_dqdl_read_data_frames_as_checks_do() -> None:
    one = metric("one", {"a": "SELECT 1"})
    rules = (
        comparisons.RowCountMatch(other="movise"),
        comparisons.CustomSql(sql="SELECT count(*) FROM moviez", assertion=HOLDS_FOR_ALL),
    )
    one = replace(one, steps=(replace(one.steps[0], dq=DataQuality(dqdl=rules)),))
    said = texts(make_job(one))
    assert ["did you mean 'movies'?" in text for text in said] == [True, True]
    assert all(text.startswith("one.yaml:2: steps[0].dq.dqdl: reads ") for text in said)
    assert {"movise", "moviez"} <= used_by(one)
