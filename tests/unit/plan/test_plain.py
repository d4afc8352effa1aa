"""Plans to JSON and back: nothing is lost, nothing else is taken."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.fields import Where
from airflow_metorikku.config.plain import to_plain
from airflow_metorikku.config.records.alerters import ExceptionAlerter
from airflow_metorikku.config.records.checks import CHECKS
from airflow_metorikku.config.records.checks.keys import HasUniqueness
from airflow_metorikku.config.records.checks.numbers import HasMin
from airflow_metorikku.config.records.checks.rows import HasSize, IsComplete
from airflow_metorikku.config.records.controls import (
    Checkpoint,
    ControlMeasures,
    Drop,
    Metadata,
    Rename,
    Source,
)
from airflow_metorikku.config.records.data_quality import DataQuality, Quality
from airflow_metorikku.config.records.inputs import INPUTS, DateRange, FileDateRangeInput, FileInput
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.metric import Metric, Output, Step
from airflow_metorikku.config.records.outputs import FileOptions, FileSettings, OutputSettings
from airflow_metorikku.config.records.reconciliation import Expectation, ReconcileRule
from airflow_metorikku.config.shapes import Shape, fields_of
from airflow_metorikku.plan.records import Identity, Plan, UnreadablePlanError

AT = Where(file="a:b/job.yaml", line=7)
CHECKED = DataQuality(
    level="error",
    name="ümlaut",
    checks=(
        IsComplete(column="a.b", id="complete", at=AT),
        HasMin(column="x", between=(Decimal("1.50"), Decimal("1e9")), where_="y > 0"),
        HasSize(size=3, operator=">=", level="warning"),
        HasUniqueness(
            columns=("a", "b"),
            warning=Assertion(">=", Decimal(1)),
            critical=Assertion(">=", Decimal("0.980")),
        ),
        HasMin(column="z", assertion=Assertion.between(Decimal(-1), Decimal(1)), empty_data="pass"),
    ),
)
CONTROLS = ControlMeasures(
    workflow_name="w",
    source=Source(
        input="a",
        columns=("id", {"price": "aggregatedTotal"}),
        metadata=Metadata(version=2, additional_info={"a": "b"}),
    ),
    checkpoints=(Checkpoint(name="one", data_frame_name="t", at=AT),),
    renames=(Rename(source="a", target="b", at_checkpoint="one"),),
    drops=(Drop(column="c", at_checkpoint="one"),),
    reconcile=(
        ReconcileRule(checkpoint="one", expect="ignore"),
        ReconcileRule(
            checkpoint="one",
            control="recordCount",
            expect=Expectation(max_loss=0.001, tolerance=1.0),
        ),
    ),
)
PLAN = Plan(
    job="job", file="job.yaml", base="/base", reads=("a",), together=("m reads t of n",),
    settings=JobFile(
        metrics=("m.yaml",),
        inputs={
            "a": FileInput(path="/a", options={"header": "true", "": ""}, at=AT),
            "b": FileDateRangeInput(template="%s", date_range=DateRange(format="yyyy", start_date="2020", end_date="2021")),
        },
        variables={"quote": "it's\n${x}\ue002{y}"},
        output=OutputSettings(file=FileSettings(dir="/out")),
        outputs={"o": OutputSettings()},
        show_preview_lines=3, explain=True, quality=Quality(failed_data_limit=1), control_measures=CONTROLS, at=AT,
    ),
    metrics=(
        Metric(
            name="m", file="m.yaml",
            steps=(Step(data_frame_name="t", sql="SELECT 1", dq=CHECKED, params={"n": "010"}, at=AT),),
            output=(Output(data_frame_name="t", output_type="CSV", output_options=FileOptions(path="t", partition_by=("k",), save_mode="append")),),
        ),
    ),
    identity=Identity(dag_id="d", run_id="r", task_id="t", attempt="a", result="file:/r"),
)  # fmt: skip


def through_json(plan):
    return Plan.from_plain(json.loads(json.dumps(to_plain(plan))))


def test_round_trip():
    back = through_json(PLAN)
    assert back == PLAN
    assert back.hash == PLAN.hash


def test_places_come_back():
    back = through_json(PLAN)
    assert back.settings.at == AT  # not compared by ==
    assert back.metrics[0].steps[0].dq.checks[0].at == AT
    assert back.settings.control_measures.checkpoints[0].at == AT


def test_decimals_keep_their_digits():
    low, _ = through_json(PLAN).metrics[0].steps[0].dq.checks[1].between
    assert str(low) == "1.50"


def test_keys_are_the_yaml_s_and_defaults_are_left_out():
    plain = to_plain(PLAN)
    assert plain["settings"]["showPreviewLines"] == 3
    assert "quoteSparkVariables" not in plain["settings"]
    assert plain["settings"]["inputs"]["b"] == {
        "file_date_range": {
            "template": "%s",
            "date_range": {"format": "yyyy", "startDate": "2020", "endDate": "2021"},
        }
    }
    assert plain["metrics"][0]["steps"][0]["dq"]["checks"][3] == {
        "hasUniqueness": {"columns": ["a", "b"], "warning": ">= 1", "critical": ">= 0.980"}
    }


def test_order_of_inputs_and_variables_is_kept():
    settings = replace(PLAN.settings, variables={"b": "1", "a": "2"})
    assert list(through_json(replace(PLAN, settings=settings)).settings.variables) == ["b", "a"]


BAD = {
    "no plan": 7,
    "list": [],
    "nothing": {},
    "another format": {**to_plain(PLAN), "format": 99},
    "unknown key": {**to_plain(PLAN), "more": 1},
    "missing key": {key: value for key, value in to_plain(PLAN).items() if key != "base"},
    "wrong type": {**to_plain(PLAN), "reads": "a"},
    "wrong type of an item": {**to_plain(PLAN), "reads": [1]},
    "unknown kind": {**to_plain(PLAN), "settings": {"metrics": [], "inputs": {"a": {"flie": {}}}}},
    "two kinds": {
        **to_plain(PLAN),
        "settings": {"metrics": ["m"], "inputs": {"a": {"file": {"path": "x"}, "kafka": {}}}},
    },
    "unknown word": {**to_plain(PLAN), "settings": {"metrics": ["m"], "logLevel": "LOUD"}},
    "bool for an int": {**to_plain(PLAN), "settings": {"metrics": ["m"], "showPreviewLines": True}},
    "rule of a record": {**to_plain(PLAN), "settings": {"metrics": ["m"], "showPreviewLines": -1}},
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_plan_is_refused(case):
    with pytest.raises(UnreadablePlanError):
        Plan.from_plain(BAD[case])


@pytest.mark.parametrize(
    "record", [JobFile, Metric, Plan, *INPUTS.values(), *CHECKS.values(), ExceptionAlerter]
)
def test_every_record_has_shapes(record):
    assert all(isinstance(field.shape, Shape) for field in fields_of(record))
