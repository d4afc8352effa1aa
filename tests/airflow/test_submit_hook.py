"""Killing a run ends all of it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from airflow_metorikku.operators.submit_hook import MetorikkuSubmitHook

# As spark-submit does: a process that waits for a child of its own, which does not end when its parent is killed.
PARENT = "import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); print(child.pid, flush=True); child.wait()"


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_kill_reaches_the_drivers_own_children():
    hook = MetorikkuSubmitHook(conn_id="none")
    hook._submit_sp = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    child = int(hook._submit_sp.stdout.readline())
    assert lives(child)
    hook.on_kill()
    hook._submit_sp.wait(10)
    hook._submit_sp.stdout.close()
    deadline = time.monotonic() + 5
    while lives(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not lives(child)


@pytest.mark.parametrize(
    ("master", "files"), [("local[2]", "a"), ("spark://h:7077", "a,/s/secrets")]
)
def test_secrets_are_shipped_only_where_the_driver_may_be_elsewhere(master: str, files: str):
    hook = MetorikkuSubmitHook(conn_id="none", conf={"spark.master": master}, files="a")
    hook.ship(Path("/s/secrets"))
    assert hook._files == files
    hook.ship(None)
    assert hook._files == files
