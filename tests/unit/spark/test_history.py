"""The history of metrics on a local disk, without Spark: what one run keeps, two at a time too, and what goes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JError

from airflow_metorikku.config.assertion import Assertion
from airflow_metorikku.config.records.analyzers.rows import Size
from airflow_metorikku.config.records.checks.anomaly import Anomaly
from airflow_metorikku.config.records.checks.numbers import HasMean
from airflow_metorikku.config.records.data_quality import DataQuality, History, Quality
from airflow_metorikku.config.records.job import JobFile
from airflow_metorikku.config.records.strategies import RelativeRateOfChange
from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.constraints import Constraint, constraints
from airflow_metorikku.plan.records import Identity, Plan
from airflow_metorikku.results.repository import StoredRun, runs_from, text_of
from airflow_metorikku.spark.audit import AuditResult
from airflow_metorikku.spark.files import files_at as local_or_any
from airflow_metorikku.spark.history import MetricHistory
from airflow_metorikku.spark.quality import evaluate
from airflow_metorikku.spark.quality.values import MetricValue
from airflow_metorikku.spark.sentences import sentence

HALVED = Anomaly(metric=Size(), strategy=RelativeRateOfChange(max_rate_decrease=0.5))
ID = "anomaly.Size.RelativeRateOfChange"


def asked(*checks: Any) -> tuple[Constraint, ...]:
    return constraints("d", DataQuality(checks=checks or (HALVED,)), "fail")


def history(
    root: Path,
    run_id: str = "r1",
    attempt: str | None = None,
    time: str | None = "2026-01-01T00:00:00Z",
    **quality: Any,
) -> MetricHistory:
    attempt = attempt or f"{run_id}a1"
    identity = Identity(
        dag_id="dag",
        run_id=run_id,
        task_id="t",
        attempt=attempt,
        result=f"{root}/dag/{run_id}/t/{attempt}/result.json",
        metrics=f"{root}/metrics/job",
        time=time,
    )
    plan = Plan(
        job="job", file="job.yaml", base=str(root), metrics=(), reads=(), identity=identity,
        settings=JobFile(metrics=("m.yaml",), quality=Quality(**quality)),
    )  # fmt: skip
    return MetricHistory(plan=plan, session=None)


def audited(of: MetricHistory, value: float, *checks: Any) -> AuditResult:
    """What an audit says of a value, by what the history knows."""
    given = MetricValue(number=value)
    found = [evaluate.judge(one, given, "scanned", of.past) for one in asked(*checks)]
    return AuditResult(constraints=tuple(found), values=(given,) * len(found))


def go(root: Path, value: float, **more: Any) -> str:
    """One run: judged and kept; its anomaly check's status."""
    one = history(root, **more)
    Path(one.plan.identity.result).parent.mkdir(parents=True, exist_ok=True)
    audit = audited(one, value)
    one.save("d", asked(), audit)
    return audit.constraints[0].status


def day(number: int) -> dict[str, str]:
    return {"run_id": f"r{number}", "time": f"2026-01-{number:02}T00:00:00Z"}


def files(root: Path) -> list[str]:
    return sorted(os.listdir(root / "metrics/job/d"))


def kept(root: Path) -> list[StoredRun]:
    return [
        run
        for name in files(root)
        for run in runs_from((root / "metrics/job/d" / name).read_text())
    ]


def test_a_run_leaves_its_values(tmp_path: Path) -> None:
    assert go(tmp_path, 24, tags={"region": "EU"}) == "no_data"
    assert files(tmp_path) == ["20260101T000000000Z-r1a1.json"]
    (whole,) = json.loads((tmp_path / "metrics/job/d/20260101T000000000Z-r1a1.json").read_text())
    assert whole["resultKey"] == {"dataSetDate": 1767225600000, "tags": {"region": "EU"}}
    (metric,) = whole["analyzerContext"]["metricMap"]
    assert metric["metric"]["value"] == 24
    assert (metric["constraintId"], metric["status"]) == (ID, "no_data")
    assert (
        metric["constraint"] == "anomaly(Size) usual by RelativeRateOfChange(maxRateDecrease 0.5)"
    )
    assert (whole["run"]["runId"], whole["run"]["attempt"], whole["run"]["dataFrame"]) == (
        "r1",
        "r1a1",
        "d",
    )


