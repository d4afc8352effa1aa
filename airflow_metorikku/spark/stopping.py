"""SIGTERM and Ctrl-C: what runs in Spark is cancelled, the run cleans up behind itself, says so in its result, and ends."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from typing import TYPE_CHECKING

from airflow_metorikku.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Callable

STOPPED = "the run was stopped from outside"
GRACE_SECONDS = 15.0
_CANCEL_SECONDS = 0.5

_requested = threading.Event()


def stop_on_signals(cancel: Callable[[], object], code: int) -> None:
    """From now on a signal calls `cancel` until the run has ended; a run that does not end in time is ended with `code`.

    No exception is thrown into the main thread: it may be between two moves of a publication, or
    between a question to the JVM and its answer.
    """

    def stop(_number: int, _frame: object) -> None:
        if not _requested.is_set():
            _requested.set()
            threading.Thread(target=_insist, args=(cancel, code), daemon=True).start()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)


def is_stopped() -> bool:
    """Whether the run was told to stop."""
    return _requested.is_set()


def check() -> None:
    """Raise RunError when the run was told to stop; called where it is safe to end."""
    if _requested.is_set():
        raise RunError(STOPPED)


def _insist(cancel: Callable[[], object], code: int) -> None:
    end = time.monotonic() + GRACE_SECONDS
    while time.monotonic() < end:
        # The JVM may have got the same signal and be gone.
        with contextlib.suppress(Exception):
            cancel()
        time.sleep(_CANCEL_SECONDS)
    os._exit(code)
