"""The rounds of a periodic job: each reads the files and inputs again, in a Spark of its own."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from airflow_metorikku.errors import MetorikkuError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from airflow_metorikku.config.records.job import Job

MOST_FAILED = 3


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of a periodic job."""
    parser.add_argument(
        "--once", action="store_true", help="of a periodic job one round only, and no more"
    )
    parser.add_argument(
        "--max-failed-rounds",
        type=_count,
        default=MOST_FAILED,
        metavar="N",
        help=f"end a periodic job after so many failed rounds in a row; default {MOST_FAILED}",
    )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected a whole number, 1 or more")
    return int(text)


def run_rounds(
    read: Callable[[], Job], run_round: Callable[[Job], int], *, most_failed: int = MOST_FAILED
) -> int:
    """Round after round until SIGTERM or Ctrl-C (0), or until too many failed in a row (the last one's exit code).

    A round that was stopped has published nothing that it had not finished.
    """
    stopped = threading.Event()
    failed, number, seconds = 0, 0, 0.0
    with _stopping(stopped):
        while not stopped.is_set():
            number += 1
            started = time.monotonic()
            code, seconds = _round(read, run_round, seconds)
            if stopped.is_set():
                break
            failed = failed + 1 if code else 0
            if failed >= most_failed:
                _say(f"round {number}: failed, the {failed}. in a row; giving up")
                return code
            left = max(0.0, seconds - (time.monotonic() - started))
            how = f"failed with exit code {code}" if code else "done"
            _say(f"round {number}: {how}; the next one in {left:.0f} s")
            stopped.wait(left)
    _say(f"stopped in or after round {number}")
    return 0


def _round(
    read: Callable[[], Job], run_round: Callable[[Job], int], seconds: float
) -> tuple[int, float]:
    """Exit code of one round, and the time from its start to the next one's; the last known one where the file is broken now."""
    try:
        job = read()
        if job.settings.periodic:
            seconds = job.settings.periodic.duration.total_seconds()
        return run_round(job), seconds
    except MetorikkuError as error:
        _say(str(error))
        return error.exit_code, seconds


@contextmanager
def _stopping(stopped: threading.Event) -> Iterator[None]:
    def stop(_number: int, _frame: object) -> None:
        stopped.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