def test_runs_are_judged_by_those_before_them(tmp_path: Path) -> None:
    assert [go(tmp_path, value, **day(n)) for n, value in enumerate([24, 23, 10, 22], 1)] == [
        "no_data", "passed", "failed", "passed",
    ]  # fmt: skip


def test_anomalies_are_history_too_where_asked(tmp_path: Path) -> None:
    for number, value in enumerate([24, 10], 1):
        go(tmp_path, value, **day(number))
    one = history(tmp_path, **day(3))
    assert audited(one, 9).constraints[0].status == "failed"
    assert (
        audited(one, 9, replace(HALVED, id=ID, include_anomalies=True)).constraints[0].status
        == "passed"
    )


def test_a_repaired_rerun_takes_the_place_of_its_former_value(tmp_path: Path) -> None:
    for number, value in enumerate([24, 10, 23], 1):
        go(tmp_path, value, **day(number))
    # Judged by what was before it, not by itself, nor by the day after.
    assert go(tmp_path, 12, **day(2), attempt="a2") == "passed"
    assert files(tmp_path) == [
        "20260101T000000000Z-r1a1.json", "20260102T000000000Z-a2.json", "20260103T000000000Z-r3a1.json",
    ]  # fmt: skip
    assert [run.metrics[0].value for run in kept(tmp_path)] == [24, 12, 23]


def test_first_runs_are_as_the_check_says(tmp_path: Path) -> None:
    one = history(tmp_path)
    (first,) = audited(one, 24).constraints
    assert (first.status, first.counts) == ("no_data", False)
    assert "needs one value before this one, the history has none" in first.message
    (first,) = audited(one, 24, replace(HALVED, empty_data="fail")).constraints
    assert (first.status, first.counts, first.level) == ("no_data", True, "warning")


def test_what_could_not_be_evaluated_leaves_a_trace(tmp_path: Path) -> None:
    one = history(tmp_path)
    checks = asked(HasMean(column="price", assertion=Assertion.from_text("> 0")), HALVED)
    values: tuple[MetricValue | str, ...] = ("no column 'price'", MetricValue(number=3))
    found = [
        evaluate.judge(each, value, "scanned", one.past)
        for each, value in zip(checks, values, strict=True)
    ]
    one.save("d", checks, AuditResult(constraints=tuple(found), values=values))
    (run,) = kept(tmp_path)
    assert [(each.constraint_id, each.status, each.value) for each in run.metrics] == [
        (ID, "no_data", 3), ("hasMean.price", "error", None),
    ]  # fmt: skip
    assert run.metrics[1].message == "could not be evaluated: no column 'price'"
    one.save("other", asked(HasMean(column="price", assertion=Assertion.from_text("> 0"))), None)
    (run,) = runs_from(next((tmp_path / "metrics/job/other").iterdir()).read_text())
    assert (run.metrics[0].status, run.metrics[0].message) == (
        "error",
        "its step failed or made no data frame",
    )


def test_a_failure_is_kept_with_its_level_and_its_effect(tmp_path: Path) -> None:
    mean = HasMean(column="price", assertion=Assertion.from_text("> 9"), level="warn")
    checks = asked(mean, HasMean(column="tax", assertion=Assertion.from_text("> 9"), level="error"))
    one = history(tmp_path)
    given = MetricValue(number=1)
    found = [evaluate.judge(each, given, "scanned") for each in checks]
    audit = AuditResult(constraints=tuple(found), values=(given, given))
    one.save("d", checks, audit)
    one.save("e", checks, audit, counts=False)
    one.save("f", checks, None)

    def said(data_frame: str) -> list[tuple[str | None, str | None, bool]]:
        (file,) = (tmp_path / "metrics/job" / data_frame).iterdir()
        (run,) = runs_from(file.read_text())
        return [(each.status, each.level, each.counts) for each in run.metrics]

    assert said("d") == [("failed", "warning", True), ("failed", "critical", True)]
    assert said("e") == [("failed", "warning", False), ("failed", "critical", False)]
    assert said("f") == [("error", "warning", True), ("error", "critical", True)]


