"""Waimak's extensions from Spark settings: what they add to a job, and what is refused, at which line."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from airflow_metorikku.config.load import read_job
from airflow_metorikku.config.properties import read_properties
from airflow_metorikku.config.records.alerters import (
    CustomAlerter,
    EmailAlerter,
    ExceptionAlerter,
    SlackAlerter,
)
from airflow_metorikku.config.records.checks.rows import IsComplete
from airflow_metorikku.config.records.checks.waimak import (
    CompletenessCheck,
    GenericSqlCheck,
    RecentTimestampCheck,
    UniquenessCheck,
)
from airflow_metorikku.errors import ConfigError
from airflow_metorikku.plan.compile import compile_job
from airflow_metorikku.plan.jobs import require_sound
from airflow_metorikku.plan.records import Plan

# The example at the end of Waimak's own page, with its lists spaced as people write them.
WIKI = """\
spark.waimak.dataflow.extensions=deequ
spark.waimak.dataquality.alerters=slack, exception
spark.waimak.dataquality.alerters.slack.alertOn=Warning , critical
spark.waimak.dataquality.alerters.exception.alertOn=critical
spark.waimak.dataquality.alerters.slack.token=T0/B0/hidden
spark.waimak.dataquality.deequ.labelsToMonitor=label1, label2
spark.waimak.dataquality.deequ.labels.label1.checks=completenessCheck, recentTimestampCheck
spark.waimak.dataquality.deequ.labels.label2.checks=uniquenessCheck,genericSQLCheck
spark.waimak.dataquality.deequ.labels.label1.completenessCheck.columns=col1
spark.waimak.dataquality.deequ.labels.label1.completenessCheck.warningThreshold=0.8
spark.waimak.dataquality.deequ.labels.label1.recentTimestampCheck.column=col2
spark.waimak.dataquality.deequ.labels.label1.recentTimestampCheck.hoursToLookBack=12
spark.waimak.dataquality.deequ.labels.label2.uniquenessCheck.columns=col1 , col2
spark.waimak.dataquality.deequ.labels.label2.genericSQLCheck.criticalChecks=col3 != 'bad; value'; col1 IN (1,2)
"""
METRIC = """\
steps:
- dataFrameName: label1
  sql: SELECT * FROM raw
  dq: {checks: [{isComplete: {column: col1}}]}
- dataFrameName: Label2
  sql: SELECT * FROM label1
