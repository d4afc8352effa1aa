"""The archive of the fast start with a real JVM: made, used, and harmless when it is damaged."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from command_line import metorikku

JOB = {
    "metrics": ["m.json"],
    "output": {"file": {"dir": "out"}},
    "sparkConf": {"spark.metorikku.fastStart": "short"},
}
METRIC = {
    "steps": [{"dataFrameName": "t", "sql": "SELECT id FROM range(3)"}],
    "output": [
        {"dataFrameName": "t", "outputType": "JSON", "outputOptions": {"path": "t", "saveMode": "Overwrite"}}
    ],
}  # fmt: skip


@pytest.fixture
def job(tmp_path: Path) -> Path:
    (tmp_path / "job.json").write_text(json.dumps(JOB))
    (tmp_path / "m.json").write_text(json.dumps(METRIC))
    return tmp_path


def run(folder: Path) -> list[int]:
    done = metorikku(folder, "run", "-c", "job.json", XDG_CACHE_HOME=str(folder / "cache"))
    assert done.returncode == 0, done.stderr
    assert "[warning]" not in done.stdout + done.stderr
    lines = [line for file in folder.glob("out/t/part-*") for line in file.read_text().splitlines()]
    return sorted(json.loads(line)["id"] for line in lines)


def test_a_first_run_leaves_an_archive_that_later_ones_survive_in_any_state(job: Path) -> None:
    assert run(job) == [0, 1, 2]
    (archive,) = (job / "cache").rglob("*.jsa")
    whole = archive.stat()
    assert run(job) == [0, 1, 2]
    assert archive.stat().st_ino == whole.st_ino
    # Damaged in its middle: a JVM that maps this unread never ends.
    archive.chmod(0o600)
    with archive.open("r+b") as file:
        file.seek(whole.st_size // 3)
        file.write(os.urandom(whole.st_size // 4))
    assert run(job) == [0, 1, 2]
    # Cut in half: a JVM that maps this crashes.
    os.truncate(archive, whole.st_size // 2)
    assert run(job) == [0, 1, 2]
    assert run(job) == [0, 1, 2]
    (again,) = (job / "cache").rglob("*.jsa")
    assert again.stat().st_size > whole.st_size // 2
