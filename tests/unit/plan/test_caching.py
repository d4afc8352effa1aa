"""What is cached, by Waimak's rules: only what is read twice, and the first request wins."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_jobs import make_job, metric

from airflow_metorikku.config.records.caching import Cache
from airflow_metorikku.config.records.checks.rows import IsComplete
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.config.records.job import Job
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.problems import find_problems
from airflow_metorikku.plan.waimak import extended

# a is read three times, b by an output alone, movies twice.
METRIC = metric(
    "m",
    {
        "a": "SELECT * FROM movies",
        "b": "SELECT * FROM a JOIN a AS again",
        "c": "SELECT 1 FROM a, movies",
    },
    {"b": "out/b", "a": "out/a"},
)
EXTENSIONS = "spark.waimak.dataflow.extensions"


def cached(job: Job) -> dict[str, str]:
    (plan,) = compile_job(extended(job).job)
    return {one.name: one.kind for one in plan.cached}


def waimak(**settings: str) -> Job:
    conf = {f"{EXTENSIONS}.{name.replace('__', '.')}": value for name, value in settings.items()}
    return make_job(METRIC, spark_conf={EXTENSIONS: conf.pop(f"{EXTENSIONS}.names"), **conf})


@pytest.mark.parametrize("kind", ["sparkcache", "cacheasparquet"])
def test_none_one_or_all_labels(kind: str) -> None:
    as_ = "spark" if kind == "sparkcache" else "parquet"
    assert cached(make_job(METRIC)) == {}
    assert cached(waimak(names=kind, **{f"{kind}__cacheLabels": "A, c"})) == {"a": as_}
    assert cached(waimak(names=kind, **{f"{kind}__cacheAll": "true"})) == {"a": as_, "movies": as_}


def test_the_first_request_for_a_label_wins() -> None:
    both = {"sparkcache__cacheLabels": "a", "cacheasparquet__cacheLabels": "a,movies"}
    assert cached(waimak(names="sparkcache,cacheasparquet", **both)) == {
        "a": "spark",
        "movies": "parquet",
    }
    assert cached(waimak(names="cacheasparquet,sparkcache", **both)) == {
        "a": "parquet",
        "movies": "parquet",
    }
    job = waimak(names="cacheasparquet", cacheasparquet__cacheAll="true")
    own = replace(job, settings=replace(job.settings, cache=Cache(data_frames=("a",))))
    assert cached(own) == {"a": "spark", "movies": "parquet"}


def test_what_is_read_once_is_cached_where_asked() -> None:
    assert cached(make_job(METRIC, cache=Cache(data_frames=("b",)))) == {}
    assert cached(make_job(METRIC, cache=Cache(data_frames=("b",), only_reused=False))) == {
        "b": "spark"
    }
    off = {"spark.waimak.dataflow.cacheOnlyReusedLabels": "false"}
    job = waimak(names="sparkcache", sparkcache__cacheLabels="b")
    conf = {**job.settings.spark_conf, **off}
    assert cached(replace(job, settings=replace(job.settings, spark_conf=conf))) == {"b": "spark"}
    steps = tuple(replace(step, cache=step.data_frame_name == "b") for step in METRIC.steps)
    assert cached(make_job(replace(METRIC, steps=steps))) == {"b": "spark"}


def test_checks_of_what_is_not_written_read_it() -> None:
    dq = DataQuality(checks=(IsComplete(column="x"),))
    made = metric("m", {"a": "SELECT 1 AS x", "b": "SELECT * FROM a"}, {"b": "out"})
    checked = replace(made, steps=(replace(made.steps[0], dq=dq), replace(made.steps[1], dq=dq)))
    assert cached(make_job(checked, cache=Cache(data_frames="all"))) == {"a": "spark"}


def test_mistakes_are_named() -> None:
    (found,) = find_problems(make_job(METRIC, cache=Cache(data_frames=("moviez",))))
    assert found.text == "unknown data frame 'moviez'; did you mean 'movies'?"
    (found,) = find_problems(waimak(names="sparkcache", sparkcache__cacheLabels="z"))
    assert found.path == f"{EXTENSIONS}.sparkcache.cacheLabels"
    (found,) = find_problems(waimak(names="sparkcache"))
    assert "caches nothing without" in found.text
    (found,) = find_problems(waimak(names="sparkcache", sparkcache__cacheAll="maybe"))
    assert found.text == "got 'maybe', expected true or false"
    several = find_problems(waimak(names="deequ", sparkcache__cacheAl="true"))
    assert any("unknown setting 'cacheAl'; did you mean 'cacheAll'?" in p.text for p in several)
