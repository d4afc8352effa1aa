"""What the JVM is told, and what becomes of the archive that a run leaves."""

import shutil
from pathlib import Path

import pytest

from airflow_metorikku.config.records.own_settings import FAST_START
from airflow_metorikku.errors import RunError
from airflow_metorikku.fast_start import (
    JAVA_OPTIONS,
    SUBMIT_OPTIONS,
    FastStart,
)

LOCAL = "local[*]"


def options(start: FastStart) -> str:
    return start.environment.get(SUBMIT_OPTIONS, "")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    java = tmp_path / "jdk/bin/java"
    java.parent.mkdir(parents=True)
    java.touch(mode=0o755)
    (tmp_path / "jdk/release").write_text('JAVA_VERSION="17.0.1"')
    jars = tmp_path / "spark/jars"
    jars.mkdir(parents=True)
    (jars / "a.jar").write_text("a")
    return {
        "JAVA_HOME": str(tmp_path / "jdk"),
        "SPARK_HOME": str(tmp_path / "spark"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }


def leave_archive(start: FastStart, *, code: int = 0) -> None:
    assert start.making is not None
    start.making.write_text("classes")
    start.keep(code=code)


def test_first_run_makes_the_archive_and_the_next_uses_it(environment):
    first = FastStart.of(LOCAL, {}, environment)
    assert f"-XX:ArchiveClassesAtExit={first.making}" in options(first)
    leave_archive(first)
    second = FastStart.of(LOCAL, {}, environment)
    assert second.making is None
    assert f"-XX:SharedArchiveFile={first.archive}" in options(second)
    assert first.making is not None
    assert not first.making.exists()


def test_a_run_that_broke_leaves_nothing(environment):
    first = FastStart.of(LOCAL, {}, environment)
    leave_archive(first, code=3)
    assert first.archive is not None
    assert list(first.archive.parent.iterdir()) == []


def test_two_runs_at_once_make_one_each_and_the_later_stays(environment):
    one, other = FastStart.of(LOCAL, {}, environment), FastStart.of(LOCAL, {}, environment)
    assert one.making != other.making
    leave_archive(one)
    leave_archive(other)
    assert other.archive is not None
    left = sorted(path.name for path in other.archive.parent.iterdir())
    assert left == [other.archive.name, f"{other.archive.name}.size"]
    assert FastStart.of(LOCAL, {}, environment).making is None


@pytest.mark.parametrize("left", ["", "clas", "classes and more"])
def test_an_archive_that_is_not_whole_is_made_anew(environment, left):
    """A JVM crashes with one that was cut off, in each run."""
    first = FastStart.of(LOCAL, {}, environment)
    leave_archive(first)
    assert first.archive is not None
    first.archive.write_text(left)
    second = FastStart.of(LOCAL, {}, environment)
    assert "SharedArchiveFile" not in options(second)
    leave_archive(second)
    assert FastStart.of(LOCAL, {}, environment).making is None


@pytest.mark.parametrize(
    ("code", "stays"), [(-6, False), (134, False), (139, False), (3, True), (None, True)]
)
def test_an_archive_goes_when_a_jvm_crashed_with_it(environment, code, stays):
    first = FastStart.of(LOCAL, {}, environment)
    leave_archive(first)
    second = FastStart.of(LOCAL, {}, environment)
    second.keep(code=code)
    assert (FastStart.of(LOCAL, {}, environment).making is None) == stays


def test_no_archive_on_a_full_disk(environment, monkeypatch):
    """The JVM would fail at its end, after a run that was well."""
    usage = shutil.disk_usage("/")._replace(free=100 * 1024 * 1024)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert SUBMIT_OPTIONS not in FastStart.of(LOCAL, {}, environment).environment


@pytest.mark.parametrize("part", ["jdk/release", "spark/jars/a.jar", "spark/jars/b.jar"])
def test_another_jdk_or_spark_has_another_archive(environment, tmp_path, part):
    before = FastStart.of(LOCAL, {}, environment).archive
    (tmp_path / part).write_text("changed")
    assert FastStart.of(LOCAL, {}, environment).archive != before


def test_class_path_of_the_job_counts(environment):
    given = {"spark.driver.extraClassPath": "/x.jar"}
    assert (
        FastStart.of(LOCAL, given, environment).archive
        != FastStart.of(LOCAL, {}, environment).archive
    )


def test_options_of_the_user_come_last(environment):
    given = {**environment, SUBMIT_OPTIONS: "-Xss4m"}
    start = FastStart.of(LOCAL, {FAST_START: "short"}, given)
    assert options(start).endswith("-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xss4m")


@pytest.mark.parametrize("name", [SUBMIT_OPTIONS, "JAVA_TOOL_OPTIONS", "conf", "file"])
def test_a_collector_of_the_user_is_the_only_one(environment, tmp_path, name):
    conf = {FAST_START: "short"}
    if name == "conf":
        conf[JAVA_OPTIONS] = "-XX:+UseG1GC"
    elif name == "file":
        environment["SPARK_CONF_DIR"] = str(tmp_path)
        (tmp_path / "spark-defaults.conf").write_text(f"{JAVA_OPTIONS} -XX:+UseParallelGC\n")
    else:
        environment[name] = "-XX:+UseZGC"
    assert "SerialGC" not in options(FastStart.of(LOCAL, conf, environment))


def test_off_adds_nothing(environment):
    assert FastStart.of(LOCAL, {FAST_START: "off"}, environment).environment == environment


@pytest.mark.parametrize("master", ["yarn", "spark://h:7077", "local-cluster[1,1,1024]"])
def test_a_master_elsewhere_starts_as_it_does(environment, master):
    start = FastStart.of(master, {FAST_START: "short"}, environment)
    assert start.environment == environment
    start.keep(code=0)
    assert not Path(environment["XDG_CACHE_HOME"]).exists()


@pytest.mark.parametrize("master", [LOCAL, "yarn"])
def test_unknown_profile(environment, master):
    with pytest.raises(RunError, match="got 'fast', expected one of archive, short, off"):
        FastStart.of(master, {FAST_START: "fast"}, environment)


def test_a_cache_that_cannot_be_written_costs_only_the_archive(environment, tmp_path):
    (tmp_path / "cache").write_text("a file")
    assert options(FastStart.of(LOCAL, {}, environment)) == ""
    assert "Archive" not in options(FastStart.of(LOCAL, {FAST_START: "short"}, environment))


def test_a_folder_with_a_blank_cannot_stand_in_options(environment, tmp_path):
    given = {**environment, "XDG_CACHE_HOME": str(tmp_path / "my cache")}
    assert options(FastStart.of(LOCAL, {}, given)) == ""


def test_archives_that_nobody_used_for_long_are_removed(environment):
    import os

    first = FastStart.of(LOCAL, {}, environment)
    leave_archive(first)
    assert first.archive is not None
    old = first.archive.with_name("classes-old.jsa")
    old.write_text("x")
    os.utime(old, (0, 0))
    FastStart.of(LOCAL, {}, environment)
    assert first.archive.exists()
    assert not old.exists()