def test_a_data_frame_checked_twice_has_one_file(tmp_path: Path) -> None:
    one = history(tmp_path)
    for value in (1, 2):
        one.save("d", asked(), audited(one, value))
    (run,) = kept(tmp_path)
    assert [each.value for each in run.metrics] == [1, 2]


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    for number in range(1, 6):
        go(tmp_path, 24, **day(number), history=History(keep=3))
    assert [name[:8] for name in files(tmp_path)] == ["20260103", "20260104", "20260105"]
    today = datetime.now(UTC).isoformat()
    go(tmp_path, 24, run_id="new", time=today, history=History(days=7))
    assert len(files(tmp_path)) == 1
    go(tmp_path / "none", 24, history=History(keep=0))
    assert not (tmp_path / "none/metrics").exists()


def test_tags_and_times_choose_the_history(tmp_path: Path) -> None:
    go(tmp_path, 1000, **day(1), tags={"region": "NA"})
    go(tmp_path, 20, **day(2), tags={"region": "EU"})
    go(tmp_path, 1000, **day(4), tags={"region": "EU"})
    one = history(tmp_path, **day(9))

    def values(**chosen: Any) -> list[float | None]:
        (constraint,) = asked(replace(HALVED, **chosen))
        return [point.value for point in one.past(constraint)]

    assert values() == [1000, 1000]  # 20 was an anomaly
    assert values(include_anomalies=True) == [1000, 20, 1000]
    assert values(include_anomalies=True, with_tag_values={"region": "EU"}) == [20, 1000]
    assert values(include_anomalies=True, after="2026-01-02") == [20, 1000]
    assert values(include_anomalies=True, before="2026-01-02") == [1000, 20]
    assert values(include_anomalies=True, before="2026-01-03T23:59:59Z") == [1000, 20]


def test_a_file_of_deequ_is_history_too(tmp_path: Path) -> None:
    deequ = tmp_path / "deequ.json"
    theirs = [replace(run, origin=None) for run in _runs(tmp_path, [24, 23])]
    deequ.write_text(text_of(theirs))
    one = history(tmp_path, **day(9), history=History(repositories={"d": str(deequ)}))
    assert [point.value for point in one.past(asked()[0])] == [24, 23]
    deequ.unlink()
    again = history(tmp_path, **day(9), history=History(repositories={"d": str(deequ)}))
    with pytest.raises(RunError, match="history cannot be read"):
        again.past(asked()[0])
    assert audited(again, 24).constraints[0].status == "error"


def _runs(root: Path, values: list[float]) -> list[StoredRun]:
    for number, value in enumerate(values, 1):
        go(root / "made", value, **day(number))
    return kept(root / "made")


def test_what_is_no_file_of_the_history_is_left_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    go(tmp_path, 24, **day(1))
    folder = tmp_path / "metrics/job/d"
    (folder / "README").write_text("x")
    (folder / "20260102T000000000Z-a.json.0123").write_text("half")
    (folder / "20260103T000000000Z-torn.json").write_text('[{"resultKey"')
    assert go(tmp_path, 10, **day(4), history=History(keep=2)) == "failed"
    assert "20260103T000000000Z-torn.json" in caplog.text
    assert {"README", "20260102T000000000Z-a.json.0123"} <= set(files(tmp_path))


def test_without_an_identity_nothing_is_kept(tmp_path: Path) -> None:
    one = history(tmp_path)
    one.plan = replace(one.plan, identity=None)
    audit = audited(one, 24)
    one.save("d", asked(), audit)
    assert audit.constraints[0].status == "no_data"
    assert os.listdir(tmp_path) == []


def test_what_cannot_be_written_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "metrics").write_text("a file")
    one = history(tmp_path)
    one.save("d", asked(), audited(replace_identity(one), 24))
    assert "metric history of 'd' cannot be kept" in caplog.text


