"""What the JVM is told, and what becomes of the archive that a run leaves."""

from pathlib import Path

import pytest

from airflow_metorikku.errors import RunError
from airflow_metorikku.fast_start import (
    JAVA_OPTIONS,
    SETTING,
    SUBMIT_OPTIONS,
    FastStart,
    without_setting,
)


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


def leave_archive(start: FastStart, *, well: bool = True) -> None:
    assert start.making is not None
    start.making.write_text("classes")
    start.keep(well=well)


def test_first_run_makes_the_archive_and_the_next_uses_it(environment):
    first = FastStart.of({}, environment)
    assert f"-XX:ArchiveClassesAtExit={first.making}" in first.options
    leave_archive(first)
    second = FastStart.of({}, environment)
    assert second.making is None
    assert f"-XX:SharedArchiveFile={first.archive}" in second.options
    assert first.making is not None
    assert not first.making.exists()


def test_a_run_that_broke_leaves_nothing(environment):
    first = FastStart.of({}, environment)
    leave_archive(first, well=False)
    assert first.archive is not None
    assert list(first.archive.parent.iterdir()) == []


def test_two_runs_at_once_make_one_each_and_the_later_stays(environment):
    one, other = FastStart.of({}, environment), FastStart.of({}, environment)
    assert one.making != other.making
    leave_archive(one)
    leave_archive(other)
    assert other.archive is not None
    assert [path.name for path in other.archive.parent.iterdir()] == [other.archive.name]


@pytest.mark.parametrize("part", ["jdk/release", "spark/jars/a.jar", "spark/jars/b.jar"])
def test_another_jdk_or_spark_has_another_archive(environment, tmp_path, part):
    before = FastStart.of({}, environment).archive
    (tmp_path / part).write_text("changed")
    assert FastStart.of({}, environment).archive != before


def test_class_path_of_the_job_counts(environment):
    given = {"spark.driver.extraClassPath": "/x.jar"}
    assert FastStart.of(given, environment).archive != FastStart.of({}, environment).archive


def test_options_of_the_user_come_last(environment):
    start = FastStart.of({SETTING: "short"}, environment)
    found = start.environment({**environment, SUBMIT_OPTIONS: "-Xss4m"})
    assert found[SUBMIT_OPTIONS].endswith("-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xss4m")


@pytest.mark.parametrize("name", [SUBMIT_OPTIONS, "JAVA_TOOL_OPTIONS", "conf", "file"])
def test_a_collector_of_the_user_is_the_only_one(environment, tmp_path, name):
    conf = {SETTING: "short"}
    if name == "conf":
        conf[JAVA_OPTIONS] = "-XX:+UseG1GC"
    elif name == "file":
        environment["SPARK_CONF_DIR"] = str(tmp_path)
        (tmp_path / "spark-defaults.conf").write_text(f"{JAVA_OPTIONS} -XX:+UseParallelGC\n")
    else:
        environment[name] = "-XX:+UseZGC"
    assert "SerialGC" not in FastStart.of(conf, environment).options


def test_off_adds_nothing(environment):
    given = {SETTING: "off", "spark.x": "1"}
    assert FastStart.of(given, environment).environment(environment) == environment
    assert without_setting(given) == {"spark.x": "1"}


def test_unknown_profile(environment):
    with pytest.raises(RunError, match="got 'fast', expected one of archive, short, off"):
        FastStart.of({SETTING: "fast"}, environment)


def test_a_cache_that_cannot_be_written_costs_only_the_archive(environment, tmp_path):
    (tmp_path / "cache").write_text("a file")
    assert FastStart.of({}, environment).options == ""
    assert "Archive" not in FastStart.of({SETTING: "short"}, environment).options


def test_a_folder_with_a_blank_cannot_stand_in_options(environment, tmp_path):
    given = {**environment, "XDG_CACHE_HOME": str(tmp_path / "my cache")}
    assert FastStart.of({}, given).options == ""


def test_archives_that_nobody_used_for_long_are_removed(environment):
    import os

    first = FastStart.of({}, environment)
    leave_archive(first)
    assert first.archive is not None
    old = first.archive.with_name("classes-old.jsa")
    old.write_text("x")
    os.utime(old, (0, 0))
    FastStart.of({}, environment)
    assert first.archive.exists()
    assert not old.exists()
