"""What every kind must do without Spark: be read from YAML, travel in a plan, be refused by name where it comes later."""

from __future__ import annotations

import json
from pathlib import Path

import made_kinds
import pytest

from airflow_metorikku.config.load import read_job
from airflow_metorikku.config.plain import from_plain, to_plain
from airflow_metorikku.config.records.alerters import ALERTERS
from airflow_metorikku.config.records.checks import CHECKS
from airflow_metorikku.config.records.controls import CONTROL_TYPES
from airflow_metorikku.config.records.inputs import INPUTS, LATER_INPUTS
from airflow_metorikku.config.records.outputs import FILE_OUTPUTS, LATER_OUTPUTS
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.jobs import require_sound
from airflow_metorikku.plan.records import Plan

METRIC = "steps:\n- {dataFrameName: t, sql: SELECT 1 AS x}\n"


def test_there_is_an_example_of_every_kind():
    assert set(made_kinds.INPUTS) == set(INPUTS) - set(LATER_INPUTS)
    assert set(made_kinds.LATER_INPUTS) == set(LATER_INPUTS)
    assert set(made_kinds.CHECKS) == set(CHECKS)
    assert set(made_kinds.CONTROLS) == set(CONTROL_TYPES)
    assert set(made_kinds.OUTPUTS) == set(FILE_OUTPUTS)
    assert set(made_kinds.ALERTERS) == set(ALERTERS)


def test_every_kind_is_read_as_its_record_and_travels_in_a_plan(tmp_path: Path):
    job = require_sound(read_job(made_kinds.write_job(tmp_path), environ={}))
    assert {type(given) for given in job.settings.inputs.values()} == {
        INPUTS[kind] for kind in made_kinds.INPUTS
    }
    (metric,) = job.metrics
    assert [type(check) for check in metric.steps[0].dq.checks] == [
        CHECKS[kind] for kind in made_kinds.CHECKS
    ]
    assert [output.output_type for output in metric.output] == list(made_kinds.OUTPUTS)
    (plan,) = compile_job(job)
    assert Plan.from_plain(json.loads(json.dumps(plan.to_plain()))) == plan


def test_every_alerter_is_read_as_its_record_and_stays_out_of_the_plan(tmp_path: Path):
    job = require_sound(read_job(made_kinds.write_job(tmp_path), environ={}))
    alerters = job.settings.alerters
    assert [type(alerter) for alerter in alerters] == [
        ALERTERS[kind] for kind in made_kinds.ALERTERS
    ]
    assert [from_plain(type(one), to_plain(one)) for one in alerters] == list(alerters)
    (plan,) = compile_job(job)
    assert plan.settings.alerters == ()


def told(folder: Path, job: str, metric: str) -> str:
    (folder / "job.yaml").write_text(job, encoding="utf-8")
    (folder / "m.yaml").write_text(metric, encoding="utf-8")
    (problem,) = read_job(folder / "job.yaml", environ={}).problems
    return str(problem)


@pytest.mark.parametrize("kind", LATER_INPUTS)
def test_every_later_input_is_refused_by_name(tmp_path: Path, kind: str):
    given = f"inputs: {{i: {{{kind}: {made_kinds.LATER_INPUTS[kind]}}}}}\n"
    text = told(tmp_path, f"metrics: [m.yaml]\n{given}", METRIC)
    assert f"job.yaml:2: inputs.i.{kind}: known, but this version refuses it: " in text


@pytest.mark.parametrize("kind", LATER_OUTPUTS)
def test_every_later_output_is_refused_by_name(tmp_path: Path, kind: str):
    metric = f"{METRIC}output:\n- {{dataFrameName: t, outputType: {kind}}}\n"
    text = told(tmp_path, "metrics: [m.yaml]\n", metric)
    assert f"m.yaml:4: output[0].outputType: {kind}: known, but this version refuses it: " in text