class Throwing:
    """A store whose client throws what is no OSError, as Py4J and the clients of object stores do."""

    def __init__(self, what: str, error: Exception, files: Any) -> None:
        self._what, self._error, self._files = what, error, files

    def __getattr__(self, name: str) -> Any:
        if name == self._what:
            return self._throw
        return getattr(self._files, name)

    def _throw(self, *_: object) -> Any:
        raise self._error


@pytest.fixture
def throw(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes every store throw at one of its questions."""

    def patch(what: str, error: Exception) -> None:
        def files_at(session: Any, address: str) -> tuple[Any, str]:
            files, path = local_or_any(session, address)
            return Throwing(what, error, files), path

        monkeypatch.setattr("airflow_metorikku.spark.history.files_at", files_at)

    return patch


@pytest.mark.parametrize(
    "error", [Py4JError("the gateway said no"), ValueError("no bucket"), RuntimeError("no luck")]
)
def test_whatever_a_store_throws_loses_no_verdict(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, throw: Any, error: Exception
) -> None:
    throw("write_text", error)
    assert go(tmp_path, 24) == "no_data"
    assert f"metric history of 'd' cannot be kept: {sentence(error)}" in caplog.text
    assert not (tmp_path / "metrics").exists()


def test_what_cannot_be_removed_is_no_value_that_was_not_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, throw: Any
) -> None:
    go(tmp_path, 24, **day(1))
    throw("remove", Py4JError("not yours"))
    go(tmp_path, 23, **day(2), history=History(keep=1))
    assert [run.metrics[0].value for run in kept(tmp_path)] == [24, 23]
    assert (
        "metric history of 'd' is kept, but files that should go cannot be removed" in caplog.text
    )


def test_an_anomaly_check_says_what_a_store_throws_when_it_is_read(
    tmp_path: Path, throw: Any
) -> None:
    go(tmp_path, 24, **day(1))
    throw("read_text", Py4JError("the gateway said no"))
    (found,) = audited(history(tmp_path, **day(2)), 24).constraints
    assert found.status == "error"
    assert "the metric history cannot be read: the gateway said no" in found.message


def test_an_older_file_with_other_kinds_of_values_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    go(tmp_path, 24, **day(1))
    go(tmp_path, 1000, **day(2))
    file = tmp_path / "metrics/job/d/20260102T000000000Z-r2a1.json"
    (whole,) = json.loads(file.read_text())
    whole["run"]["written"] = "yesterday"
    file.write_text(json.dumps([whole]))
    assert go(tmp_path, 23, **day(3)) == "passed"  # 23 is usual after 24, and not after 1000
    assert f"{file.name}: not a metrics repository" in caplog.text


def replace_identity(one: MetricHistory) -> MetricHistory:
    """The same without a history to read."""
    return MetricHistory(plan=replace(one.plan, identity=None), session=None)


SAVER = """
import sys
sys.path[:0] = {path!r}
import test_history as tests
from pathlib import Path
root, who = Path(sys.argv[1]), sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
for number in range(200):
    one = tests.history(root, run_id=f"{{who}}{{number}}")
    one.save("d", tests.asked(), tests.audited(tests.replace_identity(one), number))
"""


def test_two_processes_saving_at_once_lose_nothing(tmp_path: Path) -> None:
    program = textwrap.dedent(SAVER).format(path=[str(Path(__file__).parent), *sys.path])
    savers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path), who],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for who in "ab"
    ]
    for saver in savers:
        assert saver.stdout.readline() == "ready\n"
    for saver in savers:
        saver.stdin.write("go\n")
        saver.stdin.flush()
    folder = tmp_path / "metrics/job/d"
    seen: dict[str, int] = {}
    # Whoever reads meanwhile finds whole files only.
    while any(saver.poll() is None for saver in savers):
        for name in os.listdir(folder) if folder.exists() else ():
            if name.endswith(".json") and name not in seen:
                seen[name] = len(runs_from((folder / name).read_text()))
    assert [saver.wait(60) for saver in savers] == [0, 0]
    assert set(seen.values()) == {1}
    runs = kept(tmp_path)
    assert {run.origin.run_id for run in runs} == {f"{who}{n}" for who in "ab" for n in range(200)}
    assert len(runs) == 400
