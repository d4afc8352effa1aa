"""Job to plans: names, groups, paths, variables, control measures, gates."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_jobs import make_job, metric

from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.records.alerters import SlackAlerter
from airflow_metorikku.config.records.checks.rows import IsComplete
from airflow_metorikku.config.records.controls import (
    Checkpoint,
    ControlMeasures,
    Source,
)
from airflow_metorikku.config.records.data_quality import DataQuality
from airflow_metorikku.config.records.inputs import FileInput
from airflow_metorikku.config.records.metric import Metric, Output, Step
from airflow_metorikku.config.records.outputs import (
    CatalogOptions,
    FileOptions,
    FileSettings,
    OutputSettings,
)
from airflow_metorikku.config.records.reconciliation import ReconcileRule
from airflow_metorikku.plan.checkpoints import checkpoints
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.gates import gates
from airflow_metorikku.plan.paths import target
from airflow_metorikku.plan.problems import find_problems


def problems(job: object, **options: object) -> list[str]:
    return [str(problem) for problem in find_problems(job, **options)]


def test_one_run_by_default_and_equal_hashes() -> None:
    job = make_job(metric("one", {"a": "SELECT 1"}), metric("two", {"b": "SELECT 2"}))
    (plan,) = compile_job(job)
    assert [m.name for m in plan.metrics] == ["one", "two"]
    assert plan.reads == ("movies",)
    assert plan.hash == compile_job(job)[0].hash
    other = replace(job, settings=replace(job.settings, variables={"day": "x"}))
    assert plan.hash != compile_job(other)[0].hash


def test_split_keeps_together_what_shares_data_frames() -> None:
    job = make_job(
        metric("one", {"a": "SELECT 1"}),
        metric("two", {"b": "SELECT * FROM movies"}),
        metric("three", {"c": "SELECT * FROM a"}),
    )
    first, second = compile_job(job, split="metric")
    assert [m.name for m in first.metrics] == ["one", "three"]
    assert first.together == ("three uses a of one",)
    assert first.reads == ()
    assert [m.name for m in second.metrics] == ["two"]
    assert second.reads == ("movies",)


def to_table(name: str, table: str, kind: str = "Parquet") -> Metric:
    """A metric whose one output is a table, or changes one."""
    options = CatalogOptions if kind == "Catalog" else FileOptions
    output = Output(
        data_frame_name=name, output_type=kind, output_options=options(table_name=table)
    )
    return replace(metric(name, {name: "SELECT 1 AS x"}), output=(output,))


@pytest.mark.parametrize(
    "other",
    [
        metric("two", {"b": "SELECT * FROM sales"}),
        metric("two", {"b": "SELECT * FROM shop.`Sales` AS s"}),
        metric("two", {"b": "SELECT 1 AS x"}, {"shop.sales": "out"}),
        to_table("two", "`sales`"),
        to_table("two", "shop.sales", "Catalog"),
    ],
)
def test_split_keeps_who_writes_a_table_with_who_reads_or_changes_it(other: Metric) -> None:
    job = make_job(to_table("one", "shop.Sales"), other, metric("three", {"c": "SELECT 1 AS x"}))
    first, second = compile_job(job, split="metric")
    assert [m.name for m in first.metrics] == ["one", "two"]
    assert first.together == ("two uses sales of one",)
    assert [m.name for m in second.metrics] == ["three"]


def test_a_table_that_a_metric_writes_is_there_to_be_read() -> None:
    reader = metric("two", {"b": "SELECT * FROM sales", "c": "SELECT * FROM sale"})
    (missing,) = problems(make_job(to_table("one", "shop.Sales"), reader))
    assert "reads 'sale'" in missing


def test_split_keeps_code_with_what_it_may_read() -> None:
    code = replace(
        metric("two", {"b": "SELECT 1"}), steps=(Step(data_frame_name="b", python="m:f"),)
    )
    (plan,) = compile_job(make_job(metric("one", {"a": "SELECT 1"}), code), split="metric")
    assert "runs code" in plan.together[0]


def test_a_metric_named_twice() -> None:
    (text,) = problems(make_job(metric("one", {"a": "SELECT 1"}), metric("one", {"b": "SELECT 1"})))
    assert "metric 'one' is named twice" in text


def test_no_secret_in_the_plan() -> None:
    job = make_job(metric("one", {"a": "SELECT 1"}), alerters=(SlackAlerter(token="T0/B0/xyz"),))
    (plan,) = compile_job(job)
    assert "xyz" not in str(plan.to_plain())


def test_paths_follow_the_base_folder() -> None:
    inputs = {
        "a": FileInput(path="x/a.csv,/abs/b.csv,s3a://bucket/c.csv"),
        "b": FileInput(path="x, y", schema_path="s.json"),
    }
    (plan,) = compile_job(make_job(metric("one", {"t": "SELECT 1"}), inputs=inputs))
    assert plan.settings.inputs["a"].path == "/base/x/a.csv,/abs/b.csv,s3a://bucket/c.csv"
    assert plan.settings.inputs["b"].path == "/base/x,/base/ y"
    assert plan.settings.inputs["b"].schema_path == "/base/s.json"


@pytest.mark.parametrize(
    ("directory", "options", "expected"),
    [
        (None, FileOptions(path="t"), "/base/t"),
        ("out", FileOptions(path="t"), "/base/out/t"),
        ("/out/", FileOptions(path="/t"), "/out/t"),
        ("s3a://b/out", FileOptions(path="t"), "s3a://b/out/t"),
        ("out", FileOptions(path="t", create_unique_path=True), "/base/out/17/t"),
        (None, FileOptions(path="t", create_unique_path=True), "/base/17/t"),
    ],
)
def test_target(directory: str | None, options: FileOptions, expected: str) -> None:
    block = OutputSettings(file=FileSettings(dir=directory)) if directory else None
    given = metric("one", {"t": "SELECT 1"}, {"t": "x"})
    job = make_job(given, output=block)
    output = replace(given.output[0], output_options=options)
    assert target(job.base, job.settings, output, "17") == expected


def test_outputs_that_cannot_be() -> None:
    given = metric("one", {"t": "SELECT 1"}, {"t": "same"})
    (output,) = given.output
    unnamed, twice = problems(
        make_job(replace(given, output=(output, output, replace(output, name="nowhere"))))
    )
    assert "has written by then" in twice
    assert "got 'nowhere'" in unnamed


def test_overwriting_the_same_target_again_is_allowed() -> None:
    given = metric("one", {"t": "SELECT 1"}, {"t": "same"})
    again = replace(given.output[0], output_options=FileOptions(path="same", save_mode="overwrite"))
    assert problems(make_job(replace(given, output=(given.output[0], again)))) == []


def test_undefined_variable_is_found_when_all_are_known() -> None:
    job = make_job(
        metric("one", {"t": "SELECT ${day}, ${dayy}, ${env:HOME} -- ${comment}"}),
        variables={"day": "1"},
    )
    assert problems(job) == []
    (text,) = problems(job, final=True)
    assert text.startswith("one.yaml:2:")
    assert "step 't': ${dayy} is not defined; did you mean '${day}'?" in text
    both = replace(job.settings, variables={"day": "1", "dayy": "2"})
    assert problems(replace(job, settings=both), final=True) == []


def checked(name: str, frame: str, *ids: str) -> Metric:
    given: Metric = metric(name, {frame: "SELECT 1 AS x"})
    dq = DataQuality(checks=tuple(IsComplete(column="x", id=id_) for id_ in ids))
    return replace(given, steps=(replace(given.steps[0], dq=dq),))


def test_the_same_id_twice_for_a_data_frame_made_again() -> None:
    given = checked("one", "t", "a")
    (text,) = problems(make_job(replace(given, steps=given.steps * 2)))
    assert "id 'a' stands twice for data frame 't'" in text


def test_checks_left_out_leave_no_gate() -> None:
    (plan,) = compile_job(make_job(checked("one", "t", "a")))
    assert gates(plan)[0].data_quality
    (plan,) = compile_job(make_job(checked("one", "t", "a"), ignore_deequ_validations=True))
    assert not gates(plan)[0].data_quality


def controls(**given: object) -> ControlMeasures:
    return ControlMeasures(
        **{
            "source": Source(input="movies"),
            "checkpoints": (
                Checkpoint(name="Loaded", data_frame_name="movies"),
                Checkpoint(name="Made", data_frame_name="b"),
            ),
            "at": Where(file="job.yaml", line=7),
            **given,
        }
    )


def test_control_measures_belong_to_the_metric_that_makes_the_data_frame() -> None:
    job = make_job(
        metric("one", {"a": "SELECT 1"}),
        metric("two", {"b": "SELECT 2"}),
        metric("three", {"c": "SELECT 3"}),
        control_measures=controls(),
    )
    (plan,) = compile_job(job)
    assert [gate.control_measures for gate in gates(plan)] == [True, True, False]
    first, second = compile_job(job, split="metric")
    assert [m.name for m in first.metrics] == ["one", "two"]
    assert first.together == ("one and two take part in the same control measures",)
    assert first.reads == ("movies",)
    assert second.reads == ()
    assert first.settings.control_measures is not None
    assert second.settings.control_measures is None


def test_names_in_control_measures_are_checked() -> None:
    job = make_job(
        metric("one", {"b": "SELECT 1"}),
        control_measures=controls(
            source=Source(input="movie"), reconcile=(ReconcileRule(checkpoint="Mode"),)
        ),
    )
    source, rule = problems(job)
    assert source.startswith("job.yaml:7: controlMeasures.source.input: got 'movie'")
    assert "did you mean 'movies'?" in source
    assert "did you mean 'Made'?" in rule


def test_control_measures_without_a_checkpoint_measure_nothing() -> None:
    job = make_job(metric("one", {"b": "SELECT 1"}), control_measures=controls(checkpoints=()))
    (text,) = problems(job)
    assert text.startswith("job.yaml:7: controlMeasures: takes no checkpoint")


def test_checkpoints_of_several_sources_say_whose_controls_they_measure() -> None:
    job = make_job(
        metric("one", {"b": "SELECT * FROM movies"}),
        inputs={"movies": FileInput(path="in"), "quotes": FileInput(path="q")},
        control_measures=ControlMeasures(
            sources=(Source(input="movies"), Source(name="prices", input="quotes")),
            checkpoints=(
                Checkpoint(name="Read", data_frame_name="quotes"),
                Checkpoint(name="Kept", data_frame_name="b", at=Where(file="job.yaml", line=9)),
                Checkpoint(name="Odd", data_frame_name="b", source="price"),
            ),
        ),
    )
    taken, unknown = problems(job)
    assert taken.startswith("job.yaml:9: controlMeasures.checkpoints: checkpoint 'Kept': there are")
    assert "controlMeasures.checkpoints.source: got 'price'" in unknown
    assert "did you mean 'prices'?" in unknown
    found = checkpoints(job.settings, job.metrics)
    assert [(one.name, one.source) for one in found] == [
        ("Read", "prices"),
        ("Kept", None),
        ("Odd", "price"),
    ]


def test_a_checkpoint_of_an_output_comes_after_the_steps() -> None:
    step = Step(data_frame_name="a", sql="SELECT 1", control_checkpoint="Made")
    written = Output(
        data_frame_name="a",
        output_type="Parquet",
        output_options=FileOptions(path="out"),
        control_checkpoint="Written",
    )
    job = make_job(
        Metric(name="one", file="one.yaml", steps=(step,), output=(written,)),
        Metric(name="two", file="two.yaml", steps=(replace(step, control_checkpoint="Again"),)),
        control_measures=controls(checkpoints=()),
    )
    found = checkpoints(job.settings, job.metrics)
    assert [(one.name, one.metric) for one in found] == [
        ("Made", "one"),
        ("Written", "one"),
        ("Again", "two"),
    ]
