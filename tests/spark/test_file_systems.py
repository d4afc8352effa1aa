"""The contract that both file systems keep, and a publication over Hadoop's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from airflow_metorikku.errors import RunError
from airflow_metorikku.plan.addresses import local_path
from airflow_metorikku.spark.files import Files, files_at, without_globs
from airflow_metorikku.spark.hadoop_files import HadoopFiles
from airflow_metorikku.spark.local_files import LocalFiles
from airflow_metorikku.spark.outputs import journal as journals
from airflow_metorikku.spark.outputs import publish, target
from airflow_metorikku.spark.outputs.moves import Staged
from airflow_metorikku.spark.outputs.owner import Pulse, this_owner
from airflow_metorikku.spark.outputs.staging import open_staging
from airflow_metorikku.spark.outputs.target import Target

Site = tuple[Files, str]


@pytest.fixture(params=["local", "hadoop"])
def site(request: pytest.FixtureRequest, spark: SparkSession, tmp_path: Path) -> Site:
    if request.param == "local":
        return LocalFiles(), str(tmp_path)
    return HadoopFiles(spark, f"file:{tmp_path}"), f"file:{tmp_path}"


def test_small_files(site: Site) -> None:
    files, root = site
    path = f"{root}/a b/x%20:y/note"
    with pytest.raises(FileNotFoundError):
        files.read_text(path)
    assert files.create(path, "ü\n") is True
    assert files.create(path, "other") is False
    assert files.read_text(path) == "ü\n"
    files.write_text(path, "new")
    assert files.read_text(path) == "new"
    files.touch(path, "new")
    assert files.read_text(path) == "new"
    age = files.seconds_since_written(path)
    assert age is not None
    assert age < 60
    assert files.seconds_since_written(f"{root}/none") is None
    assert files.names(f"{root}/a b/x%20:y") == ["note"]


def test_folders(site: Site) -> None:
    files, root = site
    assert files.names(f"{root}/none") == []
    files.make_folder(f"{root}/f/k=1")
    assert files.is_folder(f"{root}/f")
    assert files.create(f"{root}/f/k=1/b", "b")
    assert files.create(f"{root}/f/_a", "a")
    assert [file for file in files.walk(f"{root}/f") if not file.endswith(".crc")] == [
        "_a",
        "k=1/b",
    ]
    assert files.remove_if_empty(f"{root}/f") is False
    assert files.remove_if_empty(f"{root}/none") is False
    files.rename(f"{root}/f", f"{root}/g")
    assert not files.exists(f"{root}/f")
    files.make_folder(f"{root}/f")
    with pytest.raises(FileExistsError):
        files.rename(f"{root}/g", f"{root}/f")
    assert files.read_text(f"{root}/g/k=1/b") == "b"
    assert files.remove_if_empty(f"{root}/f") is True
    files.remove(f"{root}/g")
    files.remove(f"{root}/g")
    assert not files.exists(f"{root}/g")


def test_failures_are_os_errors(site: Site) -> None:
    files, root = site
    assert files.create(f"{root}/file", "x")
    with pytest.raises(OSError, match="file"):
        files.make_folder(f"{root}/file/below")


def test_which_file_system(spark: SparkSession) -> None:
    assert isinstance(files_at(spark, "/a b/")[0], LocalFiles)
    assert files_at(spark, "/a b/")[1] == "/a b"
    assert files_at(spark, "file:/x%20y")[1] == files_at(spark, "file:///x%20y")[1] == "/x%20y"
    assert local_path("/plain:x") == "/plain:x"
    assert local_path("hdfs://host/x") is None
    with pytest.raises(OSError, match="without Spark only local files are known"):
        files_at(None, "hdfs://host/x")
    assert without_globs("/a[1]{b}*?,") == r"/a\[1\]\{b\}\*\?\,"
    with pytest.raises(OSError, match="No FileSystem for scheme"):
        files_at(spark, "nope://host/x")


@pytest.fixture
def hadoop(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[[str], Target]:
    """Targets in a folder that everybody reaches through Hadoop."""

    def through_hadoop(_session: object, address: str) -> Site:
        return HadoopFiles(spark, address), address

    for module in (journals, publish, target):
        monkeypatch.setattr(module, "files_at", through_hadoop)
    return lambda name: target.target_at(spark, f"file:{tmp_path}/{name}")


@pytest.mark.parametrize(
    ("mode", "expected"),
    [("overwrite", ["new"]), ("append", ["new", "old"]), ("ignore", ["old"]), ("error", ["old"])],
)
def test_publication(
    spark: SparkSession,
    tmp_path: Path,
    hadoop: Callable[[str], Target],
    mode: str,
    expected: list[str],
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/old").write_text("old")
    owner, pulse = this_owner("r", spark), Pulse()
    publisher = publish.Publisher(spark, owner, pulse, 5)
    staging = open_staging(hadoop("out"), "a", 0, owner, pulse)
    Path(local_path(staging.data)).mkdir(parents=True)
    Path(local_path(staging.data), "new").write_text("new")
    staged = Staged(staging=staging, mode=mode, dynamic=False, mark="m", token="t")
    if mode == "error":
        with pytest.raises(RunError, match="exists already"):
            publisher.publish([staged])
        staging.discard(pulse)
    else:
        publisher.publish([staged])
    pulse.stop()
    found = [
        path for path in tmp_path.rglob("*") if path.is_file() and not path.name.endswith(".crc")
    ]
    assert sorted(path.read_text() for path in found) == expected
    assert {path.parent for path in found} == {tmp_path / "out"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
