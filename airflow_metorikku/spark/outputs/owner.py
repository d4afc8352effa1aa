"""Who staged or locks something, and whether it still lives: a killed run must not keep a target forever."""

from __future__ import annotations

import json
import logging
import os
import socket
import threading
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow_metorikku.spark.jvm import java_class

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from airflow_metorikku.spark.files import Files

logger = logging.getLogger(__name__)

BEAT_SECONDS = 20.0
# Of another machine's owner nothing is known but its beats; six missed ones in a row is dead.
SILENT_SECONDS = 6 * BEAT_SECONDS


@dataclass(frozen=True, kw_only=True)
class Owner:
    """One run: its name for messages, and the processes that it lives in."""

    token: str
    run: str
    machine: tuple[str, str, str]
    """Host, boot, and process space: equal ones can see each other's processes."""
    processes: tuple[tuple[int, str], ...]
    """Number and start of the driver's Python and of its JVM; both may move files."""

    def to_json(self) -> str:
        """Text of an owner file."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Owner | None:
        """Read an owner file; None for one that is not written to its end."""
        try:
            raw: dict[str, Any] = json.loads(text)
            return cls(
                token=raw["token"],
                run=raw["run"],
                machine=tuple(raw["machine"]),
                processes=tuple((int(pid), str(start)) for pid, start in raw["processes"]),
            )
        except (ValueError, KeyError, TypeError):
            return None


def this_owner(run: str, session: SparkSession | None = None) -> Owner:
    """The owner that this process is, named by its run."""
    pids = [os.getpid()]
    if session is not None:
        runtime: Any = java_class(
            session, "java.lang.management.ManagementFactory"
        ).getRuntimeMXBean()
        pids.append(int(runtime.getName().split("@")[0]))
    return Owner(
        token=uuid.uuid4().hex,
        run=run,
        machine=_machine(),
        processes=tuple((pid, _start(pid) or "") for pid in pids),
    )


def is_dead(owner: Owner | None, files: Files, path: str) -> bool:
    """Whether the owner of a file can no longer do anything; of a file without a readable owner, whether it is old."""
    if owner is not None:
        here = _machine()
        if owner.machine == here:
            return not any(_lives(pid, start) for pid, start in owner.processes)
        if owner.machine[0] == here[0] and owner.machine[1] != here[1]:
            return True  # that machine has been started anew since
    age = files.seconds_since_written(path)
    return age is not None and age > SILENT_SECONDS


def _machine() -> tuple[str, str, str]:
    return (
        socket.gethostname(),
        _text("/proc/sys/kernel/random/boot_id"),
        _link("/proc/self/ns/pid"),
    )


def _lives(pid: int, start: str) -> bool:
    found = _start(pid)
    return found is not None and (not start or found == start)


def _start(pid: int) -> str | None:
    """What tells this process from a later one of the same number; None when it is gone."""
    try:
        fields = (
            Path(f"/proc/{pid}/stat")
            .read_text(encoding="utf-8", errors="replace")
            .rsplit(")", 1)[1]
            .split()
        )
    except OSError:
        return None if Path("/proc/self/stat").exists() else _signalled(pid)
    state, start = fields[0], fields[19]
    return None if state in "ZX" else start


def _signalled(pid: int) -> str | None:
    """The same where there is no /proc: all that can be asked is whether the number is in use."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        return "in use"
    return "in use"


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _link(path: str) -> str:
    try:
        return str(Path(path).readlink())
    except OSError:
        return ""


class Pulse:
    """Keeps the owner files of this run young, in a thread of its own, from the first to the last of them."""

    def __init__(self) -> None:
        self._files: dict[str, tuple[Files, str]] = {}
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def keep(self, files: Files, path: str, text: str) -> None:
        """Beat on a file from now on."""
        self._files[path] = (files, text)
        if self._thread is None:
            self._thread = threading.Thread(target=self._beat, name="metorikku-pulse", daemon=True)
            self._thread.start()

    def leave(self, path: str) -> None:
        """No more beats on a file."""
        self._files.pop(path, None)

    def stop(self) -> None:
        """End the thread."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(timeout=BEAT_SECONDS)

    def _beat(self) -> None:
        while not self._stopped.wait(BEAT_SECONDS):
            for path, (files, text) in list(self._files.items()):
                try:
                    if path in self._files:
                        files.touch(path, text)
                except OSError as error:
                    logger.warning("cannot renew %s: %s", path, error)