"""


def job_in(folder: Path, conf: str = "", more: str = "", metric: str = METRIC) -> Path:
    """A job with the settings of a properties text in its `sparkConf`, from line 2 on."""
    settings = dict(line.split("=", 1) for line in conf.splitlines())
    lines = [f"  {name}: {json.dumps(value)}\n" for name, value in settings.items()]
    text = "sparkConf:\n" + "".join(lines) if lines else ""
    text += "metrics: [m.yaml]\ninputs: {raw: {file: {path: raw.csv}}}\n" + more
    (folder / "job.yaml").write_text(text)
    (folder / "m.yaml").write_text(metric)
    return folder / "job.yaml"


def sound(path: Path, **options: Any):
    return require_sound(read_job(path, environ={}), **options)


def told(path: Path, **options: Any) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        sound(path, **options)
    return [str(one).replace(f"{path.parent}/", "") for one in caught.value.problems]


def checks_of(job) -> dict[str, list[Any]]:
    return {
        step.data_frame_name: list(step.dq.checks) if step.dq else []
        for metric in job.metrics
        for step in metric.steps
    }


def test_the_page_of_waimak_becomes_checks_and_alerters(tmp_path):
    job = sound(job_in(tmp_path, WIKI))
    assert checks_of(job) == {
        "label1": [
            IsComplete(column="col1"),
            CompletenessCheck(columns=("col1",), warning_threshold=Decimal("0.8")),
            RecentTimestampCheck(column="col2", hours_to_look_back=12),
        ],
        "Label2": [
            UniquenessCheck(columns=("col1", "col2")),
            GenericSqlCheck(critical_checks=("col3 != 'bad; value'", "col1 IN (1,2)")),
        ],
    }
    assert job.settings.alerters == (
        SlackAlerter(token="T0/B0/hidden", alert_on=("warning", "critical")),
        ExceptionAlerter(alert_on=("critical",)),
    )


def test_secrets_of_alerters_reach_neither_settings_nor_plan(tmp_path):
    job = sound(job_in(tmp_path, WIKI))
    (plan,) = compile_job(job)
    assert "hidden" not in json.dumps(plan.to_plain())
    assert not any("alerters." in name for name in plan.settings.spark_conf)
    assert Plan.from_plain(json.loads(json.dumps(plan.to_plain()))) == plan
    # Nor those of alerters that no extension asks for.
    off = sound(job_in(tmp_path, WIKI.replace("extensions=deequ", "extensions=")))
    assert "hidden" not in json.dumps(compile_job(off)[0].to_plain())
    assert (checks_of(off)["Label2"], off.settings.alerters) == ([], ())


def test_a_properties_file_is_read_as_sparks_and_the_jobs_own_settings_win(tmp_path):
    file = tmp_path / "waimak.properties"
    text = WIKI.replace(
        "label1.completenessCheck.warningThreshold=0.8",
        "label1.completenessCheck.warningThreshold : 0.9",
    )
    file.write_text(
        f"# ours\n! too\nother.key=1\nspark.executor.memory  2g\nspark.app.name=a\\\n   b\n{text}"
    )
    own = "spark.waimak.dataquality.alerters=exception\nspark.executor.memory=1g"
    job = sound(job_in(tmp_path, own), defaults=read_properties(file))
    assert checks_of(job)["label1"][1].warning_threshold == Decimal("0.9")
    assert job.settings.alerters == (ExceptionAlerter(alert_on=("critical",)),)
    assert job.settings.spark_conf["spark.executor.memory"] == "1g"
    assert job.settings.spark_conf["spark.app.name"] == "ab"
    assert "other.key" not in job.settings.spark_conf


def test_mistakes_of_a_properties_file_are_named_by_its_lines(tmp_path):
    file = tmp_path / "waimak.properties"
    file.write_text("# ours\n" + WIKI.replace("warningThreshold=0.8", "warningThreshold=80"))
    (line,) = told(job_in(tmp_path), defaults=read_properties(file))
    assert line.endswith(
        "waimak.properties:11: spark.waimak.dataquality.deequ.labels.label1.completenessCheck.warningThreshold: "
        "got 80, expected 0 to 1; 80 % is 0.8"
    )


def test_every_kind_of_alerter(tmp_path):
    conf = WIKI.replace("alerters=slack, exception", "alerters=email,pager,slack") + "\n".join(
        f"spark.waimak.dataquality.alerters.{line}"
        for line in (
            "email.alertOn=critical", "email.to=a@example.com, b@example.com", "email.from=me@example.com",
            "email.host=smtp.example.com", "email.port=2525", "email.auth=true", "email.starttls=False",
            "email.user=u", "email.pass=p", "email.debug=true",
            "pager.class=my_team.alerts.Pager", "pager.alertOn=good,information", "pager.team=data",
        )
    )  # fmt: skip
    email, pager, _ = sound(job_in(tmp_path, conf)).settings.alerters
    assert email == EmailAlerter(
        to=("a@example.com", "b@example.com"), sender="me@example.com", host="smtp.example.com", port=2525,
        auth=True, starttls=False, user="u", password="p", debug=True, alert_on=("critical",),
    )  # fmt: skip
    assert pager == CustomAlerter(
        class_path="my_team.alerts.Pager", params={"team": "data"}, alert_on=("good", "information")
    )


def test_an_input_is_a_label_too(tmp_path):
    conf = WIKI.replace("label1", "RAW")
    metric = "steps:\n- {dataFrameName: label2, sql: SELECT * FROM raw}\n"
    job = sound(job_in(tmp_path, conf, metric=metric))
    first, second = job.metrics[0].steps
    assert (first.data_frame_name, first.sql, len(first.dq.checks)) == (
        "raw",
        "SELECT * FROM `raw`",
        2,
    )
    assert (second.data_frame_name, len(second.dq.checks)) == ("label2", 2)


CONF = "sparkConf.spark.waimak."
QUALITY = f"{CONF}dataquality."
MISTAKES: dict[str, tuple[str, str, list[str]]] = {
    "extension": ("extensions=deequ", "extensions=deequ,sparkcash", [
        f"job.yaml:2: {CONF}dataflow.extensions: unknown extension 'sparkcash'; did you mean 'sparkcache'?"]),
    "check": ("=uniquenessCheck,genericSQLCheck", "=uniqueCheck, genericSQLCheck, freshness", [
        f"job.yaml:9: {QUALITY}deequ.labels.label2.checks: unknown check of label 'label2': 'uniqueCheck'; did you mean 'uniquenessCheck'?",
        f"job.yaml:9: {QUALITY}deequ.labels.label2.checks: unknown check of label 'label2': 'freshness'; expected"]),
    "label": ("Monitor=label1, label2", "Monitor=label1,labell2", [
        f"job.yaml:7: {QUALITY}deequ.labels.labell2.checks: is missing, expected checks of label 'labell2'"]),
    "label that nothing makes": ("label2", "labex", [
        f"job.yaml:7: {QUALITY}deequ.labelsToMonitor: unknown label 'labex'; did you mean"]),
    "parameter": ("completenessCheck.columns", "completenessCheck.colums", [
        f"job.yaml:10: {QUALITY}deequ.labels.label1.completenessCheck.colums: unknown key 'colums'; did you mean 'columns'?"]),
    "missing parameter": ("spark.waimak.dataquality.deequ.labels.label1.recentTimestampCheck.column=col2\n", "", [
        f"job.yaml:8: {QUALITY}deequ.labels.label1.recentTimestampCheck: key 'column' is missing"]),
    "number": ("hoursToLookBack=12", "hoursToLookBack=half", [
        f"job.yaml:13: {QUALITY}deequ.labels.label1.recentTimestampCheck.hoursToLookBack: got 'half', expected a whole number"]),
    "no threshold": ("label1.completenessCheck.warningThreshold=0.8", "label1.completenessCheck.hint=x", [
        f"job.yaml:8: {QUALITY}deequ.labels.label1.completenessCheck: needs warningThreshold or criticalThreshold"]),
    "alerter": ("alerters=slack, exception", "alerters=slac, exception", [
        f"job.yaml:3: {QUALITY}alerters: unknown alerter 'slac'; did you mean 'slack'?; one of your own has"]),
    "no alertOn": ("spark.waimak.dataquality.alerters.slack.alertOn=Warning , critical\n", "", [
        f"job.yaml:3: {QUALITY}alerters.slack.alertOn: is missing, expected levels"]),
    "level": ("alertOn=critical", "alertOn=fatal", [
        f"job.yaml:5: {QUALITY}alerters.exception.alertOn[0]: got 'fatal', expected one of good, information, warning, critical"]),
    "no token": ("spark.waimak.dataquality.alerters.slack.token=T0/B0/hidden\n", "", [
        f"job.yaml:3: {QUALITY}alerters.slack: needs connection or token"]),
    "part of a connection": ("token=T0/B0/hidden", "token=${conn.slack.password}", [
        f"job.yaml:6: {QUALITY}alerters.slack.token: got a part of a connection; name the connection itself"]),
    "setting": ("deequ.labelsToMonitor", "deequ.labelToMonitor", [
        f"job.yaml:7: {QUALITY}deequ.labelToMonitor: unknown setting 'labelToMonitor'; did you mean 'labelsToMonitor'?",
        f"job.yaml:2: {QUALITY}deequ.labelsToMonitor: is missing"]),
    "nobody is told": ("spark.waimak.dataquality.alerters=slack, exception\n", "", [
        f"job.yaml:2: {QUALITY}alerters: is missing, expected who is told"]),
}  # fmt: skip


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistakes_are_named_by_file_and_line(tmp_path, kind):
    old, new, expected = MISTAKES[kind]
    assert old in WIKI
    lines = told(job_in(tmp_path, WIKI.replace(old, new)))
    assert len(lines) == len(expected), lines
    for part in expected:
        assert any(line.startswith(part) for line in lines), (part, lines)


def test_alerters_of_the_job_are_enough_and_those_of_a_dag_too(tmp_path):
    conf = WIKI.replace("spark.waimak.dataquality.alerters=slack, exception\n", "")
    assert sound(job_in(tmp_path, conf, "alerters: [exception]\n")).settings.alerters == (
        ExceptionAlerter(),
    )
    assert sound(job_in(tmp_path, conf), alerted=False).settings.alerters == ()
